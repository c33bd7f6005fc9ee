package task_test

import (
	"slices"
	"testing"
	"time"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/meter"
	"hush/core/table"
	"hush/core/task"
)

// BenchmarkMeter runs questions with and without a meter in turn and reports the ratio of the two
// times: of one that draws little, and of those that draw most.
func BenchmarkMeter(b *testing.B) {
	for _, name := range []string{"count: example", "median: algorithm search",
		"clusters: example", "contacts: method pieces", "classify: release labels"} {
		b.Run(name, func(b *testing.B) {
			all := cases()
			at := slices.IndexFunc(all, func(v vector) bool { return v.Name == name })
			if at < 0 {
				b.Fatal("no such question")
			}
			all[at].Rows = max(all[at].Rows, 20_000)
			data, p := prepared(b, all[at])
			loss, err := p.Loss()
			if err != nil {
				b.Fatal(err)
			}
			var plain, metered []time.Duration
			for i := range max(b.N, 20) { // the same coins for both
				for _, with := range []bool{i%2 == 0, i%2 == 1} {
					src := coin.NewSeeded(coin.Seed(i))
					m := meter.New(src)
					start := time.Now()
					if with {
						src = m
					}
					if _, err := p.Run(src, data, nil); err != nil {
						b.Fatal(err)
					}
					if !with {
						plain = append(plain, time.Since(start))
						continue
					}
					if err := m.Over(loss); err != nil {
						b.Fatal(err)
					}
					metered = append(metered, time.Since(start))
				}
			}
			b.ReportMetric(float64(middle(metered))/float64(middle(plain)), "metered/plain")
		})
	}
}

// middle is the median.
func middle(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

// prepared is a vector's question with its data.
func prepared(b *testing.B, v vector) (ask.Data, ask.Prepared) {
	file := v.file()
	s := newSession(coin.NewSeeded(released))
	survey, err := s.Survey(table.Options{})
	if err == nil {
		err = ask.ReadAll(survey, file)
	}
	if err != nil {
		b.Fatal(err)
	}
	opened, err := s.Opened()
	if err != nil {
		b.Fatal(err)
	}
	r := v.Recipe
	r.Table = opened.Options
	pass, err := s.Encode(r)
	if err == nil {
		err = ask.ReadAll(pass, file)
	}
	if err != nil {
		b.Fatal(err)
	}
	data, err := s.Data(r)
	if err != nil {
		b.Fatal(err)
	}
	plan, err := s.Plan(r)
	if err != nil {
		b.Fatal(err)
	}
	_, p, err := ask.Prepare(task.All{}, r, plan.People)
	if err != nil {
		b.Fatal(err)
	}
	return data, p
}
