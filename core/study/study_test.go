package study

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/internal/prooftest"
	"hush/core/param"
	"hush/core/selection"
	"hush/core/task"
)

// TestMeasuredBelowBounds runs every study: no measured line passes its bound, none that is
// possible passes what is impossible, and all have numbers.
func TestMeasuredBelowBounds(t *testing.T) {
	for _, at := range axes() {
		s, axis := at.study, at.axis
		t.Run(fmt.Sprint(s.ID, " along ", s.X), func(t *testing.T) {
			var told []int64
			asked := Request{ID: s.ID, Axis: axis, Seed: 1}
			curves, err := Run(nil, asked, func(done, total int64) error {
				if done > total {
					t.Fatalf("%d of %d done", done, total)
				}
				told = append(told, done)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(told) < 2*len(s.Points) {
				t.Errorf("progress is told %d times", len(told))
			}
			for i, x := range curves.X {
				y := curves.Y[i]
				t.Log(x, y)
				if len(y) != len(s.Lines) {
					t.Fatalf("%d lines, want %d", len(y), len(s.Lines))
				}
				least := 0.0
				for k, line := range s.Lines {
					if math.IsNaN(y[k]) || math.IsInf(y[k], 0) || y[k] < 0 && y[k] != None {
						t.Errorf("%s at %d is %g", line.Name, x, y[k])
					}
					if line.Kind == Least {
						least = y[k]
					}
					if line.Kind == Bound && y[k] == 0 {
						t.Errorf("%s at %d bounds by 0", line.Name, x)
					}
					if line.Of >= 0 && y[k] > y[line.Of] {
						t.Errorf("%s at %d is %g, its bound %g", line.Name, x, y[k], y[line.Of])
					}
				}
				// what is proved enough for all data is no less than what is needed for some
				for k, line := range s.Lines {
					pure := s.ID == candidates.ID || k == 0 // the others have a δ
					if line.Kind == Bound && pure && y[k] < least {
						t.Errorf("%s at %d is %g, below the least possible, %g", line.Name, x,
							y[k], least)
					}
				}
			}
		})
	}
}

// along is a study along one of its axes.
type along struct {
	study Study
	axis  int
}

// axes are all axes of all studies.
func axes() (all []along) {
	for _, s := range Catalogue() {
		for axis := range s.Axes() {
			one, _ := s.Along(axis)
			all = append(all, along{one, axis})
		}
	}
	return all
}

// TestStudiesDiffer: another seed measures other numbers, the same one the same.
func TestStudiesDiffer(t *testing.T) {
	s := candidates
	tell := func(float64) error { return nil }
	a, b, c := must(s.measure(64, 1, tell)), must(s.measure(64, 1, tell)),
		must(s.measure(64, 2, tell))
	same := true
	for i := range a {
		if a[i] != b[i] {
			t.Errorf("line %d is %g and %g with the same seed", i, a[i], b[i])
		}
		same = same && a[i] == c[i]
	}
	if same {
		t.Error("two seeds measure the same")
	}
}

// TestStudiesLeadOn: every study has all its words, and its form and the settings there exist.
func TestStudiesLeadOn(t *testing.T) {
	for _, s := range Catalogue() {
		for _, words := range []string{string(s.Title), string(s.Asked), string(s.Found),
			string(s.Simple), string(s.Least), string(s.Made), string(s.X), string(s.Y), s.Source,
			strings.Join(s.Films, "")} {
			if words == "" {
				t.Errorf("%s: a text is missing", s.ID)
			}
		}
		var form *ask.Task
		for _, asked := range task.Catalogue() {
			if asked.ID == s.Task {
				form = &asked
			}
		}
		if form == nil {
			t.Fatalf("%s: there is no task %q", s.ID, s.Task)
		}
		for name, value := range s.Params {
			found := false
			for _, p := range form.Params {
				if p.Name == name {
					for _, c := range p.Choices {
						found = found || c.Value == value
					}
				}
			}
			if !found {
				t.Errorf("%s: the form of %s has no %s = %s", s.ID, s.Task, name, value)
			}
		}
	}
}

// TestMixturesAreSaidAsMeasured: what the page says of mixtures is what COMPARED.md of core/density
// has.
func TestMixturesAreSaidAsMeasured(t *testing.T) {
	text := string(must(os.ReadFile("../density/COMPARED.md")))
	for _, n := range []string{"1000", "10000", "100000"} {
		_, row, found := strings.Cut(text, "two log-concave ones")
		_, row, ok := strings.Cut(row, "\n| "+n+" |")
		row, _, _ = strings.Cut(row, "\n")
		var released, peak, peaks, one, two float64
		if _, err := fmt.Sscanf(row, " %f | %f | %f | %f | %f |", &released, &peak, &peaks, &one,
			&two); err != nil || !found || !ok {
			t.Fatal(row, err)
		}
		said := map[string]float64{"10000": 4, "100000": 3}[n]
		if one < 24 || said > 0 && math.Round(two) != said {
			t.Errorf("%s people: one shape is off by %g %%, two by %g %%", n, one, two)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	var refused *param.Error
	if _, err := Run(nil, Request{ID: "none"}, nil); !errors.As(err, &refused) ||
		refused.Field != "id" {
		t.Errorf("got %v", err)
	}
	for _, axis := range []int{-1, 3} {
		if _, err := Run(nil, Request{ID: cuts.ID, Axis: axis}, nil); !errors.As(err, &refused) ||
			refused.Field != "axis" {
			t.Errorf("axis %d: got %v", axis, err)
		}
	}
	stop := errors.New("stop")
	for _, s := range Catalogue() {
		left := 3
		if _, err := Run(nil, Request{ID: s.ID}, func(int64, int64) error {
			if left--; left == 0 {
				return stop
			}
			return nil
		}); !errors.Is(err, stop) {
			t.Errorf("%s: stopped, it gives %v", s.ID, err)
		}
	}
}

// TestExactlyNeeded compares with the law itself: the least h with 2·r^h ≥ 19·(Size − 2).
func TestExactlyNeeded(t *testing.T) {
	for bits := range 60 {
		if bits < 2 {
			continue
		}
		size := math.Ldexp(1, bits)
		h := 1.0
		for 2*math.Exp(h/2) < 19*(size-2) {
			h++
		}
		if got := exactlyNeeded(new(big.Int).Lsh(big.NewInt(1), uint(bits))); got != 2*h {
			t.Errorf("%d bits: %g, want %g", bits, got, 2*h)
		}
	}
}

func TestProofs(t *testing.T) { prooftest.Check(t, os.DirFS(".")) }

// TestTenAndTheBest: the numbers that the page of the best of many runs says of trying ten.
func TestTenAndTheBest(t *testing.T) {
	failing, other := big.NewRat(3, 4), big.NewRat(1, 4)
	times, one := big.NewRat(1, 1), new(big.Rat).Quo(failing, other)
	for range 10 {
		times.Mul(times, one)
	}
	each, all := math.Log(3), 10*math.Log(3)
	law := must(selection.Geometric(big.NewRat(1, 40), 0))
	hidden := law.Miss(0.25) / law.Miss(0.75)
	text := string(candidates.Also)
	for _, number := range []string{"59 049", fmt.Sprintf("ε = %.1f.", each),
		fmt.Sprintf("ε = %.0f,", all), fmt.Sprintf("%.0f times as likely. Made", hidden)} {
		if !strings.Contains(text, number) {
			t.Errorf("the page does not say %s", number)
		}
	}
	if times.Cmp(big.NewRat(59049, 1)) != 0 || hidden > 9 {
		t.Errorf("%s and %v times", times, hidden)
	}
}
