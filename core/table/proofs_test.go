package table

import (
	"os"
	"testing"

	"hush/core/internal/prooftest"
)

// The proof names only what exists.
func TestProofsNameWhatExists(t *testing.T) {
	if p := prooftest.Check(t, os.DirFS(".")); !p.Files["use.md"] {
		t.Error("no use.md")
	}
}
