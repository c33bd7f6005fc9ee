package prooftest

import (
	"os"
	"slices"
	"testing"
)

func TestMissingFindsWhatIsNotThere(t *testing.T) {
	p := Read(t, os.DirFS("."))
	text := "`Read()` and `Package.Missing()`, `Lost()`, `Package.Lost()`; " +
		"`TestMissingFindsWhatIsNotThere`, `TestLost`; `plain`, Lost()"
	if got, want := p.Missing(text),
		[]string{"Lost()", "Package.Lost()", "TestLost"}; !slices.Equal(got, want) {
		t.Errorf("missing %v, want %v", got, want)
	}
}
