package task

import (
	"bytes"
	"math"
	"math/big"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/privacy"
)

// DifferenceLesson refines a rough histogram of made-up people for the difference of two ε, and
// compares that with a fresh histogram for the same difference. Nothing in it is private, and none
// of its outcomes is a release.
type DifferenceLesson struct {
	First string    `json:"first"` // ε of the first answer
	Then  string    `json:"then"`  // ε in all, above First
	Seed  coin.Seed `json:"seed"`
}

// Difference is the outcome of the lesson.
type Difference struct {
	// Taught holds the counts at QuietEpsilon, the first answer, and the one that was made from it.
	Taught *Taught `json:"taught"`
	// The error of a count, on average over DifferenceDraws histograms.
	First float64 `json:"first"` // in the first answer
	Made  float64 `json:"made"`  // in the one that was made of it
	Anew  float64 `json:"anew"`  // in one that was asked anew with all of ε
	// MadeBoth and AnewBoth are the errors of each averaged with the first answer, as is best for
	// two answers with independent noise.
	MadeBoth float64 `json:"madeBoth"`
	AnewBoth float64 `json:"anewBoth"`
}

// DifferenceDraws is the number of times that both are drawn.
const DifferenceDraws = 100

// agesOfClinic is the question of the lesson.
func agesOfClinic(epsilon string) ask.Recipe {
	return ask.Recipe{Version: ask.RecipeVersion, Task: histogramTask.ID, Column: 1, Label: "age",
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"}, Epsilon: epsilon}
}

// TeachDifference draws both. say is the language; nil is English.
func TeachDifference(say *message.Language, l DifferenceLesson,
	step coin.Step) (*Difference, error) {
	of := ask.Lesson{Sample: "clinic", Recipe: agesOfClinic(l.First), Seed: l.Seed}
	file, err := of.File()
	if err != nil {
		return nil, err
	}
	_, r, err := ask.OpenLesson(say, All{}, of)
	if err != nil {
		return nil, err
	}
	s := NewSession(coin.NewSeeded(l.Seed))
	s.Say = say
	if err := s.Load(bytes.NewReader(file), r); err != nil {
		return nil, err
	}
	quiet, anew := r, r
	quiet.Epsilon, anew.Epsilon = ask.QuietEpsilon, l.Then
	truth, err := s.Run(quiet, nil)
	if err != nil {
		return nil, err
	}
	// weighted by inverse variances of two independent answers, whose noise is proportional to 1/ε
	epsilon, err := privacy.ParseEpsilon(l.Then)
	if err != nil {
		return nil, err
	}
	plan, err := s.Plan(r)
	if err != nil {
		return nil, err
	}
	few, _ := plan.Loss.Epsilon() // a histogram's loss has one
	times, _ := new(big.Rat).Quo(epsilon.Rat(), few).Float64()
	weight := 1 / (1 + times*times)
	out := &Difference{Taught: &Taught{Quiet: truth}}
	off := func(sum *float64, counts func(bin int) float64) {
		bins := truth.Answer.Result.(*Histogram).Bins
		for i, bin := range bins {
			*sum += math.Abs(counts(i)-float64(bin.Count)) / float64(len(bins)*DifferenceDraws)
		}
	}
	for draw := range DifferenceDraws {
		if step != nil {
			if err := step(int64(draw), DifferenceDraws); err != nil {
				return nil, err
			}
		}
		var answers [3]*Release
		if answers[0], err = s.Run(r, nil); err != nil {
			return nil, err
		}
		if answers[1], err = s.TopUp(answers[0], l.Then, nil); err != nil {
			return nil, err
		}
		if answers[2], err = s.Run(anew, nil); err != nil {
			return nil, err
		}
		if draw == 0 {
			out.Taught.Draws = answers[:2]
		}
		count := func(answer, bin int) float64 {
			return float64(answers[answer].Answer.Result.(*Histogram).Bins[bin].Count)
		}
		mean := func(answer int) func(int) float64 {
			return func(bin int) float64 {
				return weight*count(0, bin) + (1-weight)*count(answer, bin)
			}
		}
		off(&out.First, func(bin int) float64 { return count(0, bin) })
		off(&out.Made, func(bin int) float64 { return count(1, bin) })
		off(&out.Anew, func(bin int) float64 { return count(2, bin) })
		off(&out.MadeBoth, mean(1))
		off(&out.AnewBoth, mean(2))
	}
	return out, nil
}
