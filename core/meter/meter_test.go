package meter_test

import (
	"errors"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/internal/prooftest"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
)

const seed coin.Seed = 11

func epsilon(text string) privacy.Epsilon {
	e, err := privacy.ParseEpsilon(text)
	if err != nil {
		panic(err)
	}
	return e
}

func pure(text string) privacy.Loss { return privacy.PureLoss(epsilon(text)) }

func delta(text string) privacy.Delta {
	d, err := privacy.ParseDelta(text)
	if err != nil {
		panic(err)
	}
	return d
}

func laplace(t *testing.T, budget string, l1 uint64) *mechanism.Laplace {
	t.Helper()
	m, err := mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: epsilon(budget), L1Sensitivity: l1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// spend draws this many times from a source.
func spend(t *testing.T, src coin.Source, m *mechanism.Laplace, times int) {
	t.Helper()
	for range times {
		if _, err := m.Release(src, []int64{7}, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOver compares the loss drawn with the loss debited.
func TestOver(t *testing.T) {
	third := laplace(t, "1/3", 1)
	thirds := meter.Each(pure("1/3"), 3)
	composed, err := meter.Composed("many", delta("1e-6"), meter.Each(pure("1/100"), 400))
	if err != nil {
		t.Fatal(err)
	}
	if most, _ := composed.Loss.Epsilon(); most.Cmp(big.NewRat(2, 1)) > 0 {
		t.Fatalf("400 releases of 1/100 compose to %v", most)
	}
	small := laplace(t, "1/100", 1)
	for _, test := range []struct {
		name string
		paid privacy.Loss
		run  func(src coin.Source)
		over bool
	}{
		{"nothing", privacy.Loss{}, func(coin.Source) {}, false},
		{"coins outside", privacy.Loss{}, func(src coin.Source) { src.Uniform(6) }, false},
		{"three thirds", pure("1"), func(src coin.Source) { spend(t, src, third, 3) }, false},
		{"four thirds", pure("1"), func(src coin.Source) { spend(t, src, third, 4) }, true},
		{"a baseline", privacy.NoPrivacy(), func(src coin.Source) {
			spend(t, src, third, 9)
		}, false},
		{"a sum", pure("1"), func(src coin.Source) {
			spend(t, meter.Within(src, meter.Sum("s", thirds)), third, 3)
		}, false},
		{"a sum drawn in other parts", pure("1"), func(src coin.Source) {
			spend(t, meter.Within(src, meter.Sum("s", thirds)), small, 100)
		}, false},
		{"a part too many", pure("100"), func(src coin.Source) {
			spend(t, meter.Within(src, meter.Sum("s", thirds)), third, 4)
		}, true},
		{"a sum twice", pure("1"), func(src coin.Source) {
			s := meter.Sum("s", thirds)
			spend(t, meter.Within(src, s), third, 3)
			spend(t, meter.Within(src, s), third, 0)
		}, true},
		{"a sum and more", pure("1"), func(src coin.Source) {
			spend(t, meter.Within(src, meter.Sum("s", thirds)), third, 3)
			spend(t, src, small, 1)
		}, true},
		{"composed", composed.Loss, func(src coin.Source) {
			spend(t, meter.Within(src, composed), small, 400)
		}, false},
		{"composed and one more", composed.Loss, func(src coin.Source) {
			spend(t, meter.Within(src, composed), small, 401)
		}, true},
		{"composed of a larger part", composed.Loss, func(src coin.Source) {
			spend(t, meter.Within(src, composed), third, 1)
		}, true},
		{"any number of parts", pure("1"), func(src coin.Source) {
			s := meter.Proved("p", "a proof", pure("1"), meter.Part{Loss: pure("1/3")})
			spend(t, meter.Within(src, s), third, 1000)
		}, false},
		{"any number of smaller parts", pure("1"), func(src coin.Source) {
			s := meter.Proved("p", "a proof", pure("1"), meter.Part{Loss: pure("1/4")})
			spend(t, meter.Within(src, s), third, 1)
		}, true},
		{"deep inside", pure("1"), func(src coin.Source) {
			inner := meter.Sum("inner", meter.Once(pure("1/3")))
			s := meter.Within(src, meter.Sum("outer", meter.Each(inner.Loss, 2)))
			spend(t, meter.Within(s, inner), third, 1)
			spend(t, meter.Within(s, inner), third, 2)
		}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := meter.New(coin.NewSeeded(seed))
			test.run(m)
			if err := m.Over(test.paid); (err != nil) != test.over {
				t.Errorf("over %v: %v; spent %v", test.over, err, m.Spent())
			}
		})
	}
}

// TestGaussianNoise is paid for by (ε, δ) though it has a ρ only.
func TestGaussianNoise(t *testing.T) {
	rho, err := privacy.RhoFor(epsilon("1"), delta("1e-6"))
	if err != nil {
		t.Fatal(err)
	}
	noise, err := mechanism.NewGaussian(
		mechanism.GaussianParams{Rho: rho, L2SensitivitySquared: 2})
	if err != nil {
		t.Fatal(err)
	}
	paid := privacy.ApproximateLoss(epsilon("1"), delta("1e-6"))
	m := meter.New(coin.NewSeeded(seed))
	for times := range 2 {
		if _, err := noise.Release(m, []int64{1, 2}, nil); err != nil {
			t.Fatal(err)
		}
		if err := m.Over(paid); (err != nil) != (times > 0) {
			t.Errorf("%d draws: %v", times+1, err)
		}
	}
}

// TestOverNames names what spent, how much and of what.
func TestOverNames(t *testing.T) {
	m := meter.New(coin.NewSeeded(seed))
	s := meter.Sum("three counts", meter.Each(pure("1/3"), 3))
	spend(t, meter.Within(m, s), laplace(t, "1/3", 1), 4)
	err := m.Over(pure("2"))
	for _, want := range []string{"three counts", "4 × discrete Laplace noise (ε = 0.333333333)",
		"ε = 1.000000000"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// TestSameBytes draws the same with a meter as without.
func TestSameBytes(t *testing.T) {
	m := laplace(t, "1/10", 2)
	draw := func(src coin.Source) string {
		noisy, err := m.Release(src, make([]int64, 20), nil)
		return fmt.Sprint(src.Uniform(1000), src.Bernoulli(coin.Ratio(1, 3)), noisy, err,
			src.UniformBig(big.NewInt(1000)), m.AddTo(src, 5), src.Origin())
	}
	plain := draw(coin.NewSeeded(seed))
	metered := draw(meter.New(coin.NewSeeded(seed)))
	inside := draw(meter.Within(meter.New(coin.NewSeeded(seed)),
		meter.Sum("s", meter.Each(pure("1/10"), 2))))
	if plain != metered || plain != inside {
		t.Errorf("have %s\nand  %s\nwant %s", metered, inside, plain)
	}
}

// both records a run on one data set and replays it on another.
func both(run func(src coin.Source, second bool)) (replay *meter.Meter, found []meter.Violation) {
	recording := meter.Record(seed)
	run(recording, false)
	replay = recording.Replay()
	run(replay, true)
	return replay, replay.Violations()
}

// TestReplay finds what a guarantee must not rest on, and nothing else.
func TestReplay(t *testing.T) {
	histogram := laplace(t, "1", 2)
	one := laplace(t, "1", 1)
	choice, err := mechanism.NewExponential(
		mechanism.ExponentialParams{Epsilon: epsilon("1"), Sensitivity: 1, OneSigned: true})
	if err != nil {
		t.Fatal(err)
	}
	vector, err := mechanism.NewAboveThreshold(mechanism.AboveThresholdParams{
		EpsilonThreshold: epsilon("1/2"), EpsilonQueries: epsilon("1/2"), Sensitivity: 1,
		OneSigned: true})
	if err != nil {
		t.Fatal(err)
	}
	stable, err := mechanism.NewStableChoice(mechanism.StableChoiceParams{
		Epsilon: epsilon("1"), Delta: delta("0.9"), Newcomers: 1})
	if err != nil {
		t.Fatal(err)
	}
	inside, err := mechanism.NewInteriorPoint(
		mechanism.InteriorPointParams{Epsilon: epsilon("1"), DomainSize: big.NewInt(8)})
	if err != nil {
		t.Fatal(err)
	}
	rho, err := privacy.RhoFor(epsilon("1"), delta("1e-6"))
	if err != nil {
		t.Fatal(err)
	}
	gaussian, err := mechanism.NewGaussian(
		mechanism.GaussianParams{Rho: rho, L2SensitivitySquared: 2})
	if err != nil {
		t.Fatal(err)
	}
	pickOf := func(second bool, first, other []int64) []int64 {
		if second {
			return other
		}
		return first
	}
	for _, test := range []struct {
		name string
		run  func(src coin.Source, second bool)
		want string // of the first violation; "": none
	}{
		{"a histogram", func(src coin.Source, second bool) {
			histogram.Release(src, pickOf(second, []int64{3, 4}, []int64{2, 5}), nil)
		}, ""},
		{"sensitivity 1 for 2", func(src coin.Source, second bool) {
			one.Release(src, pickOf(second, []int64{3, 4}, []int64{2, 5}), nil)
		}, "moved further than claimed"},
		{"squares", func(src coin.Source, second bool) {
			gaussian.Release(src, pickOf(second, []int64{3, 4}, []int64{2, 5}), nil)
		}, ""},
		{"a square of 4 for 2", func(src coin.Source, second bool) {
			gaussian.Release(src, pickOf(second, []int64{3, 4}, []int64{5, 4}), nil)
		}, "squares of moves sum to"},
		{"another number of counts", func(src coin.Source, second bool) {
			histogram.Release(src, pickOf(second, []int64{3, 4}, []int64{3}), nil)
		}, "number of values"},
		{"one-signed", func(src coin.Source, second bool) {
			choice.Release(src, pickOf(second, []int64{3, 4, 9}, []int64{3, 5, 10}), nil)
		}, ""},
		{"two-signed", func(src coin.Source, second bool) {
			choice.Release(src, pickOf(second, []int64{3, 4, 9}, []int64{3, 5, 8}), nil)
		}, "both ways"},
		{"a series that moves both ways", func(src coin.Source, second bool) {
			run := vector.Start(src, 1<<40)
			for _, x := range pickOf(second, []int64{3, 4}, []int64{2, 5}) {
				run.Above(x)
			}
		}, "both ways"},
		{"a series that moves up, then down", func(src coin.Source, second bool) {
			run := vector.Start(src, 1<<40)
			for _, x := range pickOf(second, []int64{3, 4}, []int64{4, 3}) {
				run.Above(x)
			}
		}, "both ways"},
		{"two runs that move each one way", func(src coin.Source, second bool) {
			for _, x := range pickOf(second, []int64{3, 4}, []int64{2, 5}) {
				vector.Start(src, 1<<40).Above(x)
			}
		}, ""},
		{"a threshold from the data", func(src coin.Source, second bool) {
			vector.Start(src, pickOf(second, []int64{3}, []int64{2})[0])
		}, "what is drawn differs"},
		{"coins outside", func(src coin.Source, second bool) {
			if a, b := src.Uniform(1<<40), coin.NewSeeded(seed).Uniform(1<<40); a != b {
				t.Errorf("a recording or replay draws %d, want %d", a, b)
			}
		}, ""},
		{"as many coins as data", func(src coin.Source, second bool) {
			for range pickOf(second, []int64{3}, []int64{2, 5}) {
				src.Uniform(10)
			}
		}, "the run goes on"},
		{"fewer coins", func(src coin.Source, second bool) {
			for range pickOf(second, []int64{3, 2}, []int64{2}) {
				src.Uniform(10)
			}
		}, "the run ends"},
		{"a range from the data", func(src coin.Source, second bool) {
			src.Uniform(uint64(pickOf(second, []int64{3}, []int64{2})[0]))
		}, "what is drawn differs"},
		{"a budget from the data", func(src coin.Source, second bool) {
			if second {
				one.Release(src, []int64{3, 4}, nil)
			} else {
				histogram.Release(src, []int64{3, 4}, nil)
			}
		}, "what is drawn differs"},
		{"one person replaced", func(src coin.Source, second bool) {
			codes := []uint64{1, 2, 3}
			if second {
				codes = []uint64{2, 3, 7}
			}
			inside.Release(src, codes, nil)
		}, ""},
		{"two persons replaced", func(src coin.Source, second bool) {
			codes := []uint64{1, 2, 3}
			if second {
				codes = []uint64{2, 7, 7}
			}
			inside.Release(src, codes, nil)
		}, "more people"},
		{"two newcomers", func(src coin.Source, second bool) {
			names := []string{"a", "b", "c"}
			meter.Label(src, func(i int) string { return names[i] })
			stable.Release(src, pickOf(second, []int64{1}, []int64{1, 1, 1}), nil)
		}, "candidates differ"},
		{"a large newcomer", func(src coin.Source, second bool) {
			names := []string{"a", "b", "c"}
			meter.Label(src, func(i int) string { return names[i] })
			stable.Release(src, pickOf(second, []int64{1}, []int64{1, 2}), nil)
		}, "candidates differ"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, found := both(test.run)
			switch {
			case test.want == "" && len(found) > 0:
				t.Errorf("found %v", found)
			case test.want != "" &&
				(len(found) == 0 || !strings.Contains(found[0].What, test.want)):
				t.Errorf("found %v, want %q", found, test.want)
			}
		})
	}
}

// TestForced gives the replay the outcomes of the recording, at their places there.
func TestForced(t *testing.T) {
	m := laplace(t, "1/10", 1)
	var outcomes [][]int64
	forced, found := both(func(src coin.Source, second bool) {
		count := int64(7)
		if second {
			count = 8
		}
		noisy, _ := m.Release(src, []int64{count}, nil)
		outcomes = append(outcomes, append([]int64{}, noisy...))
		noisy[0] = -1 // those who drew it may write to it
	})
	if len(found) > 0 || outcomes[0][0] != outcomes[1][0] {
		t.Errorf("outcomes %v, found %v", outcomes, found)
	}
	one, err := m.Loss(1)
	if err != nil {
		t.Fatal(err)
	}
	if spent := forced.Spent(); !spent.AtMost(one) || !one.AtMost(spent) {
		t.Errorf("a replay spends %v, and its draw costs %v", forced.Spent(), one)
	}

	stable, err := mechanism.NewStableChoice(mechanism.StableChoiceParams{
		Epsilon: epsilon("3"), Delta: delta("1e-6"), Newcomers: 1})
	if err != nil {
		t.Fatal(err)
	}
	names, scores := []string{"a", "b", "c"}, []int64{1, 50, 2}
	var chosen []string
	replay, found := both(func(src coin.Source, second bool) {
		names, scores := names, scores
		if second {
			names, scores = names[1:], scores[1:]
		}
		meter.Label(src, func(i int) string { return names[i] })
		i, ok, err := stable.Release(src, scores, nil)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		chosen = append(chosen, names[i])
	})
	if len(found) > 0 || replay.Ended() || chosen[0] != "b" || chosen[1] != "b" {
		t.Errorf("chosen %v, found %v", chosen, found)
	}
}

// TestImpossible ends a replay at an outcome that the other run cannot have.
func TestImpossible(t *testing.T) {
	own := errors.New("drawn anew")
	for _, d := range []string{"0", "1/2"} {
		s := &meter.Spend{Name: "newcomer", Claim: meter.Claim{Newcomers: 1}}
		s.Loss, _ = privacy.NewLoss(nil, delta(d).Rat())
		replay, found := both(func(src coin.Source, second bool) {
			names, values := []string{"a"}, []int64{1}
			if second {
				names = []string{"b"}
			}
			meter.Label(src, func(i int) string { return names[i] })
			_, err := meter.Among(src, s,
				func() meter.Input { return meter.Input{Values: values} },
				func(coin.Source) (int, error) {
					if second {
						return 0, own
					}
					return 0, nil
				},
				func(i int, place func(int) (int, bool)) (int, bool) { return place(i) })
			if second != (err == own) {
				t.Errorf("second %v: %v", second, err)
			}
			if second {
				src.Uniform(99) // not compared
			}
		})
		if !replay.Ended() || (len(found) > 0) != (d == "0") {
			t.Errorf("δ = %s: ended %v, found %v", d, replay.Ended(), found)
		}
	}
}

// TestRare claims nothing after an outcome that only δ allows, whichever run has it.
func TestRare(t *testing.T) {
	test, err := mechanism.NewDistanceTest(
		mechanism.DistanceTestParams{Epsilon: epsilon("20"), Delta: delta("0.9999999999")})
	if err != nil {
		t.Fatal(err)
	}
	for _, distances := range [][2]int64{{0, 0}, {0, 1}, {1, 0}, {1, 2}, {1, 1}} {
		replay, found := both(func(src coin.Source, second bool) {
			distance := distances[0]
			if second {
				distance = distances[1]
			}
			if !test.Allows(src, distance) {
				t.Fatal("no")
			}
		})
		rare := distances[0] == 0 || distances[1] == 0
		if len(found) > 0 || replay.Ended() != rare {
			t.Errorf("%v: ended %v, found %v", distances, replay.Ended(), found)
		}
	}
}

// TestInputs lists what was drawn.
func TestInputs(t *testing.T) {
	m := meter.Record(seed)
	laplace(t, "1", 1).Release(m, []int64{4}, nil)
	m.Uniform(3)
	list := m.Inputs()
	if len(list) != 1 || list[0].Input.Values[0] != 4 || m.Events() != 2 {
		t.Errorf("have %+v of %d events", list, m.Events())
	}
	if m.Replay().Replay() != nil || meter.New(coin.NewSeeded(1)).Replay() != nil {
		t.Error("a replay of what is no recording")
	}
	if meter.New(m).Replay() == nil {
		t.Error("a meter of a recording does not record")
	}
}

// TestProofs: what meter.md names exists.
func TestProofs(t *testing.T) { prooftest.Check(t, os.DirFS(".")) }

// TestPersons: a person with several entries costs, and moves the input, as the theorem says that
// prices them together, or else as group privacy does.
func TestPersons(t *testing.T) {
	entry, person := pure("1/8"), pure("1/2")
	steps := &meter.Spend{Name: "steps", Loss: entry,
		Claim: meter.Claim{L1: 2, Each: 1, Newcomers: 1}}
	together := &meter.Spend{Name: "together", Loss: entry, Claim: steps.Claim,
		Person: &meter.Person{Loss: person, Claim: meter.Claim{L1: 6, Each: 1, Newcomers: 3}}}
	squares := &meter.Spend{Name: "squares", Loss: entry, Claim: meter.Claim{L2Squared: 2},
		Person: &meter.Person{Loss: person, Claim: meter.Claim{L2Squared: 3 * 4 * 2}}}
	grown := &meter.Spend{Name: "grown", Loss: entry, Claim: meter.Claim{L2Squared: 2}}
	oneWay := &meter.Spend{Name: "one way", Loss: entry,
		Claim: meter.Claim{Each: 1, OneSigned: true}}
	for _, test := range []struct {
		spend   *meter.Spend
		entries uint64
		labels  [2]string // each letter is a candidate
		values  [2][]int64
		want    string
	}{
		{steps, 3, [2]string{}, [2][]int64{{5, 5}, {2, 8}}, ""},
		{steps, 3, [2]string{}, [2][]int64{{5, 5}, {1, 7}}, "the largest move"},
		{steps, 2, [2]string{}, [2][]int64{{5, 5}, {2, 8}}, "moves sum to"},
		{steps, 1, [2]string{}, [2][]int64{{5, 5}, {4, 6}}, ""},
		{together, 3, [2]string{}, [2][]int64{{5, 5, 5}, {4, 4, 6}}, ""},
		{together, 3, [2]string{}, [2][]int64{{5, 5, 5}, {3, 5, 5}}, "the largest move"},
		{together, 3, [2]string{}, [2][]int64{make([]int64, 7), {1, 1, 1, 1, 1, 1, 1}},
			"moves sum"},
		{together, 3, [2]string{"abc", "def"}, [2][]int64{{1, 1, 1}, {1, 1, 1}}, ""},
		{together, 3, [2]string{"abc", ""}, [2][]int64{{1, 1, 2}, {}}, "candidates differ"},
		{together, 3, [2]string{"abcx", "x"}, [2][]int64{{1, 1, 1, 7}, {7}}, ""},
		{together, 3, [2]string{"abcd", "d"}, [2][]int64{{1, 1, 3, 7}, {7}}, "candidates differ"},
		{together, 3, [2]string{"abcd", ""}, [2][]int64{{1, 1, 1, 1}, {}}, "candidates differ"},
		{together, 3, [2]string{"abcx", "defx"}, [2][]int64{{1, 1, 1, 7}, {1, 1, 1, 8}},
			"moves sum"},
		{steps, 3, [2]string{"ax", "x"}, [2][]int64{{3, 7}, {7}}, ""},
		{steps, 3, [2]string{"ax", "x"}, [2][]int64{{4, 7}, {7}}, "candidates differ"},
		{squares, 6, [2]string{}, [2][]int64{{5, 5}, {1, 7}}, ""},
		{squares, 6, [2]string{}, [2][]int64{{5, 5}, {0, 5}}, "squares of moves"},
		{grown, 3, [2]string{}, [2][]int64{{5, 5}, {2, 8}}, ""},
		{grown, 3, [2]string{}, [2][]int64{{5, 5}, {2, 9}}, "squares of moves"},
		{oneWay, 2, [2]string{}, [2][]int64{{5, 5}, {4, 6}}, ""},
		{oneWay, 1, [2]string{}, [2][]int64{{5, 5}, {4, 6}}, "both ways"},
	} {
		recording := meter.Record(seed)
		var replay *meter.Meter
		for run := range 2 {
			src := recording
			if run == 1 {
				replay = recording.Replay()
				src = replay
			}
			m := meter.New(src).Of(test.entries)
			if names := test.labels; names[0]+names[1] != "" {
				meter.Label(m, func(i int) string { return names[run][i : i+1] })
			}
			_, err := meter.Draw(m, test.spend,
				func() meter.Input { return meter.Input{Values: test.values[run]} },
				func(coin.Source) (int, error) { return 0, nil })
			if err != nil {
				t.Fatal(err)
			}
			costs, err := entry.Group(privacy.Distance(test.entries))
			if test.spend.Person != nil && test.entries > 1 {
				costs = person
			}
			if spent := m.Spent(); err != nil || !spent.AtMost(costs) || !costs.AtMost(spent) {
				t.Errorf("%s, %d entries: spent %v, want %v", test.spend.Name, test.entries, spent,
					costs)
			}
			if err := m.Over(costs); err != nil {
				t.Error(err)
			}
			if m.Over(pure("1/9")) == nil {
				t.Errorf("%s, %d entries: less than it costs is enough", test.spend.Name,
					test.entries)
			}
		}
		found := replay.Violations()
		if (len(found) > 0) != (test.want != "") ||
			len(found) > 0 && !strings.Contains(found[0].What, test.want) {
			t.Errorf("%s, %d entries, %v: found %v, want %q", test.spend.Name, test.entries,
				test.values, found, test.want)
		}
	}
	rho, err := privacy.RhoFor(epsilon("1"), delta("1e-6"))
	if err != nil {
		t.Fatal(err)
	}
	chance, err := privacy.NewLoss(nil, big.NewRat(1, 1<<30))
	if err != nil {
		t.Fatal(err)
	}
	m := meter.New(coin.NewSeeded(seed)).Of(2)
	loss := privacy.ConcentratedLoss(rho).Plus(chance)
	meter.Draw(m, &meter.Spend{Name: "without ε", Loss: loss},
		func() meter.Input { return meter.Input{} },
		func(coin.Source) (int, error) { return 0, nil })
	if m.Over(pure("100")) == nil || m.Spent().Protects() {
		t.Errorf("what group privacy does not bound costs %v", m.Spent())
	}
}
