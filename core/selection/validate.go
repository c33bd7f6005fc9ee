package selection

import (
	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
)

// Halves is a run that trains on some of the rows and is scored on the others.
//
// # Guarantee
//
// That of training for a person whose row is trained on, and that of the score's noise for one
// whose row is scored: the larger of the two for everybody, where it is public which rows are
// trained on ([Trains]). Proof: validate.md.
//
// # Reference
//
// Liu, Talwar, 2019, Lemma 5.1.
type Halves struct {
	noise *mechanism.Laplace
	spend *meter.Spend
}

// NewHalves returns a run whose training has the loss training for a person trained on, and whose
// score has the ε score, for scores that a person moves by at most one (H: validate.md train-loss,
// count-moves). A person is one row, and a row one person (H: validate.md one-row).
func NewHalves(training privacy.Loss, score privacy.Epsilon) (*Halves, error) {
	noise, err := mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: score, L1Sensitivity: 1})
	if err != nil {
		return nil, err
	}
	return halvesOf(training, noise)
}

func halvesOf(training privacy.Loss, noise *mechanism.Laplace) (*Halves, error) {
	scored, err := noise.Loss(1)
	if err != nil {
		return nil, err
	}
	worse, err := Worst(training, scored)
	return &Halves{noise, meter.Proved("two halves of the rows", "selection/validate.md", worse,
		meter.Once(training), meter.Once(scored))}, err
}

// Loss is the loss of one run for data sets that differ in d persons.
func (m *Halves) Loss(d privacy.Distance) (privacy.Loss, error) { return m.spend.Loss.Group(d) }

// Trains reports whether a row is trained on; otherwise it is scored. Half of all rows are, mixed
// by their numbers alone, so that both halves share any pattern of the file.
func Trains(row int) bool { // H: validate.md by-number
	x := uint64(row) + 0x9e3779b97f4a7c15 // SplitMix64 (Steele, Lea, Flood, 2014)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x>>63 == 0
}

// Trained returns how many of this many rows are trained on.
func Trained(rows int64) (trained int64) {
	for i := range rows {
		if Trains(int(i)) {
			trained++
		}
	}
	return trained
}

// Validated returns a candidate of such runs: train returns a model, and count the exact number of
// points for it on the rows that are scored.
func Validated[T any](m *Halves, train func(src coin.Source) (T, error),
	count func(model T) (int64, error)) Candidate[T] {
	return func(src coin.Source) (Scored[T], error) {
		src = meter.Within(src, m.spend)
		model, err := train(src)
		if err != nil {
			return Scored[T]{}, err
		}
		served, err := count(model)
		if err != nil {
			return Scored[T]{}, err
		}
		return Scored[T]{model, m.noise.AddTo(src, served)}, nil
	}
}
