package judge

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fault is a change of the sources that breaks a guarantee, and the check that finds it.
type fault struct{ file, breaks, old, new, finder string }

// faults are those of faults.txt, which has the form of core/internal/mutants; what finds one
// stands behind "=": "plan", "kept", or a question, with "by group" behind it.
func faults(t *testing.T) (list []fault) {
	t.Helper()
	text, err := os.ReadFile("faults.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		var f fault
		head, rest, _ := strings.Cut(one, "\n")
		f.file, f.breaks, _ = strings.Cut(head, ": ")
		for _, line := range strings.Split(rest, "\n") {
			mark, text, _ := strings.Cut(line, " ")
			switch mark {
			case "-":
				f.old += text + "\n"
			case "+":
				f.new += text + "\n"
			case "=":
				f.finder = text
			default:
				t.Fatalf("%q begins with none of - + =", line)
			}
		}
		f.old, f.new = strings.TrimSuffix(f.old, "\n"), strings.TrimSuffix(f.new, "\n")
		list = append(list, f)
	}
	return list
}

// overlay has the compiler read the file with the fault in place of the file.
func (f fault) overlay(t *testing.T) string {
	t.Helper()
	name, err := filepath.Abs(filepath.Join("..", "..", "..", filepath.FromSlash(f.file)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), f.old); n != 1 {
		t.Fatalf("%s: %q stands in it %d times, want once: move the fault with the code", f.file,
			f.old, n)
	}
	d := &desk{t: t, dir: t.TempDir()}
	changed := d.save("changed.go", strings.Replace(string(text), f.old, f.new, 1))
	return d.save("overlay.json", object{"Replace": map[string]string{name: changed}})
}

// overdrawn says what a program loses above its debit; empty: nothing was found.
func overdrawn(t *testing.T, program, finder string) string {
	t.Helper()
	dir := t.TempDir()
	w := &walk{desk: &desk{t, program, dir, filepath.Join(dir, "ledger")},
		rng: rand.New(rand.NewPCG(1, 1))}
	// A faulty mean hides the number of people by noise of scale 101: half() needs one above 0.
	f := &data{name: w.save("people.csv", "age,group\n"+strings.Repeat("71,a\n80,b\n65,c\n", 1300)),
		column: 1, group: 2}
	task, by := strings.CutSuffix(finder, " by group")
	var drawn []release
	if finder == "plan" {
		count := object{"recipe": w.recipe(f, "count", "", false)}
		drawn = figures(t, w.draw("plan", w.save("plan.json", object{"parts": []object{count,
			count},
			"division": "evenly", "total": "1", "delta": "0"}), f.name))
	} else {
		if finder == "kept" {
			task = "count"
		}
		out := w.draw("ask", w.save("recipe.json", w.recipe(f, task, "1", by)), f.name)
		drawn = []release{readRelease(t, out)}
	}
	debits := w.entries()
	if len(debits) != 1 {
		return "it is drawn without a debit"
	}
	shifts, pure := worst(t, drawn)
	if beyond(float(t, debits[0].Loss.Epsilon), shifts) > float(t, debits[0].Loss.Delta)+1e-9 {
		text, _ := json.Marshal(debits[0].Loss)
		return string(text) + " is debited for a loss of " + strings.TrimSpace(number(t,
			"0").SetFloat64(pure).FloatString(3))
	}
	return ""
}

// TestFaults: each fault is found in a program that is built with it, and the same check finds
// nothing in the one that ships.
func TestFaults(t *testing.T) {
	program, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	list := faults(t)
	if testing.Short() {
		list = list[:1] // each is a build
	}
	for i, f := range list {
		t.Run(f.breaks, func(t *testing.T) {
			overlay := f.overlay(t)
			if said := overdrawn(t, program, f.finder); said != "" {
				t.Fatalf("the shipped program: %s", said)
			}
			broken, err := compiled("faulty"+string(rune('a'+i)), overlay)
			if err != nil {
				t.Fatal(err)
			}
			said := overdrawn(t, broken, f.finder)
			if said == "" {
				t.Error("nothing was found")
			}
			t.Log(said)
		})
	}
}

// TestFaultsApply: every fault still fits the sources.
func TestFaultsApply(t *testing.T) {
	for _, f := range faults(t) {
		f.overlay(t)
	}
}
