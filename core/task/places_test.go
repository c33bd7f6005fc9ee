package task

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
)

// names is a file of n rows: a name, a time, a number, and how many persons stand behind the row.
func namesFile(n int) []byte {
	var b strings.Builder
	b.WriteString("name,when,x,count\n")
	first := []string{"Anna", "Bela", "Chris", "Dora", "Emil", "Fatma", "Gita", "Hugo", "Ines",
		"Jan"}
	for i := range n {
		fmt.Fprintf(&b, "%s %d,2026-01-%02d 12:00:%02d,%g,%d\n", first[i%10], i, 1+i%28, i%60,
			float64(i)/7, 1+i%3)
	}
	return []byte(b.String())
}

// TestTypicalValueOnEveryDomain: without any bounds the value has people on both sides, as many as
// promised.
func TestTypicalValueOnEveryDomain(t *testing.T) {
	const n = 5000
	file := namesFile(n)
	cells := func(column int) (list []string) {
		for _, line := range strings.Split(strings.TrimSpace(string(file)), "\n")[1:] {
			list = append(list, strings.Split(line, ",")[column])
		}
		return list
	}
	for _, test := range []struct {
		name   string
		column int
		spec   domain.Spec
		used   string
	}{
		{"short texts", 0, domain.Spec{Kind: domain.Text, Length: 8, Outside: domain.Clamp},
			"exponential mechanism"},
		{"texts", 0, domain.Spec{Kind: domain.Text, Length: 256}, "TreeLog"},
		{"texts of any bytes", 0, domain.Spec{Kind: domain.Bytes, Length: 1 << 17}, "TreeLog"},
		{"times", 1, domain.Spec{Kind: domain.Timestamp, Step: "second"}, "exponential mechanism"},
		{"any numbers", 2, domain.Spec{Kind: domain.Float64}, "exponential mechanism"},
		{"decimals", 2, domain.Spec{Kind: domain.Decimal, Step: "0.001"}, "exponential mechanism"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := open(t, file)
			must(s.Opened()).Options.Trim = false
			r := recipe(s, "median", test.column, test.spec, nil)
			release := askFor(t, s, r, file)
			m := release.Answer.Result.(*Median)
			places, err := ask.NewSpace(test.spec)
			if err != nil {
				t.Fatal(err)
			}
			at, ok := places.Find(m.Value)
			if m.Exact != "" {
				at, ok = places.Read(m.Exact)
			}
			if !ok {
				t.Fatalf("%+v is no value", m)
			}
			below, above := 0, 0
			for _, cell := range cells(test.column) {
				code, ok := places.Find(cell)
				if !ok {
					t.Fatalf("%q has no value", cell)
				}
				switch code.Cmp(at) {
				case -1:
					below++
				case 1:
					above++
				}
			}
			if most := n/2 + int(m.RankError); below > most || above > most || m.RankError > n/5 {
				t.Errorf("%s has %d people below and %d above, rank error %d", m.Value, below,
					above, m.RankError)
			}
			used := release.Plan.Forecast[2]
			if used.Value != test.used || !strings.HasPrefix(used.Detail, "your column has a") ||
				!strings.Contains(used.Detail, "used: ") {
				t.Errorf("used %q: %s", used.Value, used.Detail)
			}
			if delta := release.Plan.Loss.Delta().Sign(); (delta > 0) != (test.used == "TreeLog") {
				t.Errorf("%s costs %v", test.used, release.Plan.Loss)
			}
		})
	}
}

func TestAdviceIsShownAndOverridden(t *testing.T) {
	file := namesFile(2000)
	s := open(t, file)
	d := domain.Spec{Kind: domain.Integer}
	plan := func(params ask.Params) ask.Plan {
		t.Helper()
		p, err := s.Plan(recipe(s, "median", 3, d, params))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	want := "your column has a 64-bit domain: the exponential mechanism needs 189 people, " +
		"TreeLog 455; used: the exponential mechanism"
	if got := plan(nil).Forecast[2].Detail; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for choice, name := range map[string]string{"exponential": "exponential mechanism",
		"treelog": "TreeLog", "heavypaths": "HeavyPaths", "search": "noisy binary search"} {
		p := plan(ask.Params{"algorithm": choice})
		if used := p.Forecast[2]; used.Value != name ||
			!strings.Contains(used.Detail, "you chose "+name) ||
			!strings.HasPrefix(p.Algorithm, name) {
			t.Errorf("%s: %+v, %s", choice, used, p.Algorithm)
		}
	}
	if p := plan(ask.Params{"delta": "0"}); !strings.Contains(p.Forecast[2].Detail,
		"no guarantee without a δ") {
		t.Errorf("δ = 0: %s", p.Forecast[2].Detail)
	}
	_, err := s.Plan(recipe(s, "median", 3, d, ask.Params{"delta": "0", "algorithm": "treelog"}))
	wantField(t, err, "delta")
	_, err = s.Plan(recipe(s, "median", 3, d, ask.Params{"delta": "0.001"}))
	wantField(t, err, "delta")
	_, err = s.Plan(recipe(s, "median", 3, d, ask.Params{"algorithm": "guess"}))
	wantField(t, err, "algorithm")
	_, err = s.Plan(recipe(s, "count", 0, domain.Spec{Kind: domain.Text, Length: 256}, nil))
	wantField(t, err, "kind")
}

func TestQuantilesOfTexts(t *testing.T) {
	const n = 20_000
	file := namesFile(n)
	for _, spec := range []domain.Spec{{Kind: domain.Text, Length: 64},
		{Kind: domain.Text, Length: 8, Outside: domain.Clamp}} {
		for _, algorithm := range []string{"auto", "joint", "exponential", "treelog"} {
			s := open(t, file)
			release := askFor(t, s, recipe(s, "quantiles", 0, spec,
				ask.Params{"targets": "25, 55, 75", "algorithm": algorithm}), file)
			pure := release.Plan.Loss.Delta().Sign() == 0
			if algorithm != "auto" && pure == (algorithm == "treelog") {
				t.Errorf("%s costs %v", algorithm, release.Plan.Loss)
			}
			q := release.Answer.Result.(*Quantiles)
			for i, first := range []string{"C", "F", "H"} { // a tenth of the people for each letter
				if v := q.Rows[i].Value; v[:1] != first {
					t.Errorf("%s, %s: %s, want a name with %s; %+v", algorithm, q.Rows[i].Part, v,
						first, q.Rows[i])
				}
			}
		}
	}
	s := open(t, file)
	long := domain.Spec{Kind: domain.Text, Length: 4096}
	_, err := s.Plan(recipe(s, "quantiles", 0, long, ask.Params{"algorithm": "joint"}))
	wantField(t, err, "algorithm")
}

// TestCountedPlaces: a row that stands for several persons counts so often, for short and for long
// codes.
func TestCountedPlaces(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,n\n")
	for i := range 50 {
		// rows that repeat a value, and empty ones
		fmt.Fprintf(&b, "%02d,%d\n%02d,%d\n", i, 1000, i,
			map[bool]int{true: 9000, false: 0}[i >= 40])
	}
	file := []byte(b.String())
	// 50,000 persons from 00 to 49, and 90,000 more from 40 on: the middle is at 43.
	for _, spec := range []domain.Spec{{Kind: domain.Integer, Lo: "0", Hi: "99"},
		{Kind: domain.Text, Length: 100}} {
		for _, id := range []string{"median", "distribution"} {
			s := open(t, file)
			r := recipe(s, id, 0, spec, nil)
			r.Count = 2
			release := askFor(t, s, r, file)
			if release.Plan.People != 140_000 {
				t.Fatalf("%d people", release.Plan.People)
			}
			value := ""
			switch result := release.Answer.Result.(type) {
			case *Median:
				value = result.Value
			case *Distribution:
				value = result.At(nil, spec, 0.5)
			}
			if !strings.HasPrefix(value, "4") {
				t.Errorf("%s of %s: %q, want one from 40 to 46", id, spec.Kind, value)
			}
		}
	}
}

func TestSpaceCodes(t *testing.T) {
	for _, spec := range []domain.Spec{{Kind: domain.Integer, Lo: "-5", Hi: "300"},
		{Kind: domain.Bytes, Length: 40}, {Kind: domain.Text, Length: 4}} {
		s, err := ask.NewSpace(spec)
		if err != nil {
			t.Fatal(err)
		}
		last := s.Last()
		for i := range int64(300) {
			code := new(big.Int).Mul(last, big.NewInt(i))
			code.Div(code, big.NewInt(299))
			back, ok := s.Read(s.Write(code))
			if !ok || back.Cmp(code) != 0 {
				t.Fatalf("%s: %v is written %q and read as %v, %v", spec.Kind, code, s.Write(code),
					back, ok)
			}
		}
		for _, text := range []string{"x", "-1", strings.Repeat("ff", 41), "ff*41", "ff*0", "*3",
			"ff*x", new(big.Int).Add(last, one).String() + "0000000000000"} {
			if code, ok := s.Read(text); ok && (code.Sign() < 0 || code.Cmp(s.Size()) >= 0) {
				t.Errorf("%s: %q is read as %v", spec.Kind, text, code)
			}
		}
	}
	s, _ := ask.NewSpace(domain.Spec{Kind: domain.Bytes, Length: 1 << 17})
	for text, want := range map[string]string{"Ann": "Ann", "Ann\xff\xff": "Ann…",
		"\x01\x02": `"\x01\x02"`, "\xff" + strings.Repeat("z", 9): `"\xffzzz"…`,
		strings.Repeat("ü", 30): strings.Repeat("ü", 20) + "…"} {
		code, _ := s.Find(text)
		if got := s.Show(nil, code); got != want {
			t.Errorf("%q is shown as %s, want %s", text, got, want)
		}
		if exact := s.Exact(nil, code); (exact == "") != (want == text) {
			t.Errorf("%q is exactly %q", text, exact)
		}
	}
	if text := s.Write(s.Last()); text != "ff*131072" {
		t.Errorf("the last text is written %.40q", text)
	}
}

// TestPapersConstants: a lesson's TreeLog with its paper's constants keeps the same privacy, says
// that it needs many times as many people, and misses where there are fewer.
func TestPapersConstants(t *testing.T) {
	l := lessonOf(medianTask)
	l.Recipe.Params = ask.Params{"algorithm": "paper"}
	release, err := Teach(nil, l, nil)
	if err != nil {
		t.Fatal(err)
	}
	drawn := release.Draws[0]
	used := drawn.Plan.Forecast[len(drawn.Plan.Forecast)-2]
	var ours, papers int
	if _, err := fmt.Sscanf(used.Detail[strings.Index(used.Detail, "TreeLog "):], "TreeLog %d;",
		&ours); err != nil {
		t.Fatalf("%q: %v", used.Detail, err)
	}
	if _, err := fmt.Sscanf(used.Detail[strings.LastIndex(used.Detail, "needs "):], "needs %d",
		&papers); err != nil {
		t.Fatalf("%q: %v", used.Detail, err)
	}
	if papers < 20*ours || drawn.Answer.Result.(*Median).RankError < int64(papers)/2 {
		t.Errorf("%+v, %+v", used, drawn.Answer.Result)
	}
	if e, _ := drawn.Plan.Loss.Epsilon(); e.Cmp(big1) > 0 {
		t.Errorf("loss %v", drawn.Plan.Loss)
	}
}
