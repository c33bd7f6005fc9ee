package density

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/param"
)

// slowGap looks at every place.
func slowGap(d *Distribution, codes []uint64) int64 {
	gap := int64(0)
	for b := int64(1); b <= d.Size().Int64(); b++ {
		below := int64(0)
		for _, c := range codes {
			if int64(c) < b {
				below++
			}
		}
		a := newApproximationOf(d)
		gap = max(gap, absolute(below-a.before(big.NewInt(b))))
	}
	return gap
}

func newApproximationOf(d *Distribution) *approximation {
	a := &approximation{at: d.bounds, value: make([]int64, len(d.bounds))}
	for i := range d.mass {
		a.value[i+1] = int64(d.upTo[i])
	}
	return a
}

// releasesOf are distributions of few persons on eight values, some far off.
func releasesOf() []*Distribution {
	var list []*Distribution
	for _, r := range []struct {
		at   []int64
		mass []float64
	}{{[]int64{8}, []float64{3}}, {[]int64{2, 8}, []float64{2.6, .3}},
		{[]int64{1, 2, 3, 8}, []float64{0, 7.5, 0, .2}},
		{[]int64{5, 6, 8}, []float64{.4, .4, 1.9}}} {
		bounds := []*big.Int{new(big.Int)}
		for _, at := range r.at {
			bounds = append(bounds, big.NewInt(at))
		}
		list = append(list, must(NewDistribution(bounds, r.mass, 3, "", nil, nil, nil)))
	}
	return list
}

// TestGap compares with a look at every place, for all data sets of three codes, and for many
// codes.
func TestGap(t *testing.T) {
	for _, d := range releasesOf() {
		for i := range 8 * 8 * 8 {
			codes := []uint64{uint64(i % 8), uint64(i / 8 % 8), uint64(i / 64)}
			sorted := []uint64{min(codes[0], codes[1], codes[2]),
				codes[0] + codes[1] + codes[2] - min(codes[0], codes[1], codes[2]) -
					max(codes[0], codes[1], codes[2]), max(codes[0], codes[1], codes[2])}
			if got, want := must(d.Gap(domain.SortedCodes(sorted, 3), nil)),
				slowGap(d, codes); got != want {
				t.Fatalf("%v: a gap of %d, want %d", sorted, got, want)
			}
		}
	}
	codes := sloped(3000, 1000)
	for _, l := range learners(big.NewInt(1000), 4000) {
		d := must(l.Release(coin.NewSeeded(3), domain.SortedCodes(codes, 10), nil))
		if got, want := must(d.Gap(domain.SortedCodes(codes, 10), nil)),
			slowGap(d, codes); got != want {
			t.Errorf("%s: a gap of %d, want %d", l.Name(), got, want)
		}
	}
}

// TestGapMovesByOne goes through all pairs of neighbours of three persons, with and without a
// value. The largest gap at the persons' own values, a planted twin that looks where the data
// point, moves by more.
func TestGapMovesByOne(t *testing.T) {
	const none = 8
	own := func(d *Distribution, codes []uint64) (gap int64) {
		a := newApproximationOf(d)
		for i, c := range codes {
			gap = max(gap, absolute(int64(i)-a.before(new(big.Int).SetUint64(c))))
		}
		return gap
	}
	sorted := func(v ...uint64) (codes []uint64) {
		for x := range uint64(none) {
			for _, y := range v {
				if x == y {
					codes = append(codes, y)
				}
			}
		}
		return codes
	}
	largest, planted := int64(0), int64(0)
	for _, d := range releasesOf() {
		for i := range uint64(9 * 9 * 9 * 9) {
			x, y, u, v := i%9, i/9%9, i/81%9, i/729
			s, other := sorted(x, y, u), sorted(x, y, v)
			moved := must(d.Gap(domain.SortedCodes(s, 3), nil)) -
				must(d.Gap(domain.SortedCodes(other, 3), nil))
			largest, planted = max(largest, moved), max(planted, own(d, s)-own(d, other))
		}
	}
	if largest != 1 {
		t.Errorf("a person moves the gap by %d, want 1", largest)
	}
	if planted <= 1 {
		t.Errorf("the planted mistake moves by %d: it is not caught", planted)
	}
}

// TestCertified: the band around a release that is off by its gap holds everywhere, whatever the
// data are; one that is a person narrower does not.
func TestCertified(t *testing.T) {
	narrow := 0
	for _, d := range releasesOf() {
		for i := range uint64(8 * 8 * 8) {
			codes := []uint64{i % 8, i / 8 % 8, i / 64}
			slices.Sort(codes)
			gap := must(d.Gap(domain.SortedCodes(codes, 3), nil))
			holds := func(c *Distribution) bool {
				for x := range uint64(8) {
					upTo := 0
					for _, code := range codes {
						if code <= x {
							upTo++
						}
					}
					low, high := c.Within(new(big.Int).SetUint64(x))
					if float64(upTo) < low || float64(upTo) > high {
						return false
					}
				}
				return true
			}
			if !holds(d.Certified(gap)) {
				t.Fatalf("%v: off by %d, and not in the band", codes, gap)
			}
			if gap > 0 && !holds(d.Certified(gap-1)) {
				narrow++
			}
		}
	}
	if narrow == 0 {
		t.Error("bands that are too narrow hold as well")
	}
}

// TestDistributionsThatCannotBe: what covers no domain, or has no numbers of persons, or bands that
// fall, is refused.
func TestDistributionsThatCannotBe(t *testing.T) {
	nan := math.NaN()
	for i, c := range []struct { // H: distribution.md covers
		field     string
		bounds    []*big.Int
		mass      []float64
		persons   float64
		low, high []float64
	}{
		{"bounds", whole(0, 3), nil, 3, nil, nil},
		{"bounds", whole(1, 3), []float64{3}, 3, nil, nil},
		{"bounds", whole(0, 3, 3), []float64{1, 2}, 3, nil, nil},
		{"mass", whole(0, 3), []float64{-1}, 3, nil, nil},
		{"mass", whole(0, 3), []float64{nan}, 3, nil, nil},
		{"persons", whole(0, 3), []float64{3}, nan, nil, nil},
		{"persons", whole(0, 3), []float64{3}, -1, nil, nil},
		{"bands", whole(0, 3), []float64{3}, 3, []float64{1}, []float64{2, 2}},
		{"bands", whole(0, 3), []float64{3}, 3, []float64{2, 1}, []float64{2, 2}},
		{"bands", whole(0, 3), []float64{3}, 3, []float64{1, 1}, []float64{2, 1}},
	} {
		var at []*big.Int
		if c.low != nil {
			at = whole(1, 2)
		}
		var refused *param.Error
		if _, err := NewDistribution(c.bounds, c.mass, c.persons, "", at, c.low,
			c.high); !errors.As(err, &refused) || refused.Field != c.field {
			t.Errorf("case %d: %v, want %s refused", i, err, c.field)
		}
	}
}

func TestGapRefusals(t *testing.T) {
	d := releasesOf()[0]
	// H: distribution.md bits
	if _, err := d.Gap(domain.SortedCodes([]uint64{1}, 9), nil); err == nil {
		t.Error("codes of another length are taken")
	}
	stop := errors.New("stop")
	if _, err := d.Gap(domain.SortedCodes([]uint64{1}, 3), func(int64, int64) error {
		return stop
	}); err != stop {
		t.Errorf("cancelled: %v", err)
	}
}
