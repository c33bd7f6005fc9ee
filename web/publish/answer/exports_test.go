package answer

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/task"
	"hush/web/chart/svg"
	"hush/web/engine"
	"hush/web/report"
	"hush/web/state/form"
	"hush/web/webtest"
)

// picture is one as the chart library makes it, with a label that would like to be a script.
func picture(t *testing.T) *svg.Picture {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "report", "testdata", "drawn.svg"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := svg.New(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func released(t *testing.T, label string) *task.Release {
	t.Helper()
	m, f := webtest.Asked(t)
	m.Codebook.Describe(1)
	m.Codebook.EditColumn(func(c *form.ColumnForm) { c.Name = label })
	m.Codebook.DescribeAs(codebook.Errors)
	f.Settle()
	m.Answer.Run()
	f.Settle()
	if m.Answer.Result == nil {
		t.Fatalf("no release: %+v", m.Answer.Failure)
	}
	return m.Answer.Result
}

func parseXML(t *testing.T, text string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestExportFiles(t *testing.T) {
	r := released(t, "age")
	files := map[string]string{}
	for _, f := range exportFiles(report.Answer{Release: r, Picture: picture(t)}, picture(t),
		"0123456789abcdef", "2026-01-31") {
		files[f.Name] = f.Text
	}
	rows, err := csv.NewReader(strings.NewReader(files["hush-histogram.csv"])).ReadAll()
	if err != nil || len(rows) != len(r.Answer.Result.(*task.Histogram).Bins)+1 {
		t.Errorf("the CSV has %d rows, %v", len(rows), err)
	}
	var whole struct {
		task.Release
		Build string
	}
	if err := json.Unmarshal([]byte(files["hush-histogram.json"]), &whole); err != nil ||
		whole.Build != "0123456789abcdef" || whole.Statement != r.Statement {
		t.Errorf("the JSON: %+v, %v", whole, err)
	}
	var recipe ask.Recipe
	if err := json.Unmarshal([]byte(files["recipe.json"]), &recipe); err != nil ||
		engine.Encode(recipe) != engine.Encode(r.Recipe) {
		t.Errorf("the recipe: %+v, %v", recipe, err)
	}
	parseXML(t, files["hush-histogram.svg"])
	if !strings.HasPrefix(files["hush-histogram.html"], "<!doctype html>") || len(files) != 6 {
		t.Errorf("%d files", len(files))
	}
}
