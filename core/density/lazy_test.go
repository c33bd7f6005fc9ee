package density

import (
	"fmt"
	"math"
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

func masses(law *coin.Law[string]) map[string]string {
	all := map[string]string{}
	for _, o := range law.Outcomes() {
		all[o] = law.Mass(o).RatString()
	}
	return all
}

// looseLaw is the law of worst when so many parts, the first each time, were split.
func looseLaw(l *learning, splits int) map[string]string {
	type tried struct {
		at   string
		kept bool
	}
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
