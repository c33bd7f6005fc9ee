package table

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"hush/core/domain"
)

// A domain that remembers gives the codes of the one that does not, in whatever order the cells
// come.
func TestRemembering(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for _, spec := range []domain.Spec{
		{Kind: domain.Date, Lo: "2020-01-01", Hi: "2030-01-01"},
		{Kind: domain.Date, Format: "DD.MM.YYYY"}, {Kind: domain.Date, Format: "DD.MM.YY"},
		{Kind: domain.Timestamp, Step: "hour"},
		{Kind: domain.Timestamp, Outside: domain.Clamp, Lo: "2020-01-01T00:00:00Z"},
	} {
		plain, err := domain.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		d := &remembering{Domain: plain}
		hits := 0
		for range 50_000 {
			year, month, day, hour := 2015+r.IntN(20), 1+r.IntN(13), 1+r.IntN(31), r.IntN(25)
			cell := []string{
				fmt.Sprintf("%d-%02d-%02d", year, month, day),
				fmt.Sprintf("%02d.%02d.%d", day, month, year),
				fmt.Sprintf("%02d.%02d.%02d", day, month, year%100),
				fmt.Sprintf("%d-%02d-%02dT%02d:30", year, month, day, hour),
				fmt.Sprintf("%d-%02d-%02d %02d", year, month, day, hour),
				fmt.Sprintf("%d-%02d-%02dT%02d:00:00Z", year, month, day, hour), "", "unknown day",
				fmt.Sprintf(" %d-%02d-%02d ", year, month, day),
			}[r.IntN(9)]
			wantCode, want := plain.Encode([]byte(cell))
			for range 2 { // the second time it may be remembered
				if code, ok := d.Encode([]byte(cell)); ok != want || ok && code != wantCode {
					t.Fatalf("%+v: %q is %d %v, want %d %v", spec, cell, code, ok, wantCode, want)
				}
			}
			if want && len(cell) >= 8 && len(cell) <= 16 {
				hits++
			}
		}
		if hits < 1000 {
			t.Errorf("%+v: %d cells can be remembered", spec, hits)
		}
	}
}
