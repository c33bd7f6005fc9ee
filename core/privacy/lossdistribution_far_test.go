package privacy

import (
	"math/big"
	"testing"
)

// TestLossDistributionFarOut: lists whose losses add up to more than a weight holds in 512 binary
// digits. Their ε is known from above by the sum, and from below by the event that all randomised
// responses are true.
func TestLossDistributionFarOut(t *testing.T) {
	delta, _ := NewDelta(ratio(t, "1e-6"))
	for _, c := range []struct {
		what        string
		first, more int64 // tenths: ε of the first, and what each has more than the one before
		n           int
	}{{"40 from 7.7", 77, 1, 40}, {"40 from 9.6", 96, 1, 40}, {"12 of 100", 1000, 0, 12},
		{"20 of 98.7", 987, 0, 20}, {"64 of 100", 1000, 0, 64}} {
		var list []Pairs
		sum, truth := new(big.Rat), big.NewRat(1, 1)
		for i := range c.n {
			epsilon := big.NewRat(c.first+c.more*int64(i), 10)
			loss, err := NewLoss(epsilon, nil)
			if err != nil {
				t.Fatal(err)
			}
			pair, err := PairOf(loss)
			if err != nil {
				t.Fatal(err)
			}
			odds := ExpUp(epsilon)
			sum.Add(sum, epsilon)
			truth = roundDown(truth.Mul(truth, odds.Quo(odds, new(big.Rat).Add(odds, one))))
			list = append(list, Pairs{pair, 1})
		}
		least := new(big.Rat).Add(sum, LogDown(new(big.Rat).
			Quo(new(big.Rat).Sub(truth, delta.Rat()), truth)))
		d := composed(t, list...)
		have, err := d.At(delta)
		if err != nil {
			t.Fatal(err)
		}
		most := new(big.Rat).Mul(sum, ratio(t, "1003/1000")) // for the lattice
		if have.epsilon.Cmp(least) < 0 || have.epsilon.Cmp(most) > 0 {
			t.Errorf("%s: ε is %s; one event alone takes %s, and the sum is %s", c.what,
				have.epsilon.FloatString(6), least.FloatString(6), sum.FloatString(6))
		}
		for _, part := range []string{"1/2", "99/100"} {
			at := new(big.Rat).Mul(least, ratio(t, part))
			known := ExpUp(new(big.Rat).Sub(at, sum))
			known.Mul(known.Sub(one, known), truth)
			if d.Delta(at).Cmp(known) < 0 {
				t.Errorf("%s: δ at %s of ε is below that of one event", c.what, part)
			}
		}
	}
}
