package task

import (
	"math/big"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/density"
	"hush/core/threshold"
)

// The units of scores, in the words of forms and reports. Sensitivities are proved in score.md.
const (
	byLikelihood = "how likely the released distribution makes the people's values"
	byGap        = "how many people the released distribution is off by where it is most off"
	byRank       = "how many people are on the wrong side of the released values"
	byRight      = "how many people the released rule classifies correctly"
	byQuestions  = "how many people answers to public random questions are off by, on average"
)

// gapOf is minus the largest error of a distribution function.
func gapOf(release *density.Distribution, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	codes, err := sorted(data.Main, blindly(step))
	if err != nil {
		return 0, 0, err
	}
	gap, err := release.Gap(codes, step)
	return -gap, 1, err
}

// tunable is a prepared question whose results can be compared on the data.
type tunable interface {
	ask.Prepared
	// score rates a result of run on the data, in whole points: replacing one person changes it by
	// at most moves, which may depend on the result. Its error is that of step, which receives no
	// progress.
	score(r ask.Result, data ask.Data, step coin.Step) (points int64, moves uint64, err error)
	// perfect returns the score of a result without any error; ok is false where points do not
	// count people.
	perfect() (points int64, ok bool)
}

// sometimes is a tunable question some forms of which cannot be compared on the data.
type sometimes interface{ scored() bool }

// blindly returns a step that hides progress from step.
func blindly(step coin.Step) coin.Step {
	if step == nil {
		return nil
	}
	return func(int64, int64) error { return step(0, 1) }
}

// rankScore is threshold.RankScore of released values.
func rankScore(s ask.Space, values, exact []string, parts []*big.Rat, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	codes, err := sorted(data.Main, blindly(step))
	if err != nil {
		return 0, 0, err
	}
	at := make([]*big.Int, len(values))
	for i, value := range values {
		code, ok := s.Shown(value)
		if exact[i] != "" {
			code, ok = s.Read(exact[i])
		}
		if !ok {
			panic("task: internal error: a released value that is not possible")
		}
		at[i] = code
	}
	return threshold.RankScore(codes, at, parts), 1, nil
}
