//go:build unix

package task_test

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/table"
	"hush/core/task"
)

var (
	grow     = flag.Bool("growth", false, "measure how time and memory grow, into GROWTH.md")
	growMost = flag.Int("growth-most", 1_000_000, "the most rows, a power of ten")
	growCap  = flag.Duration("growth-cap", 10*time.Second, "processor time of a cell")
)

const (
	growthFile = "GROWTH.md"
	grownFrom  = 1000   // rows
	grownAt    = 10_000 // rows, where something else grows
)

// power is the power of n that is documented; where it is not here, it is 1: a pass, or a sort of
// numbers by their digits.
var power = map[string]float64{"classify.Plane": 2}

// grown is one question in which one thing grows.
type grown struct {
	vector
	axis  string // n, or a parameter of the question, d or bits
	steps []int
	set   func(v *vector, to int)
	cells []cell
}

// cell is what one size took.
type cell struct {
	took  time.Duration
	bytes uint64
	why   string // in place of numbers
}

// doc is the type whose documentation says the cost.
func (g *grown) doc() string {
	costs := catalogue()[at(g.Recipe.Task)].Costs
	if doc, ok := costs[strings.TrimPrefix(g.Name, g.Recipe.Task+": ")]; ok {
		return doc
	}
	return costs[""]
}

// growths are the questions of the catalogue: each with its example's methods and, in turn, each
// choice that a release can have, grown in n; and its example in its whole numbers, its columns and
// its bits.
func growths() (list []*grown) {
	all := cases()
	for _, q := range catalogue() {
		var rows []int
		for n := grownFrom; n <= *growMost; n *= 10 {
			rows = append(rows, n)
		}
		find := func(name string) vector {
			return all[slices.IndexFunc(all, func(v vector) bool { return v.Name == name })]
		}
		byRows := func(name string) {
			list = append(list, &grown{vector: find(name), axis: "n", steps: rows,
				set: func(v *vector, to int) { v.Rows = to }})
		}
		example := q.ID + ": example"
		by := func(axis string, steps []int, set func(*vector, int)) {
			v := find(example)
			v.Rows = grownAt
			list = append(list, &grown{vector: v, axis: axis, steps: steps, set: set})
		}
		byRows(example)
		for _, p := range q.Params {
			for _, c := range p.Choices {
				if c.Value != p.Default {
					byRows(q.ID + ": " + p.Name + " " + c.Value)
				}
			}
			if p.Max > 1 {
				var steps []int
				for k := max(p.Min, 1); k <= min(p.Max, 64); k *= 2 {
					steps = append(steps, int(k))
				}
				by(p.Name, steps, func(v *vector, to int) {
					if p.Name == "later" { // of votes, which it takes many persons for
						byVotes(v)
						v.Rows, v.Recipe.Params["release"] = grownAt, "plain"
					}
					v.Recipe.Params[p.Name] = strconv.Itoa(to)
					if p.Name == "fewest" { // the most may not be fewer
						v.Recipe.Params["most"] = strconv.Itoa(to)
					}
				})
			}
			if p.Name == "targets" {
				by("k", []int{1, 3, 9, 27, 81}, func(v *vector, to int) {
					var list []string
					for i := range to {
						list = append(list, fmt.Sprintf("%.2f", 100*float64(i+1)/float64(to+1)))
					}
					v.Recipe.Params[p.Name] = strings.Join(list, ", ")
				})
			}
		}
		for _, r := range q.Others {
			if r.Max > max(r.Min, 1) && slices.ContainsFunc(q.Example.Recipe.Others,
				func(f ask.Field) bool { return f.Role == r.Name }) {
				by("d", []int{2, 4, 8, 16}, widen(r.Name))
			}
		}
		if slices.Contains(q.Domains, domain.Integer) && q.ID != "histogram" {
			by("bits", []int{8, 16, 24, 32, 40, 48, 56}, func(v *vector, to int) {
				if v.Recipe.Domain.Kind == domain.Category {
					v.Recipe.Column = find("histogram: example").Recipe.Column // of numbers
				}
				v.Recipe.Domain.Kind, v.Recipe.Domain.Lo = domain.Integer, "0"
				v.Recipe.Domain.Hi = fmt.Sprint(uint64(1)<<to - 1)
				v.Recipe.Domain.Step, v.Recipe.Domain.Categories = "", nil
			})
		}
	}
	return list
}

// widen gives a role this many columns, the example's and copies of them in turn.
func widen(role string) func(v *vector, to int) {
	return func(v *vector, to int) {
		var have, rest []ask.Field
		for _, f := range v.Recipe.Others {
			if f.Role == role {
				have = append(have, f)
			} else {
				rest = append(rest, f)
			}
		}
		v.Recipe.Others = rest
		columns := len(set(v.Data).Columns) + 2 // with those that file adds
		for i := range to {
			f := have[i%len(have)]
			if i >= len(have) { // a copy of the column, which grownFile adds
				f.Column = columns + 1 + (i - len(have))
				f.Label += strconv.Itoa(i)
			}
			v.Recipe.Others = append(v.Recipe.Others, f)
		}
		v.Copies = nil
		for i := len(have); i < to; i++ {
			v.Copies = append(v.Copies, have[i%len(have)].Column)
		}
	}
}

var errCap = errors.New("takes too long")

// processor is the time that all threads of this program had so far: others at work on the machine
// are not in it.
func processor() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// measure plans and releases once or, where that is short, seven times: the median.
func (g *grown) measure(t *testing.T, files map[string][]byte, to int) (c cell) {
	v := g.vector
	v.Recipe.Params, v.Recipe.Others = maps.Clone(v.Recipe.Params), slices.Clone(v.Recipe.Others)
	g.set(&v, to)
	r := v.Recipe
	s := newSession(coin.NewSeeded(released))
	data, people, err := read(s, &r, v.grownFile(files))
	var took []time.Duration
	for total := time.Duration(0); err == nil && len(took) < 7 && total < 50*time.Millisecond; {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		start := processor()
		var p ask.Prepared
		if _, p, err = ask.Prepare(task.All{}, r, people); err != nil {
			break
		}
		if _, err = p.Loss(); err != nil {
			break
		}
		_, err = p.Run(coin.NewSeeded(released), data, func(int64, int64) error {
			if processor()-start > *growCap {
				return errCap
			}
			return nil
		})
		used := processor() - start
		runtime.ReadMemStats(&after)
		took, total = append(took, used), total+used
		c.bytes = after.TotalAlloc - before.TotalAlloc
	}
	var refused *param.Error
	switch {
	case errors.Is(err, errCap):
		c.why = "> " + growCap.String()
	case errors.As(err, &refused):
		c.why = "refused: " + refused.Field
	case err != nil:
		t.Fatalf("%s, %s = %d: %v", v.Name, g.axis, to, err)
	default:
		c.took = middle(took)
	}
	return c
}

// read opens a file and reads what a recipe asks about.
func read(s *task.Session, r *recipe, file []byte) (data ask.Data, people int64, err error) {
	survey, err := s.Survey(table.Options{})
	if err == nil {
		err = ask.ReadAll(survey, file)
	}
	if err != nil {
		return data, 0, err
	}
	opened, err := s.Opened()
	if err != nil {
		return data, 0, err
	}
	r.Table = opened.Options
	pass, err := s.Encode(*r)
	if err == nil && pass != nil {
		err = ask.ReadAll(pass, file)
	}
	if err != nil {
		return data, 0, err
	}
	plan, err := s.Plan(*r)
	if err != nil {
		return data, 0, err
	}
	data, err = s.Data(*r)
	return data, plan.People, err
}

// grownFile is the vector's file with its copies of columns; files keeps those without.
func (v *vector) grownFile(files map[string][]byte) []byte {
	key := fmt.Sprint(v.Data, v.Rows)
	if files[key] == nil {
		clear(files) // at most one at a time
		files[key] = v.file()
	}
	if len(v.Copies) == 0 {
		return files[key]
	}
	var out strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(string(files[key])), "\n") {
		cells := strings.Split(line, ",")
		out.WriteString(line)
		for k, c := range v.Copies {
			out.WriteString("," + cells[c-1])
			if i == 0 {
				out.WriteString(strconv.Itoa(k))
			}
		}
		out.WriteByte('\n')
	}
	return []byte(out.String())
}

// fit is the least squares' slope of the logarithms of the times over those of the sizes, of the
// last three sizes measured (the first ones tell of planning), and these sizes; ok is false of
// fewer than two.
func (g *grown) fit(of func(cell) float64) (slope float64, from, to int, ok bool) {
	var x, y []float64
	for i := len(g.cells) - 1; i >= 0 && len(x) < 3; i-- {
		if c := g.cells[i]; c.why == "" && of(c) > 0 {
			if len(x) == 0 {
				to = g.steps[i]
			}
			from = g.steps[i]
			x = append(x, math.Log(float64(g.steps[i])))
			y = append(y, math.Log(of(c)))
		}
	}
	if len(x) < 2 {
		return 0, 0, 0, false
	}
	mx, my, xy, xx := mean(x), mean(y), 0.0, 0.0
	for i := range x {
		xy += (x[i] - mx) * (y[i] - my)
		xx += (x[i] - mx) * (x[i] - mx)
	}
	return xy / xx, from, to, true
}

func mean(list []float64) (sum float64) {
	for _, x := range list {
		sum += x / float64(len(list))
	}
	return sum
}

// costs reads what the documentation of each type says of cost, by package and type: the first
// sentence with an O of something, or else the first.
func costs(t *testing.T) map[string]string {
	t.Helper()
	said := map[string]string{}
	section := regexp.MustCompile(`(?s)# (?:Cost[a-z ]*|Learning)\n\n(.*?)(?:\n\n|$)`)
	sentence := regexp.MustCompile(`(?s).*?\.(?:\s|$)`)
	for _, dir := range []string{"basic", "threshold", "density", "query", "joint", "classify",
		"selection", "mechanism", "survival"} {
		files, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				types, ok := d.(*ast.GenDecl)
				if !ok || types.Tok != token.TYPE || types.Doc == nil {
					continue
				}
				found := section.FindStringSubmatch(types.Doc.Text())
				if found != nil {
					all := sentence.FindAllString(strings.Join(strings.Fields(found[1]), " "), -1)
					which := slices.IndexFunc(all, func(s string) bool {
						return strings.Contains(s, "O(")
					})
					name := types.Specs[0].(*ast.TypeSpec).Name.Name
					said[dir+"."+name] = strings.TrimSpace(all[max(which, 0)])
				}
			}
		}
	}
	return said
}

// TestGrowthIsDocumented: what each question of the catalogue costs stands in the documentation of
// a type, and every entry is of a choice that there is.
func TestGrowthIsDocumented(t *testing.T) {
	said, named := costs(t), map[string]bool{}
	for _, g := range growths() {
		named[g.Name] = true
		if g.doc() == "" || said[g.doc()] == "" {
			t.Errorf("%s: what it costs is not in the documentation of %q", g.Name, g.doc())
		}
	}
	for _, q := range catalogue() {
		for choice := range q.Costs {
			if name := q.ID + ": " + choice; choice != "" && !named[name] {
				t.Errorf("there is no question %s", name)
			}
		}
	}
}

// TestGrowth writes GROWTH.md.
func TestGrowth(t *testing.T) {
	if !*grow {
		t.Skip("minutes: with -growth only")
	}
	list, files := growths(), map[string][]byte{}
	slices.SortStableFunc(list, func(a, b *grown) int { return strings.Compare(a.Data, b.Data) })
	for _, g := range list {
		g.cells = make([]cell, len(g.steps))
	}
	longest := 0
	for _, g := range list {
		longest = max(longest, len(g.steps))
	}
	for i := range longest { // by size, so that a file is made once for all that are asked of it
		for _, g := range list {
			if i >= len(g.steps) {
				continue
			}
			if i > 0 && strings.HasPrefix(g.cells[i-1].why, ">") {
				g.cells[i] = g.cells[i-1]
				continue
			}
			g.cells[i] = g.measure(t, files, g.steps[i])
		}
		t.Logf("size %d of each is measured, %v", i+1, processor())
	}
	slices.SortStableFunc(list, func(a, b *grown) int { // as the catalogue has them
		return at(a.Recipe.Task) - at(b.Recipe.Task)
	})
	if err := os.WriteFile(growthFile, []byte(report(list, costs(t))), 0o644); err != nil {
		t.Fatal(err)
	}
}

func at(id string) int {
	return slices.IndexFunc(catalogue(), func(q question) bool { return q.ID == id })
}

// tolerance is by how much a fitted exponent may be above the documented one: a logarithm is .1
// over these sizes, and caches are another.
const tolerance = .2

func report(list []*grown, said map[string]string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "# Growth\n\nEvery question of the catalogue with its example's "+
		"method and each other "+
		"choice that a release can have: processor time (the median of up to seven "+
		"runs) and bytes allocated by planning and release, of made-up people, without "+
		"reading the file. Numbers are sorted by their digits, which is O(n), where an "+
		"algorithm wants them sorted. At most %v a cell: what takes longer says so, and "+
		"larger sizes are not tried.\n\nExponents are slopes of the logarithms (least "+
		"squares) over the last sizes measured, three at most, named with them; where "+
		"planning outweighs the release, or an example changes its method with the size, "+
		"they say little. **above** is a time that grows faster than what the "+
		"documentation of the algorithm says, by %.1f. A bar has a step for each factor "+
		"of 4 from 16 µs on.\n\nWritten by `./build.sh bench growth` on %d cores.\n",
		*growCap, tolerance, runtime.NumCPU())
	const head = "| question | size | time | | allocated | exponents: time, bytes | " +
		"documented |\n" +
		"|---|---|---|---|---|---|---|\n"
	for _, rows := range []bool{true, false} {
		if rows {
			out.WriteString("\n## In the number of rows\n\n" + head)
		} else {
			fmt.Fprintf(&out, "\n## In other sizes, at n = %d\n\nk is how many values are asked "+
				"for, d the columns of a role, bits the length of a code; the "+
				"others are whole numbers of the form.\n\n%s",
				grownAt, head)
		}
		for _, g := range list {
			if (g.axis == "n") != rows {
				continue
			}
			var sizes, times, bars, bytes []string
			for i, c := range g.cells {
				sizes = append(sizes, fmt.Sprintf("%s = %s", g.axis, sizeText(g.steps[i])))
				if c.why != "" {
					times, bars, bytes = append(times, c.why), append(bars, ""), append(bytes, "")
					continue
				}
				times = append(times, fmt.Sprintf("%.3g ms", float64(c.took)/1e6))
				long := int(math.Log(max(float64(c.took)/16e3, 1)) / math.Log(4))
				bars = append(bars, strings.Repeat("█", long)+"▏")
				bytes = append(bytes, fmt.Sprintf("%.3g MB", float64(c.bytes)/1e6))
			}
			fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %s | %s: %s |\n", g.Name,
				strings.Join(sizes, "<br>"), strings.Join(times, "<br>"),
				strings.Join(bars, "<br>"), strings.Join(bytes, "<br>"), g.fitted(), g.doc(),
				said[g.doc()])
		}
	}
	return out.String()
}

// fitted are the exponents as text.
func (g *grown) fitted() string {
	time, from, to, ok := g.fit(func(c cell) float64 { return float64(c.took) })
	if !ok {
		return "–"
	}
	space, _, _, _ := g.fit(func(c cell) float64 { return float64(c.bytes) })
	text := fmt.Sprintf("%.2f, %.2f (%s to %s)", time, space, sizeText(from), sizeText(to))
	want, known := power[g.doc()]
	if !known {
		want = 1
	}
	if g.axis == "n" && time > want+tolerance {
		text += " **above**"
	}
	return text
}

// sizeText has powers of ten as such.
func sizeText(n int) string {
	if exact := int(math.Round(math.Log10(float64(n)))); n >= 1000 && int(math.Pow10(exact)) == n {
		return "10^" + strconv.Itoa(exact)
	}
	return strconv.Itoa(n)
}
