package privacy

import (
	"bufio"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestVectors holds bounds and rules to testdata/vectors.txt, which testdata/vectors.py makes
// without any code of ours. Each bound must lie on its side of the value, up to the value's own 40
// digits, and within a tolerance of it.
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
		fields := strings.Fields(lines.Text())
		kind, args, want := fields[0], fields[1:len(fields)-1], ratio(t, fields[len(fields)-1])
		met[kind] = true
		low, high, tolerance := bounds(t, kind, args)
		t.Run(kind+" "+strings.Join(args, " "), func(t *testing.T) {
			inside(t, low, high, want, tolerance)
		})
	}
	if len(met) != 9 {
		t.Errorf("vectors for %v only", met)
	}
}

// bounds computes what a line asks for. A nil low means that only an upper bound exists.
func bounds(t *testing.T, kind string, args []string) (low, high *big.Rat, tolerance string) {
	t.Helper()
	const fine = "1e-35"
	switch kind {
	case "advanced":
		return nil, advancedEpsilon(several(list(t, args[0])), ratio(t, args[1])), fine
	case "optimal":
		// every list here has a common step
		return nil, optimalEpsilon(list(t, args[0]), ratio(t, args[1])), "1e-30"
	}
	x := ratio(t, args[0])
	switch kind {
	case "exp":
		return ExpDown(x), ExpUp(x), fine
	case "log":
		return LogDown(x), LogUp(x), fine
	case "sqrt":
		return SqrtDown(x), SqrtUp(x), fine
	case "pure-rho":
		return nil, Loss{epsilon: x}.Rho(), fine
	case "zcdp": // the order is sought in floats
		rho, _ := NewRho(x)
		delta, _ := NewDelta(ratio(t, args[1]))
		loss, err := ConcentratedLoss(rho).At(delta)
		if err != nil {
			t.Fatal(err)
		}
		return nil, loss.epsilonOrZero(), "1e-12"
	case "subsampled":
		m, _ := strconv.ParseUint(args[1], 10, 64)
		n, _ := strconv.ParseUint(args[2], 10, 64)
		loss, err := Loss{epsilon: x}.Subsampled(m, n)
		if err != nil {
			t.Fatal(err)
		}
		return nil, loss.epsilonOrZero(), "1e-30"
	case "group-delta":
		d, _ := strconv.ParseUint(args[2], 10, 64)
		loss, err := Loss{epsilon: x, delta: ratio(t, args[1])}.Group(Distance(d))
		if err != nil {
			t.Fatal(err)
		}
		return nil, loss.Delta(), "1e-30"
	}
	t.Fatalf("unknown line: %s", kind)
	return nil, nil, ""
}

// TestBoundsPanic: no bound is given outside of the stated range, and one is at its end.
func TestBoundsPanic(t *testing.T) {
	most, none := big.NewRat(largestExponent, 1), new(big.Rat)
	beyond := new(big.Rat).Add(most, ratPow2(-300))
	for name, c := range map[string]struct {
		at     func()
		panics bool
	}{
		"e^65536": {func() { ExpUp(most) }, false},
		// H: bounds.md exponent
		"beyond": {func() { ExpUp(beyond) }, true},
		// H: bounds.md exponent
		"beyond below": {func() { ExpDown(new(big.Rat).Neg(beyond)) }, true},
		// H: bounds.md logarithm
		"ln 0": {func() { LogUp(none) }, true},
		// H: bounds.md logarithm
		"ln below 0": {func() { LogDown(ratio(t, "-1e-40")) }, true},
		"√0":         {func() { SqrtUp(none) }, false},
		"√ below 0":  {func() { SqrtDown(ratio(t, "-1e-40")) }, true}, // H: bounds.md root
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if panicked := recover() != nil; panicked != c.panics {
					t.Errorf("a panic: %v, want %v", panicked, c.panics)
				}
			}()
			c.at()
		})
	}
}

func inside(t *testing.T, low, high, want *big.Rat, tolerance string) {
	t.Helper()
	if want.Sign() == 0 {
		if high.Sign() != 0 || low != nil && low.Sign() != 0 {
			t.Errorf("bounds %v and %v, want 0 itself", low, high)
		}
		return
	}
	size := new(big.Rat).Abs(want)
	print40 := new(big.Rat).Mul(size, ratio(t, "1e-39")) // the vector's own rounding
	allowed := new(big.Rat).Mul(size, ratio(t, tolerance))
	above := new(big.Rat).Sub(high, want)
	if above.Cmp(new(big.Rat).Neg(print40)) < 0 || above.Cmp(allowed) > 0 {
		t.Errorf("upper bound %s, want %s", high.FloatString(45), want.FloatString(45))
	}
	if low == nil {
		return
	}
	below := new(big.Rat).Sub(want, low)
	if below.Cmp(new(big.Rat).Neg(print40)) < 0 || below.Cmp(allowed) > 0 {
		t.Errorf("lower bound %s, want %s", low.FloatString(45), want.FloatString(45))
	}
	if low.Cmp(high) > 0 {
		t.Errorf("lower bound above upper bound")
	}
}

// list reads "1/10*2,1/2*1": two losses of ε = 1/10, one of 1/2.
func list(t *testing.T, text string) (losses []Loss) {
	t.Helper()
	for part := range strings.SplitSeq(text, ",") {
		epsilon, times, _ := strings.Cut(part, "*")
		k, err := strconv.Atoi(times)
		if err != nil {
			t.Fatal(err)
		}
		for range k {
			losses = append(losses, Loss{epsilon: ratio(t, epsilon)})
		}
	}
	return losses
}

func ratio(t *testing.T, text string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("no number: %q", text)
	}
	return r
}

// several lists each loss once.
func several(losses []Loss) (list []Several) {
	for _, l := range losses {
		list = append(list, Several{l, 1})
	}
	return list
}
