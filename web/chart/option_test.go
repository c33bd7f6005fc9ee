package chart

import (
	"encoding/json"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/message/texts"
	"hush/core/query"
	"hush/web/exhibit"
	"hush/web/say"
	"hush/web/state/form"
	"hush/web/state/release"
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
		webtest.DescribeList(m, 3, "Hill", "Mill")
		webtest.Describe(m, 2, "0", "300")
		oldest := "100"
		if id == "madeup" || id == "classify" {
			oldest = "119"
		}
		webtest.Describe(m, 1, "0", oldest)
		m.Question.Edit("", func(q *form.Question) {
			q.Task, q.Group = strings.Fields(id)[0], 0
			if strings.HasSuffix(id, "group") {
				q.Group = 3
			}
		})
		m.Question.Edit("", func(q *form.Question) {
			numbers := q.Others
			switch id {
			case "cutoff", "strongest":
				q.Others[0].Column = 3
				numbers = numbers[1:]
			case "histogram tried":
				q.Params = ask.Params{"try-width": "5, 10, 20, 40"}
			case "madeup":
				q.AddField(m.Question.Task(), m.Question.Task().Others[0])
				q.Others[0].Column, q.Others[1].Column = 1, 3
			case "classify":
				q.Others[0].Column, q.Others[1].Column = 3, 1
				q.Params["cases"] = "20\n40\n80\n"
			case "conjunctions", "contacts", "rule":
				for i := range q.Others {
					q.Others[i].Column = 3
					if f := &q.Others[i]; f.Role == "attribute" && id == "rule" {
						f.Column, f.Cuts = 1, "30, 60"
					}
				}
			}
			if id == "strongest" || id == "clusters" {
				for i := range numbers {
					numbers[i].Column = 1 + i
				}
			}
		})
		f.Settle()
		m.Answer.Run()
		f.Settle()
		if m.Answer.Phase != release.Done {
			t.Fatalf("%s: missing %q, forecast %+v, release %+v", id, m.Question.Missing(),
				m.Forecast.Failure, m.Answer.Failure)
		}
		option, _ := Of(m.Answer.Result)
		webtest.Golden(t, "chart-"+strings.ReplaceAll(id, " ", "-")+".json",
			webtest.Indent(t, option))
		saved, err := json.Marshal(m.Answer.Result)
		if err != nil {
			t.Fatal(err)
		}
		if found := namesInEnglish(t, func() json.RawMessage {
			o, _ := Of(m.Answer.Result)
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
				webtest.Word.MatchString(texts.Outside(v)) && !strings.Contains(release, v) {
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
