package selection

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/privacy"
)

// noisyCount is a candidate whose result and score are the number of persons with a 1, with
// Gaussian noise, the result bounded to −2 … most.
func noisyCount(m *mechanism.Gaussian, most int64) func(rows []int) Candidate[int] {
	noise := must(audittest.FirstTries(coin.Limits{Tail: big.NewRat(1, 1<<40), Bits: 60},
		func(src coin.Source) (int64, error) { return m.AddTo(src, 0), nil }))
	return func(rows []int) Candidate[int] {
		count, law := int64(0), map[int64]*big.Rat{}
		for _, row := range rows {
			if row == 1 {
				count++
			}
		}
		var values []int64
		for _, z := range noise.Outcomes() {
			value := min(max(count+z, -2), most)
			if law[value] == nil {
				law[value], values = new(big.Rat), append(values, value)
			}
			law[value].Add(law[value], noise.Mass(z))
		}
		slices.Sort(values)
		return func(src coin.Source) (Scored[int], error) {
			left := new(big.Rat)
			for _, value := range values {
				left.Add(left, law[value])
			}
			for _, value := range values[:len(values)-1] {
				part := new(big.Rat).Quo(law[value], left)
				if src.Bernoulli(coin.RatioBig(part.Num(), part.Denom())) {
					return Scored[int]{int(value), value}, nil
				}
				left.Sub(left, law[value])
			}
			last := values[len(values)-1]
			return Scored[int]{int(last), last}, nil
		}
	}
}

func gaussianOf(rho string) *mechanism.Gaussian {
	return must(mechanism.NewGaussian(mechanism.GaussianParams{Rho: must(privacy.ParseRho(rho)),
		L2SensitivitySquared: 1}))
}

// ruled is a search of runs that are accounted in ρ.
func ruled(m *mechanism.Gaussian, stop, delta string) *Threshold {
	return must(NewThreshold(ThresholdParams{Loss: must(m.Loss(1)), Stop: rat(stop),
		Delta: must(privacy.ParseDelta(delta))}))
}

// cut is a claim with room for what short chances lose.
func cut(claim audit.Claim) audit.Claim {
	claim.Delta = new(big.Rat).Add(claim.Delta, big.NewRat(1, 1e9))
	return claim
}

var ofTwo = audit.Space{Persons: 2, Values: 2}

// TestAuditFirstOf: the exact law of searches whose runs have Gaussian noise, and of one whose runs
// are pure and accounted in ρ.
func TestAuditFirstOf(t *testing.T) {
	for _, test := range []struct {
		name, rho, stop, delta string
		at                     int64
	}{
		{"ρ = 1/2, stop 1/8", "0.5", "1/8", "0.01", 3},
		{"ρ = 1/2, stop 1/1000", "0.5", "1/1000", "0.01", 5},
		{"ρ = 1/8, stop 1/1000", "0.125", "1/1000", "0.001", 6},
		{"ρ = 2, stop 1/100", "2", "1/100", "0.001", 3},
		{"ρ = 1/2, a threshold below most", "0.5", "1/8", "0.0001", -1},
	} {
		g := gaussianOf(test.rho)
		m := ruled(g, test.stop, test.delta)
		audittest.Holds(t, audit.Audit[int]{Name: "first of concentrated runs, " + test.name,
			Space: ofTwo, Claim: cut(claimOf(m.Loss(1))),
			Law: thresholdLaw(m, test.at, noisyCount(g, 7))})
	}
	loss := sharp.loss(t, "0")
	m := must(NewThreshold(ThresholdParams{Stop: rat("1/1000"),
		Delta: must(privacy.ParseDelta("0.01")),
		Loss:  privacy.ConcentratedLoss(must(privacy.NewRho(loss.Rho())))}))
	audittest.Holds(t, audit.Audit[int]{Name: "first of concentrated runs, sharp",
		Space: sharp.space(), Claim: claimOf(m.Loss(1)), Law: thresholdLaw(m, 1, sharp.candidate)})
}

// TestPlantedFirstOf: the ρ of one run for all, and a coin that ends the search later than is
// claimed.
func TestPlantedFirstOf(t *testing.T) {
	g := gaussianOf("0.5")
	delta := must(privacy.ParseDelta("0.01"))
	caught := func(name string, claim audit.Claim, law func([]int) (*coin.Law[int], error)) {
		t.Helper()
		audittest.Caught(t, audit.Audit[int]{Name: "first of concentrated runs, " + name,
			Space: ofTwo, Claim: cut(claim), Law: law})
	}
	m := ruled(g, "1/1000", "0.01")
	once := must(must(g.Loss(1)).At(delta))
	caught("all at the loss of one", claimOf(once, nil), thresholdLaw(m, 5, noisyCount(g, 7)))
	early := ruled(g, "1/2", "0.01")
	caught("a coin that falls later", claimOf(early.Loss(1)), thresholdLaw(m, 5, noisyCount(g, 7)))
}

// TestFirstOf: the ε is that of the formula on a fine grid, and little above.
func TestFirstOf(t *testing.T) {
	for _, rho := range []string{"0.0001", "0.3"} {
		for _, stop := range []string{"1", "1/8", "1/1000000"} {
			for _, delta := range []string{"0.1", "1e-12"} {
				d, _ := new(big.Rat).SetString(delta)
				s := firstOf{rat(rho), rat(stop)}
				got, want := floatOf(s.epsilon(d)), s.fine(floatOf(privacy.LogUp(d)))
				if got < want*(1-1e-4) || got > want*1.002+1e-9 {
					t.Errorf("ρ = %s, stop %s, δ = %s: ε = %v, want %v", rho, stop, delta, got,
						want)
				}
			}
		}
	}
}

// fine is about the ε of the formula in threshold.md, as it stands there.
func (s firstOf) fine(logDelta float64) float64 {
	rho, stop, least := floatOf(s.rho), floatOf(s.stop), math.Inf(1)
	mass := func(root float64) float64 {
		return math.Log(stop + (1-stop)*math.Exp(-max(root, 0)*max(root, 0)))
	}
	var ends, moved []float64
	for root := 0.0; root < 8+math.Sqrt(rho); root += 0.004 {
		ends, moved = append(ends, mass(root)), append(moved, mass(root-math.Sqrt(rho)))
	}
	middle := math.Log(-logDelta/rho) / 2
	for u := middle - 4; u < middle+4; u += 0.01 {
		over, largest := math.Exp(u), 0.0
		for i := range ends {
			largest = max(largest, moved[i]-(1+1/over)*ends[i])
		}
		order := 1 + over
		least = min(least, order*rho+largest+
			(-logDelta+over*math.Log(over/order)-math.Log(order))/over)
	}
	return max(least, 0)
}

// TestRhoOfRun: a search may cost what was asked, and nearly does. Noise of tables is 1.3 to 2.4
// times narrower than by twice the ε of a run.
func TestRhoOfRun(t *testing.T) {
	for _, e := range []string{"0.01", "0.5", "1", "4", "50", "100"} {
		for _, d := range []string{"0.001", "0.000001", "1e-30"} {
			for _, k := range []int64{1, 30} {
				epsilon, delta := must(privacy.ParseEpsilon(e)), must(privacy.ParseDelta(d))
				rho := must(RhoOfRun(epsilon, delta, k))
				loss := must(must(Until(privacy.ConcentratedLoss(rho), k, delta)).Loss(1))
				got, _ := loss.Epsilon()
				if got.Cmp(epsilon.Rat()) > 0 || floatOf(got) < .99*epsilon.Float64() ||
					loss.Delta().Cmp(delta.Rat()) != 0 {
					t.Errorf("ε = %s, δ = %s, %d ways: %v", e, d, k, loss)
				}
				share := must(ShareOfRun(RunParams{Epsilon: epsilon, Delta: delta,
					Combinations: k, Until: true}))
				before := must(privacy.RhoFor(share.Epsilon.Part(3, 4), share.Delta))
				times := math.Sqrt(floatOf(rho.Part(3, 4).Rat()) / floatOf(before.Rat()))
				if times < 1.3 || times > 2.4 {
					t.Errorf("ε = %s, δ = %s, %d ways: %v times less noise", e, d, k, times)
				}
			}
		}
	}
	var refused *param.Error
	if _, err := RhoOfRun(privacy.Epsilon{}, privacy.Delta{}, 1); !errors.As(err, &refused) {
		t.Error(err)
	}
	if _, err := RhoOfRun(must(privacy.ParseEpsilon("1")), must(privacy.ParseDelta("0.01")),
		0); !errors.As(err, &refused) || refused.Field != "combinations" {
		t.Error(err)
	}
	own, beside := must(gaussianOf("1").Loss(1)), must(privacy.NewLoss(nil, rat("1/1000")))
	for name, loss := range map[string]privacy.Loss{ // H: threshold.md rho-run
		"a δ beside ρ": own.Plus(beside), "a ρ and no δ": own,
	} {
		p := ThresholdParams{Loss: loss, Stop: rat("1/2")}
		if loss.Delta().Sign() > 0 {
			p.Delta = must(privacy.ParseDelta("0.01"))
		}
		if _, err := NewThreshold(p); !errors.Is(err, privacy.ErrNoBound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	limited := ThresholdParams{Loss: must(gaussianOf("1").Loss(1)), Stop: rat("1/2"), Limit: 9,
		Delta: must(privacy.ParseDelta("0.01"))}
	// H: threshold.md no-limit
	if _, err := NewThreshold(limited); !errors.As(err, &refused) || refused.Field != "limit" {
		t.Error(err)
	}
}
