package privacy

import (
	"os"
	"testing"

	"hush/core/internal/prooftest"
)

func TestProofsNameWhatExists(t *testing.T) {
	p := prooftest.Check(t, os.DirFS("."))
	for _, file := range []string{"bounds", "group", "subsample", "concentrated", "compose",
		"optimal", "range", "adaptive", "filter", "rest"} {
		if !p.Files[file+".go"] || !p.Files[file+".md"] {
			t.Errorf("%s.go and %s.md do not stand together", file, file)
		}
	}
}
