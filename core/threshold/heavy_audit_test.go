package threshold

import (
	"fmt"
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// tinyHeavy is HeavyPaths with constants for a few persons and sharp choices.
func tinyHeavy(bitLength, rounds int, limit int64, sharp coin.Base) *HeavyPaths {
	h := &HeavyPaths{size: values(uint(bitLength)), bits: bitLength, rounds: rounds,
		path: path{form: Relative, scale: 12, stop: 2, base: base(2, 1)}}
	h.climb = must(newClimb(sharp, sharp, delta("1/50")))
	h.stop = must(mechanism.NewClippedThreshold(mechanism.ClippedThresholdParams{
		AboveThresholdParams: mechanism.AboveThresholdParams{BaseThreshold: base(3, 1),
			BaseQueries: base(3, 1), Sensitivity: 1},
		Delta: delta("1/50"), Cap: limit,
	}))
	if err := h.complete(sharp); err != nil {
		panic(err)
	}
	return h
}

// cutTails cuts the noise of the stopping point.
var cutTails = coin.Limits{Tail: big.NewRat(1, 1<<48)}

// heavyLaws puts the law of a run together: where it stops, and what is found from there, step by
// step.
type heavyLaws struct {
	heavy *HeavyPaths
	paths func(codes domain.Sorted) []round
	stop  func(src coin.Source, all []round) (int, error)
	steps map[string]*coin.Law[int]
}

func lawsOfHeavy(h *HeavyPaths) *heavyLaws {
	return &heavyLaws{heavy: h, paths: h.paths, stop: h.stoppingPoint,
		steps: map[string]*coin.Law[int]{}}
}

func (l *heavyLaws) law(rows []int) (*coin.Law[int], error) {
	all := l.paths(sortedRows(rows, l.heavy.bits))
	stopped, err := l.stopped(all)
	if err != nil {
		return nil, err
	}
	return coin.Then(stopped, func(at int) (*coin.Law[int], error) { return l.from(all, at) })
}

// stopped is the law of HeavyPaths.stoppingPoint.
func (l *heavyLaws) stopped(all []round) (*coin.Law[int], error) {
	key := "stop"
	for _, r := range all[1:] {
		key += fmt.Sprint(" ", r.codes.(*levels).most(), " of ", r.codes.Len())
	}
	return remember(l.steps, key, func() (*coin.Law[int], error) {
		return coin.Enumerate(cutTails, func(src coin.Source) (int, error) {
			return l.stop(src, all)
		})
	})
}

// from is the law of HeavyPaths.from.
func (l *heavyLaws) from(all []round, at int) (*coin.Law[int], error) {
	found, err := remember(l.steps, codesKey(at, all[at].codes)+" found",
		func() (*coin.Law[int], error) {
			return coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
				if at == l.heavy.rounds {
					return all[at].codes.(*levels).interiorPoint(src, l.heavy.base)
				}
				x, err := l.heavy.oneRandomPath(src, all[at], newStages(nil, 1))
				return int(x.Int64()), err
			})
		})
	for i := at - 1; i >= 0 && err == nil; i-- {
		r := all[i]
		key := codesKey(i, r.codes)
		found, err = coin.Then(found, func(x int) (*coin.Law[int], error) {
			level := min(x, r.codes.Bits())
			return remember(l.steps, fmt.Sprint(level, " up ", key),
				func() (*coin.Law[int], error) {
					return coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
						x, err := l.heavy.climb.up(src, r.codes, r.lo, r.hi, level, nil)
						return int(x.Int64()), err
					})
				})
		})
	}
	return found, err
}

func auditHeavy(name string, h *HeavyPaths, law func([]int) (*coin.Law[int], error),
	persons int) audit.Audit[int] {
	return audit.Audit[int]{Name: name, Space: audit.Space{Persons: persons, Values: 8},
		Claim: claimOf(h.Loss(1)), Law: law}
}

func TestAuditHeavyPaths(t *testing.T) {
	for name, h := range map[string]*HeavyPaths{
		"HeavyPaths, 1 round":        tinyHeavy(3, 1, 2, base(3, 2)),
		"HeavyPaths, 1 round, sharp": tinyHeavy(3, 1, 2, base(40, 1)),
		"HeavyPaths, 2 rounds":       tinyHeavy(3, 2, 1, base(3, 2)),
	} {
		t.Run(name, func(t *testing.T) {
			a := auditHeavy(name, h, lawsOfHeavy(h).law, 4)
			audittest.Holds(t, a)
			directions(t, a, h.cost)
		})
	}
}

// TestAuditHeavyPathsLong has two persons more.
func TestAuditHeavyPathsLong(t *testing.T) {
	if !*long {
		t.Skip("minutes: with -long only")
	}
	for _, h := range []*HeavyPaths{tinyHeavy(3, 1, 2, base(1000, 1)),
		tinyHeavy(3, 2, 2, base(40, 1)), tinyHeavy(3, 1, 1, base(40, 1))} {
		holds(t, auditHeavy(fmt.Sprintf("HeavyPaths, %d rounds, 6 persons", h.rounds), h,
			lawsOfHeavy(h).law, 6))
	}
}

// TestHeavyPathsLawOfWholeRuns compares the law put together from steps with whole runs of Release.
func TestHeavyPathsLawOfWholeRuns(t *testing.T) {
	h := tinyHeavy(3, 2, 1, base(3, 2))
	for _, rows := range [][]int{{}, {4}, {0, 0, 5, 6}} {
		steps := must(lawsOfHeavy(h).law(rows))
		whole := must(coin.Enumerate(cutTails, func(src coin.Source) (int, error) {
			x, err := h.Release(src, sortedRows(rows, 3), nil)
			return int(x.Int64()), err
		}))
		for x := range 8 {
			if whole.Mass(x).Cmp(steps.Mass(x)) != 0 {
				t.Errorf("rows %v, point %d: chance %v in whole runs, %v in steps", rows, x,
					whole.Mass(x), steps.Mass(x))
			}
		}
	}
}

// stoppingAudit is of the stopping point and, where it goes on, the levels of the path with noise:
// the most telling thing that may be made of them. Seven persons of two bits are enough for two
// halves of a tree of nearly equal weight.
func stoppingAudit(name string, h *HeavyPaths, noise *noisyLevels,
	change func(l *heavyLaws)) (audit.Audit[string], cost) {
	laws := lawsOfHeavy(h)
	change(laws)
	stopped := must(h.stop.Loss(1))
	epsilon, _ := stopped.Epsilon()
	c := both(epsilon).plus(both(privacy.LogUp(noise.odds)))
	loss := must(privacy.NewLoss(sum(c.add, c.remove), stopped.Delta()))
	c.addDelta, c.removeDelta = stopped.Delta(), stopped.Delta()
	return audit.Audit[string]{
		Name: name, Space: audit.Space{Persons: noise.most, Values: 4}, Claim: claimOf(loss, nil),
		Law: func(rows []int) (*coin.Law[string], error) {
			all := laws.paths(sortedRows(rows, 2))
			at, err := laws.stopped(all)
			if err != nil {
				return nil, err
			}
			return coin.Then(at, func(at int) (*coin.Law[string], error) {
				if at < h.rounds {
					stop := coin.NewLaw[string]()
					stop.Add("stop", big.NewRat(1, 1))
					return stop, nil
				}
				return noise.laws[noise.index[fmt.Sprint(expand(all[1].codes.(*levels)))]], nil
			})
		},
	}, c
}

func TestAuditStoppingPoint(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of big fractions")
	}
	noise := newNoisyLevels(2, 7, 1024)
	a, c := stoppingAudit("stopping point, then the levels with noise",
		tinyHeavy(2, 1, 2, base(2, 1)), noise, func(*heavyLaws) {})
	audittest.Holds(t, a)
	directions(t, a, c)
}

// TestPlantedHeavyPaths breaks what is peculiar to HeavyPaths.
func TestPlantedHeavyPaths(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of big fractions")
	}
	noise := newNoisyLevels(2, 7, 1024)
	caught := func(name string, change func(l *heavyLaws)) {
		t.Run(name, func(t *testing.T) {
			a, _ := stoppingAudit("stopping point "+name, tinyHeavy(2, 1, 2, base(2, 1)), noise,
				change)
			audittest.Caught(t, a)
		})
	}
	caught("that goes on whatever the multiplicities", func(l *heavyLaws) {
		l.stop = func(coin.Source, []round) (int, error) { return 1, nil }
	})
	caught("that stops by size", func(l *heavyLaws) {
		l.stop = func(_ coin.Source, all []round) (int, error) {
			if all[1].codes.Len() < 3 {
				return 1, nil
			}
			return 0, nil
		}
	})
	caught("that stops without noise", func(l *heavyLaws) {
		l.stop = func(_ coin.Source, all []round) (int, error) {
			if all[1].codes.(*levels).most() >= 2 {
				return 0, nil
			}
			return 1, nil
		}
	})
	caught("with a cap above the stop of its paths", func(l *heavyLaws) {
		l.heavy = tinyHeavy(2, 1, 6, base(2, 1))
		l.stop = l.heavy.stoppingPoint
	})

	// Fresh coins: a path is drawn anew whenever it is needed, once for the stopping point and once
	// for the levels.
	h := tinyHeavy(2, 1, 4, base(2, 1))
	h.path.stop = 4
	a, _ := stoppingAudit("stopping point of paths drawn anew for each use", h, noise,
		func(*heavyLaws) {})
	laws := lawsOfHeavy(h)
	a.Law = func(rows []int) (*coin.Law[string], error) {
		codes := sortedRows(rows, 2)
		drawn := map[string]*levels{}
		draw := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
			l := fallOff(codes, 0, codes.Len(), h.path.stop, func(int, int) bool {
				return src.Bernoulli(coin.Ratio(1, 2))
			})
			key := fmt.Sprint(expand(l))
			drawn[key] = l
			return key, nil
		}))
		at := must(coin.Then(draw, func(key string) (*coin.Law[int], error) {
			return laws.stopped([]round{{codes: codes}, {codes: drawn[key]}})
		}))
		return coin.Then(at, func(at int) (*coin.Law[string], error) {
			if at < h.rounds {
				stop := coin.NewLaw[string]()
				stop.Add("stop", big.NewRat(1, 1))
				return stop, nil
			}
			return coin.Then(draw, func(key string) (*coin.Law[string], error) {
				return noise.laws[noise.index[key]], nil
			})
		})
	}
	t.Run(a.Name, func(t *testing.T) { audittest.Caught(t, a) })
}
