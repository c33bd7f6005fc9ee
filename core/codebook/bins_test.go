package codebook

import (
	"fmt"
	"strings"
	"testing"

	"hush/core/domain"
)

func TestBins(t *testing.T) {
	i, d, f := domain.Integer, domain.Decimal, domain.Float64
	day, tick := domain.Date, domain.Timestamp
	for _, c := range []struct {
		values Values
		want   string // width, unit, number of bins, first edges … last edges
	}{
		{ranged(i, "0", "120", ""), "5 24 0 5 10 … 110 115 120"}, // with the 120 year old
		{ranged(i, "0", "100", ""), "5 20 0 5 10 … 90 95 100"},
		{ranged(i, "0", "50", ""), "2 26 0 2 4 … 48 50 50"}, // one more would show
		{ranged(i, "0", "99", ""), "5 20 0 5 10 … 90 95 99"},
		{ranged(i, "1", "100", ""), "5 20 1 6 11 … 91 96 100"},
		{ranged(i, "18", "97", ""), "5 17 18 20 25 … 90 95 97"}, // not 18, 23, 28
		{ranged(i, "-7", "93", ""), "5 21 -7 -5 0 … 85 90 93"},
		{ranged(i, "0", "5", ""), "1 6 0 1 2 … 4 5 5"},
		{ranged(i, "7", "7", ""), "1 1 7 7"},
		{ranged(i, "1", "31", ""), "1 31 1 2 3 … 30 31 31"},
		{ranged(i, "1", "53", ""), "2 27 1 2 4 … 50 52 53"},
		{ranged(i, "1900", "2100", ""), "10 20 1900 1910 1920 … 2080 2090 2100"},
		{ranged(i, "0", "500000", ""), "25000 20 0 25000 50000 … 450000 475000 500000"},
		{ranged(i, "0", "1000000", ""), "50000 20 0 50000 100000 … 900000 950000 1000000"},
		{ranged(i, "0", "200000", ""), "10000 20 0 10000 20000 … 180000 190000 200000"},
		{ranged(d, "0", "5", "0.1"), "0.2 26 0.0 0.2 0.4 … 4.8 5.0 5.0"},
		{ranged(d, "0", "5", "0.01"), "0.25 20 0.00 0.25 0.50 … 4.50 4.75 5.00"},
		{ranged(d, "0", "5", "0.5"), "0.5 11 0.0 0.5 1.0 … 4.5 5.0 5.0"},
		{ranged(d, "0", "30", "0.3"), "1.5 20 0.0 1.5 3.0 … 27.0 28.5 30.0"},
		{ranged(d, "0.05", "9.95", "0.1"), "0.5 20 0.05 0.55 1.05 … 9.05 9.55 9.95"},
		{ranged(d, "-90", "90", "0.01"), "10 18 -90.00 -80.00 -70.00 … 70.00 80.00 90.00"},
		{ranged(d, "-1", "-0.5", "0.001"),
			"0.025 20 -1.000 -0.975 -0.950 … -0.550 -0.525 -0.500"},
		{Values{domain.Spec{Kind: i}, true},
			"1000000000000000000 20 -9223372036854775808 -9000000000000000000 " +
				"-8000000000000000000 … 8000000000000000000 9000000000000000000 " +
				"9223372036854775807"},
		{ranged(f, "0", "1", ""), "0.05 20 0 0.05 0.1 … 0.9 0.95 1"},
		{ranged(f, "-1e300", "1e300", ""),
			"1e+299 20 -1e+300 -9e+299 -8e+299 … 8e+299 9e+299 1e+300"},
		{ranged(day, "2024-01-01", "2024-01-31", ""),
			"1 day 31 2024-01-01 2024-01-02 2024-01-03 … 2024-01-30 2024-01-31 2024-01-31"},
		{ranged(day, "2024-01-03", "2024-05-31", ""), // a Wednesday
			"1 week 22 2024-01-03 2024-01-08 2024-01-15 … 2024-05-20 2024-05-27 2024-05-31"},
		{ranged(day, "2023-02-15", "2024-12-31", ""),
			"1 month 23 2023-02-15 2023-03-01 2023-04-01 … 2024-11-01 2024-12-01 2024-12-31"},
		{ranged(day, "2020-01-01", "2024-12-31", ""),
			"3 month 20 2020-01-01 2020-04-01 2020-07-01 … 2024-07-01 2024-10-01 2024-12-31"},
		{ranged(day, "2000-01-01", "2024-12-31", ""),
			"1 year 25 2000-01-01 2001-01-01 2002-01-01 … 2023-01-01 2024-01-01 2024-12-31"},
		{ranged(day, "1900-01-01", "2100-12-31", ""),
			"10 year 21 1900-01-01 1910-01-01 1920-01-01 … 2090-01-01 2100-01-01 2100-12-31"},
		{ranged(day, "1900-01-01", "2100-01-01", ""), // New Year 2100 goes with the decade before
			"10 year 20 1900-01-01 1910-01-01 1920-01-01 … 2080-01-01 2090-01-01 2100-01-01"},
		{Values{domain.Spec{Kind: day}, true},
			"500 year 20 0001-01-01 0500-01-01 1000-01-01 … 9000-01-01 9500-01-01 9999-12-31"},
		{ranged(tick, "2024-03-01T00:00:00", "2024-03-01T23:59:59", ""),
			"1 hour 24 2024-03-01T00:00:00Z 2024-03-01T01:00:00Z 2024-03-01T02:00:00Z … " +
				"2024-03-01T22:00:00Z 2024-03-01T23:00:00Z 2024-03-01T23:59:59Z"},
		{ranged(tick, "2024-03-01T10:05:00", "2024-03-01T10:25:00", "minute"),
			"1 minute 21 2024-03-01T10:05:00Z 2024-03-01T10:06:00Z 2024-03-01T10:07:00Z … " +
				"2024-03-01T10:24:00Z 2024-03-01T10:25:00Z 2024-03-01T10:25:00Z"},
		{Values{Spec: domain.Spec{Kind: tick, Lo: "2024-03-01", Hi: "2024-03-20", Step: "hour",
			Zone: "+05:30"}},
			"1 day 19 2024-03-01T00:00:00+05:30 2024-03-02T00:00:00+05:30 " +
				"2024-03-03T00:00:00+05:30 … 2024-03-18T00:00:00+05:30 " +
				"2024-03-19T00:00:00+05:30 2024-03-20T00:00:00+05:30"},
		{ranged(tick, "2024-03-01", "2024-03-20", "day"),
			"1 day 20 2024-03-01 2024-03-02 2024-03-03 … 2024-03-19 2024-03-20 2024-03-20"},
	} {
		b, err := c.values.Bins(FewValues)
		if err != nil {
			t.Errorf("%+v: %v", c.values, err)
			continue
		}
		edges := b.Edges
		if n := len(edges); n > 6 {
			edges = append(append(edges[:3:3], "…"), edges[n-3:]...)
		}
		got := strings.TrimSpace(fmt.Sprint(b.Width, " ", b.Unit))
		got += fmt.Sprint(" ", b.Len(), " ", strings.Join(edges, " "))
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", describe(t, c.values), got, c.want)
		}
		coverOnce(t, c.values, b)
	}
}

func describe(t *testing.T, v Values) string {
	d, err := domain.New(v.Spec)
	if err != nil {
		t.Fatal(err)
	}
	return d.Describe().String()
}

// coverOnce: every code is in exactly one bin.
func coverOnce(t *testing.T, v Values, b *Bins) {
	t.Helper()
	next := uint64(0)
	for i := range b.Len() {
		first, last := b.Range(i)
		if first != next || last < first {
			t.Fatalf("%s: bin %d is %d to %d, want from %d", describe(t, v), i, first, last, next)
		}
		next = last + 1
	}
	if next != b.last+1 {
		t.Errorf("%s: bins end at %d, want %d", describe(t, v), next-1, b.last)
	}
	if b.Len() > 60 {
		t.Errorf("%s: %d bins", describe(t, v), b.Len())
	}
}

func TestBinsEven(t *testing.T) {
	for _, c := range []struct {
		values Values
		width  uint64
		ok     bool
	}{
		{ranged(domain.Integer, "0", "120", ""), 5, true},
		{ranged(domain.Integer, "18", "97", ""), 0, false},
		{ranged(domain.Integer, "0", "500000", ""), 25000, true},
		{ranged(domain.Integer, "7", "7", ""), 1, true},
		{ranged(domain.Decimal, "0", "5", "0.01"), 25, true},
		{ranged(domain.Date, "2000-01-01", "2024-12-31", ""), 0, false}, // leap years
		{Values{Spec: domain.Spec{Kind: domain.Category, Categories: []string{"a", "b"}}}, 1, true},
	} {
		b, err := c.values.Bins(FewValues)
		if err != nil {
			t.Fatal(err)
		}
		if width, ok := b.Even(); width != c.width || ok != c.ok {
			t.Errorf("%s: %d %v, want %d %v", describe(t, c.values), width, ok, c.width, c.ok)
		}
	}
}

func TestBinsRefused(t *testing.T) {
	for _, v := range []Values{
		{},
		{Spec: domain.Spec{Kind: domain.Text, Length: 5}},
		{domain.Spec{Kind: domain.Float64}, true},
		ranged(domain.Float64, "1", "1", ""),
		ranged(domain.Float64, "0", "inf", ""),
		ranged(domain.Float64, "5e-324", "1e-323", ""),
		ranged(domain.Integer, "0", "", ""),
	} {
		if b, err := v.Bins(FewValues); err == nil || b != nil {
			t.Errorf("%+v has bins", v)
		}
	}
}

// TestBinsOfEarlierVersions: recipes of earlier versions keep their bins, of which one that holds
// few values does not take the largest value in.
func TestBinsOfEarlierVersions(t *testing.T) {
	for _, c := range []struct {
		hi      string
		bins    int
		earlier int
	}{{"99", 20, 20}, {"100", 20, 21}, {"120", 24, 25}, {"1000", 20, 20}} {
		v := ranged(domain.Integer, "0", c.hi, "")
		now, err1 := v.Bins(FewValues)
		once, err2 := v.Bins(FewValuesOnce)
		if err1 != nil || err2 != nil || now.Len() != c.bins || once.Len() != c.earlier {
			t.Errorf("0 to %s: %d bins and %d, want %d and %d; %v, %v", c.hi, now.Len(), once.Len(),
				c.bins, c.earlier, err1, err2)
		}
	}
}
