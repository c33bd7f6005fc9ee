package mechanism

import (
	"bufio"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/internal/stattest"
	"hush/core/privacy"
)

// vector is one line of testdata/vectors.txt.
type vector struct {
	t      *testing.T
	kind   string
	params map[string]string
	used   map[string]bool
	want   []string
}

func (v vector) param(name string) string {
	text, ok := v.params[name]
	if !ok {
		v.t.Fatalf("no parameter %s", name)
	}
	v.used[name] = true
	return text
}

func (v vector) base(name string) coin.Base {
	r, err := coin.BaseFromRat(rat(v.param(name)))
	if err != nil {
		v.t.Fatal(err)
	}
	return r
}

// baseOrExponent is a base, or the dyadic one just below e^exponent.
func (v vector) baseOrExponent() coin.Base {
	if _, ok := v.params["base"]; ok {
		return v.base("base")
	}
	r, err := coin.ExpBelow(rat(v.param("exponent")))
	if err != nil {
		v.t.Fatal(err)
	}
	return r
}

func (v vector) delta() privacy.Delta {
	d, err := privacy.NewDelta(rat(v.param("delta")))
	if err != nil {
		v.t.Fatal(err)
	}
	return d
}

func (v vector) whole(name string) int64 {
	n, err := strconv.ParseInt(v.param(name), 10, 64)
	if err != nil {
		v.t.Fatal(err)
	}
	return n
}

func (v vector) list(name string) (list []int64) {
	text := v.param(name)
	if text == "none" {
		return nil
	}
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			v.t.Fatal(err)
		}
		list = append(list, n)
	}
	return list
}

// check compares numbers with those of the line, which have 20 digits; what is rounded up or cut
// off is far smaller.
func (v vector) check(got ...float64) {
	v.t.Helper()
	if len(got) != len(v.want) {
		v.t.Fatalf("%d numbers, want %d", len(got), len(v.want))
	}
	for i, text := range v.want {
		want, err := strconv.ParseFloat(text, 64)
		if err != nil {
			v.t.Fatal(err)
		}
		if math.Abs(got[i]-want) > 1e-11 && math.Abs(got[i]/want-1) > 1e-9 {
			v.t.Errorf("number %d is %.15g, want %s", i, got[i], text)
		}
	}
}

// vectors lists for each kind how to compute a line.
var vectors = map[string]func(v vector){
	"laplace-tail": func(v vector) {
		noise := must(NewLaplaceNoise(v.base("base")))
		s := v.whole("s")
		v.check(toFloat(noise.AtLeast(s).Rat()))
		if s >= 0 {
			v.check(toFloat(tailUp(v.base("base"), s)))
		}
	},
	"difference-tail": func(v vector) {
		v.check(toFloat(differenceUp(v.base("base1"), v.base("base2"), v.whole("s"))))
	},
	"exponential": func(v vector) {
		m := must(NewExponential(ExponentialParams{Base: v.baseOrExponent(), Sensitivity: 1}))
		scores := v.list("scores")
		v.check(choices(v.t, len(scores), func(src coin.Source) (int, error) {
			return m.Release(src, scores, nil)
		})...)
	},
	"permute-and-flip": func(v vector) {
		m := must(NewPermuteAndFlip(PermuteAndFlipParams{Base: v.base("base"), Sensitivity: 1}))
		scores := v.list("scores")
		v.check(choices(v.t, len(scores), func(src coin.Source) (int, error) {
			return m.Release(src, scores, nil)
		})...)
	},
	"stable": func(v vector) {
		m := must(NewStableChoice(
			StableChoiceParams{Base: v.baseOrExponent(), Delta: v.delta(),
				Newcomers: uint64(v.whole("newcomers"))}))
		scores := v.list("scores")
		v.check(choices(v.t, len(scores)+1, func(src coin.Source) (int, error) {
			i, chosen, err := m.Release(src, scores, nil)
			if !chosen {
				i = len(scores)
			}
			return i, err
		})...)
	},
	"gaussian-pmf": func(v vector) {
		m := must(NewGaussian(GaussianParams{Base: v.base("base"), L2SensitivitySquared: 1}))
		law := func(z int64) float64 { return stattest.GaussianPMF(m.base.Log(), z) }
		v.check(law(0), law(1), law(-2), law(5))
	},
	"stability": func(v vector) {
		m := must(NewStabilityHistogram(
			StabilityHistogramParams{Base: v.base("base"), Delta: v.delta()}))
		got := []float64{float64(m.Threshold()), toFloat(m.delta)}
		for _, count := range []int64{1, 5, 40} {
			law := choices(v.t, 2, func(src coin.Source) (int, error) {
				if _, ok := m.show(src, count); ok {
					return 1, nil
				}
				return 0, nil
			})
			got = append(got, law[1])
		}
		v.check(got...)
	},
	"distance": func(v vector) {
		m := must(NewDistanceTest(DistanceTestParams{Base: v.base("base"), Delta: v.delta()}))
		got := []float64{float64(m.Threshold()), toFloat(m.delta)}
		for _, distance := range []int64{0, 3, 40} {
			law := choices(v.t, 2, func(src coin.Source) (int, error) {
				if m.Allows(src, distance) {
					return 1, nil
				}
				return 0, nil
			})
			got = append(got, law[1])
		}
		v.check(got...)
	},
	"above": func(v vector) {
		m := must(NewAboveThreshold(
			AboveThresholdParams{BaseThreshold: v.base("base1"), BaseQueries: v.base("base2"),
				Sensitivity: 1}))
		threshold, values := v.whole("threshold"), v.list("values")
		v.check(choices(v.t, len(values)+1, func(src coin.Source) (int, error) {
			run := m.Start(src, threshold)
			for i, value := range values {
				if above, err := run.Above(value); above || err != nil {
					return i, err
				}
			}
			return len(values), nil
		})...)
	},
	"clip": func(v vector) {
		m := must(NewClippedThreshold(ClippedThresholdParams{
			AboveThresholdParams: AboveThresholdParams{BaseThreshold: v.base("base1"),
				BaseQueries: v.base("base2"), Sensitivity: 1},
			Delta: v.delta(), Cap: v.whole("cap"),
		}))
		v.check(float64(m.Threshold()), toFloat(m.delta))
	},
	"choosing": func(v vector) {
		epsilon := must(privacy.NewEpsilon(rat(v.param("epsilon"))))
		m := must(NewChoosing(
			ChoosingParams{Epsilon: epsilon, Delta: v.delta(),
				Newcomers: uint64(v.whole("newcomers")), Beta: rat(v.param("beta"))}))
		v.check(float64(m.threshold), float64(m.ErrorBound(uint64(v.whole("n")))))
	},
}

// TestVectors holds every law and threshold to testdata/vectors.txt, which testdata/vectors.py sums
// up from the definitions.
func TestVectors(t *testing.T) {
	file, err := os.Open("testdata/vectors.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	met := map[string]bool{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		given, want, _ := strings.Cut(lines.Text(), " = ")
		fields := strings.Fields(given)
		v := vector{kind: fields[0], params: map[string]string{}, used: map[string]bool{},
			want: strings.Fields(want)}
		for _, field := range fields[1:] {
			name, value, _ := strings.Cut(field, "=")
			v.params[name] = value
		}
		compute := vectors[v.kind]
		if compute == nil {
			t.Fatalf("unknown kind: %s", lines.Text())
		}
		met[v.kind] = true
		t.Run(strings.ReplaceAll(given, "/", "÷"), func(t *testing.T) {
			v.t = t
			compute(v)
			for name := range v.params {
				if !v.used[name] {
					t.Errorf("unknown parameter %s", name)
				}
			}
		})
	}
	if len(met) != len(vectors) {
		t.Errorf("vectors for %v only", met)
	}
}

// choices is the exact law of a choice among n, as floats.
func choices(t *testing.T, n int, choose func(src coin.Source) (int, error)) []float64 {
	t.Helper()
	law, err := coin.Enumerate(coin.Limits{}, choose)
	if err != nil {
		t.Fatal(err)
	}
	masses := make([]float64, n)
	for _, i := range law.Outcomes() {
		masses[i] = toFloat(law.Mass(i))
	}
	return masses
}

func toFloat(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}
