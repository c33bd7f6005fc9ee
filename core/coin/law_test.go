package coin

import (
	"math"
	"math/big"
	"os"
	"os/exec"
	"testing"

	cryptorand "crypto/rand"

	"hush/core/internal/prooftest"
	"hush/core/internal/stattest"
)

// sources are the production paths. The sample of crypto/rand is fresh each time, and so fails once
// in 1/Alpha runs.
func sources(t *testing.T, f func(t *testing.T, src Source)) {
	t.Run("seeded", func(t *testing.T) { f(t, NewSeeded(20240607)) })
	t.Run("crypto", func(t *testing.T) {
		if testing.Short() {
			t.Skip("fresh randomness: not under -short")
		}
		f(t, NewCrypto())
	})
}

func toNumber(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func TestLawOfBernoulli(t *testing.T) {
	r := base(3, 2)
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil)
	for name, p := range map[string]Chance{
		"small fraction": Ratio(2, 5),
		"complement":     Ratio(3, 5).Complement(),
		"power":          Ratio(3, 4).TimesPower(r, 2),
		"long fraction":  RatioBig(ten, new(big.Int).Add(ten, new(big.Int).Add(ten, bigOne))),
	} {
		t.Run(name, func(t *testing.T) {
			sources(t, func(t *testing.T, src Source) {
				value, _ := p.Rat().Float64()
				stattest.AcceptAndReject(t, func() int64 { return toNumber(src.Bernoulli(p)) },
					func(scale float64) stattest.CDF {
						return stattest.FromPMF(0, []float64{1 - value*scale, value * scale})
					})
			})
		})
	}
}

func TestLawOfUniform(t *testing.T) {
	upTo := func(n float64) func(float64) stattest.CDF {
		return func(scale float64) stattest.CDF {
			return func(k int64) float64 { return min(1, max(0, float64(k)+1)/math.Round(n*scale)) }
		}
	}
	sources(t, func(t *testing.T, src Source) {
		stattest.AcceptAndReject(t, func() int64 { return int64(src.Uniform(10)) }, upTo(10))
		stattest.AcceptAndReject(t, func() int64 { return int64(src.Uniform(3e18)) }, upTo(3e18))
		n := new(big.Int).Lsh(big.NewInt(1000), 200)
		stattest.AcceptAndReject(t, func() int64 {
			x := src.UniformBig(n)
			return x.Rsh(x, 200).Int64()
		}, upTo(1000))
	})
}

func TestLawOfGeometric(t *testing.T) {
	wide, err := ExpBelow(rat("1/1000000"))
	if err != nil {
		t.Fatal(err)
	}
	wider, err := ExpBelow(powerOfTwo(-40))
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]Base{"3/2": base(3, 2), "scale 1e6": wide, "scale 2^40": wider,
		"(1+1/100)^3": base(101, 100).Pow(3)} {
		t.Run(name, func(t *testing.T) {
			sources(t, func(t *testing.T, src Source) {
				stattest.AcceptAndReject(t, func() int64 {
					return int64(src.Geometric(r))
				}, func(scale float64) stattest.CDF {
					return func(k int64) float64 {
						return -math.Expm1(-r.Log() / scale * max(0, float64(k)+1))
					}
				})
			})
		})
	}
}

func TestLawOfChoose(t *testing.T) {
	r := base(5, 4)
	huge := new(big.Int).Lsh(bigOne, 1<<20)
	for name, g := range map[string]struct {
		groups  Groups
		weights []float64 // their logarithms without the power of r
		scores  []float64
	}{
		"scores": {list{{score: -4, m: 1}, {score: 0, m: 2}, {score: 1, m: 3}, {score: 3, m: 0},
			{score: 12, m: 9}},
			[]float64{0, math.Log(2), math.Log(3), math.Inf(-1), math.Log(9)},
			[]float64{-4, 0, 1, 3, 12}},
		"long multiplicities": {
			list{{score: 2, many: huge}, {score: 6, many: new(big.Int).Lsh(huge, 1)},
				{score: 9, many: new(big.Int).Mul(huge, big.NewInt(3))}},
			[]float64{0, math.Ln2, math.Log(3)}, []float64{2, 6, 9}},
	} {
		t.Run(name, func(t *testing.T) {
			sources(t, func(t *testing.T, src Source) {
				stattest.AcceptAndReject(t, func() int64 {
					i, _ := src.Choose(g.groups, r, nil)
					return int64(i)
				}, func(scale float64) stattest.CDF {
					mass := make([]float64, len(g.weights))
					for i := range mass {
						mass[i] = math.Exp(g.weights[i] - g.scores[i]*r.Log()/scale)
					}
					return stattest.FromPMF(0, mass)
				})
			})
		})
	}
}

// TestLawOfChooseAcrossBlocks draws from three blocks of groups.
func TestLawOfChooseAcrossBlocks(t *testing.T) {
	groups := many{list{{score: 0, m: 1}, {score: 1, m: 2}}, 3 * blockLen / 2, 0}
	r := base(3, 2)
	src := NewSeeded(3)
	counts := make([]float64, 6) // by block and kind
	const n = 1200
	for range n {
		i, _ := src.Choose(groups, r, nil)
		counts[i/blockLen*2+i%2]++
	}
	for cell, count := range counts {
		want := n / 3.0 * []float64{3.0 / 7, 4.0 / 7}[cell%2]
		if math.Abs(count-want) > 5.5*math.Sqrt(want) {
			t.Errorf("cell %d: %g draws, want about %g", cell, count, want)
		}
	}
}

func TestOrigins(t *testing.T) {
	if o := NewCrypto().Origin(); o != Crypto {
		t.Errorf("origin %v", o)
	}
	if o := NewSeeded(0).Origin(); o != Seeded {
		t.Errorf("origin %v", o)
	}
}

// TestWordsAreWiped looks for spent randomness in memory.
func TestWordsAreWiped(t *testing.T) {
	s := NewSeeded(5).(*bitSource)
	s.word()
	for i, b := range s.block {
		if spent := i < 8; spent && b != 0 {
			t.Errorf("byte %d of a spent word is %d", i, b)
		}
	}
}

// TestFailingGeneratorKills starts this test as a process of its own whose generator fails.
func TestFailingGeneratorKills(t *testing.T) {
	if os.Getenv("HUSH_TEST_NO_ENTROPY") == "1" {
		cryptorand.Reader = noEntropy{}
		src := NewCrypto()
		defer os.Exit(0) // a recovered panic, or any return
		defer func() { recover() }()
		src.Uniform(10)
		return
	}
	if _, err := os.Executable(); err != nil {
		t.Skip("this platform starts no processes: " + err.Error())
	}
	command := exec.Command(os.Args[0], "-test.run=^TestFailingGeneratorKills$")
	command.Env = append(os.Environ(), "HUSH_TEST_NO_ENTROPY=1")
	if err := command.Run(); err == nil {
		t.Error("the process lived on without entropy")
	} else if _, died := err.(*exec.ExitError); !died {
		t.Skip("this platform starts no processes: " + err.Error())
	}
}

type noEntropy struct{}

func (noEntropy) Read([]byte) (int, error) { return 0, os.ErrDeadlineExceeded }

func TestProof(t *testing.T) { prooftest.Check(t, os.DirFS(".")) }
