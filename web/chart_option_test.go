package web

import (
	"strings"
	"testing"

	"hush/core/domain"
	"hush/core/query"
	"hush/core/task"
)

func TestChartOptions(t *testing.T) {
	m, f := asked(t)
	for _, id := range []string{"histogram", "median", "mean", "mean by group", "quantiles", "distribution", "density", "cutoff", "classify", "mode", "strongest", "clusters", "histogram tried", "conjunctions", "contacts", "rule", "madeup"} {
		if id == "distribution" || id == "density" || id == "classify" || id == "mode" || id == "clusters" || id == "conjunctions" || id == "madeup" {
			m, f = asked(t) // the others have used up what may be spent on one file
		}
		m.Edit("", func(q *Question) {
			q.Task, q.Group = strings.Fields(id)[0], 0
			if strings.HasSuffix(id, "group") {
				q.Group, q.Groups = 3, "Hill\nMill"
			}
		})
		m.Edit("", func(q *Question) {
			numbers := q.Others
			switch id {
			case "cutoff", "strongest":
				q.Others[0].Column, q.Others[0].Domain.Categories = 3, "Hill\nMill"
				numbers = numbers[1:]
			case "histogram tried":
				q.Params = task.Params{"try-width": "5, 10, 20, 40"}
			}
			if id == "strongest" || id == "clusters" {
				for i := range numbers {
					numbers[i].Column, numbers[i].Domain.Lo, numbers[i].Domain.Hi = 1, "0", []string{"100", "120"}[i]
				}
			}
			if id == "madeup" {
				role := m.Task().Others[0]
				q.addField(m.Task(), role)
				q.Others[0].Column, q.Others[0].Domain.Lo, q.Others[0].Domain.Hi = 1, "0", "119"
				q.Others[1].Domain.setKind(domain.Category)
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
					f.Domain.setKind(domain.Category)
					f.Column, f.Domain.Categories = 3, "Hill\nMill"
				}
			}
		})
		f.settle()
		m.Run()
		f.settle()
		if m.Release.Phase != ReleaseDone {
			t.Fatalf("%s: missing %q, forecast %+v, release %+v", id, m.Missing(), m.Forecast.Failure, m.Release.Failure)
		}
		option, _ := chartOption(m.Release.Result)
		golden(t, "chart-"+strings.ReplaceAll(id, " ", "-")+".json", indent(t, option))
	}
}

// TestContactsGraph draws a few places with a set chosen, and many.
func TestContactsGraph(t *testing.T) {
	golden(t, "chart-contacts-graph.json", indent(t, finished(contactsGraph(contacts(), map[int]bool{0: true}), "")))
	for _, method := range []query.Method{query.ByPairs, query.ByPieces} {
		series := contactsGraph(manyContacts(method), nil)["series"].([]object)[0]
		places, lines := series["data"].([]object), series["links"].([]object)
		if len(places) != mostInGraph || (len(lines) > 0) != (method == query.ByPairs) {
			t.Errorf("%s: %d places and %d lines", method, len(places), len(lines))
		}
		for _, l := range lines {
			if l["value"].(float64) <= 6.16 || l["label"] != nil {
				t.Errorf("a line %v, where the error is 2.2·2.8, and there are too many for labels", l)
			}
		}
	}
}
