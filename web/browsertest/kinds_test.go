//go:build browser

package browsertest

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// What ./build.sh bench kinds hands to TestKinds.
var kindsBench struct {
	python string
	rows   int
}

func init() {
	flag.StringVar(&kindsBench.python, "kinds", "", "a `Python` with duckdb and python-calamine, "+
		"by ./build.sh bench kinds; without it TestKinds is skipped")
	flag.IntVar(&kindsBench.rows, "kinds-rows", 1_000_000, "rows of the files")
}

const kindsFile = "../../core/table/KINDS.md"

// kindsList are the files that kinds.py writes, and what reads them natively.
var kindsList = []struct{ ending, native string }{{"csv", "DuckDB"}, {"csv.gz", "DuckDB"},
	{"csv.zst", "DuckDB"}, {"zip", "unzipped, DuckDB"}, {"parquet", "DuckDB"},
	{"jsonl", "DuckDB"}, {"xlsx", "calamine"}}

// kindsResult is what was found of one kind.
type kindsResult struct {
	ending, native, why string
	size                int64
	hush, peer          tabResult // the same number of runs
	longest             float64   // ms for which the page stood still
}

// TestKinds times file → histogram of one table in files of each kind, in a tab and natively, and
// writes what it finds to core/table/KINDS.md. All find the same counts.
func TestKinds(t *testing.T) {
	if kindsBench.python == "" {
		t.Skip("skipped: it measures; ./build.sh bench kinds asks for it")
	}
	dir, rows := t.TempDir(), kindsBench.rows
	tries := 3
	if rows > 1_000_000 {
		tries = 1
	}
	kinds := func(verb string, with ...string) ([]byte, error) {
		return exec.Command(kindsBench.python, append([]string{"tab/kinds.py", verb},
			with...)...).CombinedOutput()
	}
	if out, err := kinds("write", dir, fmt.Sprint(rows)); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	load := machineLoad()
	var results []kindsResult
	for _, k := range kindsList {
		r := kindsResult{ending: k.ending, native: k.native}
		path := filepath.Join(dir, "people."+k.ending)
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			r.why = "a sheet holds 1 048 576 rows"
			results = append(results, r)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		r.size = info.Size()
		for range tries {
			t.Run(k.ending, func(t *testing.T) {
				within(10*time.Second, func() bool { return largestRenderer() <= tabIdle })
				hush, counts, longest, err := tabAsk(openEngine(t), path)
				if err != nil {
					t.Fatal(err)
				}
				out, err := kinds("count", path)
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				peer, want, err := nativeRun(out)
				if err != nil || counts != want {
					t.Fatalf("counts %v, want %v; %v", counts, want, err)
				}
				t.Logf("opened in %v, answered in %v, %s; %s in %v, %s; the page stood still for "+
					"%.0f ms", hush.open, hush.ask, megabytes(hush.memory), k.native, peer.ask,
					megabytes(peer.memory), longest)
				r.hush.runs, r.peer.runs = append(r.hush.runs, hush), append(r.peer.runs, peer)
				r.longest = max(r.longest, longest)
			})
		}
		results = append(results, r)
	}
	if t.Failed() {
		return
	}
	for _, r := range results {
		if r.why == "" && len(r.hush.runs) < tries {
			t.Log("-run left something out: nothing is written")
			return
		}
	}
	old, err := os.ReadFile(kindsFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	text := kindsText(t, kindsSections(string(old), kindsSection(results, tries, load)))
	if err := os.WriteFile(kindsFile, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// kindsHead begins a section, which begins with its number of rows.
const kindsHead = "\n## "

// kindsSections are those of the file as it is, with the new one in its place, the fewest rows
// first.
func kindsSections(old, own string) []string {
	heading, _, _ := strings.Cut(own, "\n")
	sections := []string{own}
	for i, section := range strings.Split(old, kindsHead) {
		if i > 0 && strings.Contains(section, " rows\n") && !strings.HasPrefix(section, heading) {
			sections = append(sections, strings.TrimRight(section, "\n")+"\n")
		}
	}
	slices.SortFunc(sections, func(a, b string) int {
		rows := func(section string) int { return strings.Index(section, " rows\n") }
		return cmp.Or(cmp.Compare(rows(a), rows(b)), strings.Compare(a, b))
	})
	return sections
}

// kindsSection tells of files of some number of rows.
func kindsSection(results []kindsResult, tries int, load float64) string {
	var b strings.Builder
	often := "Once each."
	if tries > 1 {
		often = fmt.Sprintf("%d times each; medians.", tries)
	}
	fmt.Fprintf(&b, `%s rows

%s The machine has %d cores and %s of memory. %s

| Kind | size | open | ask | file → histogram | natively | by | Hush's by its | memory | natively | the page stood still for |
|---|--:|--:|--:|--:|--:|---|--:|--:|--:|--:|
`, grouped(kindsBench.rows), often, runtime.NumCPU(), machineMemory(), loadText(load))
	for _, r := range results {
		if r.why != "" {
			continue
		}
		fmt.Fprintf(&b, "| %s | %s | %.2f | %.2f | %.2f | %.2f | %s | %.2f | %s | %s | %.0f ms |\n",
			r.ending, megabytes(r.size),
			r.hush.seconds(func(r tabRun) time.Duration { return r.open }),
			r.hush.seconds(func(r tabRun) time.Duration { return r.ask }),
			r.hush.seconds(tabRun.total), r.peer.seconds(tabRun.total), r.native,
			r.peer.ratio(r.hush, tabRun.total), megabytes(int64(r.hush.memory())),
			megabytes(int64(r.peer.memory())), r.longest)
	}
	for _, r := range results {
		if r.why != "" {
			fmt.Fprintf(&b, "\nLeft out: %s, since %s.\n", r.ending, r.why)
		}
	}
	return b.String()
}

// kindsText is KINDS.md.
func kindsText(t *testing.T, sections []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# How fast files of other kinds are read

Written by `+"`./build.sh bench kinds`"+`. `+"`ROWS=10000000`"+` before it says how many rows its files have; what it found of others stays.

One table of ten columns (numbers, dates, texts, gaps) is read to a histogram of one of them from files of each kind, each time in a fresh page
and then by a fresh program of the machine. Times are in seconds. The ratio is the median of those within a turn: Hush's time by the other's.
Memory is the most that the page's process, with the reader's worker in it, or the program held. "The page stood still" is the longest time between two turns
of its loop. All find the same counts: Hush is asked with ε = 100, where noise changes no count.

Hush reads a file twice, when it opens and for the question, and takes each cell's text, for its fingerprint and its flaws. The others make
a table of all columns in memory, and count then: %s, and calamine for workbooks, since DuckDB's reader of these is no part of its package; DuckDB
reads no archive, so that one is unpacked before.
`, tabVersion("DuckDB"))
	for _, section := range sections {
		b.WriteString(kindsHead + section)
	}
	b.WriteString(`
## What a reader weighs

It is loaded when somebody opens such a file, and is no part of a first visit. A CSV that is packed with gzip needs none.

| Reader | with Brotli |
|---|--:|
`)
	for _, name := range []string{"json", "parquet", "xlsx", "zip", "zstd"} {
		found, err := filepath.Glob("../../dist/v/*/readers/" + name + ".js.br")
		if err != nil || len(found) != 1 {
			t.Fatalf("readers named %s: %v, %v", name, found, err)
		}
		info, err := os.Stat(found[0])
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "| %s | %.1f kB |\n", name, float64(info.Size())/1e3)
	}
	return b.String()
}
