package chart

import (
	"strconv"
	"strings"

	"hush/core/message"
	"hush/core/phrase"
	"hush/core/task"
	"hush/web/say"
)

// What a lesson tells of a choice.
const FigureReached, FigureDrawn phrase.Key = "Percentile reached", "Candidates drawn"

// winnerView shows the best of several possible answers.
type winnerView struct{}

// picture draws the winner's noisy score with its range, of everybody where it counts people;
// without one, only its name.
func (winnerView) picture(r *task.Release) picture {
	w := r.Answer.Result.(*task.Winner)
	_, many := nounOf(r)
	count, err1 := strconv.ParseFloat(w.Count, 64)
	off, err2 := strconv.ParseFloat(w.Error, 64)
	p := point{name: say.Text("chosen"), label: w.Value}
	if w.Value == "" {
		p.label = say.Text("nothing")
	}
	score := w.Score
	if err1 == nil && err2 == nil {
		p.at, p.low, p.high, p.known, p.ranged = max(count, 0), max(count-off, 0),
			max(count+off, 0),
			true, true
		switch w.Score {
		case many:
			if n := float64(r.Plan.People); n >= p.high {
				p.hi, p.scaled = n, true
			}
		default:
			if p.high <= 100 && strings.Contains(w.Score, "%") {
				p.hi, p.scaled = 100, true
			}
		}
		p.says = said(w.Value, written(w.Count)+" "+score, Number(p.low), Number(p.high))
	}
	drawn := alone(p)
	if p.known {
		drawn.axis, drawn.bars = score, errorBars()
	}
	return drawn
}

func (winnerView) figures(r *task.Release) []figure {
	w := r.Answer.Result.(*task.Winner)
	list := []figure{{say.Text("Chosen"), w.Value}}
	switch {
	case w.Value == "":
		list[0].Text = say.Text("nothing")
	case w.Count != "":
		list = append(list, figure{w.Score, w.Count + " ± " + w.Error})
	}
	if w.Reached != nil {
		list = append(list, figure{say.Text(FigureReached), Short(w.Reached.Percentile) + " %"},
			figure{say.Text(FigureDrawn), message.Grouped(w.Reached.Drawn)})
	}
	return list
}
