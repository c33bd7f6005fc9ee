package selection

import (
	"errors"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/param"
	"hush/core/privacy"
)

// cloud is a list of points; nil for none.
type cloud [][]int64

func (c cloud) Len() int { return len(c) }

func (c cloud) Point(i int, at []int64) int64 {
	if c[i] == nil {
		return 0
	}
	copy(at, c[i])
	return 1
}

func newClusters(t testing.TB, epsilon string, side int64, sizes ...int) *Clusters {
	t.Helper()
	return must(
		NewClusters(
			ClustersParams{Epsilon: must(privacy.ParseEpsilon(epsilon)), Sizes: sizes,
				Dimensions: 2, Side: side, Repetitions: must(Geometric(rat("1/30"), 0))}))
}

// moves goes through all pairs of neighbours of two persons on a box of 4 × 4, for some centres,
// and returns the largest change of counts, sums and score.
func moves(m *Clusters) (counts, sums, score int64) {
	all := cloud{nil}
	for x := range int64(4) {
		for y := range int64(4) {
			all = append(all, []int64{x, y})
		}
	}
	abs := func(x int64) int64 { return max(x, -x) }
	for _, centres := range [][][]int64{{{0, 0}, {3, 3}}, {{1, 1}, {1, 2}, {3, 0}},
		{{2, 2}, {2, 2}}} {
		for _, other := range all {
			for _, from := range all {
				for _, to := range all {
					a, b := cloud{other, from}, cloud{other, to}
					ca, sa, _ := m.measure(a, centres, nil)
					cb, sb, _ := m.measure(b, centres, nil)
					change := func(x, y []int64) (sum int64) {
						for i := range x {
							sum += abs(x[i] - y[i])
						}
						return sum
					}
					qa, _ := m.silhouettes(a, centres, nil)
					qb, _ := m.silhouettes(b, centres, nil)
					counts, sums, score = max(counts, change(ca, cb)), max(sums, change(sa, sb)),
						max(score, abs(qa-qb))
				}
			}
		}
	}
	return counts, sums, score
}

func TestClusterSensitivities(t *testing.T) {
	m := newClusters(t, "1", 4, 2)
	counts, sums, score := m.sensitivities()
	haveCounts, haveSums, haveScore := moves(m)
	if uint64(haveCounts) != counts || uint64(haveSums) > sums || uint64(haveSums) < sums-1 ||
		uint64(haveScore) != score {
		t.Errorf("counts %d of %d, sums %d of %d, score %d of %d", haveCounts, counts, haveSums,
			sums, haveScore, score)
	}
}

// TestPlantedClusterSensitivity finds sums that are not taken from the middle beyond their
// sensitivity.
func TestPlantedClusterSensitivity(t *testing.T) {
	m := newClusters(t, "1", 4, 2)
	_, sums, _ := m.sensitivities()
	far := *m
	far.side = 0 // the middle is then at 0
	if _, have, _ := moves(&far); uint64(have) <= sums {
		t.Errorf("sums from the corner move by %d, no more than %d", have, sums)
	}
}

// groups are three groups of points and some strays.
func groups(n int) cloud {
	src := coin.NewSeeded(21)
	var points cloud
	for i := range n {
		at := make([]int64, 2)
		for j := range at {
			off := int64(src.Uniform(80)) + int64(src.Uniform(80)) - 80
			at[j] = min(max(groupMiddles[i%3][j]+off, 0), 1023)
			if i%50 == 49 {
				at[j] = int64(src.Uniform(1024))
			}
		}
		points = append(points, at)
	}
	return points
}

// groupMiddles are where those groups are.
var groupMiddles = [][]int64{{200, 200}, {800, 250}, {500, 850}}

// isGroups reports whether the three groups were found, and no others.
func isGroups(found Clustering) bool {
	near := 0
	for _, middle := range groupMiddles {
		if slices.ContainsFunc(found.Centres, func(c []int64) bool {
			return max(c[0]-middle[0], middle[0]-c[0], c[1]-middle[1], middle[1]-c[1]) < 60
		}) {
			near++
		}
	}
	return near == len(groupMiddles) && len(found.Centres) == len(groupMiddles)
}

func TestClustersFindsGroups(t *testing.T) {
	m := newClusters(t, "2", 1024, 2, 3, 4, 5, 6)
	if loss := must(m.Loss(1)); loss.String() != "ε ≤ 2" && loss.String() != "ε = 2" {
		epsilon, _ := loss.Epsilon()
		if f := floatOf(epsilon); f > 2 || f < 1.999 {
			t.Errorf("the loss is %v", loss)
		}
	}
	points, src, good := groups(6000), coin.NewSeeded(5), 0
	for range 10 {
		found := must(m.Release(src, points, nil))
		if isGroups(found) {
			good++
		}
		for i, size := range found.Sizes {
			if size < m.MinSize() || len(found.Centres[i]) != 2 {
				t.Errorf("size %d, centre %v", size, found.Centres[i])
			}
		}
	}
	if good < 7 {
		t.Errorf("%d of 10 runs find the three groups", good)
	}
}

func TestClustersRefusals(t *testing.T) {
	good := ClustersParams{Epsilon: must(privacy.ParseEpsilon("1")), Sizes: []int{2}, Dimensions: 2,
		Side: 4, Repetitions: twice}
	for field, spoil := range map[string]func(p *ClustersParams){ // H: clusters.md settings
		"sizes":       func(p *ClustersParams) { p.Sizes = []int{1} },
		"dimensions":  func(p *ClustersParams) { p.Dimensions = 0 },
		"side":        func(p *ClustersParams) { p.Side = 5 },
		"rounds":      func(p *ClustersParams) { p.Rounds = 21 },
		"repetitions": func(p *ClustersParams) { p.Repetitions = must(Poisson(rat("1"))) },
	} {
		p := good
		spoil(&p)
		var refused *param.Error
		if _, err := NewClusters(p); !errors.As(err, &refused) || refused.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
