package domain

import "testing"

func TestDates(t *testing.T) {
	// Every day of 400 years is the one after the day before.
	y, m, d := 1999, 12, 31
	for days := daysFromDate(2000, 1, 1); days <= daysFromDate(2400, 1, 1); days++ {
		d++
		if !isDate(y, m, d) {
			d = 1
			if m++; m > 12 {
				y, m = y+1, 1
			}
		}
		if gy, gm, gd := dateFromDays(days); gy != y || gm != m || gd != d ||
			daysFromDate(y, m, d) != days {
			t.Fatalf("day %d is %d-%d-%d, want %d-%d-%d", days, gy, gm, gd, y, m, d)
		}
	}
	if daysFromDate(1970, 1, 1) != 0 || daysFromDate(1, 1, 1) != -719162 {
		// -719162: Go's time package
		t.Error("wrong origin")
	}
	for _, c := range []struct {
		format, cell string
		want         string // "" for unreadable
	}{
		{"", "2024-02-29", "2024-02-29T00:00:00.000Z"}, {"", "2023-02-29", ""},
		{"", "2024-13-01", ""}, {"", "2024-2-1", ""},
		{"", "2024-01-01T10:11", "2024-01-01T10:11:00.000Z"},
		{"", "2024-01-01 10:11:12.3456Z", "2024-01-01T10:11:12.345Z"},
		{"", "2024-01-01T10:11:12,5", "2024-01-01T10:11:12.500Z"},
		{"", "2024-01-01T00:30:00+01:00", "2023-12-31T23:30:00.000Z"},
		{"", "2024-01-01T00:30:00-0330", "2024-01-01T04:00:00.000Z"},
		{"", "2024-01-01T00:30:00 +02", "2023-12-31T22:30:00.000Z"}, {"", "2024-01-01T25:00", ""},
		{"", "2024-01-01T10:60", ""}, {"", "2024-01-01x", ""},
		{"", "2024-01-01T10:11:12.", ""}, {"", "2024-01-01T10:11+2", ""}, {"", "2024-01-01T10", ""},
		{"", "2024-01-01T10:11:12 ", "2024-01-01T10:11:12.000Z"},
		{"DD.MM.YYYY", "1.2.2024", "2024-02-01T00:00:00.000Z"},
		{"DD.MM.YYYY", "31.12.2024", "2024-12-31T00:00:00.000Z"}, {"DD.MM.YYYY", "12/31/2024", ""},
		{"MM/DD/YYYY", "12/31/2024", "2024-12-31T00:00:00.000Z"}, {"MM/DD/YYYY", "31/12/2024", ""},
		{"DD/MM/YY", "31/12/68", "2068-12-31T00:00:00.000Z"},
		{"DD/MM/YY", "31/12/69", "1969-12-31T00:00:00.000Z"}, {"DD/MM/YY", "31/12/1969", ""},
		{"YYYYMMDD", "20240229", "2024-02-29T00:00:00.000Z"},
		{"YYYYMMDD", "2024229", ""},
		{"YYYYMMDDhhmmss", "20240229235959", "2024-02-29T23:59:59.000Z"},
		{"DD MMM YYYY", "3 Mar 2024", "2024-03-03T00:00:00.000Z"},
		{"DD MMM YYYY", "03 september 2024", "2024-09-03T00:00:00.000Z"},
		{"DD-MMM-YY", "03-dec.-24", "2024-12-03T00:00:00.000Z"},
		{"MMM DD, YYYY", "Septembre 3, 2024", ""},
		{"MM/DD/YYYY hh:mm AP", "1/2/2024 12:05 am", "2024-01-02T00:05:00.000Z"},
		{"MM/DD/YYYY hh:mm AP", "1/2/2024 12:05 PM", "2024-01-02T12:05:00.000Z"},
		{"MM/DD/YYYY hh:mm AP", "1/2/2024 13:05 PM", ""},
		{"DD.MM.YYYY hh:mm:ssf", "1.2.2024 3:04:05,678", "2024-02-01T03:04:05.678Z"},
		{"DD.MM.YYYY hh:mm:ssfZ", "1.2.2024 3:04:05+01:00", "2024-02-01T02:04:05.000Z"},
		{"unix", "86400", "1970-01-02T00:00:00.000Z"}, {"unix", "-1", "1969-12-31T23:59:59.000Z"},
		{"unix", "1.5", ""}, {"unix-ms", "-1", "1969-12-31T23:59:59.999Z"},
	} {
		d, err := New(Spec{Kind: Timestamp, Step: "millisecond", Format: c.format})
		if err != nil {
			t.Fatal(err)
		}
		code, ok := d.Encode([]byte(c.cell))
		got := ""
		if ok {
			got = d.Decode(code)
		}
		if got != c.want {
			t.Errorf("%q as %q: %q (%s), want %q", c.cell, c.format, got, d.Why([]byte(c.cell)),
				c.want)
		}
	}
}

func TestTimes(t *testing.T) {
	day, err := New(
		Spec{Kind: Timestamp, Step: "day", Zone: "+02:00", Lo: "2024-01-01", Hi: "2024-12-31",
			Between: None})
	if err != nil {
		t.Fatal(err)
	}
	for cell, want := range map[string]Reason{"2024-01-01T00:00:00": Read,
		"2023-12-31T22:00:00Z": Read, "2024-01-01T00:00:01": Between,
		"2023-12-31T21:59:59Z": Outside, "x": Unreadable, " ": Missing} {
		if got := day.Why([]byte(cell)); got != want {
			t.Errorf("%q: %s, want %s", cell, got, want)
		}
	}
	nano, err := New(
		Spec{Kind: Timestamp, Step: "nanosecond", Lo: "2000-01-01", Hi: "2001-01-01",
			Outside: Clamp})
	if err != nil {
		t.Fatal(err)
	}
	for cell, want := range map[string]string{"0001-01-01": "2000-01-01T00:00:00.000000000Z",
		"9999-01-01":                     "2001-01-01T00:00:00.000000000Z",
		"2000-01-01T00:00:00.1234567899": "2000-01-01T00:00:00.123456789Z"} {
		if code, ok := nano.Encode([]byte(cell)); !ok || nano.Decode(code) != want {
			t.Errorf("%q reads as %s, want %s", cell, nano.Decode(code), want)
		}
	}
}
