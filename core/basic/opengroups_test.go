package basic

import (
	"errors"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
)

type words []string

func (w words) Len() int          { return len(w) }
func (w words) Has(i int) bool    { return w[i] != "" }
func (w words) Code(i int) []byte { return []byte(w[i]) }

// TestAuditOpenGroups audits groups found and counted: three labels, the third so rare that it is
// other at best. What is released is which labels are shown, with clamped sizes, and the noisy
// counts by group, clamped.
func TestAuditOpenGroups(t *testing.T) {
	audittest.Holds(
		t, audit.Audit[sums]{Name: "open groups, counted by group, base 3/2",
			Space: audit.Space{Persons: 2, Values: 2}, Claim: openClaim(), Law: openLaw(nil)})
}

func newOpen() (*OpenGroups[uint64], *ByGroup[Estimate]) {
	open := must(
		NewOpenGroups[uint64](OpenGroupsParams{Base: base(3, 2), Delta: delta("0.2"), People: 2}))
	return open, must(NewByGroup(must(NewCount(CountParams{Base: base(3, 2)})), 3))
}

func openClaim() audit.Claim {
	open, by := newOpen()
	return claimOf(open.Loss(1)).Plus(claimOf(by.Loss(1)))
}

// openLaw is the law of both releases; listed, where it is not nil, replaces the list of groups
// found.
func openLaw(listed func(rows []int) []uint64) func([]int) (*coin.Law[sums], error) {
	open, by := newOpen()
	return run(coin.Limits{Top: 2}, func(src coin.Source, rows []int) (out sums, err error) {
		found, err := open.Find(src, labelsOf(column(shuffled(rows))), nil)
		if err != nil {
			return out, err
		}
		if listed != nil {
			found.Labels = listed(rows)
		}
		for i, label := range found.Labels {
			size := int64(0)
			if listed == nil {
				size = min(found.Sizes[i].Value.Num().Int64(), 4)
			}
			out[0] += (size + 1) << (8 * label)
		}
		exact := must(by.asking.exact(column(shuffled(rows)), found.Groups(), 3, nil))
		noisy, err := by.asking.noise.hide(src, exact, nil)
		for i, x := range noisy {
			out[i+1] = min(max(x, 0), 2)
		}
		return out, err
	})
}

func TestPlantedOpenGroups(t *testing.T) {
	audittest.Caught(t, audit.Audit[sums]{
		Name: "open groups: all that occur", Space: audit.Space{Persons: 2, Values: 2},
		Claim: openClaim(),
		Law: openLaw(func(rows []int) (labels []uint64) {
			for _, v := range rows {
				if v != audit.None && !slices.Contains(labels, uint64(v)) {
					labels = append(labels, uint64(v))
				}
			}
			slices.Sort(labels)
			return labels
		}),
	})
}

func TestOpenGroups(t *testing.T) {
	const n = 3000
	codes := make(column, n)
	for i := range codes { // 1000 of label 5, 500 of label 90, many of one person each, and none
		switch {
		case i < 1000:
			codes[i] = 5
		case i < 1500:
			codes[i] = 90
		case i < 2500:
			codes[i] = 1000 + i
		default:
			codes[i] = -1
		}
	}
	open := must(
		NewOpenGroups[uint64](
			OpenGroupsParams{Epsilon: epsilon("1"), Delta: delta("1e-5"), People: n}))
	found := must(open.Find(coin.NewSeeded(1), labelsOf(codes), nil))
	if !slices.Equal(found.Labels, []uint64{5, 90}) {
		t.Fatalf("found %v", found.Labels)
	}
	for i, want := range []int64{1000, 500} {
		if e := found.Sizes[i]; ratFloat(e.Low) > float64(want) ||
			ratFloat(e.High) < float64(want) {
			t.Errorf("size of %d: %v", found.Labels[i], e)
		}
	}
	if e := found.Rest; ratFloat(e.Low) > 1500 || ratFloat(e.High) < 1500 {
		t.Errorf("rest %v", e)
	}
	groups := found.Groups()
	for i, want := range map[int]uint64{0: 0, 999: 0, 1000: 1, 1500: 2, 2499: 2} {
		if g, ok := groups.Code(i); !ok || g != want {
			t.Errorf("row %d is in group %d, %v", i, g, ok)
		}
	}
	if _, ok := groups.Code(2500); ok || groups.Len() != n {
		t.Error("a row without a label has a group")
	}
	counts := slices.Repeat([]uint64{1}, n)
	counts[1700] = 200
	weighted := must(open.Find(coin.NewSeeded(1), labelsOf(WithCounts(codes, counts)), nil))
	if !slices.Contains(weighted.Labels, 2700) {
		t.Errorf("200 persons in one row are not found: %v", weighted.Labels)
	}
	texts := must(
		must(NewOpenGroups[string](
			OpenGroupsParams{Epsilon: epsilon("1"), Delta: delta("1e-5"), People: 900})).
			Find(coin.NewSeeded(1),
				TextLabels(words{"a", "b", "", "c"}, []uint64{300, 300, 299, 1}),
				nil))
	if !slices.Equal(texts.Labels, []string{"a", "b"}) {
		t.Errorf("found %v", texts.Labels)
	}
	stop := errors.New("stop")
	if f, err := open.Find(coin.NewSeeded(1), labelsOf(codes), func(int64, int64) error {
		return stop
	}); f != nil || !errors.Is(err, stop) {
		t.Errorf("cancelled: %v, %v", f, err)
	}
}

// TestOpenGroupsKeepTheLargest: beyond MaxGroups the list is cut by noisy size, which is public.
func TestOpenGroupsKeepTheLargest(t *testing.T) {
	const labels = MaxGroups + 5
	codes, counts := make(column, labels), make([]uint64, labels)
	for i := range codes {
		codes[i], counts[i] = i, 1000
	}
	counts[labels-1], counts[3] = 9000, 100
	open := must(
		NewOpenGroups[uint64](
			OpenGroupsParams{Epsilon: epsilon("2"), Delta: delta("1e-8"), People: 10_000_000}))
	found := must(open.Find(coin.NewSeeded(1), labelsOf(WithCounts(codes, counts)), nil))
	// H: opengroups.md label-order
	if len(found.Labels) != MaxGroups-1 || !slices.IsSorted(found.Labels) ||
		slices.Contains(found.Labels, 3) || !slices.Contains(found.Labels, labels-1) {
		t.Errorf("%d groups found", len(found.Labels))
	}
	open = must(NewOpenGroups[uint64](OpenGroupsParams{
		Epsilon: epsilon("2"), Delta: delta("1e-8"), People: 10_000_000, Most: 1}))
	found = must(open.Find(coin.NewSeeded(1), labelsOf(WithCounts(codes, counts)), nil))
	if !slices.Equal(found.Labels, []uint64{labels - 1}) {
		t.Errorf("of one group at most, %d are found", len(found.Labels))
	}
}

func TestOpenGroupsRefuse(t *testing.T) {
	for _, c := range []struct {
		p     OpenGroupsParams
		field string
	}{
		// H: opengroups.md people
		{OpenGroupsParams{Epsilon: epsilon("1"), Delta: delta("1e-5")}, "people"},
		// H: opengroups.md delta
		{OpenGroupsParams{Epsilon: epsilon("1"), Delta: delta("0.001"), People: 1000}, "delta"},
		{OpenGroupsParams{Epsilon: epsilon("1"), Delta: delta("1e-5"), People: 1000,
			Most: MaxGroups}, "most"}, // H: opengroups.md most
	} {
		_, err := NewOpenGroups[uint64](c.p)
		wantRefusal(t, err, c.field)
	}
	if _, err := NewOpenGroups[uint64](
		OpenGroupsParams{Epsilon: epsilon("1"), People: 1000}); err == nil {
		t.Error("δ = 0 is taken")
	}
}

// labelsOf makes labels of a column of codes; a [Counted] column keeps its counts.
func labelsOf(values Values) Labels[uint64] {
	if weighted, ok := values.(Counted); ok {
		return countedCodes{codeLabels{values}, weighted}
	}
	return codeLabels{values}
}

type codeLabels struct{ values Values }

func (l codeLabels) Len() int                   { return l.values.Len() }
func (l codeLabels) Label(i int) (uint64, bool) { return l.values.Code(i) }

type countedCodes struct {
	codeLabels
	counts Counted
}

func (l countedCodes) Persons(i int) uint64 { return l.counts.Persons(i) }

// TestOpenGroupsNearTheThreshold: a size near the threshold is said to be from 1 on, a larger one
// has a lower end.
func TestOpenGroupsNearTheThreshold(t *testing.T) {
	open := must(NewOpenGroups[uint64](
		OpenGroupsParams{Epsilon: epsilon("1"), Delta: delta("0.00001"), People: 10_000}))
	rows := make([]uint64, 0, 1000)
	for range open.mechanism.Threshold() {
		rows = append(rows, 0)
	}
	for len(rows) < 1000 {
		rows = append(rows, 1)
	}
	seen := 0
	for seed := range coin.Seed(50) {
		found := must(open.Find(coin.NewSeeded(seed), slicedLabels(rows), nil))
		for i, label := range found.Labels {
			size := found.Sizes[i]
			low, _ := size.Low.Float64()
			value, _ := size.Value.Float64()
			near := value < float64(open.mechanism.SureFrom(Beta))
			if near != (low == 1) || label == 1 && near {
				t.Errorf("group %d: about %g, at least %g", label, value, low)
			}
			if near {
				seen++
			}
		}
	}
	if seen == 0 {
		t.Error("no size was near the threshold")
	}
}

type slicedLabels []uint64

func (l slicedLabels) Len() int                   { return len(l) }
func (l slicedLabels) Label(i int) (uint64, bool) { return l[i], true }
