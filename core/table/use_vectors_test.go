package table

import (
	"fmt"
	"hash/fnv"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
)

// TestUseChoosesTheSame: what is kept of a seeded pass is what it was when Use was first made, in
// clean files and in files that are read row by row: a recipe's seed gives the same bytes for good.
func TestUseChoosesTheSame(t *testing.T) {
	value := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "300"}
	day := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "365"}
	group := domain.Spec{Kind: domain.Text, Length: 8}
	some := []Condition{{Column: 3, Spec: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "200"}}}
	clean := personsFile(30_000)
	var ragged []byte // a row in a hundred has a space before its person, or a field too many
	for i, line := 0, 0; i < len(clean); i++ {
		if ragged = append(ragged, clean[i]); clean[i] != '\n' {
			continue
		}
		switch line++; line % 100 {
		case 7:
			ragged = append(ragged, ' ')
		case 9:
			ragged = append(ragged, "u1,g1,1,1,1\n"...)
		case 11:
			ragged = append(ragged, "\"u1\",\"g1\",1,1\n,g2,2,2\n"...)
		}
	}
	for _, c := range []struct {
		name   string
		use    *Use
		filter []Condition
		want   string
	}{
		{"one row", nil, nil,
			" 3d8df490e96cfc84 8d092f8a33ca7f41"},
		{"one row, filtered", nil, some,
			" c89e79c86ab9230e c763bec492bc8aad"},
		{"3 rows", &Use{Rows: 3}, nil,
			" 30053c811847b0c7 e556bdabe3890898"},
		{"3 rows, filtered", &Use{Rows: 3}, some,
			" b98a22a20d764f32 620989263e8ce647"},
		{"2 rows in 5 groups", &Use{Rows: 2, Groups: 5, Column: 2}, nil,
			" ff02fd734376a699 62f0fb2bf0916498"},
		{"2 rows in 5 groups, filtered", &Use{Rows: 2, Groups: 5, Column: 2}, some,
			" f3374dff0bd6b113 da939e9b9eea7890"},
		{"sum", &Use{Values: []Value{{Column: 4, Of: Sum}}}, nil,
			" de9496d7b763a864 5d3cb70a0c795aee"},
		{"mean, filtered", &Use{Values: []Value{{Column: 4, Of: Mean}}}, some,
			" ba07f071b2716fad 5f88ceb6074815a6"},
		{"number", &Use{Values: []Value{{Column: 4, Of: Number}}}, some,
			" 3ff3ec1f754d8f7a c01f7153dd588420"},
		{"smallest", &Use{Values: []Value{{Column: 4, Of: Smallest}}}, nil,
			" 2558b595017b724f 18f48ce540417e92"},
		{"latest", &Use{Values: []Value{{4, Latest, &Wanted{3, day}}}}, nil,
			" 138b0448203b3dbd 417a146296c10a0a"},
	} {
		have := ""
		for _, file := range [][]byte{clean, ragged} {
			e := encode(t, EncodeParams{Options: plainCSV(4),
				Columns: []Wanted{{4, value}, {2, group}}, Person: 1, Use: c.use, Filter: c.filter,
				Source: coin.NewSeeded(3)}, file)
			h := fnv.New64a()
			fmt.Fprint(h, e.N, e.Rows, show(e, 0), show(e, 1))
			have += fmt.Sprintf(" %016x", h.Sum64())
		}
		if have != c.want {
			t.Errorf("%s:%s, want%s", c.name, have, c.want)
		}
	}
}
