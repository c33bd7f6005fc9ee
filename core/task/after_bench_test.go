package task

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
)

var benchRows = flag.Int("rows", 1_000_000, "rows of BenchmarkQuestions")

// BenchmarkQuestions asks questions about columns that were read before: the time from the ask to
// the answer, and its ratio to the histogram's. What reading takes is told apart. With ten million
// rows, natively, and as a program of the browser in Node:
//
//	go test ./core/task -run ^$ -bench Questions -benchtime 3x -rows 10000000
//	bash -c 'source ./build.sh; in_node ./core/task Questions -benchtime 3x -rows=10000000'
func BenchmarkQuestions(b *testing.B) {
	s := NewSession(coin.NewSeeded(1))
	survey, err := s.Survey(table.Options{Encoding: table.UTF8, Compression: table.NoneValue,
		Delimiter: ",", Quote: `"`, Newline: table.LF, Header: table.Yes, Columns: 4})
	if err != nil {
		b.Fatal(err)
	}
	writeRows(b, survey, *benchRows)
	opened, err := s.Opened()
	if err != nil {
		b.Fatal(err)
	}
	recipe := func(task string, column int, d domain.Spec) ask.Recipe {
		return ask.Recipe{Version: ask.RecipeVersion, Task: task, Table: opened.Options,
			Column: column, Domain: d, Epsilon: "1"}
	}
	var groups []string
	for i := range benchGroups {
		groups = append(groups, benchGroup(i))
	}
	age := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"}
	pay := domain.Spec{Kind: domain.Decimal, Lo: "0", Hi: "20000", Step: "0.01"}
	names := domain.Spec{Kind: domain.Category, Categories: groups}
	counts := recipe("table", 0, domain.Spec{})
	counts.Others = []ask.Field{{Role: "by", Column: 1, Domain: age}, {Role: "by", Column: 3,
		Domain: names}}
	means := recipe("mean", 2, pay)
	means.Group = &ask.Group{Column: 3, Names: groups}
	medians := recipe("median", 2, pay)
	medians.Group = means.Group
	histogram := 0.0
	for _, q := range []struct {
		name string
		of   ask.Recipe
	}{
		{"histogram", recipe("histogram", 1, age)},
		{"histogram of pay", recipe("histogram", 2, pay)},
		{"median", recipe("median", 2, pay)},
		{"median of ages", recipe("median", 1, age)},
		{"percentiles", recipe("quantiles", 2, pay)},
		{"table", counts},
		{"mean of 20 groups", means},
		{"median of 20 groups", medians},
		{"mean", recipe("mean", 2, pay)},
		{"distribution", recipe("distribution", 2, pay)},
		{"texts", recipe("median", 4, domain.Spec{Kind: domain.Text, Length: 16})},
	} {
		if q.name == "histogram of pay" {
			q.of.Params = ask.Params{"width": "1000"}
		}
		b.Run(q.name, func(b *testing.B) {
			began := time.Now()
			pass, err := s.Encode(q.of)
			if err != nil {
				b.Fatal(err)
			}
			if pass != nil {
				writeRows(b, pass, *benchRows)
			}
			reading := time.Since(began)
			for b.Loop() {
				if pass, err := s.Encode(q.of); pass != nil || err != nil {
					b.Fatalf("reads again, error %v", err)
				}
				if _, err := s.Run(q.of, func(_, _ int64) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
			each := b.Elapsed().Seconds() / float64(b.N)
			if histogram == 0 {
				histogram = each
			}
			b.ReportMetric(each/histogram, "histograms")
			b.ReportMetric(float64(reading.Milliseconds()), "read-ms")
		})
	}
}

const benchGroups = 20

func benchGroup(i int) string { return "group " + strconv.Itoa(i) }

// writeRows feeds a pass with this many rows: an age, a pay, a group, and a text of 16 characters.
func writeRows(b *testing.B, pass table.Pass, rows int) {
	r := rand.New(rand.NewPCG(7, 7))
	chunk := []byte("age,pay,group,name\n")
	for i := range rows {
		chunk = strconv.AppendInt(chunk, int64(r.IntN(100)), 10)
		pay := r.IntN(2_000_000)
		chunk = append(chunk, ',')
		chunk = strconv.AppendInt(chunk, int64(pay/100), 10)
		chunk = append(chunk, '.', byte('0'+pay/10%10), byte('0'+pay%10), ',')
		chunk = append(chunk, benchGroup(r.IntN(benchGroups))...)
		chunk = append(chunk, ',')
		chunk = fmt.Appendf(chunk, "%016x\n", r.Uint64())
		if len(chunk) > 1<<20 || i == rows-1 {
			if err := pass.Write(chunk); err != nil {
				b.Fatal(err)
			}
			chunk = chunk[:0]
		}
	}
	if err := pass.Close(); err != nil {
		b.Fatal(err)
	}
}
