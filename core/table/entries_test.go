package table

import (
	"errors"
	"testing"

	"hush/core/domain"
)

// TestCountsOfEntries: counts of the entries of persons are of as many persons as the Use says, and
// a sum that is no number of persons is refused, as are values.
func TestCountsOfEntries(t *testing.T) {
	read := func(file string, use *Use) (*Encoded, error) {
		o, err := Options{Encoding: UTF8, Delimiter: ",", Header: Yes, Columns: 2}.Decided()
		if err != nil {
			t.Fatal(err)
		}
		e, err := NewEncode(EncodeParams{Options: o, Count: 2, Use: use, Memory: 1 << 30,
			Columns: []Wanted{{1, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "9"}}}})
		if err != nil {
			return nil, err
		}
		if err := e.Write([]byte(file)); err != nil {
			t.Fatal(err)
		}
		err = e.Close()
		return e.Result(), err
	}
	const file = "a,n\n1,4\n2,3\n,5\n"
	for _, c := range []struct {
		use  *Use
		want int64
	}{{nil, 12}, {&Use{Rows: 1}, 12}, {&Use{Rows: 2}, 6},
		{&Use{Rows: 2, Groups: 3, Column: 1}, 2}} {
		found, err := read(file, c.use)
		if err != nil || found.N != c.want {
			t.Errorf("%+v: %d persons, %v, want %d", c.use, found.N, err, c.want)
		}
		codes, counts, none, err := found.Counted(0, nil)
		if err != nil || len(codes) != 2 || counts[0] != 4 || counts[1] != 3 || none != 5 {
			t.Errorf("%+v: %v times %v, %d without a value, %v", c.use, counts, codes, none, err)
		}
	}
	if _, err := read(file, &Use{Rows: 5}); !errors.Is(err, ErrEntries) { // H: use.md same-entries
		t.Errorf("12 entries of persons with 5 each: %v", err)
	}
	if _, err := read(file, &Use{Values: []Value{{Column: 1, Of: Number}}}); err == nil {
		t.Error("values are made of counts")
	}
}
