package table

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
)

// wildFile has rows of persons some of which have many, and now and then a cell that cannot be
// read, an empty person or group, spaces, quotes, or a row with too few or too many fields.
func wildFile(r *rand.Rand, rows, persons int) []byte {
	b := []byte("person,group,day,value,at\n")
	for range rows {
		person := fmt.Sprint("u", r.IntN(1+r.IntN(persons)))
		group := fmt.Sprint("g", r.IntN(6))
		value, at := fmt.Sprint(r.IntN(400)), fmt.Sprint(r.IntN(30))
		switch r.IntN(150) {
		case 0:
			value = "many"
		case 1:
			value = "1.5"
		case 2:
			person = " " + person
		case 3:
			person = ""
		case 4:
			group = `" a long ""group"""`
		case 5:
			group = " "
		case 6:
			at = "soon"
		case 7:
			at += ",more"
		case 8:
			b = fmt.Appendf(b, "%s,%s\n", person, group)
			continue
		}
		b = fmt.Appendf(b, "%s,%s,%d,%s,%s\n", person, group, r.IntN(365), value, at)
	}
	return b
}

// TestGathered: rows that wait in buckets leave the same columns, problems and number of persons as
// rows that are taken one by one, for every kind of use, with few and many buckets, however the
// file is cut.
func TestGathered(t *testing.T) {
	value := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "300"}
	all := domain.Spec{Kind: domain.Integer} // codes of 64 bits, and a bit for none
	day := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "365"}
	group := domain.Spec{Kind: domain.Text, Length: 7}
	at := Wanted{5, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "20"}}
	some := []Condition{{Column: 3, Spec: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "200"}}}
	columns := []Wanted{{4, value}, {2, group}, {3, day}, {5, all}}
	r := rand.New(rand.NewPCG(5, 1))
	for _, use := range []*Use{
		nil,
		{Rows: 1},
		{Rows: 3},
		{Rows: 2, Groups: 3, Column: 2},
		{Rows: 1, Groups: 2, Column: 5},
		{Values: []Value{{4, Sum, nil}, {3, Mean, nil}, {5, Smallest, nil}}},
		{Values: []Value{{4, Largest, nil}, {2, Latest, &at}, {3, Number, nil}}},
		{Values: []Value{{4, Latest, &at}, {3, Groups, nil}}},
	} {
		for round, persons := range []int{3, 300, 9000} {
			file := wildFile(r, 12_000, persons)
			for _, filter := range [][]Condition{nil, some} {
				pass := func(change func(e *Encode)) *Encode {
					e, err := NewEncode(EncodeParams{Options: plainCSV(5), Columns: columns,
						Person: 1, Use: use, Filter: filter,
						Source: coin.NewSeeded(coin.Seed(round))})
					if err != nil {
						t.Fatal(err)
					}
					change(e)
					for rest := file; len(rest) > 0; {
						n := min(len(rest), 1+r.IntN(100_000))
						if err := e.Write(rest[:n]); err != nil {
							t.Fatal(err)
						}
						rest = rest[n:]
					}
					if err := e.Close(); err != nil {
						t.Fatal(err)
					}
					return e
				}
				want := pass(func(e *Encode) {
					e.gathered.now = true
					e.feed.scan.maxQuick = 0 // row by row
				}).Result()
				for _, buckets := range []int{1, 2, 64} {
					have := pass(func(e *Encode) {
						e.gathered.room = aheadRows
						e.gathered.spread(buckets)
					}).Result()
					if have.N != want.N || have.Rows != want.Rows {
						t.Fatalf("%+v: %d persons of %d rows, want %d of %d", use, have.N,
							have.Rows, want.N, want.Rows)
					}
					for k := range columns {
						if show(have, k) != show(want, k) {
							t.Fatalf("%+v, %d buckets, %d persons: column %d differs", use, buckets,
								persons, k)
						}
					}
					if !reflect.DeepEqual(have.Problems, want.Problems) {
						t.Fatalf("%+v, %d buckets: problems %+v, want %+v", use, buckets,
							have.Problems, want.Problems)
					}
				}
			}
		}
	}
}

// TestGatheredSpreads: as more persons are found, rows are spread over more buckets, which fill
// about evenly; what waits stays within what its comment says.
func TestGatheredSpreads(t *testing.T) {
	e, err := NewEncode(EncodeParams{Options: plainCSV(4), Person: 1, Source: coin.NewSeeded(1),
		Columns: []Wanted{{4, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "300"}}}})
	if err != nil {
		t.Fatal(err)
	}
	g := e.gathered
	push := personsFile(300_000)
	if err := e.Write(push[:bytes.LastIndexByte(push, '\n')+1]); err != nil {
		t.Fatal(err)
	}
	if len(g.count) != 4 && len(g.count) != 8 {
		t.Errorf("%d buckets for 30 000 persons", len(g.count))
	}
	least, most := g.count[0], 0
	for _, n := range g.count {
		least, most = min(least, n), max(most, n)
	}
	if g.n > 1000 && (2*least < most) {
		t.Errorf("buckets hold from %d to %d rows", least, most)
	}
	if bytes := 8 * cap(g.rows) / len(g.count) * mostBuckets; bytes > 18<<20 {
		t.Errorf("%d bytes wait", bytes)
	}
}
