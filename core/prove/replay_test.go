package prove

import "testing"

// TestReplays: a demonstration as it is holds for every pair of neighbours, and each mistake shows
// for some pair.
func TestReplays(t *testing.T) {
	for _, d := range Catalogue() {
		t.Run(d.ID, func(t *testing.T) {
			for _, bug := range append([]Bug{{}}, d.Bugs...) {
				r := d.Usual()
				r.Bug = bug.ID
				trial, space := d.prepare(r.setting()), r.Space()
				shown := ""
				for _, from := range space.DataSets() {
					for _, to := range space.Neighbours(from) {
						if shown != "" && bug.ID != "" {
							continue
						}
						found, err := replay(nil, trial, from, to)
						if err != nil {
							t.Fatal(err)
						}
						if !found.Holds {
							shown = found.Sentence
							if bug.ID == "" {
								t.Errorf("%v, %v: %+v", from, to, found)
							}
						}
						if bug.ID == "" && len(found.Draws) == 0 {
							t.Errorf("%v, %v: nothing is drawn", from, to)
						}
					}
				}
				if bug.ID != "" && shown == "" {
					t.Errorf("%s: %s is not seen", bug.ID, bug.What)
				}
				t.Logf("%s: %s", bug.ID, shown)
			}
		})
	}
}
