package codebook

import (
	"fmt"
	"strings"
	"testing"

	"hush/core/domain"
)

// ranged are values with both bounds.
func ranged(kind domain.Kind, lo, hi, step string) Values {
	return Values{Spec: domain.Spec{Kind: kind, Lo: lo, Hi: hi, Step: step}}
}

func TestLadder(t *testing.T) {
	i, d, f := domain.Integer, domain.Decimal, domain.Float64
	day, tick := domain.Date, domain.Timestamp
	for _, c := range []struct {
		header string
		typed  Values
		sides  string // "below", "above"
		want   string
	}{
		{"size", ranged(i, "0", "1000", ""), "above", "0..2000 0..5000 0..10000 0..20000"},
		{"size", ranged(i, "0", "999", ""), "above", "0..1000 0..2000 0..5000 0..10000"},
		{"size", ranged(i, "0", "3000", ""), "above", "0..5000 0..10000 0..20000 0..50000"},
		// the header's convention is among them
		{"ratings_count", ranged(i, "0", "100", ""), "above", "0..200 0..500 0..1000 0..2000"},
		{"rating", ranged(d, "1", "3", "0.5"), "above", "1..5 0..5 1..10 0..10"},
		{"age", ranged(i, "0", "90", ""), "above", "0..100 0..120 0..200 0..500"},
		{"age", ranged(i, "18", "90", ""), "below", "0..90 -1..90 0..100 -10..90"},
		{"year", ranged(i, "1950", "2000", ""), "below above",
			"1900..2100 1800..2100 0..5000 -100..10000"},
		{"size", ranged(i, "0", "1000", ""), "below",
			"-10..1000 -100..1000 -1000..1000 -10000..1000"},
		{"size", ranged(i, "-100", "-10", ""), "above", "-100..0 -100..1 -100..10 -100..100"},
		{"size", ranged(i, "-10", "10", ""), "below above", "-20..20 -50..50 -100..100 -200..200"},
		{"size", ranged(d, "0", "0.5", "0.1"), "above", "0..1 0..2 0..5 0..10"},
		{"size", ranged(d, "0", "0.25", "0.01"), "above", "0..0.5 0..1 0..2 0..5"},
		{"size", ranged(d, "0.05", "0.95", "0.1"), "above",
			"0.05..1.05 0.05..2.05 0.05..5.05 0.05..10.05"},
		{"size", ranged(d, "0.05", "0.95", "0.1"), "below", "-0.05..0.95 -0.15..0.95 -1.05..0.95"},
		{"size", ranged(f, "0", "1e300", ""), "above", "0..2e+300 0..5e+300 0..1e+301 0..2e+301"},
		{"size", ranged(f, "0", "0.5", ""), "above", "0..1 0..2 0..5 0..10"},
		{"size", ranged(f, "0", "inf", ""), "above", ""},
		{"seen", ranged(day, "2000-01-01", "2024-12-31", ""), "above",
			"2000-01-01..2030-12-31 2000-01-01..2049-12-31 " +
				"2000-01-01..2050-12-31 2000-01-01..2100-12-31"},
		{"seen", ranged(day, "2010-01-01", "2024-12-31", ""), "below",
			"2000-01-01..2024-12-31 2000-01-01..2049-12-31 " +
				"1950-01-01..2024-12-31 1900-01-01..2024-12-31"},
		{"seen", ranged(tick, "2000-01-01", "2200-12-31T23:00:00", "hour"), "above",
			"2000-01-01..2500-12-31T23:00:00 2000-01-01..9999-12-31T23:00:00"},
		{"seen", ranged(tick, "2000-01-01", "2200-12-31", "nanosecond"), "above",
			"2000-01-01..2200-12-31T23:59:59"},
		{"name", Values{Spec: domain.Spec{Kind: domain.Text, Length: 20}}, "above",
			"≤32 ≤64 ≤128 ≤256"},
		{"name", Values{Spec: domain.Spec{Kind: domain.Text, Length: 1 << 16}}, "above", "≤131072"},
		{"sex", Values{Spec: domain.Spec{Kind: domain.Category, Categories: []string{"a"}}},
			"above", ""},
		{"size", Values{domain.Spec{Kind: i}, true}, "above", ""}, // all of it
		{"size", ranged(i, "0", "x", ""), "above", ""},
		{"size", ranged(i, "0", "9", ""), "", ""},
		{"size", ranged(i, "0", "9223372036854775807", ""), "above", ""},
	} {
		var got []string
		list := Ladder(c.header, c.typed, strings.Contains(c.sides, "below"),
			strings.Contains(c.sides, "above"))
		for _, v := range list {
			if err := v.check(); err != nil {
				t.Error(err)
			}
			if v.Length > 0 {
				got = append(got, fmt.Sprint("≤", v.Length))
			} else {
				got = append(got, v.Lo+".."+v.Hi)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s from %s to %s, %s:\n got %s\nwant %s", c.header, c.typed.Lo,
				c.typed.Hi, c.sides,
				strings.Join(got, " "), c.want)
		}
	}
}
