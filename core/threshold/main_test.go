package threshold

import (
	"flag"
	"os"
	"testing"

	"hush/core/internal/audittest"
	"hush/core/internal/prooftest"
)

// long asks for the large versions of property tests, audits and tables: minutes instead of
// seconds.
var long = flag.Bool("long", false, "run the long versions of tests")

func TestMain(m *testing.M) { audittest.Main(m) }

func TestProofs(t *testing.T) { prooftest.Check(t, os.DirFS(".")) }
