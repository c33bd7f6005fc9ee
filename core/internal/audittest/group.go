package audittest

import (
	"testing"

	"hush/core/privacy"
)

// InGroups fails the test unless a mechanism's loss for several persons is at least what group
// privacy makes of its loss for one, and none where group privacy has none.
func InGroups(t *testing.T, name string, m interface {
	Loss(d privacy.Distance) (privacy.Loss, error)
}) {
	t.Helper()
	one, err := m.Loss(1)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for d := privacy.Distance(2); d <= 3; d++ {
		group, none := one.Group(d)
		loss, err := m.Loss(d)
		if (err == nil) != (none == nil) {
			t.Errorf("%s: %d persons: %v, want %v", name, d, err, none)
		} else if err == nil && !group.AtMost(loss) {
			t.Errorf("%s: %d persons cost %v, want %v", name, d, loss, group)
		}
	}
}
