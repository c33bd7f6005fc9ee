package judge

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

var (
	walks = flag.Int("walks", 0, "`how many` walks; 0: a few")
	seed  = flag.Uint64("seed", 1, "the seed of the first walk")
)

// scratch is where the programs are that the tests build.
var scratch string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "judge")
	if err != nil {
		panic(err)
	}
	scratch = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// TestImports: the judge is a stranger to the engine.
func TestImports(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if path, _ := strconv.Unquote(i.Path.Value); strings.Contains(
				strings.Split(path, "/")[0], ".") || strings.HasPrefix(path, "hush") {
				t.Errorf("%s imports %s, want the standard library alone", name, path)
			}
		}
	}
}

// compiled makes the program, of sources that an overlay replaces; empty: none are.
func compiled(name, overlay string) (string, error) {
	program := filepath.Join(scratch, name)
	args := []string{"build", "-o", program}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	compile := exec.Command("go", append(args, "..")...)
	compile.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := compile.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, text)
	}
	return program, nil
}

// shipped is the program as it ships.
var shipped = sync.OnceValues(func() (string, error) { return compiled("hush", "") })

// A desk is the program with a ledger.
type desk struct {
	t       testing.TB
	program string
	dir     string // for files
	ledger  string
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	program, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	return &desk{t, program, dir, filepath.Join(dir, "ledger")}
}

func (d *desk) command(args ...string) *exec.Cmd {
	c := exec.Command(d.program, args...)
	c.Env = append(os.Environ(), "HUSH_LEDGER="+d.ledger)
	return c
}

// hush runs one command line.
func (d *desk) hush(args ...string) (code int, out, said string) {
	d.t.Helper()
	var o, e bytes.Buffer
	c := d.command(args...)
	c.Stdout, c.Stderr = &o, &e
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		d.t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), o.String(), e.String()
}

// save writes a file: a text, or a value as JSON.
func (d *desk) save(name string, of any) string {
	d.t.Helper()
	text, is := of.(string)
	if !is {
		b, err := json.Marshal(of)
		if err != nil {
			d.t.Fatal(err)
		}
		text = string(b)
	}
	name = filepath.Join(d.dir, name)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
	return name
}

// object is a value of JSON that the program takes back as it gave it.
type object = map[string]any

// look is how the program proposes to read a file.
func (d *desk) look(file string) object {
	d.t.Helper()
	code, out, said := d.hush("look", "-json", file)
	var found struct{ Options object }
	if err := json.Unmarshal([]byte(out), &found); code != 0 || err != nil {
		d.t.Fatalf("look: code %d, %s %v", code, said, err)
	}
	return found.Options
}

// stated is a loss as files state it.
type stated struct{ Epsilon, Delta string }

// entry is a debit in the list of a ledger.
type entry struct {
	ID, Task, Replaces string
	Questions          int
	Loss               struct{ Epsilon, Delta, Rho string }
}

// account is a data set in the list of a ledger.
type account struct {
	Fingerprint  string
	Limit        *stated
	Entries      []entry
	Spent, Delta string
}

// accounts is the list of the ledger.
func (d *desk) accounts() (list []account) {
	d.t.Helper()
	code, out, said := d.hush("ledger", "-json")
	if err := json.Unmarshal([]byte(out), &list); code != 0 || err != nil {
		d.t.Fatalf("the ledger: code %d, %v, %s", code, err, said)
	}
	return list
}

// entries are the debits of all accounts.
func (d *desk) entries() (list []entry) {
	d.t.Helper()
	for _, a := range d.accounts() {
		list = append(list, a.Entries...)
	}
	return list
}

// release is what the accountant reads of one.
type release struct {
	Plan struct {
		People int
		Loss   stated
	}
	Recipe struct {
		Task    string
		Epsilon string
		Group   *struct{ Names []string }
		Domain  struct{ Lo, Hi string }
	}
	Answer struct {
		Estimates struct{ Rows []struct{ Value string } }
	}
	Head *struct {
		Sums  string
		Bases []string
	}
}

func readRelease(t testing.TB, text string) (r release) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return r
}

// draw runs a command line that must draw, and returns what it prints.
func (d *desk) draw(args ...string) string {
	d.t.Helper()
	code, out, said := d.hush(append([]string{args[0], "-spend", "-json"}, args[1:]...)...)
	if code != 0 {
		d.t.Fatalf("%v: code %d, %s", args, code, said)
	}
	return out
}

// figures are the releases that a plan prints.
func figures(t testing.TB, text string) (list []release) {
	t.Helper()
	var all []struct{ Release json.RawMessage }
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for _, f := range all {
		list = append(list, readRelease(t, string(f.Release)))
	}
	return list
}
