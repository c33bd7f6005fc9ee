package codebook

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hush/core/domain"
)

func TestWords(t *testing.T) {
	for header, want := range map[string]string{
		"Average_Rating": "average rating", "numPages": "num pages", "HTTPServer": "http server",
		"HeightCM": "height cm", "age2010": "age", "q1Score": "q score", "  ": "", "año": "año",
		"a\u0302ge": "a\u0302ge", "Growth %": "growth %", "AGE": "age", "Straße-Nr.": "straße nr",
		"usage": "usage", "patient's age": "patient s age", "ÄlterJahre": "älter jahre",
	} {
		if got := strings.Join(wordsOf(header), " "); got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
}

func TestUnitOf(t *testing.T) {
	for header, want := range map[string]string{
		"weight_kg": "kg", "price (EUR)": "EUR", "Price [€]": "EUR", "height[cm]": "cm",
		"Temp °C": "°C", "heightCm": "cm", "salary_usd": "USD", "Growth (%)": "%",
		"age_years":          "years",
		"weight kg at birth": "kg", "length (m)": "m", "dose (in mg)": "mg", "time (min)": "min",
		"BMI [kg/m2]": "kg/m²", "Betrag in Euro": "EUR", "stay_days": "days",
		// what is no unit
		"temp_min": "", "price_per_kg": "", "num_pages": "", "pages": "", "number_of_days": "",
		"grade_c": "", "room_m": "", "price (estimated)": "", "group": "", "": "", "size (": "",
		"rate (EUR/kg)": "", "category": "", "m": "", "(": "", ")(": "",
	} {
		if got := UnitOf(header); got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
}

// shown writes suggestions briefly: "integer 0..120 years".
func shown(list []Suggestion) string {
	var texts []string
	for _, s := range list {
		v := s.Values
		text := v.Lo + ".." + v.Hi
		switch v.Kind {
		case domain.Category:
			text = strings.Join(v.Categories[:min(2, len(v.Categories))], "/")
		case domain.Text:
			text = fmt.Sprint("≤", v.Length)
		}
		if s.Unit != "" {
			text += " " + s.Unit
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

func TestSuggest(t *testing.T) {
	whole, real, none := domain.Integer, domain.Decimal, domain.Kind("")
	list, text := domain.Category, domain.Text
	for _, c := range []struct {
		header string
		kind   domain.Kind
		want   string
	}{
		{"age", whole, "0..120 years, 0..100 years"},
		{"AgeAtDeath", none, "0..120 years, 0..100 years"},
		{"Alter (Jahre)", whole, "0..120 Jahre, 0..100 Jahre"},
		{"edad", real, "0..120 years, 0..100 years"},
		{"gestational_age_weeks", whole, "0..45 weeks"},
		{"Average_Rating", real, "0..5, 1..5, 0..10"},
		{"rating_stars", whole, "0..5 stars, 1..5 stars, 0..10 stars"},
		{"ratings_count", whole, "0..10, 0..100, 0..1000, 0..10000, 0..1000000"}, // no rating
		{"num_pages", whole, "0..10, 0..100, 0..1000, 0..10000, 0..1000000"},
		{"number of visits", whole, "0..10, 0..100, 0..1000, 0..10000, 0..1000000"},
		{"Anzahl", whole, "0..10, 0..100, 0..1000, 0..10000, 0..1000000"},
		{"discount_pct", real, "0..100 %"},
		{"year", whole, "1900..2100, 1800..2100, 2000..2100"},
		{"Geburtsjahr", whole, "1900..2100, 1900..2030"},
		{"years_of_experience", whole, "0..50 years, 0..100 years"},
		{"month", whole, "1..12"}, {"hour", whole, "0..23"}, {"weekday", whole, "1/2, 0/1"},
		{"hours_per_week", whole, "0..168 hours, 0..100 hours"},
		{"income", whole, "0..100000, 0..200000, 0..500000, 0..1000000"},
		{"monthly_income", whole, "0..10000, 0..20000, 0..50000, 0..100000"},
		{"Salary (EUR)", real, "0..100000 EUR, 0..200000 EUR, 0..500000 EUR, 0..1000000 EUR"},
		{"salary_jpy", whole, ""}, // yen are no dollars
		{"height", whole, "0..250 cm, 50..250 cm"}, {"height_m", real, "0..2.5 m"},
		{"height (in)", real, "0..100 in"}, {"altezza", none, "0..250 cm, 50..250 cm"},
		{"weight_lbs", whole, "0..700 lb, 0..500 lb"}, {"weight (oz/t)", whole, ""},
		{"temp_f", whole, "-60..140 °F, 0..120 °F"}, {"temp_min", real, "-50..60 °C, -20..50 °C"},
		{"lat", real, "-90..90 °"}, {"lng", none, "-180..180 °"},
		{"price", real, "0..100, 0..1000, 0..10000, 0..100000"},
		{"test_score", whole, "0..100, 0..10, 0..1000"},
		{"sex", list, "female/male, Female/Male, F/M, f/m, 0/1, 1/2"}, {"sex", whole, "0/1, 1/2"},
		{"Geschlecht", list, "weiblich/männlich, w/m, W/M, 1/2"},
		{"is_active", list, "no/yes, No/Yes, N/Y, false/true, False/True, 0/1"},
		{"smoker", whole, "0/1"}, {"Monat", text, "Januar/Februar"},
		{"zip_code", whole, "≤5, ≤10"}, {"PLZ", text, "≤5"},
		{"birth_date", domain.Date, "1900-01-01..2100-12-31"},
		{"admitted", domain.Timestamp, "1900-01-01T00:00:00..2100-12-31T23:59:59, " +
			"2000-01-01T00:00:00..2049-12-31T23:59:59"},
		{"date", none, "1900-01-01..2100-12-31, 2000-01-01..2049-12-31"},

		// names that only look like one of them
		{"page", whole, ""}, {"pages", whole, ""}, {"usage", whole, ""}, {"stage", whole, ""},
		{"average", real, ""}, {"discount", whole, ""}, {"account", whole, ""},
		{"country", list, ""},
		{"county", list, ""}, {"operating", real, ""}, {"package_weighting", real, ""},
		{"this", list, ""}, {"is", list, ""}, {"", none, ""}, {"title", text, ""},
		{"yearly", whole, ""},
		{"temporary", whole, ""}, {"platform", list, ""}, {"essex", list, ""},
		{"monthly", whole, ""},
		{"priceless", real, ""}, {"Minuten", whole, ""}, {"flat", real, ""},
		{"island_area", real, ""},
		// labels of a thing are not its amount
		{"age_group", whole, ""}, {"price_category", whole, ""}, {"rating_id", whole, ""},
		{"age", text, ""}, {"income", list, ""}, {"income", domain.Date,
			"1900-01-01..2100-12-31, 2000-01-01..2049-12-31"},
	} {
		got := Suggest(c.header, c.kind)
		if shown(got) != c.want {
			t.Errorf("%q as %q: %s, want %s", c.header, c.kind, shown(got), c.want)
		}
		for _, s := range got {
			if err := s.Values.check(); err != nil {
				t.Errorf("%q: %v", c.header, err)
			}
			if s.Reason == "" {
				t.Errorf("%q: no reason", c.header)
			}
		}
	}
}

// TestConventions: every range and list is one for every kind that it is offered for, every phrase
// finds its own convention, and no word is there twice.
func TestConventions(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range ranges {
		spans := slices.Clone(c.spans)
		for _, o := range c.others {
			spans = append(spans, o.spans...)
		}
		for _, s := range spans {
			for _, kind := range []domain.Kind{domain.Integer, domain.Decimal, domain.Float64} {
				if kind == domain.Integer && !s.whole() {
					continue
				}
				if err := s.values(kind, c.step).check(); err != nil {
					t.Errorf("%s: %v", c.words, err)
				}
			}
		}
		for word := range strings.SplitSeq(c.words, ",") {
			if seen[word] {
				t.Errorf("%q twice", word)
			}
			seen[word] = true
			if list := Suggest(word, ""); len(list) == 0 || list[0].Reason != c.reason {
				t.Errorf("%q: %s", word, shown(list))
			}
		}
	}
	for _, c := range lists {
		for _, names := range c.lists {
			v := Values{Spec: domain.Spec{Kind: domain.Category, Categories: names}}
			if err := v.check(); err != nil {
				t.Errorf("%s: %v", c.words, err)
			}
		}
		for word := range strings.SplitSeq(c.words, ",") {
			if word == "" {
				continue
			}
			list := Suggest(word, domain.Category)
			if len(list) == 0 || list[0].Reason != c.reason {
				t.Errorf("%q: %s", word, shown(list))
			}
		}
	}
}

// A whole-number column whose convention has halves only is not offered them as whole numbers.
func TestSuggestWhole(t *testing.T) {
	for _, s := range Suggest("height_m", domain.Integer) {
		t.Errorf("%+v", s)
	}
}

func TestSuggestionOn(t *testing.T) {
	typed := Values{Spec: domain.Spec{Kind: domain.Decimal, Mark: ",", Group: ".", Lo: "3", Hi: "4",
		Step: "1", Missing: []string{"NA"}, Outside: domain.Clamp}}
	got := Suggest("rating", domain.Integer)[0].On(typed)
	if got.Kind != domain.Integer || got.Lo != "0" || got.Hi != "5" || got.Step != "" ||
		got.Mark != "," || got.Missing[0] != "NA" || got.Outside != domain.Clamp {
		t.Errorf("%+v", got)
	}
	if err := Suggest("sex", domain.Category)[0].On(typed).check(); err != nil {
		t.Error(err)
	}
}

func TestRowsOf(t *testing.T) {
	for header, want := range map[string]Each{
		"patient_id": Several, "UserID": Several, "userId": Several, "count": Counted, "n": Counted,
		"Anzahl": Counted, "visit_count": "", "order_id": "", "age": "", "": "", "identity": "",
		"pid": Several, "ID": Several, "Patienten-Nr.": Several, "Kundennummer": Several,
		"persnr": Several, "user": Several, "Subject": Several, "patient": Several,
		"id_client": Several, "Nº cliente": "", "número paciente": Several, "email": Several,
		"KundenID": Several, "num_pages": "", "number of patients": "", "user_rating": "",
		"patient_age": "", "Patientenalter": "", "personality": "", "book_id": "", "subjective": "",
	} {
		if got := RowsOf(header); got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
}

// TestUsual: what is on offer for numbers whose name says nothing is the same for every column of
// the kind, and each can be taken.
func TestUsual(t *testing.T) {
	for kind, want := range map[domain.Kind]int{domain.Integer: 4, domain.Decimal: 2,
		domain.Float64: 2, domain.Category: 0, domain.Text: 0, domain.Date: 0} {
		list := Usual(kind)
		if len(list) != want {
			t.Errorf("%d for a column of kind %q, want %d", len(list), kind, want)
		}
		for _, s := range list {
			c := Column{Number: 1, Header: "q17"}
			if _, err := c.Describe(s.On(s.Values), nil, Unanswered); err != nil {
				t.Errorf("%s: %v", kind, err)
			}
		}
	}
}
