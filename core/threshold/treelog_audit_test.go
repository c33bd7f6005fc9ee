package threshold

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// Whole runs of TreeLog branch too often for every data set of a space, but its steps share little:
// what is found below the path depends on the levels alone, and the climb on the data set and one
// level. So the law of a run is put together from the exact laws of these steps, each remembered
// (TestTreeLogLawOfWholeRuns compares it with whole runs).
type treeLogLaws struct {
	tree   *TreeLog
	walk   func(src coin.Source, codes domain.Sorted, lo, hi int) *levels
	climb  func(src coin.Source, codes domain.Sorted, lo, hi, level int) (*big.Int, error)
	finds  map[string]*coin.Law[int]
	levels map[string]*coin.Law[int]
	climbs map[string]*coin.Law[int]
}

func lawsOf(t *TreeLog) *treeLogLaws {
	return &treeLogLaws{
		tree: t,
		walk: t.path.walk,
		climb: func(src coin.Source, codes domain.Sorted, lo, hi, level int) (*big.Int, error) {
			return t.climb.up(src, codes, lo, hi, level, nil)
		},
		finds: map[string]*coin.Law[int]{}, levels: map[string]*coin.Law[int]{},
		climbs: map[string]*coin.Law[int]{},
	}
}

// remember computes a law once for every key.
func remember(laws map[string]*coin.Law[int], key string,
	law func() (*coin.Law[int], error)) (*coin.Law[int], error) {
	if known := laws[key]; known != nil {
		return known, nil
	}
	computed, err := law()
	laws[key] = computed
	return computed, err
}

// codesKey tells data sets of one round apart.
func codesKey(round int, codes domain.Sorted) string {
	key := fmt.Sprint(round, ":")
	for i := range codes.Len() {
		key += fmt.Sprint(" ", codes.Number(i))
	}
	return key
}

// find is the law of TreeLog.find.
func (l *treeLogLaws) find(codes domain.Sorted, round int) (*coin.Law[int], error) {
	t, key := l.tree, codesKey(round, codes)
	return remember(l.finds, key, func() (*coin.Law[int], error) {
		lo, hi := trimmed(codes.Len(), t.trim)
		met := map[string]*levels{}
		paths, err := coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
			found := l.walk(src, codes, lo, hi)
			key := codesKey(round+1, found)
			met[key] = found
			return key, nil
		})
		if err != nil {
			return nil, err
		}
		chosen, err := coin.Then(paths, func(key string) (*coin.Law[int], error) {
			return l.level(met[key], key, round+1)
		})
		if err != nil {
			return nil, err
		}
		return coin.Then(chosen, func(level int) (*coin.Law[int], error) {
			return remember(l.climbs, fmt.Sprint(level, "|", key), func() (*coin.Law[int], error) {
				return coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
					x, err := l.climb(src, codes, lo, hi, level)
					return int(x.Int64()), err
				})
			})
		})
	})
}

// level is the law of TreeLog.level.
func (l *treeLogLaws) level(found *levels, key string, round int) (*coin.Law[int], error) {
	return remember(l.levels, key, func() (*coin.Law[int], error) {
		if round == l.tree.rounds {
			return coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
				return found.interiorPoint(src, l.tree.base)
			})
		}
		law, err := l.find(found, round)
		if err != nil {
			return nil, err
		}
		return coin.Then(law, func(x int) (*coin.Law[int], error) {
			exact := coin.NewLaw[int]()
			exact.Add(min(x, found.top), big.NewRat(1, 1))
			return exact, nil
		})
	})
}

// codesOf are those of the persons who have a value.
func codesOf(rows []int) (codes []uint64) {
	for _, v := range rows {
		if v != audit.None {
			codes = append(codes, uint64(v))
		}
	}
	return codes
}

func sortedRows(rows []int, bitLength int) domain.Sorted {
	return domain.SortedCodes(codesOf(rows), bitLength)
}

// law is what an audit asks for.
func (l *treeLogLaws) law(rows []int) (*coin.Law[int], error) {
	return l.find(sortedRows(rows, l.tree.bits), 0)
}

// tiny is TreeLog with constants so small that a few persons make every step decide something. Its
// path has a scale that most weights divide; sharp is the base of all other choices.
func tiny(size int64, rounds, trim, stop int, form Form, sharp coin.Base) *TreeLog {
	p := path{form: form, scale: 12, stop: stop, base: base(7, 5)}
	if form == Absolute {
		p.base = base(3, 1)
	}
	c := must(newClimb(sharp, sharp, must(privacy.ParseDelta("1/50"))))
	return must(newTreeLog(big.NewInt(size), rounds, trim, p, c, sharp, 8))
}

func claimOf(loss privacy.Loss, err error) audit.Claim {
	return must(audit.ClaimOf(must(loss, err)))
}

// auditCase is TreeLog with its constants on one space.
type auditCase struct {
	name  string
	tree  *TreeLog
	space audit.Space
}

func (c auditCase) audit() audit.Audit[int] {
	return audit.Audit[int]{Name: c.name, Space: c.space, Claim: claimOf(c.tree.Loss(1)),
		Law: lawsOf(c.tree).law}
}

// TestAuditTreeLog audits whole runs against the loss for a replaced person, and against the cost
// in either direction.
func TestAuditTreeLog(t *testing.T) {
	cases := []auditCase{
		{"TreeLog, 1 round, relative, stop 3, 8 values", tiny(8, 1, 0, 3, Relative, base(6, 5)),
			audit.Space{Persons: 5, Values: 8}},
		{"TreeLog, 1 round, relative, trimmed, sharp, 8 values",
			tiny(8, 1, 1, 1, Relative, base(40, 1)), audit.Space{Persons: 5, Values: 8}},
		{"TreeLog, 1 round, relative, stop 2, 16 values", tiny(16, 1, 0, 2, Relative, base(3, 2)),
			audit.Space{Persons: 3, Values: 16}},
		{"TreeLog, 1 round, absolute, 8 values", tiny(8, 1, 0, 2, Absolute, base(3, 2)),
			audit.Space{Persons: 4, Values: 8}},
		{"TreeLog, 2 rounds, relative, 8 values", tiny(8, 2, 0, 1, Relative, base(3, 2)),
			audit.Space{Persons: 5, Values: 8}},
		{"TreeLog, 2 rounds, absolute, 8 values", tiny(8, 2, 0, 1, Absolute, base(3, 2)),
			audit.Space{Persons: 4, Values: 8}},
	}
	if testing.Short() {
		cases = cases[2:4]
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := c.audit()
			audittest.Holds(t, a)
			directions(t, a, c.tree.cost)
		})
	}
}

// TestAuditPaperTreeLog audits a climb by the choosing mechanism, whose δ is lost in both
// directions, for a replaced person and in either direction.
func TestAuditPaperTreeLog(t *testing.T) {
	with := func(name, failure string) auditCase {
		c := auditCase{name, tiny(8, 1, 0, 2, Absolute, base(3, 2)),
			audit.Space{Persons: 4, Values: 8}}
		choosing := must(
			mechanism.NewChoosing(
				mechanism.ChoosingParams{Base: base(3, 2), Delta: delta(failure), Newcomers: 1,
					Beta: rat("1/2")}))
		loss := must(choosing.Loss(1))
		epsilon, _ := loss.Epsilon()
		c.tree.climb.classic = choosing
		// base case and last choice, path, choosing mechanism
		c.tree.cost = both(privacy.LogUp(rat("9/4"))).plus(c.tree.path.cost(3, 8)).
			plus(cost{add: epsilon, remove: epsilon, addDelta: loss.Delta(),
				removeDelta: loss.Delta()})
		return c
	}
	c := with("TreeLog, 1 round, with the choosing mechanism", "1/20")
	directions(t, c.audit(), c.tree.cost)
	// For a replaced person both δ add up, one of them times the other's e^ε: a smaller one.
	c = with("TreeLog, 1 round, with the choosing mechanism, δ = 1/1000", "1/1000")
	audittest.Holds(t, c.audit())
}

// TestAuditTreeLogLong audits larger spaces, which AUDIT.md does not list.
func TestAuditTreeLogLong(t *testing.T) {
	if !*long {
		t.Skip("minutes: with -long only")
	}
	for _, c := range []auditCase{
		{"trimmed, stop 2", tiny(8, 1, 1, 2, Relative, base(3, 2)),
			audit.Space{Persons: 6, Values: 8}},
		{"absolute, trimmed, 16 values", tiny(16, 1, 1, 1, Absolute, base(3, 2)),
			audit.Space{Persons: 4, Values: 16}},
		{"2 rounds, trimmed", tiny(8, 2, 1, 1, Relative, base(3, 2)),
			audit.Space{Persons: 6, Values: 8}},
	} {
		holds(t, c.audit())
	}
}

// holds is audittest.Holds without a line in the table.
func holds[T comparable](t *testing.T, a audit.Audit[T]) {
	t.Helper()
	report := must(audit.Run(a, nil))
	if t.Log(report.Row()); report.Verdict() != audit.Holds {
		t.Errorf("%s: %s", a.Name, report.Verdict())
	}
}

// directions audits the cost of one code added and of one removed, each with its own ε and δ.
func directions[T comparable](t *testing.T, a audit.Audit[T], c cost) {
	t.Helper()
	sets := a.Space.DataSets()
	laws, index := make([]*coin.Law[T], len(sets)), map[string]int{}
	for i, set := range sets {
		laws[i], index[fmt.Sprint(set)] = must(a.Law(set)), i
	}
	add := &audit.Report{Name: a.Name + ", one added",
		Claim: audit.Claim{Odds: privacy.ExpDown(orZero(c.add)), Delta: orZero(c.addDelta)},
		Space: a.Space, DataSets: len(sets)}
	remove := &audit.Report{Name: a.Name + ", one removed",
		Claim: audit.Claim{Odds: privacy.ExpDown(orZero(c.remove)), Delta: orZero(c.removeDelta)},
		Space: a.Space, DataSets: len(sets)}
	note := func(r *audit.Report, i, j int) {
		low, high := audit.Delta(laws[i], laws[j], r.Claim.Odds)
		r.Add(audit.Figure{From: sets[i], To: sets[j], Low: low, High: high,
			Odds: audit.Odds(laws[i], laws[j], r.Claim.Delta)})
	}
	for i, set := range sets {
		if len(set) == 0 || set[0] != audit.None {
			continue
		}
		for v := range a.Space.Values {
			larger := slices.Clone(set)
			larger[0] = v
			slices.Sort(larger)
			j := index[fmt.Sprint(larger)]
			note(add, i, j)
			note(remove, j, i)
		}
	}
	audittest.Expect(t, add, audit.Holds)
	audittest.Expect(t, remove, audit.Holds)
}

// TestTreeLogLawOfWholeRuns compares the law put together from steps with whole runs of Release.
func TestTreeLogLawOfWholeRuns(t *testing.T) {
	for _, tree := range []*TreeLog{
		tiny(8, 1, 0, 1, Relative, base(3, 2)), tiny(8, 1, 1, 1, Absolute, base(3, 2)),
		tiny(7, 1, 0, 2, Relative, base(3, 2)),
	} {
		for _, rows := range [][]int{{}, {3}, {0, 0, 5, 6}, {1, 2, 4, 7}, {2, 2, 2, 3, 3}} {
			steps := must(lawsOf(tree).law(rows))
			whole := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
				x, err := tree.Release(src, sortedRows(rows, tree.bits), nil)
				return int(x.Int64()), err
			}))
			for x := range 8 {
				want := new(big.Rat).Set(steps.Mass(x))
				switch top := int(tree.size.Int64()) - 1; {
				case x == top: // Release keeps points within the domain
					for above := top + 1; above < 8; above++ {
						want.Add(want, steps.Mass(above))
					}
				case x > top:
					want = new(big.Rat)
				}
				if whole.Mass(x).Cmp(want) != 0 {
					t.Errorf("size %v, rows %v, point %d: chance %v in whole runs, %v in steps",
						tree.size, rows, x, whole.Mass(x), want)
				}
			}
		}
	}
}
