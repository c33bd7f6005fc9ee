package task

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
)

// tables asks for the table of density/doc.go: minutes.
var tables = flag.Bool("tables", false,
	"print the table of algorithms chosen publicly and privately")

// wideData are the data of that table: n whole numbers below 10^12 each.
var wideData = []struct {
	name string
	draw func(r *rand.Rand) func() float64
}{
	{"two Gaussians", func(r *rand.Rand) func() float64 {
		return func() float64 {
			if r.Float64() < .65 {
				return .275 + .075*r.NormFloat64()
			}
			return .65 + .1*r.NormFloat64()
		}
	}},
	{"even", func(r *rand.Rand) func() float64 { return r.Float64 }},
	{"60 values", func(r *rand.Rand) func() float64 {
		values := make([]float64, 60)
		for i := range values {
			values[i] = r.Float64()
		}
		return func() float64 { return values[r.IntN(len(values))] }
	}},
	{"even logarithms", func(r *rand.Rand) func() float64 {
		return func() float64 { return math.Pow(1e12, r.Float64()-1) }
	}},
	{"nine tenths alike", func(r *rand.Rand) func() float64 {
		return func() float64 {
			if r.IntN(10) > 0 {
				return .123456789
			}
			return r.Float64()
		}
	}},
}

// TestChosenPrivatelyTable prints the Kolmogorov error, in persons, of the algorithm that public
// facts choose, of each candidate, and of the one chosen privately.
func TestChosenPrivatelyTable(t *testing.T) {
	if !*tables {
		t.Skip("minutes: with -tables only")
	}
	const runs = 9
	wide := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "999999999999"}
	ways := []ask.Params{nil, {"method": "tree"}, {"method": "merr", "rounds": "4"},
		{"method": "merr", "rounds": "16"}, {"method": "merr", "rounds": "64"},
		{"method": "private"}}
	var out strings.Builder
	out.WriteString("data\tn\tpublic rule\ttree\tMERR 4\t16\t64\tchosen privately\n")
	for _, data := range wideData {
		for _, n := range []int{2000, 20_000, 200_000} {
			random := rand.New(rand.NewPCG(1, 1))
			draw := data.draw(random)
			var file strings.Builder
			file.WriteString("x\n")
			for range n {
				file.WriteString(
					strconv.FormatInt(int64(min(max(draw(), 0), 1-1e-12)*1e12), 10) + "\n")
			}
			s := open(t, []byte(file.String()))
			fmt.Fprintf(&out, "%s\t%d", data.name, n)
			for _, params := range ways {
				var gaps []int64
				for range runs {
					gaps = append(gaps,
						peopleOff(
							t, s, askFor(t, s, recipe(s, "density", 0, wide, params),
								[]byte(file.String()))))
				}
				slices.Sort(gaps)
				fmt.Fprintf(&out, "\t%d", gaps[runs/2])
			}
			out.WriteString("\n")
		}
	}
	t.Log("median of 9 runs, ε = 1, 10^12 values\n" + out.String())
}

// peopleOff is the Kolmogorov error of a release of a distribution, in persons.
func peopleOff(t *testing.T, s *Session, release *Release) int64 {
	t.Helper()
	d, _, err := release.Answer.Result.(*Density).distribution(release.Recipe.Domain)
	if err != nil {
		t.Fatal(err)
	}
	codes, err := sorted(must(s.Data(release.Recipe)).Main, nil)
	if err != nil {
		t.Fatal(err)
	}
	gap, err := d.Gap(codes, nil)
	if err != nil {
		t.Fatal(err)
	}
	return gap
}
