package domain

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// plainCell draws a cell that is a number written plainly, or nearly one.
func plainCell(r *rand.Rand) string {
	cell := make([]byte, 1+r.IntN(19))
	for i := range cell {
		cell[i] = "0123456789"[r.IntN(10)]
	}
	if r.IntN(3) > 0 {
		cell[r.IntN(len(cell))] = '.'
	}
	if r.IntN(4) == 0 {
		cell[0] = '-'
	}
	if r.IntN(8) == 0 {
		cell[r.IntN(len(cell))] = "-.,+ e'N"[r.IntN(8)]
	}
	return string(cell)
}

// The short ways to read numbers give what the long ones give.
func TestPlainNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	point, comma := &floats{notation: notation{mark: '.'}}, &floats{notation: notation{mark: ','}}
	short := 0
	for range 300_000 {
		cell := plainCell(r)
		want, err := strconv.ParseFloat(cell, 64)
		x, ok := point.readPlain([]byte(cell))
		y, ok2 := comma.readPlain([]byte(strings.NewReplacer(".", ",", ",", ".").Replace(cell)))
		if ok != ok2 || math.Float64bits(x) != math.Float64bits(y) {
			t.Fatalf("%q: %v %v with a point, %v %v with a comma", cell, x, ok, y, ok2)
		}
		if !ok {
			continue
		}
		short++
		if err != nil || math.Float64bits(x) != math.Float64bits(want) {
			t.Fatalf("%q: %v, want %v %v", cell, x, want, err)
		}
	}
	if short < 100_000 {
		t.Errorf("only %d numbers went the short way", short)
	}
}

// What a list of missing texts holds is missing however it is written, and the list changes nothing
// for other cells.
func TestMissingNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for _, spec := range []Spec{
		{Kind: Integer, Lo: "-999", Hi: "99999"},
		{Kind: Decimal, Lo: "-1000", Hi: "1000", Step: "0.01"}, {Kind: Float64},
		{Kind: Date, Format: "YYYYMMDD"},
	} {
		without, err := New(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range [][]string{{"NA"}, {"NA", "-", "--", "."}, {"-9", "999"}, {" 7 ", ""},
			{".5"}, {"+1"}} {
			spec.Missing = list
			with, err := New(spec)
			if err != nil {
				t.Fatal(err)
			}
			listed := map[string]bool{}
			for _, text := range list {
				listed[strings.TrimSpace(text)] = true
			}
			cells := append(
				[]string{"NA", " NA", "-", "-9", "-9 ", "999", "7", "7.0", ".5", "+1", "1", "",
					"  "}, list...)
			for range 2000 {
				cells = append(cells, plainCell(r), strconv.Itoa(r.IntN(2000)-1000),
					strconv.Itoa(20200101+r.IntN(100)))
			}
			for _, cell := range cells {
				code, ok := with.Encode([]byte(cell))
				why := with.Why([]byte(cell))
				if ok != (why == Read) {
					t.Fatalf("%v %q: %v, but %s", list, cell, ok, why)
				}
				wantCode, wantOK := without.Encode([]byte(cell))
				wantWhy := without.Why([]byte(cell))
				if listed[strings.TrimSpace(cell)] {
					wantCode, wantOK, wantWhy = 0, false, Missing
				}
				if ok != wantOK || ok && code != wantCode || why != wantWhy {
					t.Fatalf("%s, missing %q: %q is %d %v %s, want %d %v %s", with.Describe(), list,
						cell, code, ok, why, wantCode, wantOK, wantWhy)
				}
			}
		}
	}
}
