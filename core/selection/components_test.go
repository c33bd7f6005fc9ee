package selection

import (
	"errors"
	"testing"

	"hush/core/coin"
	"hush/core/param"
	"hush/core/privacy"
)

func newComponents(t testing.TB, epsilon string, dimensions int, side int64,
	ranks ...int) *Components {
	t.Helper()
	return must(
		NewComponents(
			ComponentsParams{Epsilon: must(privacy.ParseEpsilon(epsilon)), Ranks: ranks,
				Dimensions: dimensions, Side: side,
				Worth: rat("1/50"), Repetitions: must(Geometric(rat("1/60"), 0))}))
}

// spread goes through all pairs of neighbours of two persons on a square of 4 × 4, and returns the
// largest change of the matrix and the score.
func spread(m *Components) (scatter, score int64) {
	all := cloud{nil}
	for x := range int64(4) {
		for y := range int64(4) {
			all = append(all, []int64{x, y})
		}
	}
	abs := func(x int64) int64 { return max(x, -x) }
	for _, components := range [][][]int64{{{ComponentUnit, 0}, {0, ComponentUnit}},
		{{23170, 23170}}, {{ComponentUnit, ComponentUnit}}} {
		for _, other := range all {
			for _, from := range all {
				for _, to := range all {
					a, _ := m.measure(cloud{other, from}, nil)
					b, _ := m.measure(cloud{other, to}, nil)
					change := int64(0)
					for i := range a {
						change += abs(a[i] - b[i])
					}
					p, _ := m.captured(cloud{other, from}, components, nil)
					q, _ := m.captured(cloud{other, to}, components, nil)
					scatter, score = max(scatter, change), max(score, abs(p-q))
				}
			}
		}
	}
	return scatter, score
}

func TestComponentSensitivities(t *testing.T) {
	m := newComponents(t, "1", 2, 4, 1, 2)
	scatter, score := m.sensitivities()
	if haveScatter, haveScore := spread(m); uint64(haveScatter) > scatter ||
		2*uint64(haveScatter) < scatter || uint64(haveScore) != score {
		t.Errorf("the matrix moves by %d of %d, the score by %d of %d", haveScatter, scatter,
			haveScore, score)
	}
}

// TestPlantedComponentSensitivity finds coordinates that are not seen from the middle beyond their
// sensitivity.
func TestPlantedComponentSensitivity(t *testing.T) {
	m := newComponents(t, "1", 2, 4, 1, 2)
	scatter, _ := m.sensitivities()
	m.side = 0
	if have, _ := spread(m); uint64(have) <= scatter {
		t.Errorf("coordinates seen from the corner move the matrix by %d, no more than %d", have,
			scatter)
	}
}

func TestComponentsFindTheRank(t *testing.T) {
	src := coin.NewSeeded(12)
	var points cloud
	for range 5000 {
		// Two directions of five: (1, 1, 0, 0, 0) and (0, 0, 1, −1, 0).
		a, b := int64(src.Uniform(200))-100, int64(src.Uniform(160))-80
		points = append(points,
			[]int64{128 + a, 128 + a, 128 + b, 128 - b, 128 + int64(src.Uniform(9)) - 4})
	}
	m := newComponents(t, "3", 5, 256, 1, 2, 3, 4, 5)
	good := 0
	for range 10 {
		found := must(m.Release(src, points, int64(len(points)), nil)).Vectors
		if len(found) != 2 {
			continue
		}
		close := func(v []int64, i, j int, sign int64) bool {
			// 2^15/√2 = 23170
			return max(v[i], -v[i]) > 20000 && max(v[j], -v[j]) > 20000 &&
				(v[i] > 0 == (v[j] > 0)) == (sign > 0)
		}
		if close(found[0], 0, 1, 1) && close(found[1], 2, 3, -1) {
			good++
		}
	}
	if good < 7 {
		t.Errorf("%d of 10 runs find the two directions", good)
	}
}

func TestComponentsRefusals(t *testing.T) {
	good := ComponentsParams{Epsilon: must(privacy.ParseEpsilon("1")), Ranks: []int{1},
		Dimensions: 2, Side: 4, Worth: rat("0"), Repetitions: twice}
	for field, spoil := range map[string]func(p *ComponentsParams){ // H: components.md settings
		"ranks":       func(p *ComponentsParams) { p.Ranks = []int{3} },
		"dimensions":  func(p *ComponentsParams) { p.Dimensions = 33 },
		"side":        func(p *ComponentsParams) { p.Side = 5 },
		"worth":       func(p *ComponentsParams) { p.Worth = nil },
		"repetitions": func(p *ComponentsParams) { p.Repetitions = must(Poisson(rat("1"))) },
	} {
		p := good
		spoil(&p)
		var refused *param.Error
		if _, err := NewComponents(p); !errors.As(err, &refused) || refused.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
