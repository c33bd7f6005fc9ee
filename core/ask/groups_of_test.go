package ask

import (
	"reflect"
	"testing"

	"hush/core/domain"
)

// TestGroupsOf: a column's groups are read as the column is.
func TestGroupsOf(t *testing.T) {
	for _, spec := range []domain.Spec{
		{Kind: domain.Category, Categories: []string{"a", "b"}},
		{Kind: domain.Category, Categories: []string{"a", "b"}, Fold: true,
			Spellings: []domain.Spelling{{Cell: "1", As: "a"}}},
		{Kind: domain.Category, Categories: []string{"a", "b"}, Other: "b", Fold: true,
			Missing: []string{"n/a"}},
	} {
		if got := GroupsOf(3, spec).Spec(); !reflect.DeepEqual(got, spec) {
			t.Errorf("groups of %+v are read as %+v", spec, got)
		}
	}
}
