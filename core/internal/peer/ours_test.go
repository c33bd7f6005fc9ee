//go:build peer

package peer

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
	"hush/core/task"
)

// ours returns a function that asks Hush again at each call: the question as the page asks it, with
// the page's defaults.
func (j job) ours(t *testing.T) func() []float64 {
	t.Helper()
	r := ask.Recipe{Version: ask.RecipeVersion, Column: 1, Count: 2,
		Domain:  domain.Spec{Kind: domain.Integer, Lo: "0", Hi: strconv.Itoa(j.Size - 1)},
		Epsilon: strconv.FormatFloat(j.Epsilon, 'g', -1, 64), Params: ask.Params{}}
	switch j.Kind {
	case "count":
		r.Task, r.Domain.Lo = "count", strconv.Itoa(j.Edges[0])
	case "sum":
		r.Task = "sum"
	case "histogram":
		r.Task = "histogram"
		r.Params["width"] = strconv.Itoa(j.Size / 20)
		if j.Least != nil {
			r.Params["negative"] = "true"
		}
	case "percentiles":
		r.Task = "distribution"
	case "quantiles":
		r.Task = "quantiles"
		var parts []string
		for _, target := range j.Targets {
			parts = append(parts, strconv.FormatFloat(math.Round(1e6*100*target)/1e6, 'g', -1, 64))
		}
		r.Params["targets"] = strings.Join(parts, ", ")
	case "tables":
		r.Task, r.Column, r.Count, r.Domain = "tables", 0, 0, domain.Spec{}
		if j.Rho > 0 {
			r.Params[ask.ParamDelta] = tableDelta
		} else {
			r.Params[ask.ParamDelta] = "0"
		}
		for c, size := range j.Sizes {
			var values []string
			for v := range size {
				values = append(values, strconv.Itoa(v))
			}
			r.Others = append(r.Others, ask.Field{Role: "by", Column: c + 1,
				Label:  fmt.Sprint("c", c),
				Domain: domain.Spec{Kind: domain.Category, Categories: values}})
		}
	}
	again := j.release(t, r, j.seed)
	return func() []float64 { return j.numbers(t, again()) }
}

// numbers are what a job asks for, of Hush's answer.
func (j job) numbers(t *testing.T, result ask.Result) (answer []float64) {
	t.Helper()
	switch result := result.(type) {
	case *task.Estimates:
		return []float64{number(t, result.Rows[0].Value)}
	case *task.Histogram:
		for _, bin := range result.Bins {
			answer = append(answer, float64(bin.Count))
		}
		// A last bin that holds what the division leaves over is one with the bin before it.
		for last := len(answer) - 1; last >= len(j.Edges)-1; last-- {
			answer[last-1] += answer[last]
			answer = answer[:last]
		}
	case *task.Distribution:
		f := function{{-1, 0, 0}}
		for _, p := range result.Points {
			f = append(f, step{number(t, p.Value), p.Below, p.UpTo})
		}
		for _, probe := range j.Probes {
			answer = append(answer, f.upTo(float64(probe)))
		}
	case *task.Quantiles:
		for _, row := range result.Rows {
			answer = append(answer, number(t, row.Value))
		}
	case *task.TableSet:
		j.pairs(func(a, b, x, y int) {
			counts := result.Of(a, b)
			answer = append(answer, float64(counts.Counts[x*len(counts.Axes[1].Places)+y]))
		})
	default:
		t.Fatalf("%s is answered with %T", j.Kind, result)
	}
	return answer
}

// function is a distribution function, at values in ascending order.
type function []step

// step is how many people a function has below a value, and up to it.
type step struct{ value, below, upTo float64 }

// upTo is how many people the function has up to a value, straight between its steps.
func (f function) upTo(value float64) float64 {
	i, is := slices.BinarySearchFunc(f, value, func(s step, value float64) int {
		return cmp.Compare(s.value, value)
	})
	switch {
	case is:
		return f[i].upTo
	case i == len(f):
		return f[i-1].upTo
	}
	at, next := f[i-1], f[i]
	return at.upTo + (next.below-at.upTo)*(value-at.value)/max(1, next.value-1-at.value)
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	value, err := strconv.ParseFloat(strings.NewReplacer("−", "-", "\u00a0", "").Replace(text), 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// release asks a question of a file of this job, anew at each call.
func (j job) release(t *testing.T, r ask.Recipe, seed coin.Seed) func() ask.Result {
	t.Helper()
	var file bytes.Buffer
	if j.Kind == "tables" {
		for c := range j.Sizes {
			fmt.Fprintf(&file, "%sc%d", []string{",", ""}[max(0, 1-c)], c)
		}
		for _, row := range j.Rows {
			cells := strings.Trim(strings.ReplaceAll(fmt.Sprint(row), " ", ","), "[]")
			file.WriteString("\n" + cells)
		}
	} else {
		file.WriteString("value,people")
		for i, v := range j.Values {
			fmt.Fprintf(&file, "\n%d,%d", v, j.Counts[i])
		}
	}
	s := task.NewSession(coin.NewSeeded(seed))
	pass, err := s.Survey(table.Options{})
	take := func(pass table.Pass, err error) {
		if err == nil {
			_, err = io.Copy(writer{pass}, bytes.NewReader(file.Bytes()))
		}
		if err == nil {
			err = pass.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	take(pass, err)
	opened, err := s.Opened()
	if err != nil {
		t.Fatal(err)
	}
	r.Table = opened.Options
	pass, err = s.Encode(r)
	take(pass, err)
	return func() ask.Result {
		release, err := s.Run(r, nil)
		if err != nil {
			t.Fatalf("%s of %s: %v", j.Name, j.Set, err)
		}
		return release.Answer.Result
	}
}

// writer is a pass as an io.Writer.
type writer struct{ table.Pass }

func (w writer) Write(p []byte) (int, error) { return len(p), w.Pass.Write(p) }
