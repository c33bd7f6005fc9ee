package release

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"hush/web/engine"
	"hush/web/say"
)

// Bring opens a file that was picked as a saved release: take receives its text. If one of these
// files is a table, it is offered as data.
func (a *Answer) Bring(f engine.File, take func(text string)) func(text string) {
	return func(text string) {
		if isTable(text) {
			a.refuseTable(f)
			return
		}
		take(text)
	}
}

// RefuseBrought says why a file that was picked as a saved release was not read: a file with the
// name of a table is offered as data.
func (a *Answer) RefuseBrought(f engine.File) func(why string) {
	return func(why string) {
		name := strings.ToLower(f.Name())
		if slices.ContainsFunc([]string{".csv", ".tsv", ".tab", ".xlsx", ".ods", ".parquet"},
			func(end string) bool { return strings.HasSuffix(name, end) }) {
			a.refuseTable(f)
			return
		}
		a.Refuse(why)
	}
}

func (a *Answer) refuseTable(f engine.File) {
	a.NotOpened = say.Text("This is a table, not a release. Open it as data?")
	a.Table = f
	a.Update()
}

// OpenBrought opens the table that was picked as a release as data.
func (a *Answer) OpenBrought() {
	f := a.Table
	a.NotOpened, a.Table = "", nil
	if f != nil {
		a.Data.Open(f)
	}
}

// isTable reports whether a text is a table: lines of text that are neither JSON nor a page, or a
// JSON list.
func isTable(text string) bool {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if strings.HasPrefix(text, "[") {
		return json.Valid([]byte(text))
	}
	return strings.Contains(text, "\n") && !strings.HasPrefix(text, "{") &&
		!strings.HasPrefix(text, "<") && utf8.ValidString(text) && !strings.Contains(text, "\x00")
}
