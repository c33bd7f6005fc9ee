package density

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
)

// TestLooseBoundsKeepTheLaw compares the law of a draw from parts however coarse, started again
// until it is kept, with that from single candidates.
func TestLooseBoundsKeepTheLaw(t *testing.T) {
	for _, rule := range []Rule{Prefix, Capped, Intervals} {
		m := tinyMERR(rule, 4, base(3, 2), base(2, 1))
		for _, s := range states {
			for k, rows := range (audit.Space{Persons: 4, Values: 8}).DataSets() {
				if k%7 != 0 || testing.Short() && k%49 != 0 {
					continue
				}
				exact, l := must(chosen(m, s)(rows)), s.learning(m, rows)
				for splits := range 4 {
					loose := fmt.Sprint(looseLaw(l, splits))
					if want := fmt.Sprint(masses(exact)); loose != want {
						t.Fatalf("%s, %v, %v, %d splits: %s, want %s", rule, s, rows, splits, loose,
							want)
					}
				}
			}
		}
	}
}

// TestShippedChoiceKeepsTheLaw compares the law of a draw as Release makes it, in which parts that
// hardly weigh anything wait, with that from single candidates. Bases are so large that some wait
// on a domain of 8 values, and a draw may end in them.
func TestShippedChoiceKeepsTheLaw(t *testing.T) {
	for _, rule := range []Rule{Prefix, Capped, Intervals} {
		waited := 0
		for _, r := range []coin.Base{base(20, 1), base(400, 1)} {
			m := tinyMERR(rule, 4, r, base(2, 1))
			for _, s := range states {
				for k, rows := range (audit.Space{Persons: 4, Values: 8}).DataSets() {
					if k%37 != 0 || testing.Short() && k%(37*5) != 0 {
						continue
					}
					exact, l := must(chosen(m, s)(rows)), s.learning(m, rows)
					shipped, wait := shippedLaw(l)
					waited += wait
					if have, want := fmt.Sprint(shipped), fmt.Sprint(masses(exact)); have != want {
						t.Fatalf("%s, base %v, %v, %v: %s, want %s", rule, r, s, rows, have, want)
					}
				}
			}
		}
		if waited == 0 {
			t.Errorf("%s: no part waits, so nothing is shown", rule)
		}
	}
}

// shippedLaw is the law of worst as Release draws it: parts refined for a draw, which may start
// again; and how many of them were left to wait with more than one candidate.
func shippedLaw(l *learning) (law map[string]string, waited int) {
	if l.rule == Prefix {
		return lawOfRefined(chooser[place]{l.base, l.near(), false, nil},
			[]part[place]{newPlaces(l.codes, l.a)}, nil, l.boundaries)
	}
	d := &dyadic{l.codes, l.a, l.rule == Capped}
	return lawOfRefined(chooser[node]{l.base, l.near(), false, nil}, d.candidates(), l.bottom(),
		func(v node) []*big.Int { return l.ends(d, v) })
}

func lawOfRefined[C any](c chooser[C], all []part[C], nothing *nothing,
	ends func(C) []*big.Int) (law map[string]string, waited int) {
	parts := must(c.refine(all, nil))
	for _, w := range parts {
		if !w.near && w.split() != nil {
			waited++
		}
	}
	g := newTickets(parts, nothing)
	round := must(enumerated(coin.Limits{}, func(src coin.Source) (tried, error) {
		found, i, kept, err := c.try(src, parts, g, nil)
		if i == len(parts) {
			return tried{"[]", kept}, err
		}
		return tried{fmt.Sprint(ends(found)), kept}, err
	}))
	return masses(coin.Until(round, func(o tried) (string, bool) { return o.at, o.kept })), waited
}

// tried is where one try of a draw ended, and whether it counts.
type tried struct {
	at   string
	kept bool
}

func masses(law *coin.Law[string]) map[string]string {
	all := map[string]string{}
	for _, o := range law.Outcomes() {
		all[o] = law.Mass(o).RatString()
	}
	return all
}

// looseLaw is the law of worst when this many parts, the first each time, were split.
func looseLaw(l *learning, splits int) map[string]string {
	var round *coin.Law[tried]
	if l.rule == Prefix {
		c := chooser[place]{base: l.base}
		parts := weighAll(c, splitFirst([]part[place]{newPlaces(l.codes, l.a)}, splits))
		g := newTickets(parts, nil)
		round = must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (tried, error) {
			p, _, kept, err := c.try(src, parts, g, nil)
			return tried{fmt.Sprint(l.boundaries(p)), kept}, err
		}))
	} else {
		d := &dyadic{l.codes, l.a, l.rule == Capped}
		c := chooser[node]{base: l.base}
		parts := weighAll(c, splitFirst(d.candidates(), splits))
		bottom := l.bottom()
		g := newTickets(parts, bottom)
		round = must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (tried, error) {
			v, i, kept, err := c.try(src, parts, g, nil)
			if i == len(parts) {
				return tried{"[]", kept}, err
			}
			return tried{fmt.Sprint(l.ends(d, v)), kept}, err
		}))
	}
	return masses(coin.Until(round, func(o tried) (string, bool) { return o.at, o.kept }))
}

func weighAll[C any](c chooser[C], parts []part[C]) (all []weighed[C]) {
	for _, p := range parts {
		all = append(all, c.weigh(p, c.base.Log()))
	}
	return all
}

func splitFirst[C any](parts []part[C], times int) []part[C] {
	for range times {
		for i, p := range parts {
			if smaller := p.split(); smaller != nil {
				parts = append(append(append([]part[C](nil), parts[:i]...), parts[i+1:]...),
					smaller...)
				break
			}
		}
	}
	return parts
}

// TestBrokenBoundPanics: a candidate above its part's bound is an error of ours, and ends the draw
// in place of one whose chance would be that of a score 2⁶⁴ below.
func TestBrokenBoundPanics(t *testing.T) {
	m := tinyMERR(Prefix, 4, base(3, 2), base(2, 1))
	l := states[0].learning(m, (audit.Space{Persons: 4, Values: 8}).DataSets()[0])
	c := chooser[place]{base: l.base}
	parts := weighAll(c, []part[place]{newPlaces(l.codes, l.a)})
	parts[0].upper = math.MinInt64 / 2
	defer func() {
		if said := fmt.Sprint(recover()); !strings.Contains(said, "density: internal error") {
			t.Errorf("a candidate above its bound: %s", said)
		}
	}()
	_, _, _, _ = c.try(coin.NewSeeded(1), parts, newTickets(parts, nil), nil)
}

// TestBoundsHold checks the bounds of all parts by their candidates.
func TestBoundsHold(t *testing.T) {
	for _, rule := range []Rule{Prefix, Capped, Intervals} {
		m := tinyMERR(rule, 4, base(3, 2), base(2, 1))
		for _, s := range states {
			for _, rows := range (audit.Space{Persons: 4, Values: 8}).DataSets() {
				l := s.learning(m, rows)
				if rule == Prefix {
					checkBounds[place](t, newPlaces(l.codes, l.a))
					checkBounds[place](t, newWidePlaces(l.codes, l.a))
					continue
				}
				for _, p := range (&dyadic{l.codes, l.a, rule == Capped}).candidates() {
					checkBounds(t, p)
				}
			}
		}
	}
}

// checkBounds returns the lowest and the highest score of a part.
func checkBounds[C any](t *testing.T, p part[C]) (low, high int64) {
	upper, least, best := p.bounds()
	smaller := p.split()
	if smaller == nil {
		_, low, _ = p.pick(coin.NewSeeded(1))
		high = low
	}
	for i, q := range smaller {
		l, h := checkBounds(t, q)
		if i == 0 {
			low, high = l, h
		}
		low, high = min(low, l), max(high, h)
	}
	if high > upper || low < least || high < best {
		t.Fatalf("%T with scores from %d to %d says %d to %d, best %d", p, low, high, least, upper,
			best)
	}
	return low, high
}
