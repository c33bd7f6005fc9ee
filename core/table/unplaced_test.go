package table

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"hush/core/domain"
)

// TestPlaces: the cells that no category takes are listed once each, as their owner sees them: not
// those that are empty, missing, spelled otherwise or in a row that counts for nobody.
func TestPlaces(t *testing.T) {
	list := domain.Spec{Kind: domain.Category, Categories: []string{"Mitte", "Hafen"},
		Spellings: []domain.Spelling{{Cell: "m", As: "Mitte"}}, Missing: []string{"NA"}}
	other := list
	other.Other = "Hafen"
	folded := list
	folded.Fold = true
	var many strings.Builder
	for i := range 60 {
		fmt.Fprintf(&many, "%d,x%d\n", i, i)
	}
	for name, c := range map[string]struct {
		file string
		spec domain.Spec
		want []Unplaced
	}{
		"spellings": {"a,ward\n1,Mitte\n2, MITTE \n3,m\n4,\n5,NA\n6,MITTE\n7,\"Süd \"\n8,Ost,9\n",
			list, []Unplaced{{Column: 2, Cells: []string{"MITTE", "Süd"}}}},
		"all placed":   {"a,ward\n1,Mitte\n2,m\n", list, nil},
		"all else too": {"a,ward\n1,Mitte\n2,MITTE\n", other, nil},
		"too long": {"a,ward\n1," + strings.Repeat("x", 300) + "\n", list,
			[]Unplaced{{2, nil, true}}},
		"no UTF-8": {"a,ward\n1,a\xff\n", list,
			[]Unplaced{{Column: 2, Cells: []string{"aÿ"}}}},
		"folded": {"a,ward\n1,MITTE\n2,\u00a0M\n3,PARK\n4, park \n5,na\n", folded,
			[]Unplaced{{Column: 2, Cells: []string{"PARK"}}}},
		"a list of two": {"a,ward\n1,Mitte\n2,Park\n1,Park\n", list,
			[]Unplaced{{2, []string{"Park"}, false}}},
	} {
		p, err := NewPlaces(plainCSV(2), []Wanted{{2, c.spec}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		push(t, p, []byte(c.file))
		if got := p.Result(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	p, _ := NewPlaces(plainCSV(2), []Wanted{{2, list}}, nil)
	push(t, p, []byte("a,ward\n"+many.String()))
	if got := p.Result(); len(got) != 1 || len(got[0].Cells) != mostUnplaced || !got[0].More {
		t.Errorf("60 spellings: %+v", got)
	}
	for _, w := range []Wanted{{3, list}, {1, domain.Spec{Kind: domain.Integer}}, {2, domain.Spec{
		Kind: domain.Category}}} {
		if _, err := NewPlaces(plainCSV(2), []Wanted{w}, nil); err == nil {
			t.Errorf("%+v is not refused", w)
		}
	}
}
