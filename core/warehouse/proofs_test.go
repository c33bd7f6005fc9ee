package warehouse

import (
	"os"
	"testing"

	"hush/core/internal/prooftest"
)

func TestProofs(t *testing.T) { prooftest.Check(t, os.DirFS(".")) }
