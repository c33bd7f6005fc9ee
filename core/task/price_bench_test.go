package task

import (
	"slices"
	"testing"

	"hush/core/ask"
)

// BenchmarkPrice is what a page waits for the price and the forecast of each example, asked for the
// first time: laws are computed, and those of trees are looked up in a table made at build time.
func BenchmarkPrice(b *testing.B) {
	for _, q := range Catalogue() {
		ways := []string{""}
		at := slices.IndexFunc(q.Params, func(p ask.Param) bool { return p.Name == paramStated })
		if at >= 0 {
			for _, c := range q.Params[at].Choices {
				ways = append(ways, c.Value)
			}
		}
		for _, way := range ways {
			b.Run(q.ID+" "+way, func(b *testing.B) {
				r := q.Example.Recipe
				r.Version, r.Task, r.Epsilon = ask.RecipeVersion, q.ID, "1"
				if way != "" {
					r.Params = ask.Params{paramStated: way}
				}
				for range b.N {
					if _, err := ask.Price(nil, All{}, r, 20_000); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
