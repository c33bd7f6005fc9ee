package doctest

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/internal/audittest"
	"hush/core/prove"
	"hush/core/task"
)

const systemsPreface = `# The systems of five papers

Made by a test; do not edit (` + "`go test ./core/internal/doctest -run TestSystems -update`" + `).
Each algorithm of the five papers that Hush is built on, with its code, the proof beside it, the
audit of its exact output law, where a person meets it, and what it is compared with. A test
checks that all that is named exists. Places: *form*, a choice on one's own file; *lesson*, on
made-up data only; *proof*, a demonstration that can be run; *film*, watched on made-up data.
`

// system is one algorithm of a paper.
type system struct {
	name   string
	paper  string
	where  string   // in the paper
	code   []string // "threshold.TreeLog"
	proof  string   // "threshold/treelog.md"
	audits []string // "threshold.TestAuditTreeLog"
	// free says why there is no law to audit: what it does with data is another's, audited there
	free   string
	places []string // "median?algorithm=treelog", "proof:stable-choice", "film:treelog"
	beside []string // "density/TREES.md: quantile tree": a file of core, and what stands in it
}

// missing are the cells that are known to be empty: a cell that is empty and is not listed fails,
// and so does one that is listed and is not empty.
type missing struct{ system, cell string }

// TestSystems checks core/SYSTEMS.md against the code.
func TestSystems(t *testing.T) {
	c := &catalogue{t: t, symbols: map[string]bool{}, tests: map[string]bool{}}
	for _, s := range sources(t) {
		for name := range s.symbols() {
			c.symbols[s.dir+"."+name] = true
		}
		for _, file := range s.tests {
			for name := range file.Scope.Objects {
				c.tests[s.dir+"."+name] = true
			}
		}
	}
	var b strings.Builder
	b.WriteString(systemsPreface)
	var gaps []missing
	paper, whole := "", 0
	seen := map[string]bool{}
	for _, s := range systems {
		if seen[s.name] {
			t.Errorf("%s stands twice", s.name)
		}
		seen[s.name] = true
		if s.paper != paper {
			paper = s.paper
			fmt.Fprintf(&b, "\n## %s\n\n| System | Where | Code | Proof | Audit | Place | "+
				"Beside |\n|---|---|---|---|---|---|---|\n", paper)
		}
		row := []string{s.name, s.where, c.code(s.code),
			c.file(s.proof), c.audited(s), c.placed(s.places), c.compared(s.beside)}
		before := len(gaps)
		for i, cell := range []string{"", "", "code", "proof", "audit", "place", "beside"} {
			if cell != "" && row[i] == "" {
				gaps = append(gaps, missing{s.name, cell})
				row[i] = "–"
			}
		}
		if len(gaps) == before {
			whole++
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	fmt.Fprintf(&b, "\n%d systems, %d of them without an empty cell.\n", len(systems), whole)
	for _, gap := range gaps {
		if !slices.Contains(gapsKnown, gap) {
			t.Errorf("%s: %s is empty", gap.system, gap.cell)
		}
	}
	for _, known := range gapsKnown {
		if !slices.Contains(gaps, known) {
			t.Errorf("%s: %s is not empty any more: take it off the list", known.system, known.cell)
		}
	}
	if len(systems) != 44 {
		t.Errorf("%d systems, want 44", len(systems))
	}
	audittest.Document(t, filepath.Join(root, "core", "SYSTEMS.md"), b.String())
}

// catalogue is what can be named in a row.
type catalogue struct {
	t              *testing.T
	symbols, tests map[string]bool
}

func (c *catalogue) code(names []string) string {
	var list []string
	for _, name := range names {
		if !c.symbols[name] {
			c.t.Errorf("there is no %s", name)
		}
		list = append(list, "`"+name+"`")
	}
	return strings.Join(list, ", ")
}

func (c *catalogue) read(file string) string {
	text, err := os.ReadFile(filepath.Join(root, "core", filepath.FromSlash(file)))
	if err != nil {
		c.t.Error(err)
	}
	return string(text)
}

func (c *catalogue) file(name string) string {
	if name == "" {
		return ""
	}
	c.read(name)
	return fmt.Sprintf("[%s](%s)", path.Base(name), name)
}

func (c *catalogue) audited(s system) string {
	if s.free != "" {
		if s.audits != nil {
			c.t.Errorf("%s has an audit, and a reason to have none", s.name)
		}
		return "none: " + s.free
	}
	var list []string
	for _, name := range s.audits {
		if !c.tests[name] {
			c.t.Errorf("there is no test %s", name)
		}
		_, test, _ := strings.Cut(name, ".")
		list = append(list, strings.TrimPrefix(test, "Test"))
	}
	return strings.Join(list, ", ")
}

func (c *catalogue) placed(names []string) string {
	var list []string
	for _, name := range names {
		kind, id, _ := strings.Cut(name, ":")
		switch {
		case kind == "proof":
			if !slices.ContainsFunc(prove.Catalogue(), func(d prove.Demonstration) bool {
				return d.ID == id
			}) {
				c.t.Errorf("there is no demonstration %s", id)
			}
			list = append(list, "proof: "+id)
		case kind == "film":
			if !slices.ContainsFunc(task.Catalogue(), func(q ask.Task) bool {
				return slices.Contains(q.Films, id)
			}) {
				c.t.Errorf("no question has the film %s", id)
			}
			list = append(list, "film: "+id)
		default:
			list = append(list, c.question(name))
		}
	}
	return strings.Join(list, "; ")
}

// question reads "median?algorithm=treelog": a question, and a choice or another parameter of it.
func (c *catalogue) question(name string) string {
	id, choice, _ := strings.Cut(name, "?")
	param, value, _ := strings.Cut(choice, "=")
	all := task.Catalogue()
	i := slices.IndexFunc(all, func(q ask.Task) bool { return q.ID == id })
	if i < 0 {
		c.t.Errorf("there is no question %s", id)
		return name
	}
	title := string(all[i].Title)
	switch {
	case choice == "":
		return "form: " + title
	case param == ask.ParamGood && all[i].Aims:
		return "form: " + title + ", good enough"
	case param == ask.ParamBest && all[i].Tunes != "":
		// the paper's law for one of the best 1 % (selection.TestOneOfBest)
		return "form: " + title + ", one of the best, by the cheapest law: the paper's for 1 %, " +
			"else one of its kind that costs less"
	case param == ask.ParamHalves && all[i].Halves:
		return "form: " + title + ", halves of the rows"
	}
	j := slices.IndexFunc(all[i].Params, func(p ask.Param) bool { return p.Name == param })
	if j < 0 {
		c.t.Errorf("%s has no parameter %s", id, param)
		return name
	}
	p := all[i].Params[j]
	has := func(list []ask.Choice) (label string, ok bool) {
		k := slices.IndexFunc(list, func(c ask.Choice) bool { return c.Value == value })
		if k < 0 {
			return "", false
		}
		return string(list[k].Label), true
	}
	if value == "" {
		return fmt.Sprintf("form: %s, %s", title, p.Label)
	}
	if label, ok := has(p.Choices); ok {
		return fmt.Sprintf("form: %s, %s", title, label)
	}
	if label, ok := has(p.Taught); ok {
		return fmt.Sprintf("lesson: %s, %s", title, label)
	}
	c.t.Errorf("%s of %s has no choice %s", param, id, value)
	return name
}

func (c *catalogue) compared(names []string) string {
	var list []string
	for _, name := range names {
		file, text, _ := strings.Cut(name, ": ")
		if !strings.Contains(c.read(file), text) {
			c.t.Errorf("%s does not say %q", file, text)
		}
		list = append(list, fmt.Sprintf("[%s](%s)", path.Base(file), file))
	}
	return strings.Join(list, ", ")
}
