package selection

import (
	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// Validated is a candidate that trains in private and is scored on other data: train returns a
// model, count how many persons of the validation set it serves, exactly, and noise hides any one
// of them.
//
// # Guarantee
//
// One run is as private as train for the persons trained on and as the noise for those of the
// validation set, who move count by at most one each. [ValidatedLoss] says both. Proof:
// validate.md.
//
// # Reference
//
// Liu, Talwar, 2019, Lemma 5.1.
func Validated[T any](train func(src coin.Source) (T, error), count func(model T) (int64, error),
	noise *mechanism.Laplace) Candidate[T] {
	return func(src coin.Source) (Scored[T], error) {
		model, err := train(src)
		if err != nil {
			return Scored[T]{}, err
		}
		served, err := count(model)
		if err != nil {
			return Scored[T]{}, err
		}
		return Scored[T]{model, noise.AddTo(src, served)}, nil
	}
}

// ValidatedLoss is the loss of the best of many validated runs: for a person who was trained on,
// for one of the validation set, and for one who is in both because they are the same data.
type ValidatedLoss struct{ Training, Validation, Both privacy.Loss }

// ValidatedCost is that loss for runs with these losses.
func ValidatedCost(r Repetitions, training, validation privacy.Loss) (ValidatedLoss, error) {
	var cost ValidatedLoss
	for _, part := range []struct {
		of  privacy.Loss
		out *privacy.Loss
	}{{training, &cost.Training}, {validation, &cost.Validation},
		{training.Plus(validation), &cost.Both}} {
		loss, err := r.Cost(part.of)
		if err != nil {
			return ValidatedLoss{}, err
		}
		*part.out = loss
	}
	return cost, nil
}
