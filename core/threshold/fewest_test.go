package threshold

import (
	"math"
	"math/big"
	"testing"

	"hush/core/privacy"
)

// TestFewestPersons: where there is no δ, the best method for data sets of equal values reaches its
// aim with this many persons, and not with one fewer; a δ only lowers the bound, and of huge
// domains it is finite.
func TestFewestPersons(t *testing.T) {
	for _, size := range []int64{2, 3, 10, 1000, 1 << 40} {
		for _, e := range []string{"0.01", "0.5", "1", "7"} {
			for _, beta := range []float64{0.01, 0.05, 0.3} {
				n := FewestPersons(big.NewInt(size), epsilon(e), privacy.Delta{}, beta)
				reached := func(n int64) float64 {
					return 1 / (1 + float64(size-1)*math.Exp(-epsilon(e).Float64()*float64(n)))
				}
				if reached(n) < 1-beta-1e-6 || n > 1 && reached(n-1) > 1-beta+1e-6 {
					t.Errorf("%d values, ε = %s, β = %g: %d persons reach %g, one fewer %g", size,
						e, beta, n, reached(n), reached(n-1))
				}
				if with := FewestPersons(big.NewInt(size), epsilon(e), delta("1e-6"),
					beta); with > n || size == 1<<40 && e == "0.5" && with > 30 {
					t.Errorf("%d values, ε = %s, β = %g: %d persons with a δ, %d without", size,
						e, beta, with, n)
				}
			}
		}
	}
	huge := new(big.Int).Lsh(big.NewInt(1), 1<<20)
	if n := FewestPersons(huge, epsilon("1"), privacy.Delta{}, 0.05); n != 726_821 {
		t.Errorf("2^20 bits: %d persons, want ⌈2^20·ln 2 + ln 19⌉", n)
	}
	if n := FewestPersons(big.NewInt(1), epsilon("1"), privacy.Delta{}, 0.05); n != 1 {
		t.Errorf("one value: %d persons", n)
	}
}

// TestNobodyNeedsFewer: what each of the finders needs is no less.
func TestNobodyNeedsFewer(t *testing.T) {
	for _, bits := range []uint{1, 8, 64, 256, 1024} {
		size := values(bits)
		for _, e := range []string{"0.2", "1", "4"} {
			pure := FewestPersons(size, epsilon(e), privacy.Delta{}, 0.05)
			approximate := FewestPersons(size, epsilon(e), delta("1e-6"), 0.05)
			tree := TreeLogParams{Epsilon: epsilon(e), Delta: delta("1e-6"), Size: size}
			for _, f := range []struct {
				Finder
				least int64
			}{
				{must(NewExponential(ExponentialParams{Epsilon: epsilon(e), Size: size})), pure},
				{must(NewBinarySearch(BinarySearchParams{Epsilon: epsilon(e), Size: size})), pure},
				{must(NewTreeLog(tree)), approximate},
			} {
				if int64(f.Needs()) < f.least {
					t.Errorf("%d bits, ε = %s: %s needs %d persons, no method fewer than %d", bits,
						e, f.Name(), f.Needs(), f.least)
				}
			}
		}
	}
}
