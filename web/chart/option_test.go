package chart

import (
	"encoding/json"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/query"
	"hush/web/exhibit"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/webtest"
)

func TestChartOptions(t *testing.T) {
	m, f := webtest.Asked(t)
	for _, id := range []string{"histogram", "median", "mean", "mean by group", "quantiles",
		"distribution", "density", "cutoff", "classify", "mode", "strongest", "clusters",
		"histogram tried", "conjunctions", "contacts", "rule", "madeup"} {
		if id == "distribution" || id == "density" || id == "classify" || id == "mode" ||
			id == "clusters" || id == "conjunctions" || id == "madeup" {
			m, f = webtest.Asked(t) // the others have used up what may be spent on one file
		}
		m.Edit("", func(q *form.Question) {
			q.Task, q.Group = strings.Fields(id)[0], 0
			if strings.HasSuffix(id, "group") {
				q.Group, q.Groups = 3, "Hill\nMill"
			}
		})
		m.Edit("", func(q *form.Question) {
			numbers := q.Others
			switch id {
			case "cutoff", "strongest":
				q.Others[0].Column, q.Others[0].Domain.Categories = 3, "Hill\nMill"
				numbers = numbers[1:]
			case "histogram tried":
				q.Params = ask.Params{"try-width": "5, 10, 20, 40"}
			}
			if id == "strongest" || id == "clusters" {
				for i := range numbers {
					numbers[i].Column, numbers[i].Domain.Lo, numbers[i].Domain.Hi = 1, "0",
						[]string{"100", "120"}[i]
				}
			}
			if id == "madeup" {
				role := m.Task().Others[0]
				q.AddField(m.Task(), role)
				q.Others[0].Column, q.Others[0].Domain.Lo, q.Others[0].Domain.Hi = 1, "0", "119"
				q.Others[1].Domain.SetKind(domain.Category)
				q.Others[1].Column, q.Others[1].Domain.Categories = 3, "Hill\nMill"
			}
			if id == "classify" {
				q.Others[0].Column, q.Others[0].Domain.Categories = 3, "Hill\nMill"
				q.Others[1].Column, q.Others[1].Domain.Lo, q.Others[1].Domain.Hi = 1, "0", "119"
				q.Params["cases"] = "20\n40\n80\n"
			}
			switch id {
			case "conjunctions", "contacts", "rule":
				for i := range q.Others {
					f := &q.Others[i]
					if f.Role == "attribute" && id == "rule" {
						f.Column, f.Domain.Lo, f.Domain.Hi, f.Cuts = 1, "0", "100", "30, 60"
						continue
					}
					f.Domain.SetKind(domain.Category)
					f.Column, f.Domain.Categories = 3, "Hill\nMill"
				}
			}
		})
		f.Settle()
		m.Run()
		f.Settle()
		if m.Release.Phase != state.ReleaseDone {
			t.Fatalf("%s: missing %q, forecast %+v, release %+v", id, m.Missing(),
				m.Forecast.Failure, m.Release.Failure)
		}
		option, _ := Of(m.Release.Result)
		webtest.Golden(t, "chart-"+strings.ReplaceAll(id, " ", "-")+".json",
			webtest.Indent(t, option))
		saved, err := json.Marshal(m.Release.Result)
		if err != nil {
			t.Fatal(err)
		}
		if found := namesInEnglish(t, func() json.RawMessage {
			o, _ := Of(m.Release.Result)
			return o
		}, string(saved)); len(found) > 0 {
			t.Errorf("%s: the chart says in English: %q", id, found)
		}
	}
}

// namesInEnglish lists the names of axes and series of a chart, drawn in a language of brackets,
// that stand outside of them. A release says what it says in the language that it was made in.
func namesInEnglish(t *testing.T, draw func() json.RawMessage, release string) (found []string) {
	t.Helper()
	say.Use(webtest.Pseudo(t))
	defer say.Use(nil)
	var o any
	if err := json.Unmarshal(draw(), &o); err != nil {
		t.Fatal(err)
	}
	var walk func(key string, v any)
	walk = func(key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, part := range v {
				walk(k, part)
			}
		case []any:
			for _, part := range v {
				walk(key, part)
			}
		case string:
			if (key == "name" || key == "text" || key == "formatter") &&
				webtest.Word.MatchString(webtest.Outside(v)) && !strings.Contains(release, v) {
				found = append(found, v)
			}
		}
	}
	walk("", o)
	return found
}

// TestContactsGraph draws a few places with a set chosen, and many.
func TestContactsGraph(t *testing.T) {
	webtest.Golden(t, "chart-contacts-graph.json",
		webtest.Indent(t, Contacts(exhibit.Contacts(), map[int]bool{0: true}, "")))
	for _, method := range []query.Method{query.ByPairs, query.ByPieces} {
		series := graph(exhibit.ManyContacts(method), nil)["series"].([]object)[0]
		places, lines := series["data"].([]object), series["links"].([]object)
		if len(places) != MostInGraph || (len(lines) > 0) != (method == query.ByPairs) {
			t.Errorf("%s: %d places and %d lines", method, len(places), len(lines))
		}
		for _, l := range lines {
			if l["value"].(float64) <= 6.16 || l["label"] != nil {
				t.Errorf("a line %v, where the error is 2.2·2.8, and there are too many for labels",
					l)
			}
		}
	}
}
