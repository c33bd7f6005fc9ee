package privacy

import (
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"hush/core/param"
)

func TestParseEpsilonIsExact(t *testing.T) {
	for _, c := range []struct {
		text, rat, print string
	}{
		{"0.1", "1/10", "0.1"}, // 0.1 as a float64 is not 1/10
		{" 0.10 ", "1/10", "0.1"},
		{".5", "1/2", "0.5"},
		{"1.", "1", "1"},
		{"1/3", "1/3", "1/3"},
		{"2/4", "1/2", "0.5"},
		{"1e-3", "1/1000", "0.001"},
		{"2.5E+1", "25", "25"},
		{"100", "100", "100"},
		{"0.000000001", "1/1000000000", "0.000000001"},
	} {
		t.Run(c.text, func(t *testing.T) {
			e, err := ParseEpsilon(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := e.Rat().RatString(); got != c.rat {
				t.Errorf("rational %s, want %s", got, c.rat)
			}
			if got := e.String(); got != c.print {
				t.Errorf("printed %s, want %s", got, c.print)
			}
			again, err := ParseEpsilon(e.String())
			if err != nil || again.Cmp(e) != 0 {
				t.Errorf("printing and parsing gave %v, %v", again, err)
			}
		})
	}
}

func TestParseEpsilonRefuses(t *testing.T) {
	for _, text := range []string{
		"", " ", "0", "0.0", "-1", "+1", "1e-10", "100.0000001", "1e300", "1e-999999999", "1e",
		"1e+-3", "1e1.5", "nan", "Inf",
		"1/0", "1/", "/2", "1/2/3", "1/1.5", "0x1p-3", "1_000", "0,5", "1 000", ".", "١",
		strings.Repeat("1", 65),
		"0." + strings.Repeat("0", 70) + "1",
	} {
		e, err := ParseEpsilon(text)
		var refused *param.Error
		if !errors.As(err, &refused) || refused.Package != "privacy" ||
			refused.Field != "epsilon" || e.IsSet() {
			t.Errorf("%q: got %v, %v", text, e, err)
		}
	}
}

func TestEpsilonAsJSON(t *testing.T) {
	e, _ := ParseEpsilon("0.1")
	text, err := json.Marshal(struct{ Epsilon Epsilon }{e.Part(1, 3)})
	if err != nil || string(text) != `{"Epsilon":"1/30"}` {
		t.Fatalf("%s, %v", text, err)
	}
	var back struct{ Epsilon Epsilon }
	if err := json.Unmarshal(text, &back); err != nil || back.Epsilon.Rat().
		Cmp(big.NewRat(1, 30)) != 0 {
		t.Errorf("read back %v, %v", back.Epsilon, err)
	}
	for _, bad := range []string{`{"Epsilon":"-1"}`, `{"Epsilon":"1e9"}`, `{"Epsilon":0.1}`,
		`{"Epsilon":"x"}`} {
		back.Epsilon = Epsilon{}
		if err := json.Unmarshal([]byte(bad), &back); err == nil || back.Epsilon.IsSet() {
			t.Errorf("%s was read as %v", bad, back.Epsilon)
		}
	}
	if err := json.Unmarshal([]byte(`{"Epsilon":"0"}`), &back); err != nil || back.Epsilon.IsSet() {
		t.Errorf("0 was read as %v, %v", back.Epsilon, err)
	}
}

func TestRhoAsJSON(t *testing.T) {
	p, err := ParseRho("0.05")
	text, failed := json.Marshal(p)
	if err != nil || failed != nil || string(text) != `"1/20"` {
		t.Fatalf("%s, %v, %v", text, err, failed)
	}
	var back Rho
	if err := json.Unmarshal(text, &back); err != nil || back.Rat().Cmp(p.Rat()) != 0 {
		t.Errorf("read back %v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`"5001"`), &back); err == nil || back.Rat().Cmp(p.Rat()) != 0 {
		t.Errorf("5001 was read as %v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`"0"`), &back); err != nil || back.IsSet() {
		t.Errorf("0 was read as %v, %v", back, err)
	}
}

func TestEpsilonParts(t *testing.T) {
	e, _ := ParseEpsilon("0.7")
	sum := new(big.Rat).Add(e.Part(1, 3).Rat(), e.Part(2, 3).Rat())
	if sum.Cmp(e.Rat()) != 0 {
		t.Errorf("parts add up to %v", sum)
	}
	if e.Rat().Add(e.Rat(), one); e.Rat().Cmp(big.NewRat(7, 10)) != 0 {
		t.Error("a caller changed an Epsilon")
	}
}

func TestDelta(t *testing.T) {
	d, err := ParseDelta("1e-6")
	if err != nil || d.Rat().RatString() != "1/1000000" || d.String() != "0.000001" {
		t.Fatalf("%v, %v", d, err)
	}
	for _, text := range []string{"1", "1.5", "-0.1", "1e-101", "", "x"} {
		var refused *param.Error
		if _, err := ParseDelta(text); !errors.As(err, &refused) || refused.Field != "delta" {
			t.Errorf("%q: %v", text, err)
		}
	}
	if zero, err := ParseDelta("0"); err != nil || !zero.IsZero() {
		t.Errorf("0: %v, %v", zero, err)
	}
	for n, want := range map[uint64]bool{0: true, 1: true, 999_999: true, 1_000_000: false,
		1_000_001: false} {
		if got := d.Check(n) == nil; got != want {
			t.Errorf("δ = 1e-6 with n = %d: accepted %v, want %v", n, got, want)
		}
	}
	text, err := json.Marshal(d)
	var back Delta
	if err != nil || string(text) != `"1/1000000"` || json.Unmarshal(text, &back) != nil ||
		back.Cmp(d) != 0 {
		t.Errorf("as JSON %s, back %v", text, back)
	}
}

func FuzzParseEpsilon(f *testing.F) {
	for _, seed := range []string{"0.1", "1e-6", "1/3", "1e", "..", "1e-200",
		"9999999999999999999999/1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := ParseEpsilon(text)
		if err != nil {
			if e.IsSet() {
				t.Fatal("a refused text left a value")
			}
			return
		}
		again, err := ParseEpsilon(e.Rat().RatString())
		if len(e.Rat().RatString()) <= longestNumber && (err != nil || again.Cmp(e) != 0) {
			t.Fatalf("%q gave %v, which reads back as %v, %v", text, e, again, err)
		}
	})
}
