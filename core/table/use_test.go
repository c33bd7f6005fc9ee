package table

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/stattest"
	"hush/core/param"
)

// visit is a row of a file of visits: the person, the group, the time and the value.
type visit struct{ person, group, time, value string }

func visitsFile(rows []visit) []byte {
	var b strings.Builder
	b.WriteString("person,group,time,value\n")
	for _, v := range rows {
		fmt.Fprintf(&b, "%s,%s,%s,%s\n", v.person, v.group, v.time, v.value)
	}
	return []byte(b.String())
}

var (
	cents = domain.Spec{Kind: domain.Decimal, Lo: "-10", Hi: "20", Step: "0.05"}
	hours = domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "1000"}
)

func usedBy(t testing.TB, u Use, spec domain.Spec, seed uint64, rows []visit) *Encoded {
	t.Helper()
	return encode(t, EncodeParams{Options: plainCSV(4), Columns: []Wanted{{4, spec}}, Person: 1,
		Use: &u, Source: coin.NewSeeded(coin.Seed(seed))}, visitsFile(rows))
}

// entriesOf are the entries of each person, by identifier in the order of the file.
func entriesOf(e *Encoded, entries int, rows []visit) map[string][]string {
	all := strings.Fields(show(e, 0))
	of := map[string][]string{}
	for _, v := range rows {
		if _, known := of[v.person]; !known {
			at := len(of) * entries
			of[v.person] = all[at : at+entries]
		}
	}
	return of
}

// randomVisits are of a few persons at different times.
func randomVisits(rng *rand.Rand) (rows []visit) {
	for i := range 1 + rng.IntN(40) {
		value := fmt.Sprintf("%.3f", rng.Float64()*12-4)
		if rng.IntN(8) == 0 {
			value = []string{"", "x", "1e3"}[rng.IntN(3)]
		}
		rows = append(rows, visit{fmt.Sprint("p", rng.IntN(7)), fmt.Sprint("g", rng.IntN(4)),
			fmt.Sprint((i*37 + 11) % 997), value})
	}
	return rows
}

// truth makes a value of all rows of a person by rationals.
func truth(rows []visit, person string, of Of) string {
	d, _ := domain.New(cents)
	var values []*big.Rat
	latest, at, number := "-", -1, 0
	for _, v := range rows {
		if v.person != person {
			continue
		}
		number++
		time := 0
		_, _ = fmt.Sscan(v.time, &time)
		code, ok := d.Encode([]byte(v.value))
		if time > at {
			if at, latest = time, "-"; ok {
				latest = d.Decode(code)
			}
		}
		if of == Smallest || of == Largest {
			if ok {
				x, _ := new(big.Rat).SetString(d.Decode(code))
				values = append(values, x)
			}
		} else if x, ok := new(big.Rat).SetString(v.value); ok {
			values = append(values, x)
		}
	}
	sum := new(big.Rat)
	for _, x := range values {
		sum.Add(sum, x)
	}
	switch {
	case of == Latest:
		return latest
	case of == Number:
		sum.SetInt64(int64(number))
	case len(values) == 0:
		return "-"
	case of == Mean:
		sum.Quo(sum, big.NewRat(int64(len(values)), 1))
	case of == Smallest:
		sum = slices.MinFunc(values, (*big.Rat).Cmp)
	case of == Largest:
		sum = slices.MaxFunc(values, (*big.Rat).Cmp)
	}
	// to the nearest step of 1/20, a tie up: ⌊20·sum + ½⌋
	twice := new(big.Rat).Mul(sum, big.NewRat(40, 1))
	twice.Add(twice, big.NewRat(1, 1))
	steps := new(big.Int).Div(twice.Num(), new(big.Int).Mul(twice.Denom(), big.NewInt(2)))
	code := min(max(steps.Int64()+200, 0), 600)
	return d.Decode(uint64(code))
}

// TestUseValues: one value for each person is what rationals make of all rows, clipped, and the
// order of the rows decides nothing.
func TestUseValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		rows := randomVisits(rng)
		for _, of := range []Of{Number, Sum, Mean, Smallest, Largest, Latest} {
			u := Use{Values: []Value{{Column: 4, Of: of}}}
			if of == Latest {
				u.Values[0].By = &Wanted{3, hours}
			}
			other := slices.Clone(rows)
			rng.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
			for _, rows := range [][]visit{rows, other} {
				e := usedBy(t, u, cents, 1, rows)
				for person, have := range entriesOf(e, 1, rows) {
					if want := truth(rows, person, of); have[0] != want {
						t.Fatalf("%s of %s in %v: %s, want %s", of, person, rows, have[0], want)
					}
				}
			}
		}
	}
}

// TestUseSumDoesNotOverflow: sums far beyond 64 bits are clipped, and cancel exactly.
func TestUseSumDoesNotOverflow(t *testing.T) {
	whole := domain.Spec{Kind: domain.Integer, Lo: "-5", Hi: "9"}
	u := Use{Values: []Value{{Column: 4, Of: Sum}}}
	const most, least = "9223372036854775807", "-9223372036854775808"
	var rows []visit
	for range 5 {
		rows = append(rows, visit{person: "high", value: most}, visit{person: "low", value: least},
			visit{person: "none", value: "9223372036854775808"},
			visit{person: "even", value: most}, visit{person: "even", value: least},
			visit{person: "even", value: "2"})
	}
	got := show(usedBy(t, u, whole, 1, rows), 0)
	if want := "9 -5 - 5"; got != want {
		t.Errorf("sums %s, want %s", got, want)
	}
	u.Values[0].Of = Mean
	if got, want := show(usedBy(t, u, whole, 1, rows), 0), "9 -5 - 0"; got != want {
		t.Errorf("means %s, want %s", got, want)
	}
}

// TestUseFilter: conditions choose the rows before they are bounded, and a person without any row
// left stays one of n: without a value, but with the number 0.
func TestUseFilter(t *testing.T) {
	rows := []visit{{"a", "x", "1", "3"}, {"b", "y", "2", "4"}, {"a", "y", "3", "5"},
		{"c", "x", "4", "6"}, {"a", "y", "5", "7"}}
	for _, c := range []struct {
		use  Use
		want string
	}{
		{Use{Rows: 2}, "5 7 4 - - -"},
		{Use{Rows: 3}, "5 7 - 4 - - - - -"},
		{Use{Values: []Value{{Column: 4, Of: Number}}}, "2 1 0"},
		{Use{Values: []Value{{Column: 4, Of: Groups}}}, "2 1 0"},
		{Use{Values: []Value{{Column: 4, Of: Sum}}}, "12 4 -"},
		{Use{Rows: 2, Groups: 2, Column: 2}, "5 7 - - 4 - - - - - - -"},
	} {
		e := encode(t, EncodeParams{Options: plainCSV(4), Columns: []Wanted{{4, hours}}, Person: 1,
			Use: &c.use, Source: coin.NewSeeded(1), Filter: []Condition{{Column: 2,
				Spec: domain.Spec{Kind: domain.Category, Categories: []string{"y"}}}}},
			visitsFile(rows))
		if got := show(e, 0); got != c.want || e.N != 3 || e.Rows != 5 {
			t.Errorf("%+v: %s, n = %d, want %s", c.use, got, e.N, c.want)
		}
	}
}

// TestUseKeepsAtMost: a person has at most k rows, in each of at most g groups, each row once, and
// as many as there are.
func TestUseKeepsAtMost(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for seed := range uint64(400) {
		rows := randomVisits(rng)
		for i := range rows {
			rows[i].value = fmt.Sprint(i)
		}
		for _, u := range []Use{{Rows: 1}, {Rows: 3}, {Rows: 2, Groups: 2, Column: 2},
			{Rows: 1, Groups: 3, Column: 2}} {
			e := usedBy(t, u, hours, seed, rows)
			for person, entries := range entriesOf(e, int(u.Entries()), rows) {
				have, had, kept := map[string]int{}, map[string]int{}, 0
				for i, v := range rows {
					group := "all"
					if u.Groups > 0 {
						group = v.group
					}
					if v.person == person {
						had[group]++
						if slices.Contains(entries, fmt.Sprint(i)) {
							have[group]++
							kept++
						}
					}
				}
				if u.Groups == 0 && len(had) != 1 || kept != len(entries)-count(entries, "-") {
					t.Fatalf("%+v: %s has %v", u, person, entries)
				}
				if want := min(max(u.Groups, 1), len(had)); len(have) != want {
					t.Fatalf("%+v: %s is in %d groups, want %d", u, person, len(have), want)
				}
				for group, n := range have {
					if want := min(u.Rows, had[group]); n != want {
						t.Fatalf("%+v: %s has %d rows in %s, want %d", u, person, n, group, want)
					}
				}
			}
		}
	}
}

func count(list []string, of string) (n int) {
	for _, s := range list {
		if s == of {
			n++
		}
	}
	return n
}

// TestUseDrawsEvenly: every set of rows, every set of groups, and each of equally late rows is
// equally likely, by a χ² test over keys.
func TestUseDrawsEvenly(t *testing.T) {
	var rows, tied []visit
	for i := range 5 {
		rows = append(rows, visit{"a", fmt.Sprint("g", i), fmt.Sprint(i), fmt.Sprint(i)},
			visit{"b", "g", "1", "9"})
		tied = append(tied, visit{"a", "g", "3", fmt.Sprint(i)}, visit{"a", "g", "1", "9"})
	}
	for _, c := range []struct {
		name  string
		use   Use
		rows  []visit
		cells int
	}{
		{"2 of 5 rows", Use{Rows: 2}, rows, 10},
		{"3 of 5 groups", Use{Rows: 1, Groups: 3, Column: 2}, rows, 10},
		{"the latest", Use{Values: []Value{{4, Latest, &Wanted{3, hours}}}}, tied, 5},
	} {
		const draws = 6000
		seen := map[string]int{}
		for seed := range uint64(draws) {
			e := usedBy(t, c.use, hours, 1000+seed, c.rows)
			entries := entriesOf(e, int(c.use.Entries()), c.rows)["a"]
			slices.Sort(entries)
			seen[fmt.Sprint(entries)]++
		}
		if len(seen) != c.cells {
			t.Errorf("%s: %d sets, want %d", c.name, len(seen), c.cells)
			continue
		}
		var sample []int64
		even := make([]float64, c.cells)
		for _, n := range seen {
			at := slices.Index(even, 0)
			even[at] = 1 / float64(c.cells)
			sample = append(sample, slices.Repeat([]int64{int64(at)}, n)...)
		}
		stattest.Accept(t, sample, stattest.FromPMF(0, even))
	}
}

// TestUseRefusals: impossible uses are refused by the field that is wrong.
func TestUseRefusals(t *testing.T) {
	text := domain.Spec{Kind: domain.Text, Length: 20}
	for _, c := range []struct {
		field string
		use   Use
		spec  domain.Spec
	}{
		{"use.rows", Use{}, hours},           // H: use.md bounds
		{"use.rows", Use{Rows: 1001}, hours}, // H: use.md bounds
		{"use.rows", Use{Rows: 1, Values: []Value{{Column: 4, Of: Sum}}}, hours},
		{"use.groups", Use{Rows: 501, Groups: 2, Column: 2}, hours}, // H: use.md bounds
		{"use.groups", Use{Rows: 1, Groups: -1}, hours},
		{"use.column", Use{Rows: 1, Groups: 2, Column: 5}, hours}, // H: use.md columns
		{"use.column", Use{Rows: 1, Column: 2}, hours},
		{"use.values", Use{Values: []Value{{Column: 5, Of: Sum}}}, hours}, // H: use.md columns
		{"use.values", Use{Values: []Value{{Column: 4, Of: Sum}, {Column: 4, Of: Mean}}}, hours},
		{"use.of", Use{Values: []Value{{Column: 4, Of: "median"}}}, hours},
		{"use.of", Use{Values: []Value{{Column: 4, Of: Sum}}}, text}, // H: use.md columns
		{"use.of", Use{Values: []Value{{Column: 4, Of: Smallest}}}, text},
		{"use.by", Use{Values: []Value{{Column: 4, Of: Latest}}}, hours},
		{"use.by", Use{Values: []Value{{Column: 4, Of: Sum, By: &Wanted{3, hours}}}}, hours},
		{"use.by", Use{Values: []Value{{Column: 4, Of: Latest, By: &Wanted{9, hours}}}}, hours},
	} {
		_, err := NewEncode(EncodeParams{Options: plainCSV(4), Columns: []Wanted{{4, c.spec}},
			Person: 1, Use: &c.use, Source: coin.NewSeeded(1)})
		var refused *param.Error
		if !errors.As(err, &refused) || refused.Field != c.field {
			t.Errorf("%+v: %v, want a refusal of %s", c.use, err, c.field)
		}
	}
	if _, err := NewEncode(EncodeParams{Options: plainCSV(4), Columns: []Wanted{{4, hours}},
		Use: &Use{Rows: 2}}); err == nil { // H: use.md persons-named
		t.Error("a use without a person column is taken")
	}
}

// What a pass gives is entries of these two kinds: no row, and nothing of a person beside.
var _ = Encoded{Columns: []*Column(nil), Texts: []*TextColumn(nil)} // H: use.md entries

// TestKeysAreDropped: after Close, nothing is left of the keys, though the result, which is a part
// of the pass, stays as long as the data.
func TestKeysAreDropped(t *testing.T) {
	for _, u := range []*Use{nil, {Rows: 2}, {Rows: 1, Groups: 2, Column: 2},
		{Values: []Value{{Column: 4, Of: Sum}}}} {
		e, err := NewEncode(EncodeParams{Options: plainCSV(4), Columns: []Wanted{{4, hours}},
			Person: 1, Use: u, Source: coin.NewSeeded(1)})
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Write([]byte("p1,a,1,2\np1,b,2,3\np2,a,1,1\n")); err != nil {
			t.Fatal(err)
		}
		if err := e.Close(); err != nil || e.persons != nil || e.bounded != nil {
			t.Errorf("%+v: a key is left, %v", u, err) // H: use.md keys-dropped
		}
	}
}

// TestUseMemory: entries of all persons that need too much memory are refused with what to do.
func TestUseMemory(t *testing.T) {
	e, err := NewEncode(EncodeParams{Options: plainCSV(4), Columns: []Wanted{{4, hours}},
		Person: 1, Use: &Use{Rows: 1000}, Source: coin.NewSeeded(1), Memory: baseBytes + 1<<22})
	if err != nil {
		t.Fatal(err)
	}
	var rows []visit
	for i := range 3000 {
		rows = append(rows, visit{person: fmt.Sprint(i), value: "1"})
	}
	err = e.feed.Write(visitsFile(rows))
	if end := e.Close(); err == nil {
		err = end
	}
	var refused *MemoryError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "PARTITION BY person") {
		t.Errorf("refused with %v", err)
	}
	// Many rows of few persons are no reason: what counts is how many persons there are.
	p := EncodeParams{Options: plainCSV(4), Columns: []Wanted{{4, hours}}, Person: 1, Rows: 1 << 40,
		Use:    &Use{Rows: 10, Groups: 100, Column: 2},
		Source: coin.NewSeeded(1), Memory: baseBytes + 1<<22}
	if e := encode(t, p, visitsFile(rows[:40])); e.N != 40 {
		t.Errorf("%d persons", e.N)
	}
}

// TestUseNeighbours: when all rows of a person are replaced by others, at other places, everybody
// else's entries are what they were, under every use.
func TestUseNeighbours(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	uses := []Use{{Rows: 1}, {Rows: 3}, {Rows: 2, Groups: 2, Column: 2}}
	for _, of := range []Of{Number, Groups, Sum, Mean, Smallest, Largest} {
		uses = append(uses, Use{Values: []Value{{Column: 4, Of: of}}})
	}
	uses = append(uses, Use{Values: []Value{{4, Latest, &Wanted{3, hours}}}},
		Use{Values: []Value{{Column: 3, Of: Sum}}}) // the column asked for has a drawn row's
	for seed := range uint64(150) {
		one := randomVisits(rng)
		gone := one[rng.IntN(len(one))].person
		two := slices.DeleteFunc(slices.Clone(one), func(v visit) bool {
			return v.person == gone
		})
		for range 1 + rng.IntN(3) {
			v := randomVisits(rng)[0]
			v.person = "new"
			two = slices.Insert(two, rng.IntN(len(two)+1), v)
		}
		for _, u := range uses {
			entries := int(u.Entries())
			a, b := usedBy(t, u, cents, seed, one), usedBy(t, u, cents, seed, two)
			if a.N != b.N || a.Columns[0].Len() != b.Columns[0].Len() {
				t.Fatalf("%+v: n is %d and %d", u, a.N, b.N)
			}
			was, is := entriesOf(a, entries, one), entriesOf(b, entries, two)
			for person, have := range was {
				if person != gone && !slices.Equal(have, is[person]) {
					t.Fatalf("%+v: %s has %v, and %v when %s is replaced", u, person, have,
						is[person], gone)
				}
			}
		}
	}
}

// TestUseGroups: 64 bits estimate how many groups a person is in, the same however often and in
// whichever order they come; the error is the stated one, and the table follows the formula.
func TestUseGroups(t *testing.T) {
	for places, have := range groupsMarked {
		want := 255.0 // all marked means no more than “many”
		if places < 64 {
			want = min(want, math.Round(-64*math.Log(1-float64(places)/64)))
		}
		if float64(have) != want {
			t.Errorf("%d places are %d groups, want %v", places, have, want)
		}
	}
	many := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "1000"}
	u := Use{Values: []Value{{Column: 2, Of: Groups}}}
	read := func(rows []visit) *Encoded {
		return encode(t, EncodeParams{Options: plainCSV(4), Columns: []Wanted{{2, many}}, Person: 1,
			Use: &u, Source: coin.NewSeeded(3)}, visitsFile(rows))
	}
	const persons = 400
	for _, c := range []struct {
		groups int
		off    float64
	}{{0, 0}, {1, 0}, {2, .2}, {5, .5}, {20, 2.2}, {50, 6}} {
		var rows []visit
		for p := range persons {
			rows = append(rows, visit{person: fmt.Sprint("p", p)}) // in no group
			for g := range 2 * c.groups {
				rows = append(rows, visit{person: fmt.Sprint("p", p),
					group: strings.Repeat(" ", g%3) + fmt.Sprint("g", g%c.groups)})
			}
		}
		mean, square := 0.0, 0.0
		e := read(rows)
		for i := range persons {
			code, ok := e.Columns[0].Code(i)
			if !ok {
				t.Fatalf("%d groups: a person has none", c.groups)
			}
			off := float64(code) - float64(c.groups)
			mean, square = mean+off/persons, square+off*off/persons
		}
		if math.Sqrt(square) > c.off || math.Abs(mean) > .05+c.off/4 {
			t.Errorf("%d groups are told %.2f too high, off by %.2f", c.groups, mean,
				math.Sqrt(square))
		}
		rng := rand.New(rand.NewPCG(7, 8))
		rng.Shuffle(persons/2, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		sum := func(e *Encoded) (n uint64) {
			for _, code := range e.Columns[0].Present() {
				n += code
			}
			return n
		}
		if sum(e) != sum(read(rows)) {
			t.Errorf("%d groups: the order of rows decides", c.groups)
		}
	}
}
