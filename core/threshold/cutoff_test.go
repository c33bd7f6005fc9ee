package threshold

import (
	"errors"
	"testing"

	"hush/core/param"
)

// TestCutoffLearners: exactly one learner learns.
func TestCutoffLearners(t *testing.T) {
	// H: cutoff.md one-learner
	for _, p := range []CutoffParams{{}, {Agnostic: new(Agnostic), Realizable: new(Realizable)}} {
		var refused *param.Error
		if _, err := NewCutoff(p); !errors.As(err, &refused) || refused.Field != "learners" {
			t.Errorf("%+v: %v", p, err)
		}
	}
}
