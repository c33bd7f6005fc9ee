package density

import (
	"math/big"
	"testing"
)

// TestAdvise names the choice for each kind of column, all of whose algorithms keep what they are
// granted.
func TestAdvise(t *testing.T) {
	for _, c := range []struct {
		size    *big.Int
		persons uint64
		epsilon string
		goal    Goal
		want    string
	}{
		{big.NewInt(100), 1000, "1", Function, "hierarchical histogram"},
		{big.NewInt(100), 1000, "1", Density, "histogram"},
		{big.NewInt(4096), 10_000, "0.1", Density, "quantile tree"},
		{big.NewInt(4096), 10_000, "0.1", Function, "hierarchical histogram"},
		{big.NewInt(50_000), 10_000, "1", Function, "hierarchical histogram"},
		{big.NewInt(50_000), 10_000, "1", Density, "MERR, prefix"},
		{big.NewInt(1 << 20), 100_000, "1", Function, "hierarchical histogram"},
		{big.NewInt(1 << 20), 1000, "0.1", Function, "PrivTree"},
		{new(big.Int).Lsh(oneInt, 64), 10_000, "1", Function, "PrivTree"},
		{new(big.Int).Lsh(oneInt, 600), 10, "0.1", "", "MERR, prefix"},
	} {
		for _, d := range []string{"0", "1e-6"} {
			a, err := Advise(
				AdviceParams{Epsilon: epsilon(c.epsilon), Delta: delta(d), Size: c.size,
					Persons: c.persons, Goal: c.goal})
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Learners) != 5 || a.Learners[0].Name().String() != c.want || a.Text.IsZero() {
				t.Errorf("%v values, %d persons, ε = %s, %s: %s of %d, want %s", c.size, c.persons,
					c.epsilon, c.goal, a.Learners[0].Name(), len(a.Learners), c.want)
			}
			for _, l := range a.Learners {
				loss := must(l.Loss(1))
				if e, ok := loss.Epsilon(); !ok || e.Cmp(epsilon(c.epsilon).Rat()) > 0 ||
					loss.Delta().Cmp(delta(d).Rat()) > 0 {
					t.Errorf("%s costs %v", l.Name(), loss)
				}
				if f := l.Forecast(); f.Cells < 1 || !(f.Within > 0) {
					t.Errorf("%s forecasts %+v", l.Name(), f)
				}
			}
		}
	}
	if _, err := Advise(
		AdviceParams{Epsilon: epsilon("1"), Size: big.NewInt(5), Persons: 5,
			Goal: "beauty"}); err == nil {
		t.Error("a goal that there is not was taken")
	}
}
