package domain

import "testing"

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{}, `domain: kind is "", want one of integer, decimal, float64, date, timestamp, category, text, bytes`},
		{Spec{Kind: Integer, Lo: "0", Hi: "1", Outside: "drop"},
			`domain: outside is "drop", want "none" or "clamp"`},
		{Spec{Kind: Integer, Lo: "0", Hi: "1", Between: "up"},
			`domain: between is "up", want "nearest" or "none"`},
		{Spec{Kind: Integer, Lo: "a", Hi: "1"},
			`domain: lo is "a", want a whole number such as "-12"`},
		{Spec{Kind: Integer, Lo: "1.5", Hi: "2"}, `domain: lo is "1.5", want a whole number`},
		{Spec{Kind: Integer, Lo: "3", Hi: "2"},
			`domain: hi is "2", want at least the smallest value, 3`},
		{Spec{Kind: Integer, Lo: "0", Hi: "99999999999999999999"},
			`domain: hi is "99999999999999999999", want a number within ±9223372036854775807`},
		{Spec{Kind: Integer, Lo: "0", Hi: "8", Step: "2"},
			`domain: step is "2", want 1, or the kind "decimal"`},
		{Spec{Kind: Decimal, Lo: "0", Hi: "1"},
			`domain: step is "", want a number such as "-12.5"`},
		{Spec{Kind: Decimal, Lo: "0", Hi: "1", Step: "0"},
			`domain: step is "0", want a number above 0`},
		{Spec{Kind: Decimal, Lo: "0", Hi: "1", Step: "0.3"},
			`domain: hi is "1", want lo plus a whole number of steps, such as 0.9`},
		{Spec{Kind: Decimal, Lo: "0", Hi: "1", Step: "0.1", Mark: ";"},
			`domain: mark is ";", want "." or ","`},
		{Spec{Kind: Decimal, Lo: "0", Hi: "1", Step: "0.1", Group: "."},
			`domain: group is ".", want another mark than the decimal mark`},
		{Spec{Kind: Decimal, Lo: "0", Hi: "1", Step: "0.1", Group: "x"},
			`domain: group is "x", want one of , . ' _ and space, or nothing`},
		{Spec{Kind: Float64, Step: "1"},
			`domain: step is "1", want nothing, or the kind "decimal"`},
		{Spec{Kind: Float64, Lo: "NaN"},
			`domain: lo is "NaN", want a number such as "-12.5" or "1e300"`},
		{Spec{Kind: Float64, Lo: "2", Hi: "1"},
			`domain: hi is "1", want at least the smallest value, 2`},
		{Spec{Kind: Float64, Between: None},
			`domain: between is "none", want "nearest": cells are read as the nearest float64`},
		{Spec{Kind: Date, Lo: "1.2.2024"},
			`domain: lo is "1.2.2024", want a date such as "2024-12-31"`},
		{Spec{Kind: Date, Zone: "+01:00"},
			`domain: zone is "+01:00", want "UTC" or an offset such as "+02:00"; none for a date`},
		{Spec{Kind: Date, Step: "hour"},
			`domain: step is "hour", want one of day, hour, minute, second, millisecond, microsecond, nanosecond; day for a date`},
		{Spec{Kind: Date, Format: "YYYY-MM"},
			`domain: format is "YYYY-MM", want a form with year, month and day, such as "DD.MM.YYYY", "YYYYMMDD" or "iso"`},
		{Spec{Kind: Date, Format: "DD.MM.YYYY hh:mm"},
			`domain: format is "DD.MM.YYYY hh:mm", want a form without hours, or the kind "timestamp"`},
		{Spec{Kind: Date, Format: "unix"},
			`domain: format is "unix", want a form of dates, or the kind "timestamp" with the step "day"`},
		{Spec{Kind: Timestamp, Format: "DD.MM.YYYY ss"},
			`domain: format is "DD.MM.YYYY ss", want no smaller unit without the larger ones`},
		{Spec{Kind: Timestamp, Zone: "Berlin"},
			`domain: zone is "Berlin", want "UTC" or an offset such as "+02:00"; none for a date`},
		{Spec{Kind: Timestamp, Lo: "2024-01-01T00:00:00.5Z"},
			`domain: lo is "2024-01-01T00:00:00.5Z", want a whole second`},
		{Spec{Kind: Timestamp, Step: "nanosecond"},
			`domain: lo is "", want a date such as "2024-12-31" or a time such as "2024-12-31T23:59:59Z"`},
		{Spec{Kind: Timestamp, Step: "nanosecond", Lo: "1500-01-01", Hi: "2000-01-01"},
			`domain: lo is "1500-01-01", want a bound from 1678 to 2261: nanoseconds do not reach further`},
		{Spec{Kind: Timestamp, Between: Nearest},
			`domain: between is "nearest", want nothing (the earlier step) or "none"`},
		{Spec{Kind: Category}, `domain: categories is "0", want 1 to 100000 of them`},
		{Spec{Kind: Category, Categories: []string{"a", " a"}},
			`domain: categories is "a", want each category once; "a" is there twice`},
		{Spec{Kind: Category, Categories: []string{"a", " "}},
			`domain: categories is " ", want a text that is not empty: an empty cell is none`},
		{Spec{Kind: Category, Categories: []string{"a"}, Outside: Clamp},
			`domain: outside is "clamp", want "none": categories have no nearest bound`},
		{Spec{Kind: Category, Categories: []string{"a", "NA"}, Missing: []string{"NA "}},
			`domain: categories is "NA", want a text that is not listed as missing`},
		{Spec{Kind: Text, Length: 9},
			`domain: length is "9", want at most 8: codes of longer texts are wide`},
		{Spec{Kind: Text}, `domain: length is "0", want 1 to 131072 bytes`},
		{Spec{Kind: Text, Length: 4, Lo: "a"},
			`domain: lo is "a", want nothing: texts have a length only`},
	} {
		d, err := New(c.spec)
		if err == nil || d != nil {
			t.Errorf("%+v is not refused", c.spec)
		} else if err.Error() != c.want {
			t.Errorf("%+v:\n got %s\nwant %s", c.spec, err, c.want)
		}
	}
	if _, err := NewWide(Spec{Kind: Integer}); err == nil {
		t.Error("wide integers")
	}
	if _, err := NewWide(Spec{Kind: Bytes, Length: 1<<17 + 1}); err == nil {
		t.Error("texts too long")
	}
	if w, err := NewWide(Spec{Kind: Bytes, Length: 1 << 17}); err != nil || w.Bits() != 1<<20 {
		t.Error("texts of 2^20 bits", err)
	}
}
