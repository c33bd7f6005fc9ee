package threshold

import (
	"math"
	"math/big"
	"testing"
)

func TestAdvise(t *testing.T) {
	for _, c := range []struct {
		p      AdviceParams
		first  string
		count  int
		text   string
		enough bool
	}{
		{AdviceParams{Size: big.NewInt(121), Delta: delta("1e-6"), Persons: 1000},
			"exponential mechanism", 3,
			"a domain of 121 values: the exponential mechanism needs 31 people, TreeLog 389; " +
				"used: the exponential mechanism", true},
		{AdviceParams{Size: values(1 << 20), Delta: delta("1e-6"), Persons: 300}, "TreeLog", 3,
			"a 1048576-bit domain: TreeLog needs 544 people, the exponential mechanism 2907281; " +
				"used: TreeLog; with 300 people it may well miss", false},
		{AdviceParams{Size: values(1024)}, "exponential mechanism", 2,
			"a 1024-bit domain: the exponential mechanism needs 2851 people; used: the " +
				"exponential mechanism, since TreeLog has no guarantee without a δ", false},
		{AdviceParams{Size: new(big.Int).Add(values(90), oneInt), Delta: delta("1e-6"),
			Persons: 1 << 40}, "exponential mechanism", 3,
			"a domain of about 2^90 values: the exponential mechanism needs 261 people, TreeLog " +
				"431; used: the exponential mechanism", true},
		{AdviceParams{Size: big.NewInt(2), Delta: delta("1e-6"), Persons: 6}, "noisy binary search",
			3,
			"a domain of 2 values: the noisy binary search needs 6 people, the exponential " +
				"mechanism 11, TreeLog 357; used: the noisy binary search", true},
	} {
		c.p.Epsilon = epsilon("1")
		a, err := Advise(c.p)
		if err != nil {
			t.Fatal(err)
		}
		if a.Text.String() != c.text || a.Finders[0].Name().String() != c.first ||
			len(a.Finders) != c.count || a.Enough != c.enough {
			t.Errorf("have %q, %s of %d, %v, want %q", a.Text, a.Finders[0].Name(), len(a.Finders),
				a.Enough, c.text)
		}
		for i := 1; i < len(a.Finders); i++ {
			if a.Finders[i].Needs() < a.Finders[i-1].Needs() {
				t.Error("not in the order of what they need")
			}
		}
	}
	_, err := Advise(AdviceParams{Size: values(8)})
	wantRefusal(t, err, "epsilon")
}

// TestChoose compares with Advise: the estimate that spares TreeLog's making must be below what it
// needs, everywhere.
func TestChoose(t *testing.T) {
	least := math.Inf(1)
	for _, e := range []string{"0.01", "1", "20"} {
		for _, d := range []string{"0", "1e-12", "1e-3"} {
			for _, bits := range []uint{1, 60, 100, 140, 1 << 20} {
				p := AdviceParams{Epsilon: epsilon(e), Delta: delta(d), Size: values(bits)}
				advice, chosen := must(Advise(p)), must(Choose(p))
				if chosen.Name().String() != advice.Finders[0].Name().String() ||
					chosen.Needs() != advice.Finders[0].Needs() {
					t.Errorf("ε = %s, δ = %s, %d bits: %s with %d, advised is %s with %d", e, d,
						bits, chosen.Name(), chosen.Needs(), advice.Finders[0].Name(),
						advice.Finders[0].Needs())
				}
				for _, f := range advice.Finders {
					if tree, is := f.(*TreeLog); is {
						least = min(least, float64(tree.Needs())/p.estimate())
					}
				}
			}
		}
	}
	if least < surely {
		t.Errorf("TreeLog needs down to %.3f of the estimate", least)
	}
	t.Logf("TreeLog needs at least %.3f of the estimate", least)
	if _, err := Choose(AdviceParams{Size: values(8)}); err == nil {
		t.Error("no ε, and a Finder")
	}
}

// TestPaperTreeLog compares the paper's choices with ours: the same guarantee, for many times as
// many persons.
func TestPaperTreeLog(t *testing.T) {
	p := TreeLogParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: values(64),
		Persons: 100_000}
	paper := must(NewPaperTreeLog(p))
	loss := must(paper.Loss(1))
	if e, _ := loss.Epsilon(); e.Cmp(rat("1")) > 0 || loss.Delta().Cmp(rat("1/1000000")) > 0 ||
		float(e) < 0.4 {
		t.Errorf("loss %v", loss)
	}
	if ours := must(NewTreeLog(p)); paper.Needs() < 10*ours.Needs() || paper.rounds != 2 {
		t.Errorf("the paper's choices need %d persons in %d rounds, ours %d", paper.Needs(),
			paper.rounds, ours.Needs())
	}
	for _, shape := range shapes {
		if good := successes(t, paper, 64, paper.Needs(), 20, shape.make); good < 19 {
			t.Errorf("%s data: %d of 20 runs", shape.name, good)
		}
	}
	for _, p.Persons = range []uint64{0, 1<<53 + 1} { // H: treelog.md some-n
		_, err := NewPaperTreeLog(p)
		wantRefusal(t, err, "persons")
	}
}
