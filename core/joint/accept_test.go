package joint

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"testing"

	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/privacy"
)

// summed are persons of two columns of two places and none, each given by a number below 9; codes
// of the first are 0 and 15.
func summed(persons ...int) *summary {
	sum := int64(0)
	for _, p := range persons {
		sum += int64(2 * codeOf[p/3])
	}
	return sumUp([]int{3, 3}, func(column, person int) uint8 {
		return uint8([]int{persons[person] / 3, persons[person] % 3}[column])
	}, len(persons), []*big.Int{big.NewInt(sum), nil})
}

// TestMarginMoves: over all data sets of three persons and all rows of two, one replaced person
// moves the margin of a criterion by at most 1, and by 1 somewhere.
func TestMarginMoves(t *testing.T) {
	codes := []*Codes{acceptCodes[1], acceptCodes[1]}
	for _, c := range []Criterion{
		within1(AllPairs, "1/3"), within1(AllPairs, "7/10"), within1(Singles, "1/10"),
		within1(Mean, "1/5", 0), within1(Mean, "9", 0), within1(Mean, "16", 0),
		within1(Quantile, "1/100", 0), within1(Quantile, "9/10", 0),
		{Of: Quantile, Columns: []int{0}, At: rat("1/10"), Within: rat("1/3")},
		within1(Correlation, "1/50", 0, 1), within1(Correlation, "2", 0, 1),
	} {
		most := int64(0)
		for a := range 9 {
			for b := range 9 {
				made := summed(a, b)
				for x := range 9 * 9 {
					was := make([]int64, 9)
					for y := range 9 {
						was[y] = c.margin(summed(x/9, x%9, y), made, codes)
						for z := range y {
							most = max(most, was[y]-was[z], was[z]-was[y])
						}
					}
				}
			}
		}
		if most != 1 {
			t.Errorf("%s within %v moves by up to %d", c.Of, c.Within, most)
		}
	}
}

// known are people whose statistics are easy to say: a column of 0 … 9 and none, and another
// that is the same, but none of nobody.
func known() (sizes []int, columns [][]uint8, codes []*Codes) {
	of := &Codes{Size: 10}
	for code := range uint64(10) {
		of.Starts = append(of.Starts, code)
	}
	columns = make([][]uint8, 2)
	for person := range 1000 {
		columns[0] = append(columns[0], uint8(person%10))
		columns[1] = append(columns[1], uint8(person%10))
	}
	return []int{11, 11}, columns, []*Codes{of, of}
}

// TestMargins: margins by hand.
func TestMargins(t *testing.T) {
	sizes, columns, codes := known()
	people := sumUp(sizes, func(c, p int) uint8 { return columns[c][p] }, 1000,
		[]*big.Int{big.NewInt(9000), big.NewInt(9000)})
	rows := func(first, second func(row int) int) *summary {
		return sumUp(sizes, func(c, row int) uint8 {
			if c == 0 {
				return uint8(first(row))
			}
			return uint8(second(row))
		}, 100, nil)
	}
	third := sumUp(sizes, func(_, row int) uint8 { return uint8(row) }, 3, nil)
	same := func(row int) int { return row % 10 }
	turned := func(row int) int { return 9 - row%10 }
	ones := func(int) int { return 1 }
	for _, test := range []struct {
		name string
		c    Criterion
		made *summary
		want int64
	}{
		{"pairs as they are", within1(AllPairs, "1/100"), rows(same, same), 10},
		{"pairs turned", within1(AllPairs, "1/100"), rows(same, turned), 10 - 100},
		{"columns of pairs turned", within1(Singles, "1/100"), rows(same, turned), 10},
		{"columns of ones", within1(Singles, "1/100"), rows(same, ones), 10 - 900},
		{"columns of three places", within1(Singles, "1/100"), third, 10 - 234},
		{"a mean", within1(Mean, "1", 0), rows(same, same), 100},
		{"a mean of 1 in place of 4.5", within1(Mean, "1", 1), rows(same, ones), -250},
		{"a median", within1(Quantile, "1/20", 0), rows(same, same), 50},
		{"a median of 1", within1(Quantile, "1/20", 1), rows(same, ones), 200 - 450},
		{"a correlation", within1(Correlation, "6/10", 0, 1), rows(same, same), 100},
		// the rank correlation of ten places that are alike is 3·(1 − 1/100)/3 = .99
		{"a correlation turned", within1(Correlation, "6/10", 1, 0), rows(same, turned),
			(600 - 1980) / 6},
		{"nobody with a value", within1(Mean, "1", 0), rows(func(int) int { return 10 }, same),
			-1001},
	} {
		if got := test.c.margin(people, test.made, codes); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
		if room := test.c.room(1000, codes); test.want > 0 && room != test.want {
			t.Errorf("%s: there is room for %d, want %d", test.name, room, test.want)
		}
	}
}

// townCodes are for the first and the third column of town, whose last places become none.
func townCodes(sizes []int) []*Codes {
	codes := make([]*Codes, len(sizes))
	for _, i := range []int{0, 2} {
		of := &Codes{Size: uint64(sizes[i] - 1)}
		for code := range of.Size {
			of.Starts = append(of.Starts, code)
		}
		codes[i] = of
	}
	return codes
}

func acceptOf(e, d string, persons int, criteria ...Criterion) (*Accept, error) {
	sizes, _ := town(1)
	return NewAccept(AcceptParams{Epsilon: epsilon(e), Delta: delta(d), Sizes: sizes,
		Codes: townCodes(sizes), Ways: must(Ways(sizes, EveryWay)), Persons: persons,
		Criteria: criteria})
}

func within2(persons int, columns [][]uint8) []func(int) uint64 {
	codes := make([]func(int) uint64, len(columns))
	for i := range columns {
		codes[i] = func(person int) uint64 { return uint64(columns[i][person]) }
	}
	return codes
}

// TestAccept: rows meet easy criteria of every kind; where all pairs matter, a way that measures
// all of them wins; and criteria that no way meets end with nothing.
func TestAccept(t *testing.T) {
	const persons = 8000
	_, people := town(persons)
	easy := []Criterion{within1(AllPairs, "1/20"), within1(Singles, "1/20"),
		within1(Mean, "1/4", 0), within1(Quantile, "1/5", 2), within1(Correlation, "1/4", 0, 2)}
	m := must(acceptOf("4", "0.0000001", persons, easy...))
	model, way, found, err := m.Release(coin.NewSeeded(1), people, within2(persons, people), nil)
	if err != nil || !found {
		t.Fatal(found, err)
	}
	if margin := m.margin(m.sumUp(people, within2(persons, people)), model); margin < 0 {
		t.Errorf("way %d misses by %d", way, -margin)
	}
	ways := map[Named]int{}
	for seed := range 3 {
		m := must(acceptOf("4", "0.0000001", persons, within1(AllPairs, "1/100")))
		_, way, found, err := m.Release(coin.NewSeeded(coin.Seed(seed)), people,
			within2(persons, people), nil)
		if err != nil {
			t.Fatal(err)
		}
		if found {
			ways[m.ways[way].Name]++
		}
	}
	if ways[InTwos]+ways[Around] > 0 || len(ways) == 0 {
		t.Errorf("what keeps all pairs within 1 %% is %v", ways)
	}
	// columns that follow each other are kept by no table of others
	m = must(acceptOf("4", "0.0000001", persons, within1(AllPairs, "1/100"),
		within1(Singles, "1/2")))
	m.ways, m.tables = m.ways[3:], m.tables[3:]
	if _, _, found, err := m.Release(coin.NewSeeded(1), people, within2(persons, people),
		nil); err != nil || found {
		t.Error("columns in twos keep the pairs of others", err)
	}
}

// TestAcceptLoss: tables have three quarters of the cost of a run, its score the rest, and all
// together cost no more than was granted, and nearly that.
func TestAcceptLoss(t *testing.T) {
	for _, d := range []string{"0", "0.0000001"} {
		m := must(acceptOf("2", d, 100000, within1(AllPairs, "1/20")))
		loss := must(m.Loss(1))
		got, _ := loss.Epsilon()
		if x, _ := got.Float64(); x > 2 || x < 1.97 {
			t.Errorf("δ = %s: ε = %v", d, x)
		}
		spent, _ := loss.Delta().Float64()
		most, _ := delta(d).Rat().Float64()
		if spent > most || spent < .9*most {
			t.Errorf("δ = %v of %v", spent, most)
		}
		if m.Runs() != 32 {
			t.Errorf("%v runs of four ways", m.Runs())
		}
	}
}

// TestAcceptRefusals: what cannot be compared or met is refused before anybody is looked at.
func TestAcceptRefusals(t *testing.T) {
	sizes, _ := town(1)
	good := func() AcceptParams {
		return AcceptParams{Epsilon: epsilon("1"), Sizes: sizes, Codes: townCodes(sizes),
			Ways: must(Ways(sizes, EveryWay)), Persons: 10000,
			Criteria: []Criterion{within1(AllPairs, "1/10")}}
	}
	if _, err := NewAccept(good()); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		field  string
		change func(p *AcceptParams)
	}{
		"no ε":    {"epsilon", func(p *AcceptParams) { p.Epsilon = privacy.Epsilon{} }},
		"no ways": {"ways", func(p *AcceptParams) { p.Ways = nil }}, // H: accept.md some-way
		// H: accept.md some-way
		"codes of fewer": {"codes", func(p *AcceptParams) { p.Codes = p.Codes[1:] }},
		// H: accept.md some-way
		"no criteria": {"criteria", func(p *AcceptParams) { p.Criteria = nil }},
		// H: accept.md persons
		"nobody": {"persons", func(p *AcceptParams) { p.Persons = 0 }},
		"one column": {"sizes", func(p *AcceptParams) {
			p.Sizes, p.Codes = sizes[:1], p.Codes[:1]
		}},
		"a mean of names": {"criteria", criteria(within1(Mean, "1", 1))}, // H: accept.md criteria
		"a mean of two":   {"criteria", criteria(within1(Mean, "1", 0, 2))},
		"one correlated":  {"criteria", criteria(within1(Correlation, "1", 0))},
		// H: accept.md criteria
		"with itself":  {"criteria", criteria(within1(Correlation, "1", 0, 0))},
		"no tolerance": {"criteria", criteria(Criterion{Of: AllPairs})}, // H: accept.md criteria
		// H: accept.md criteria
		"of more than n": {"criteria", criteria(within1(AllPairs, "11/10"))},
		"no quantile": {"criteria", criteria(Criterion{Of: Quantile, Columns: []int{0},
			Within: rat("1/10")})},
		"another": {"criteria", criteria(within1("variance", "1/10"))},
	} {
		p := good()
		test.change(&p)
		_, err := NewAccept(p)
		var refused *param.Error
		if !errors.As(err, &refused) || refused.Field != test.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Ways(sizes, "other"); err == nil {
		t.Error("an unknown way")
	}
	p := good()
	p.Criteria = append(p.Criteria, within1(AllPairs, "1/1000"))
	var tight *TightError
	// H: accept.md room
	if _, err := NewAccept(p); !errors.As(err, &tight) || tight.Criterion != 1 {
		t.Fatal(err)
	}
	p.Criteria[1].Within = tight.Least
	if _, err := NewAccept(p); err != nil {
		t.Errorf("the least tolerance that is named: %v", err)
	}
	p = good()
	p.Persons = 1<<28 + 1 // H: accept.md persons
	var refused *param.Error
	if _, err := NewAccept(p); !errors.As(err, &refused) || refused.Field != "persons" {
		t.Errorf("2^28 persons and one: %v", err)
	}
	m := must(NewAccept(good()))
	_, people := town(9999) // H: accept.md persons
	if _, _, _, err := m.Release(coin.NewSeeded(1), people, within2(9999, people), nil); !errors.As(
		err, &refused) || refused.Field != "columns" {
		t.Errorf("a person less than stated: %v", err)
	}
}

// TestAcceptBeyondTheCodes: a code beyond the last counts as the last, so that the score moves by
// no more than its noise is for.
func TestAcceptBeyondTheCodes(t *testing.T) {
	const persons = 100
	m := must(acceptOf("4", "0", persons, within1(Mean, "9/10", 0)))
	_, people := town(persons)
	last := func(int) uint64 { return m.codes[0].Size - 1 }
	beyond := func(int) uint64 { return math.MaxUint64 } // H: accept.md in-codes
	a := m.sumUp(people, []func(int) uint64{last, nil, nil, nil})
	b := m.sumUp(people, []func(int) uint64{beyond, nil, nil, nil})
	if a.sums[0].Cmp(b.sums[0]) != 0 {
		t.Errorf("the codes add up to %v, and beyond the last to %v", a.sums[0], b.sums[0])
	}
}

func criteria(c Criterion) func(p *AcceptParams) {
	return func(p *AcceptParams) { p.Criteria = []Criterion{c} }
}

// TestWays: of two columns there is one way, and of four there are four; a table of equal size
// needs no second division of the loss.
func TestWays(t *testing.T) {
	for _, test := range []struct {
		sizes []int
		name  string
		want  string
	}{
		{[]int{2, 3}, EveryWay, "[pairs]"},
		{[]int{2, 2, 2}, EveryWay, "[pairs first twos]"},
		{[]int{2, 3, 4, 5}, EveryWay, "[pairs even first twos]"},
		{[]int{2, 3, 4, 5}, AllPairWays, "[pairs even]"},
		{[]int{2, 3, 4, 5}, "twos", "[twos]"},
	} {
		var names []Named
		for _, way := range must(Ways(test.sizes, test.name)) {
			names = append(names, way.Name)
			if _, err := checkPairs(test.sizes, way.Of); err != nil {
				t.Error(err)
			}
		}
		if got := fmt.Sprint(names); got != test.want {
			t.Errorf("%v %s: %s, want %s", test.sizes, test.name, got, test.want)
		}
	}
}

// TestAcceptIsRight: rows that miss a criterion by a single person are released in at most one of
// twenty searches, and without room for the noise in most.
func TestAcceptIsRight(t *testing.T) {
	const persons, times = 2000, 300
	sizes, people := town(persons)
	codes := within2(persons, people)
	rows := must(Fit(coin.NewSeeded(1), exact(sizes, people, 9), nil))
	for _, d := range withAndWithout {
		m := must(acceptOf("4", d, persons, within1(AllPairs, "1")))
		off := persons - m.margin(m.sumUp(people, codes), rows)
		m.criteria[0].Within = big.NewRat(off-1, persons)
		m.fit = func(coin.Source, *Measured, coin.Step) (*Model, error) { return rows, nil }
		if margin := m.margin(m.sumUp(people, codes), rows); margin != -1 {
			t.Fatalf("they miss by %d", -margin)
		}
		released := func() (number int) {
			for seed := range times {
				_, _, found, err := m.Release(coin.NewSeeded(coin.Seed(seed)), people, codes, nil)
				if err != nil {
					t.Fatal(err)
				}
				if found {
					number++
				}
			}
			return number
		}
		if wrong := released(); wrong > times/20+12 { // three standard deviations
			t.Errorf("δ = %s: %d of %d searches release rows that miss", d, wrong, times)
		}
		if m.threshold = 0; released() < times/2 {
			t.Errorf("δ = %s: without room for the noise they are not released either: nothing "+
				"is tested", d)
		}
	}
}

// withAndWithout are a δ of none, with Laplace noise, and one, with Gaussian.
var withAndWithout = []string{"0", "0.0000001"}

func TestAcceptInGroups(t *testing.T) {
	for _, d := range withAndWithout {
		audittest.InGroups(t, "accepted rows, δ = "+d, must(acceptOf("1", d, 10000,
			within1(AllPairs, "1/10"))))
	}
}

// TestAcceptMeter: a neighbour's run draws within what is paid for.
func TestAcceptMeter(t *testing.T) {
	const persons = 1000
	_, people := town(persons)
	_, other := town(persons)
	for i := range other {
		other[i][7] = 0
	}
	for _, d := range withAndWithout {
		m := must(acceptOf("4", d, persons, within1(AllPairs, "1/2"), within1(Mean, "5/2", 0)))
		recorded := meter.Record(3)
		release := func(src coin.Source, columns [][]uint8) {
			if _, _, _, err := m.Release(src, columns, within2(persons, columns), nil); err != nil {
				t.Fatal(err)
			}
		}
		release(recorded, people)
		again := recorded.Replay()
		release(again, other)
		for _, v := range again.Violations() {
			t.Errorf("δ = %s: %v", d, v)
		}
		if err := recorded.Over(must(m.Loss(1))); err != nil {
			t.Errorf("δ = %s: %v", d, err)
		}
	}
}
