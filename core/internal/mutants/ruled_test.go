package mutants

import (
	"cmp"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	rules = flag.String("rules", "", "change by rules the `packages` or files below core, or of "+
		"web/, that begin so, with commas, or all, and run tests until one fails")
	sample = flag.Int("sample", 0, "of the changes by rules take `n` of each package, or all")
)

// asked is a package beside the tree, which the spots ask what to do. HUSH_CHANGE is the number of
// a spot and that of a change, from 1 on, or, after "reach", a file to which all spots are written
// that the program comes to.
const asked = `package asked

import (
	"fmt"
	"os"
	"strings"
	"sync"
)

var (
	spots  [%d]uint8 // the change, or
	lock   sync.Mutex
	reach  *os.File
)

const unreached = 255

func init() {
	change := os.Getenv("HUSH_CHANGE")
	if name, is := strings.CutPrefix(change, "reach "); is {
		var err error
		if reach, err = os.Create(name); err != nil {
			panic(err)
		}
		for i := range spots {
			spots[i] = unreached
		}
		return
	}
	var at int
	var to uint8
	if _, err := fmt.Sscan(change, &at, &to); err == nil {
		spots[at] = to
	}
}

func At(spot int) uint8 {
	if to := spots[spot]; to != unreached {
		return to
	}
	return reached(spot)
}

func reached(spot int) uint8 {
	lock.Lock()
	defer lock.Unlock()
	if spots[spot] == unreached {
		spots[spot] = 0
		fmt.Fprintln(reach, spot)
	}
	return 0
}
`

// A ruling is one change of a spot.
type ruling struct {
	*spot
	change
	number int // of the change at its spot, from 1 on
}

func (r ruling) String() string {
	return fmt.Sprintf("%s:%d: %s: %s → %s", r.file, r.line, r.rule, r.spot.text, r.change.text)
}

// rulings are what the rules make of the files of a package that begin so.
func (p *typed) rulings(with string) (list []ruling) {
	for i, file := range p.files {
		if !begins(p.names[i], with) {
			continue
		}
		s := &spots{typed: p, file: file, text: p.texts[i], name: p.names[i]}
		for _, spot := range s.find() {
			for j, c := range spot.changes {
				list = append(list, ruling{spot, c, j + 1})
			}
		}
	}
	return list
}

// some are n of the changes, the same ones as long as there are as many, or all.
func some(list []ruling, n int) []ruling {
	if n == 0 || n >= len(list) {
		return list
	}
	r := rand.New(rand.NewPCG(1, uint64(len(list))))
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:n]
}

// rule puts a switch around each spot of a package that changes.
func (in *tree) rule(p *typed, list []ruling) {
	chosen := map[string][]*spot{}
	for _, r := range list {
		if !slices.Contains(chosen[r.file], r.spot) {
			chosen[r.file] = append(chosen[r.file], r.spot)
		}
	}
	for i, name := range p.names {
		e := &edits{at: map[int]string{}}
		slices.SortFunc(chosen[name], func(a, b *spot) int { return cmp.Compare(a.order, b.order) })
		for _, s := range chosen[name] {
			s.number = in.spots
			in.spots++
			begin, end := s.switched()
			e.around(s.from, s.to, begin, end)
		}
		in.change(name, p.texts[i], e, p.files[i], `asked_ "hush/asked"`)
	}
}

// switched is what stands before and behind a spot with a switch.
func (s *spot) switched() (begin, end string) {
	at := fmt.Sprintf("asked_.At(%d)", s.number)
	var b strings.Builder
	if s.kind == "" {
		for i, c := range s.changes {
			fmt.Fprintf(&b, "if %s == %d { %s } else ", at, i+1, c.text)
		}
		return b.String() + "{ ", " }"
	}
	fmt.Fprintf(&b, "func() %s { switch %s { ", s.kind, at)
	for i, c := range s.changes {
		fmt.Fprintf(&b, "case %d: return %s; ", i+1, c.text)
	}
	return b.String() + "}; return ", " }()"
}

// TestRules changes a few places of a small package by the rules and, with -rules, those that it
// names; it logs which test fails at each, and which changes live. What a rule makes is no entry of
// the list.
func TestRules(t *testing.T) {
	with, n := "meter/", 40
	if *rules != "" {
		with, n = *rules, *sample
	}
	in, listed := newTree(t), read(t)
	var packages []string
	var list []ruling
	for _, pkg := range in.sorted(func(pkg string) bool {
		return (promises(pkg) || pkg == "web/engine") && holds(pkg, with)
	}) {
		p := in.load(t, pkg)
		made := p.rulings(with)
		if len(made) == 0 {
			continue
		}
		packages = append(packages, pkg)
		for _, m := range listed {
			if r := m.by(t, made); r != nil {
				t.Errorf("%s: %s: a rule makes it: %s", m.file, m.breaks, r)
			}
		}
		made = some(made, n)
		in.rule(p, made)
		list = append(list, made...)
	}
	in.files[filepath.Join(in.dir, "asked", "asked.go")] = fmt.Sprintf(asked, max(in.spots, 1))
	if *search != "" {
		packages = append(packages, strings.Split(*search, ",")...)
	}
	h := in.hunt(t, packages, "Test|Fuzz")
	t.Logf("%d tests", len(h.proofs))
	tally := map[string]*count{}
	all := &count{}
	for _, r := range list {
		if tally[r.rule] == nil {
			tally[r.rule] = &count{}
		}
		h.judge(t, r, tally[r.rule], all)
	}
	for _, rule := range slices.Sorted(maps.Keys(tally)) {
		t.Logf("%s: %s", rule, tally[rule])
	}
	t.Logf("in all: %s", all)
	if *rules == "" && all.killed < all.made/2 {
		t.Errorf("%s: want at least half killed", all)
	}
}

// judge looks for a test that fails at a change, and counts it.
func (h *hunt) judge(t *testing.T, r ruling, counts ...*count) {
	at := fmt.Sprint(r.spot.number)
	by := h.killer(t, r.file, at, fmt.Sprint(at, " ", r.number), 3*time.Second)
	for _, c := range counts {
		c.add(h.reaches(at), by != nil)
	}
	switch {
	case by != nil:
		t.Logf("%s: %s %s", r, by.pkg, by.name)
	case h.reaches(at):
		t.Logf("alive: %s", r)
	default:
		t.Logf("unreached: %s", r)
	}
}

// count is how many changes were made, and what became of them.
type count struct{ made, killed, unreached int }

func (c *count) add(reached, killed bool) {
	c.made++
	switch {
	case killed:
		c.killed++
	case !reached:
		c.unreached++
	}
}

func (c *count) String() string {
	return fmt.Sprintf("%d made, %d killed, %d alive, %d that no test comes to", c.made, c.killed,
		c.made-c.killed-c.unreached, c.unreached)
}

// holds is whether files of a package may begin as one of those with commas.
func holds(pkg, with string) bool {
	return begins(pkg+"/", with) || slices.ContainsFunc(strings.Split(with, ","),
		func(begin string) bool { return strings.HasPrefix(begin, pkg+"/") })
}

// by is the change by a rule that a mutant of the list is; nil where none is.
func (m mutant) by(t *testing.T, made []ruling) *ruling {
	var before, after string
	for _, r := range made {
		if r.file != m.file {
			continue
		}
		if after == "" {
			text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(fromRoot(m.file))))
			if err != nil {
				t.Fatal(err)
			}
			changed, err := m.apply()
			if err != nil {
				t.Fatal(err)
			}
			before, after = string(text), formatted(changed)
		}
		at := strings.Index(before, m.old)
		if at <= r.from && r.to <= at+len(m.old) &&
			formatted(before[:r.from]+r.change.text+before[r.to:]) == after {
			return &r
		}
	}
	return nil
}

func formatted(text string) string {
	out, err := format.Source([]byte(text))
	if err != nil {
		return text
	}
	return string(out)
}
