package taught

import "testing"

func TestBinsHoldEveryDraw(t *testing.T) {
	edges, counts := bins([]float64{1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9}, 20)
	sum := 0
	for _, n := range counts {
		sum += n
	}
	if sum != 12 || len(edges) != len(counts)+1 || edges[0] != 1 || edges[len(edges)-1] != 9 {
		t.Errorf("bins are %v with %v", edges, counts)
	}
	if edges, counts := bins([]float64{4, 4}, 20); len(counts) != 1 || counts[0] != 2 ||
		len(edges) != 2 {
		t.Errorf("equal draws are in %v with %v", edges, counts)
	}
}
