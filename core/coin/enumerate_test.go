package coin

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
)

// exactLaw enumerates run and fails the test unless all mass is there.
func exactLaw[T comparable](t *testing.T, limits Limits, run func(Source) T) *Law[T] {
	t.Helper()
	law, err := Enumerate(limits, func(src Source) (T, error) { return run(src), nil })
	if err != nil {
		t.Fatal(err)
	}
	if law.Total().Cmp(one) != 0 {
		t.Errorf("the law sums to %v", law.Total())
	}
	return law
}

// masses fails the test unless the law has exactly these outcomes.
func masses[T comparable](t *testing.T, law *Law[T], want map[T]string) {
	t.Helper()
	for outcome, mass := range want {
		if law.Mass(outcome).Cmp(rat(mass)) != 0 {
			t.Errorf("mass of %v is %v, want %s", outcome, law.Mass(outcome), mass)
		}
	}
	if len(law.Outcomes()) != len(want) {
		t.Errorf("outcomes %v, want %d", law.Outcomes(), len(want))
	}
}

func TestEnumerateBernoulli(t *testing.T) {
	r := base(3, 2)
	for _, test := range []struct {
		p    Chance
		want map[bool]string
	}{
		{Ratio(1, 3), map[bool]string{true: "1/3", false: "2/3"}},
		{Ratio(3, 4).TimesPower(r, 2).Complement(), map[bool]string{true: "2/3", false: "1/3"}},
		{Ratio(1, 1).TimesPower(r.Pow(5), 2),
			map[bool]string{true: "1024/59049", false: "58025/59049"}},
		{Ratio(0, 1), map[bool]string{false: "1"}}, // what cannot happen is no branch
		{Ratio(1, 1), map[bool]string{true: "1"}},
	} {
		masses(t, exactLaw(t, Limits{}, func(src Source) bool { return src.Bernoulli(test.p) }),
			test.want)
	}
}

func TestEnumerateUniform(t *testing.T) {
	masses(t, exactLaw(t, Limits{}, func(src Source) uint64 { return src.Uniform(3) }),
		map[uint64]string{0: "1/3", 1: "1/3", 2: "1/3"})
	masses(t, exactLaw(t, Limits{}, func(src Source) string {
		return src.UniformBig(big.NewInt(2)).String()
	}), map[string]string{"0": "1/2", "1": "1/2"})
	two := exactLaw(t, Limits{}, func(src Source) uint64 { return src.Uniform(6) + src.Uniform(6) })
	masses(t, two,
		map[uint64]string{0: "1/36", 1: "2/36", 2: "3/36", 3: "4/36", 4: "5/36", 5: "6/36",
			6: "5/36", 7: "4/36", 8: "3/36", 9: "2/36", 10: "1/36"})
}

func TestEnumerateGeometric(t *testing.T) {
	law := exactLaw(t, Limits{Tail: rat("1/8")}, func(src Source) uint64 {
		return src.Geometric(base(2, 1))
	})
	masses(t, law, map[uint64]string{0: "1/2", 1: "1/4", 2: "1/8"})
	if law.Cut().Cmp(rat("1/8")) != 0 {
		t.Errorf("cut %v, want 1/8", law.Cut())
	}
	// The cut of a second draw is what the first left: 1/4 + 3/4·1/4.
	law2 := exactLaw(t, Limits{Tail: rat("1/4")}, func(src Source) uint64 {
		return src.Geometric(base(2, 1)) + src.Geometric(base(4, 2))
	})
	masses(t, law2, map[uint64]string{0: "1/4", 1: "1/4", 2: "1/16"})
	if law2.Cut().Cmp(rat("7/16")) != 0 {
		t.Errorf("cut %v, want 7/16", law2.Cut())
	}
	// With a top nothing is cut: its branch has all the mass from there on.
	law3 := exactLaw(t, Limits{Top: 2}, func(src Source) uint64 {
		return src.Geometric(base(2, 1))
	})
	masses(t, law3, map[uint64]string{0: "1/2", 1: "1/4", 2: "1/4"})
	if law3.Cut().Sign() != 0 {
		t.Errorf("cut %v, want nothing", law3.Cut())
	}
	// By default almost nothing is cut.
	if cut := exactLaw(t, Limits{}, func(src Source) uint64 { return src.Geometric(base(3, 2)) }).
		Cut(); cut.Cmp(powerOfTwo(-40)) > 0 {
		t.Errorf("cut %v", cut)
	}
}

func TestEnumerateChoose(t *testing.T) {
	for name, test := range map[string]struct {
		groups list
		base   Base
		want   map[int]string
	}{
		"scores": {list{{score: -1, m: 1}, {score: 0, m: 2}, {score: 1, m: 3}}, base(3, 2),
			map[int]string{0: "3/11", 1: "4/11", 2: "4/11"}},
		"multiplicities": {list{{score: 5, m: 1}, {score: 5}, {score: 5, many: big.NewInt(3)}},
			base(3, 2), map[int]string{0: "1/4", 2: "3/4"}},
		"base 1": {list{{score: -9, m: 1}, {score: 9, m: 1}}, Base{},
			map[int]string{0: "1/2", 1: "1/2"}},
	} {
		t.Run(name, func(t *testing.T) {
			masses(t, exactLaw(t, Limits{}, func(src Source) int {
				i, err := src.Choose(test.groups, test.base, nil)
				if err != nil {
					t.Error(err)
				}
				return i
			}), test.want)
		})
	}
}

// TestEnumerateAdaptive has draws that depend on draws before them.
func TestEnumerateAdaptive(t *testing.T) {
	law := exactLaw(t, Limits{}, func(src Source) string {
		text := ""
		for src.Bernoulli(Ratio(1, 3)) && len(text) < 3 {
			text += fmt.Sprint(src.Uniform(uint64(len(text) + 1)))
		}
		return text
	})
	masses(t, law, map[string]string{"": "2/3", "0": "2/9", "00": "1/27", "01": "1/27",
		"000": "1/162", "001": "1/162", "002": "1/162", "010": "1/162", "011": "1/162",
		"012": "1/162"})
	// no coin at all
	masses(t, exactLaw(t, Limits{}, func(Source) int { return 7 }), map[int]string{7: "1"})
}

func TestThen(t *testing.T) {
	first := exactLaw(t, Limits{Tail: rat("1/4")}, func(src Source) uint64 {
		return src.Geometric(base(2, 1))
	})
	law, err := Then(first, func(k uint64) (*Law[uint64], error) {
		return Enumerate(Limits{Tail: rat("1/2")}, func(src Source) (uint64, error) {
			if k == 0 {
				return src.Uniform(2), nil
			}
			return src.Geometric(base(2, 1)), nil
		})
	})
	if err != nil || law.Total().Cmp(one) != 0 {
		t.Fatal(law.Total(), err)
	}
	masses(t, law, map[uint64]string{0: "3/8", 1: "1/4"})
	if law.Cut().Cmp(rat("3/8")) != 0 {
		t.Errorf("cut %v, want 1/4 + 1/4·1/2", law.Cut())
	}
	stop := errors.New("stop")
	if _, err := Then(first, func(uint64) (*Law[int], error) { return nil, stop }); err != stop {
		t.Error(err)
	}
}

func TestUntil(t *testing.T) {
	// A die that is thrown again on 4 and 5, of which 0 and 3 count as 0.
	die := exactLaw(t, Limits{}, func(src Source) uint64 { return src.Uniform(6) })
	law := Until(die, func(x uint64) (uint64, bool) { return x % 3, x < 4 })
	masses(t, law, map[uint64]string{0: "1/2", 1: "1/4", 2: "1/4"})
	// The tail that was cut, 1/4, may be accepted: 1/2 is at least 1/2 / (1/2 + 1/4) of the
	// accepted mass.
	cut := exactLaw(t, Limits{Tail: rat("1/4")}, func(src Source) uint64 {
		return src.Geometric(base(2, 1))
	})
	law = Until(cut, func(k uint64) (uint64, bool) { return k, k == 0 })
	masses(t, law, map[uint64]string{0: "2/3"})
	if law.Cut().Cmp(rat("1/3")) != 0 || law.Total().Cmp(one) != 0 {
		t.Errorf("cut %v, total %v", law.Cut(), law.Total())
	}
}

func TestEnumerateStops(t *testing.T) {
	stop := errors.New("stop")
	toss := func(src Source) (bool, error) { return src.Bernoulli(Ratio(1, 2)), nil }
	for name, test := range map[string]struct {
		run  func() error
		want string
	}{
		"too many branches": {func() error {
			_, err := Enumerate(Limits{Runs: 1}, toss)
			return err
		}, "more than 1 branches"},
		"wide uniform": {func() error {
			_, err := Enumerate(Limits{}, func(src Source) (uint64, error) {
				return src.Uniform(5000), nil
			})
			return err
		}, "uniform draw from 5000 values: at most 4096"},
		"wider uniform": {func() error {
			_, err := Enumerate(Limits{}, func(src Source) (int, error) {
				return src.UniformBig(new(big.Int).Lsh(bigOne, 64)).BitLen(), nil
			})
			return err
		}, "2^64 or more"},
		"flat noise": {func() error {
			_, err := Enumerate(Limits{Runs: 1000}, func(src Source) (uint64, error) {
				return src.Geometric(base(1000, 999)), nil
			})
			return err
		}, "more than 1000 values"},
		"distant scores": {func() error {
			_, err := Enumerate(Limits{}, func(src Source) (int, error) {
				return src.Choose(list{{score: -1 << 62, m: 1}, {score: 1 << 62, m: 1}}, base(3, 2),
					nil)
			})
			return err
		}, "scores that differ by 9223372036854775808"},
		"error of the run": {func() error {
			_, err := Enumerate(Limits{}, func(src Source) (bool, error) {
				return src.Bernoulli(Ratio(1, 2)), stop
			})
			return err
		}, "stop"},
		"error of the watcher": {func() error {
			_, err := Enumerate(Limits{OnRun: func(int, *big.Rat) error { return stop }}, toss)
			return err
		}, "stop"},
		"other draws": {func() error {
			count := 0
			_, err := Enumerate(Limits{}, func(src Source) (bool, error) {
				if count++; count == 1 {
					return src.Bernoulli(Ratio(1, 2)), nil
				}
				return src.Uniform(2) == 0, nil
			})
			return err
		}, "drew otherwise"},
		"fewer draws": {func() error {
			count := 0
			_, err := Enumerate(Limits{}, func(src Source) (bool, error) {
				if count++; count == 1 {
					return src.Bernoulli(Ratio(1, 2)), nil
				}
				return true, nil
			})
			return err
		}, "drew otherwise"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := test.run(); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("have %v, want %q", err, test.want)
			}
		})
	}
	mustPanic(t, func() { Enumerate(Limits{}, func(Source) (int, error) { panic("its own") }) })
}

func TestEnumerateReportsProgress(t *testing.T) {
	var runs []int
	var covered []string
	limits := Limits{Tail: rat("1/4"), OnRun: func(n int, mass *big.Rat) error {
		runs, covered = append(runs, n), append(covered, mass.RatString())
		return nil
	}}
	exactLaw(t, limits, func(src Source) uint64 { return src.Geometric(base(2, 1)) })
	if fmt.Sprint(runs, covered) != "[1 2] [3/4 1]" {
		t.Errorf("have %v %v", runs, covered)
	}
	if src := newEnumeration(Limits{}); src.Origin() != Enumerating {
		t.Errorf("origin %v", src.Origin())
	}
}

// TestEnumerateBits: chances of few bits enclose the exact masses, and what they lose is cut.
func TestEnumerateBits(t *testing.T) {
	r := base(7, 3)
	toss := func(src Source) [3]uint64 {
		drawn := [3]uint64{src.Geometric(r), src.Uniform(3), 0}
		if src.Bernoulli(Ratio(2, 3).TimesPower(r, drawn[0])) {
			drawn[2] = 1
		}
		return drawn
	}
	exact := exactLaw(t, Limits{Tail: rat("1/1000")}, toss)
	for _, bits := range []uint{12, 40} {
		law := exactLaw(t, Limits{Tail: rat("1/1000"), Bits: bits}, toss)
		for _, o := range exact.Outcomes() {
			low := law.Mass(o)
			if high := new(big.Rat).Add(low, law.Cut()); low.Cmp(exact.Mass(o)) > 0 ||
				high.Cmp(exact.Mass(o)) < 0 {
				t.Errorf("%d bits, %v: from %v to %v, want %v", bits, o, low, high, exact.Mass(o))
			}
			if low.Denom().BitLen() > 3*int(bits)+1 {
				t.Errorf("%d bits, %v: %v is longer", bits, o, low)
			}
		}
		lost := new(big.Rat).Sub(law.Cut(), exact.Cut())
		if lost.Sign() <= 0 || lost.Cmp(new(big.Rat).Mul(powerOfTwo(-int(bits)), rat("40"))) > 0 {
			t.Errorf("%d bits: rounding cuts %v", bits, lost)
		}
	}
	if _, err := Enumerate(Limits{Bits: 1}, func(src Source) (uint64, error) {
		return src.Uniform(3), nil
	}); err == nil {
		t.Error("chances that all round to 0 were no error")
	}
}
