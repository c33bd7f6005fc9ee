package basic

import (
	"os"
	"testing"

	"hush/core/internal/prooftest"
)

// Every proof names only what exists, and every question has an example.
func TestProofsNameWhatExists(t *testing.T) {
	p := prooftest.Check(t, os.DirFS("."))
	for _, file := range []string{"sums.md", "quantiles.md", "jointexp.md", "opengroups.md",
		"upperbound.md", "topup.md"} {
		if !p.Files[file] {
			t.Errorf("no %s", file)
		}
	}
	for _, name := range []string{"Count", "Share", "Sum", "Mean", "Variance", "Histogram",
		"ByGroup", "OpenGroups", "Quantiles", "JointExp", "UpperBound",
		"SmallestEpsilon"} {
		if !p.Tests["Example"+name] {
			t.Errorf("%s has no example", name)
		}
	}
}
