package joint

import (
	"os"
	"testing"

	"hush/core/internal/audittest"
	"hush/core/internal/prooftest"
)

func TestMain(m *testing.M) { audittest.Main(m) }

func TestProofs(t *testing.T) { prooftest.Check(t, os.DirFS(".")) }

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
