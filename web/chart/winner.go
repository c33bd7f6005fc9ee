package chart

import (
	"strconv"
	"strings"

	"hush/core/message"
	"hush/core/phrase"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// The figures that a lesson shows about a choice.
const FigureReached, FigureDrawn phrase.Key = "Percentile reached", "Candidates drawn"

// winnerView shows the best of several possible answers.
type winnerView struct{}

// picture draws the winner's noisy score with its range, out of everybody if it counts people;
// without a score, only its name.
func (winnerView) picture(r *task.Release) plot.Picture {
	w := r.Answer.Result.(*task.Winner)
	_, many := nounOf(r)
	count, err1 := strconv.ParseFloat(w.Count, 64)
	off, err2 := strconv.ParseFloat(w.Error, 64)
	p := plot.Point{Name: say.Text("chosen"), Label: w.Value}
	if w.Value == "" {
		p.Label = say.Text("nothing")
	}
	score := w.Score
	if err1 == nil && err2 == nil {
		p.At, p.Low, p.High, p.Known, p.Ranged = max(count, 0), max(count-off, 0),
			max(count+off, 0),
			true, true
		switch w.Score {
		case many:
			if n := float64(r.Plan.People); n >= p.High {
				p.Hi, p.Scaled = n, true
			}
		default:
			if p.High <= 100 && strings.Contains(w.Score, "%") {
				p.Hi, p.Scaled = 100, true
			}
		}
		p.Says = plot.Said(w.Value, plot.Written(w.Count)+" "+score, plot.Number(p.Low),
			plot.Number(p.High))
	}
	drawn := plot.Alone(p)
	if p.Known {
		drawn.Axis, drawn.Bars = score, plot.ErrorBars()
	}
	return drawn
}

func (winnerView) figures(r *task.Release) []Figure {
	w := r.Answer.Result.(*task.Winner)
	list := []Figure{{say.Text("Chosen"), w.Value}}
	switch {
	case w.Value == "":
		list[0].Text = say.Text("nothing")
	case w.Count != "":
		list = append(list, Figure{w.Score, w.Count + " ± " + w.Error})
	}
	if w.Reached != nil {
		list = append(list,
			Figure{say.Text(FigureReached), plot.Short(w.Reached.Percentile) + " %"},
			Figure{say.Text(FigureDrawn), message.Grouped(w.Reached.Drawn)})
	}
	return list
}
