package replay

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/privacy"
	"hush/core/task"
)

// bugs are mistakes of the kinds that replays have found in published libraries ("Re:cord-play",
// PETS 2026), as far as a question can make them here, and what each of them does.
var bugs = map[string]string{
	"exact":        "one count is released without noise",
	"forgotten":    "noise is drawn for the first value only",
	"data scale":   "the sensitivity is the largest value in the data",
	"small scale":  "a histogram takes the sensitivity of one count",
	"size scale":   "the noise shrinks with the number of people who have a value",
	"budget":       "ε is divided by the number of different values in the data",
	"clip late":    "the sum is clipped, not each value",
	"float noise":  "the noise is a float made of coins of its own",
	"first row":    "values are counted from the first row's",
	"skip first":   "the first row is taken for a header where it has no value",
	"header":       "the answer's header names the largest value",
	"empty bins":   "bins without anybody are not listed",
	"order":        "bins are listed in the order of their true counts",
	"error":        "a first value above the last one is an error",
	"panic":        "nobody in the first bin divides by zero",
	"row coins":    "a coin is drawn for each person with a value",
	"data coins":   "the chance of a coin is the share of people with a value",
	"early stop":   "so much noise is drawn as there are people in the first bin",
	"again":        "noise is drawn once more where the first count is large",
	"true total":   "a mean divides by the true number of values",
	"verdict":      "the answer is judged by the true counts",
	"unclaimed":    "the sum of squares is released with the sensitivity of the sum",
	"neighbouring": "each value is counted with its neighbour in the file",
	"cheaper":      "the plan states half of what is drawn",
	"dearer":       "the plan states twice what was asked for",
	"one row":      "the plan states what one row of a person costs",
}

// toyCatalogue has one question, with a mistake in it or none.
type toyCatalogue struct {
	task.All
	bug string
}

// toyResult is a histogram of four bins and a sum.
type toyResult struct {
	Title string
	Names []string
	Bins  []int64
	Sum   int64

	few bool // by the true counts
}

func (*toyResult) Kind() string { return "toy" }

func (r *toyResult) Table(ask.Voice, string) [][]string {
	rows := [][]string{{r.Title, "people"}}
	for i, n := range r.Bins {
		rows = append(rows, []string{r.Names[i], strconv.FormatInt(n, 10)})
	}
	return append(rows, []string{"sum", strconv.FormatInt(r.Sum, 10)})
}

// Tasks lists the one question.
func (c toyCatalogue) Tasks() []ask.Task {
	return []ask.Task{{
		ID: "toy", Domains: []domain.Kind{domain.Integer},
		Example: &ask.Example{Recipe: ask.Recipe{Column: 1,
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"}}},
		Prepare: func(q *ask.Query) (ask.Prepared, error) { return newToy(q, c.bug) },
	}}
}

// toy spends half of ε on the bins and half on the sum.
type toy struct {
	query     *ask.Query
	bug       string
	half      privacy.Epsilon
	width     int64 // of a bin
	bins, sum *mechanism.Laplace
}

func newToy(q *ask.Query, bug string) (*toy, error) {
	size := q.Domain.Size().Int64()
	t := &toy{query: q, bug: bug, half: q.Epsilon.Part(1, 2), width: size/4 + 1}
	var err error
	moves := uint64(2)
	if bug == "small scale" {
		moves = 1
	}
	if t.bins, err = laplace(t.half, moves); err != nil {
		return nil, err
	}
	t.sum, err = laplace(t.half, uint64(size))
	return t, err
}

func laplace(epsilon privacy.Epsilon, moves uint64) (*mechanism.Laplace, error) {
	return mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: epsilon, L1Sensitivity: moves})
}

func (t *toy) Loss() (privacy.Loss, error) {
	switch loss := privacy.PureLoss(t.query.Epsilon); t.bug {
	case "cheaper":
		return privacy.PureLoss(t.half), nil
	case "dearer":
		return loss.Plus(loss), nil
	default:
		return loss, nil
	}
}

func (t *toy) OfPerson() (privacy.Loss, bool, error) {
	loss, err := t.Loss()
	return loss, t.bug == "one row", err
}

func (t *toy) Algorithm() string        { return "toy" }
func (t *toy) Forecast() []ask.Forecast { return nil }
func (t *toy) Bound() float64           { return 1 }
func (t *toy) Typical() (float64, bool) { return 1, true }
func (t *toy) Unit() ask.Unit           { return ask.Unit{} }
func (t *toy) State(ask.Result) string  { return "a toy" }

func (t *toy) Judge(r ask.Result) ask.Verdict {
	if r != nil && r.(*toyResult).few {
		return ask.Verdict{Grade: ask.Noise}
	}
	return ask.Verdict{Grade: ask.Good}
}

// values are the codes of all people who have one.
func (t *toy) values(data ask.Data) (codes []int64) {
	for i := range data.Main.Codes.Len() {
		if code, ok := data.Main.Codes.Code(i); ok {
			times := uint64(1)
			if data.Main.Counts != nil {
				times = data.Main.Counts[i]
			}
			for range times {
				codes = append(codes, int64(code))
			}
		}
	}
	return codes
}

// Run releases, each mistake in its place.
func (t *toy) Run(src coin.Source, data ask.Data, _ coin.Step) (ask.Result, error) {
	codes := t.values(data)
	r := &toyResult{Title: "bin"}
	bins, sum, largest := make([]int64, 4), int64(0), int64(0)
	for i, code := range codes {
		bins[code/t.width]++
		sum += code
		largest = max(largest, code)
		if t.bug == "neighbouring" && i > 0 && codes[i-1]/t.width != code/t.width {
			bins[codes[i-1]/t.width]++
		}
	}
	addBins, addSum := t.bins, t.sum
	switch t.bug {
	case "data scale":
		addSum, _ = laplace(t.half, uint64(max(largest, 1)))
	case "size scale":
		addBins, _ = laplace(t.half.Part(int64(len(codes)+1), int64(len(codes)+2)), 2)
	case "budget":
		different := slices.Compact(slices.Sorted(slices.Values(codes)))
		addBins, _ = laplace(t.half.Part(1, int64(len(different)+1)), 2)
	case "clip late":
		for range codes {
			sum += t.width // what is above the bounds, as far as the sum lets it through
		}
	case "first row":
		if len(codes) > 0 {
			sum -= codes[0] * int64(len(codes))
		}
	case "skip first":
		if _, ok := data.Main.Codes.Code(0); !ok {
			bins = bins[1:]
		}
	case "header":
		r.Title = fmt.Sprintf("bin up to %d", largest)
	case "error":
		if len(codes) == 0 || codes[0] > codes[len(codes)-1] {
			return nil, errors.New("too few people have a value")
		}
	case "panic":
		sum += 0 / bins[0]
	case "row coins":
		for range codes {
			src.Uniform(2)
		}
	case "data coins":
		src.Uniform(uint64(len(codes)) + 1)
	case "early stop":
		for range bins[0] {
			addBins.AddTo(src, 0)
		}
	case "unclaimed":
		for _, code := range codes {
			sum += code * code
		}
	}
	var err error
	switch t.bug {
	case "forgotten":
		r.Bins, err = addBins.Release(src, bins[:1], nil)
		r.Bins = append(r.Bins, bins[1:]...)
	case "float noise":
		for _, n := range bins {
			u := (float64(src.Uniform(1<<53)) + 0.5) / (1 << 53)
			r.Bins = append(r.Bins, int64(math.Round(float64(n)-2*math.Log(u))))
		}
	default:
		r.Bins, err = addBins.Release(src, bins, nil)
	}
	if err != nil {
		return nil, err
	}
	if t.bug == "exact" {
		r.Bins[0] = bins[0]
	}
	if t.bug == "again" && bins[0] > 3 {
		r.Bins[0] = addBins.AddTo(src, bins[0])
	}
	r.Sum = addSum.AddTo(src, sum)
	if t.bug == "true total" {
		r.Sum /= int64(len(codes) + 1)
	}
	t.list(r, bins)
	return r, nil
}

// list names the bins.
func (t *toy) list(r *toyResult, bins []int64) {
	for i := range r.Bins {
		r.Names = append(r.Names, fmt.Sprint(int64(i)*t.width))
	}
	switch t.bug {
	case "empty bins":
		for i := len(bins) - 1; i >= 0; i-- {
			if bins[i] == 0 {
				r.Bins, r.Names = slices.Delete(r.Bins, i, i+1), slices.Delete(r.Names, i, i+1)
			}
		}
	case "order":
		slices.SortStableFunc(r.Names, func(a, b string) int {
			x, _ := strconv.ParseInt(a, 10, 64)
			y, _ := strconv.ParseInt(b, 10, 64)
			return int(bins[y/t.width] - bins[x/t.width])
		})
	case "verdict":
		r.few = bins[0] < 3
	}
}

// toyPairs are as many as it takes to see every mistake.
const toyPairs = 120

// TestPlantedMistakesAreCaught: the walk finds nothing in the toy as it should be, and every
// mistake that is planted in it.
func TestPlantedMistakesAreCaught(t *testing.T) {
	caught := func(bug string) string {
		w := NewWalk(toyCatalogue{bug: bug}, 12)
		for seed := range uint64(toyPairs) {
			if wrong := w.Around(seed, 1, nil); wrong != "" {
				return wrong
			}
		}
		if w.Refused > toyPairs/10 {
			t.Errorf("%q: %d pairs are refused", bug, w.Refused)
		}
		return ""
	}
	if wrong := caught(""); wrong != "" {
		t.Errorf("the sound toy: %s", wrong)
	}
	for bug, what := range bugs {
		wrong := caught(bug)
		if wrong == "" {
			t.Errorf("%s: %s, and nothing is found", bug, what)
		}
		t.Logf("%s: %s\n%.200s", bug, what, wrong)
	}
}
