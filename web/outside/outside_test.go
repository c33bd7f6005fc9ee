package outside

import (
	"testing"

	"hush/core/codebook"
	"hush/core/table"
)

// TestAnotherSheet: a link that has another sheet of a workbook read, or another file of an
// archive, says something that its owner is asked about; the sheet that is read anyway does not.
func TestAnotherSheet(t *testing.T) {
	own, err := table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes, Columns: 2,
		Format: "xlsx", Part: 1}.Decided()
	if err != nil {
		t.Fatal(err)
	}
	f := File{Options: own, Own: own, Fields: []table.Field{{Name: "a"}, {Name: "b"}}}
	for part, asked := range map[int]bool{1: false, 2: true} {
		b := codebook.Codebook{Table: own}
		b.Table.Part = part
		claims := f.Claims(b)
		if len(claims) == 1 != asked || asked && claims[0].About != Reading {
			t.Errorf("sheet %d: %+v", part, claims)
		}
		for _, c := range claims {
			if f.Line(c, 0) == "" {
				t.Errorf("sheet %d: %+v has no words", part, c)
			}
		}
	}
}
