package phrase

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestEndsHold: as printed, an interval holds all that it held, and is at most a fiftieth wider.
func TestEndsHold(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	read := func(text string) *big.Rat {
		text = strings.ReplaceAll(strings.ReplaceAll(text, space, ""), "−", "-")
		text = strings.ReplaceAll(text, " × 10^", "e")
		x, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%q is no number", text)
		}
		return x
	}
	for range 20000 {
		at := (random.Float64() - .5) * math.Pow(10, float64(random.IntN(24)-6))
		width := random.Float64() * math.Pow(10, float64(random.IntN(24)-6))
		if random.IntN(2) == 0 {
			at, width = math.Round(at), math.Round(width)
		}
		low, high := at, at+width
		from, to := Ends(low, high)
		wide := new(big.Rat).Sub(read(to), read(from))
		least, most := new(big.Rat).SetFloat64(low), new(big.Rat).SetFloat64(high)
		slack := new(big.Rat).SetFloat64(1e-15 * max(math.Abs(low), math.Abs(high)))
		if read(from).Cmp(least.Add(least, slack)) > 0 || read(to).Cmp(most.Sub(most, slack)) < 0 {
			t.Fatalf("%v to %v is printed as %s to %s", low, high, from, to)
		}
		got, _ := wide.Float64()
		if got > 1.02*(high-low)+2e-12+1e-15*max(math.Abs(low), math.Abs(high)) {
			t.Fatalf("%v to %v is printed as %s to %s, which is wider", low, high, from, to)
		}
		for _, x := range []float64{low, high} {
			up, down := read(AtMost(x)), read(AtLeast(x))
			is := read(Prose(x)) // to nearest: three figures, too
			if up.Cmp(is) < 0 || down.Cmp(is) > 0 {
				t.Fatalf("%v is at most %s, and at least %s", x, AtMost(x), AtLeast(x))
			}
		}
	}
}

func TestEnds(t *testing.T) {
	for _, one := range []struct {
		low, high float64
		from, to  string
	}{
		{1900, 1972, "1 900", "1 972"}, {1978, 1983, "1 978", "1 983"}, {1972, 1972, "1 972", "1 972"},
		{-12.3456, 7.8912, "−12.4", "7.9"}, {-0.001, 40, "−0.1", "40.0"},
		{0.1, 0.3, "0.100", "0.300"},
		{1234567, 7654321, "1 230 000", "7 660 000"}, {0.25, 0.25, "0.25", "0.25"},
		{-7654321.5, -0.5, "−7 660 000", "0"}, {0, 1e-20, "0.000000000000", "0.000000000001"},
		{1e35, 2.3456e35, "1.00 × 10^35", "2.35 × 10^35"}, {-1.2345e40, 0, "−1.24 × 10^40", "0"},
	} {
		if from, to := Ends(one.low, one.high); spaced(from) != one.from || spaced(to) != one.to {
			t.Errorf("%v to %v: %q to %q, want %q to %q", one.low, one.high, from, to, one.from, one.to)
		}
	}
	if from, to := Ends(math.Inf(-1), math.Inf(1)); from != "−∞" || to != "∞" {
		t.Errorf("%q to %q", from, to)
	}
	for x, want := range map[float64][2]string{238.4: {"239", "238"}, 0.12341: {"0.124", "0.123"},
		1971.2: {"1 980", "1 970"}, -5.005: {"−5", "−5.01"}, 999.5: {"1 000", "999"}, 0: {"0", "0"}} {
		if up, down := spaced(AtMost(x)), spaced(AtLeast(x)); up != want[0] || down != want[1] {
			t.Errorf("%v: at most %s, at least %s, want %s", x, up, down, want)
		}
	}
	from, to := ExactEndsTo(2, big.NewRat(-1, 3), big.NewRat(2, 3))
	if from != "-0.34" || to != "0.67" {
		t.Errorf("%s to %s", from, to)
	}
}
