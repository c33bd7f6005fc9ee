package course

import (
	"math"

	"hush/core/coin"
)

// Way is one in which offices publish a small table.
type Way int

// The ways, in the order in which they are shown.
const (
	AsItIs Way = iota
	Suppressed
	Rounded
	CellKeyed
	Swapped
	Private
	WaysOfOffices
)

// The rules of the ways, as the tools of statistical offices document them. A count from 1 to
// hiddenTo is hidden (a frequency rule with a threshold of 3), and then so much else that totals do
// not give it away (secondary suppression); a count is rounded to the nearest multiple of roundTo;
// noise of at most keyedBy on either side follows from the sum of the keys of a cell's people, so
// that the same cell has the same noise each time; one in swappedOf people changes places with one
// of another district; and noise of OfficesEpsilon is added to each cell.
//
// Where they are documented: τ-argus's threshold rule FREQ(n, p) takes the smallest frequency that
// is safe (https://inseefrlab.github.io/rtauargus/articles/options_safety_rules.html), and
// primarySuppression of the R package sdcTable the largest that is not, maxN, for type "freq"
// (https://search.r-project.org/CRAN/refmans/sdcTable/html/primarySuppression.html); its
// protectTable hides the further cells. In cellKey a cell's key is a function of the record keys of
// its people, and a table looks the noise up by it
// (https://stat.ethz.ch/CRAN/web/packages/cellKey/index.html). recordSwap of sdcMicro swaps a part
// swaprate of the households, those at risk first
// (https://search.r-project.org/CRAN/refmans/sdcMicro/html/recordSwap.html); here all are
// as likely.
const (
	hiddenTo       = 2
	roundTo        = 5
	keyedBy        = 2
	keys           = 1 << 16
	swappedOf      = 10
	keyedQueries   = 60
	OfficesEpsilon = "1"
)

// Districts are those of the town; Ana lives in the first.
var Districts = [3]string{"Mill", "Park", "Quay"}

// Cells are a table: well, ill and all, for each district and for the town.
type Cells [4][3]int64

// Town is a made-up town with a table. The attacker knows everybody's health but Ana's, which a
// coin decides; of the others in her district all are well.
type Town struct {
	AnaIll bool
	Cells  Cells

	people []resident // Ana first
	src    coin.Source
}

type resident struct {
	district int
	ill      bool
	key      uint64
}

// NewTown makes up a town.
func NewTown(seed coin.Seed) *Town {
	src := coin.NewSeeded(seed)
	t := &Town{AnaIll: heads(src), src: src}
	add := func(district int, ill bool, count int) {
		for range count {
			t.people = append(t.people, resident{district, ill, src.Uniform(keys)})
		}
	}
	add(0, t.AnaIll, 1)
	add(0, false, 12)
	add(1, false, 8+int(src.Uniform(3)))
	add(1, true, 4+int(src.Uniform(3)))
	add(2, false, 13+int(src.Uniform(3)))
	add(2, true, 6+int(src.Uniform(3)))
	t.Cells = count(t.people)
	return t
}

// count is the table of those people, with its totals.
func count(people []resident) (c Cells) {
	for _, p := range people {
		c[p.district][one(p.ill)]++
	}
	return c.added()
}

// added fills in the totals.
func (c Cells) added() Cells {
	c[3] = [3]int64{}
	for d := range Districts {
		c[d][2] = c[d][0] + c[d][1]
		for i, n := range c[d] {
			c[3][i] += n
		}
	}
	return c
}

// Published holds a table as it is published in one way, and what is made of it.
type Published struct {
	Cells  Cells
	Hidden [4][3]bool

	Guess bool    // of the attack: that Ana is ill
	Seen  float64 // what the attack saw: see Attack

	Lost int     // cells that are hidden
	Off  float64 // how far the others are off, on average
	Adds bool    // the cells add up to the totals
}

// Publish publishes the town's table, attacks it, and says what it is worth to users.
func (t *Town) Publish(way Way) *Published {
	p := &Published{Cells: t.Cells}
	switch way {
	case Suppressed:
		p.Hidden = suppress(t.Cells)
	case Rounded:
		for d := range p.Cells {
			for i, n := range p.Cells[d] {
				p.Cells[d][i] = round(n)
			}
		}
	case CellKeyed:
		p.Cells = t.keyed()
	case Swapped:
		p.Cells = count(t.swap())
	case Private:
		m := laplace(OfficesEpsilon, 2) // a person leaves a cell, and enters another
		for d := range Districts {
			for i := range 2 {
				p.Cells[d][i] = max(m.AddTo(t.src, t.Cells[d][i]), 0)
			}
		}
		p.Cells = p.Cells.added()
	}
	t.attack(way, p)
	p.worth(t.Cells)
	return p
}

// attack is the best simple attack on that way. Seen is what it sees: a count, or an average.
func (t *Town) attack(way Way, p *Published) {
	ill := p.Cells[0][1]
	p.Seen = float64(ill)
	switch way {
	case AsItIs, Swapped: // a count above 0 is taken for Ana
		p.Guess = ill > 0
	case Suppressed: // 0 would be printed, and all others are well
		p.Guess = p.Hidden[0][1]
	case Rounded: // one more table, of Ana's district and two people known to be ill
		known := int64(roundTo / 2)
		p.Seen = float64(round(t.Cells[0][1] + known))
		p.Guess = p.Seen > 0
	case CellKeyed: // many tables of people who are known, with Ana
		var sum float64
		for range keyedQueries {
			group := []resident{t.people[0]}
			for _, other := range t.people[1:] {
				if heads(t.src) {
					group = append(group, other)
				}
			}
			var known int64
			for _, other := range group[1:] {
				known += one(other.ill)
			}
			seen := keyedCount(group, func(r resident) bool { return r.ill })
			sum += float64(seen-known) / keyedQueries
		}
		p.Seen, p.Guess = sum, sum > 0.5
	case Private: // either cell of Ana's district is a vote
		votes := 2*one(ill > 0) + 2*one(p.Cells[0][0] < 13) - 2
		p.Guess = votes > 0 || votes == 0 && heads(t.src)
	}
}

// suppress says which cells are hidden: small ones, and others so that no total gives them away.
func suppress(c Cells) (hidden [4][3]bool) {
	rows, least := 0, -1
	for d := range Districts {
		if small(c[d][0]) || small(c[d][1]) {
			hidden[d][0], hidden[d][1] = true, true // one alone follows from the row's total
			rows++
		} else if least < 0 || c[d][2] < c[least][2] {
			least = d
		}
	}
	if rows == 1 { // and one row alone follows from the columns' totals
		hidden[least][0], hidden[least][1] = true, true
	}
	return hidden
}

func small(n int64) bool { return n >= 1 && n <= hiddenTo }

// round rounds to the nearest multiple.
func round(n int64) int64 { return (n + roundTo/2) / roundTo * roundTo }

// keyed is the table with the noise of each cell's key, totals too.
func (t *Town) keyed() (c Cells) {
	for d := range c {
		for i := range c[d] {
			c[d][i] = keyedCount(t.people, func(r resident) bool {
				return (d == 3 || r.district == d) && (i == 2 || int64(i) == one(r.ill))
			})
		}
	}
	return c
}

// keyedCount is a count with the noise of its people's keys. Nobody has no noise.
func keyedCount(people []resident, in func(resident) bool) int64 {
	var n int64
	var key uint64
	for _, p := range people {
		if in(p) {
			n, key = n+1, (key+p.key)%keys
		}
	}
	if n == 0 {
		return 0
	}
	return max(n+int64(key%(2*keyedBy+1))-keyedBy, 0)
}

// swap lets one in swappedOf people change places with somebody of another district.
func (t *Town) swap() []resident {
	people := append([]resident(nil), t.people...)
	for range len(people) / swappedOf / 2 {
		for {
			i, j := t.src.Uniform(uint64(len(people))), t.src.Uniform(uint64(len(people)))
			if a, b := &people[i], &people[j]; a.district != b.district {
				a.district, b.district = b.district, a.district
				break
			}
		}
	}
	return people
}

// worth says what the table is worth to users.
func (p *Published) worth(truth Cells) {
	shown := 0
	p.Adds = p.Cells == p.Cells.added()
	for d := range Districts {
		for i := range 2 {
			if p.Hidden[d][i] {
				p.Lost++
				continue
			}
			shown++
			p.Off += math.Abs(float64(p.Cells[d][i] - truth[d][i]))
		}
	}
	p.Off /= float64(max(shown, 1))
}

// AttackTowns counts in how many of Guesses towns the attack on that way is right about Ana.
func AttackTowns(seed coin.Seed, way Way) (right int) {
	for i := range Guesses {
		t := NewTown(seed + coin.Seed(i))
		right += int(one(t.Publish(way).Guess == t.AnaIll))
	}
	return right
}

// OfficesWithin is what the noise on a private cell is within, in 95 of 100.
func OfficesWithin() int64 { return laplace(OfficesEpsilon, 2).ErrorBound(0.05) }
