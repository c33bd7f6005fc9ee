//go:build browser

package browsertest

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var jointTab = flag.Bool("joint-tab", false, "TestJointInTheTab writes core/joint/TAB.md")

// jointColumn is a column to keep: its number in the file, and how it is described.
type jointColumn struct {
	number int
	name   string
	values int    // of a list, "0" to the last
	hi     string // of whole numbers from 0, with cuts
	cuts   []string
}

// adultColumns are ten columns of the Adult data as whole numbers.
var adultColumns = []jointColumn{
	{1, "age", 0, "84", []string{"5", "10", "15", "20", "25", "30", "35", "40", "50"}},
	{2, "workclass", 9, "", nil},
	{4, "education-num", 16, "", nil}, {5, "marital-status", 7, "", nil},
	{6, "occupation", 15, "", nil},
	{7, "relationship", 6, "", nil}, {9, "sex", 2, "", nil},
	{10, "capital-gain", 0, "99", []string{"1", "4", "6"}},
	{12, "hours-per-week", 0, "98", []string{"34", "39", "45"}}, {14, "income>50K", 2, "", nil},
}

// manyColumns are twenty of fifty values each.
func manyColumns() (list []jointColumn) {
	for i := range 20 {
		list = append(list, jointColumn{i + 1, fmt.Sprint("c", i+1), 50, "", nil})
	}
	return list
}

// jointRecipe is the question about these columns, for the page's function of that name.
func jointRecipe(columns []jointColumn) string {
	var others []map[string]any
	for _, c := range columns {
		spec := map[string]any{"kind": "integer", "lo": "0", "hi": c.hi}
		if c.values > 0 {
			var list []string
			for i := range c.values {
				list = append(list, strconv.Itoa(i))
			}
			spec = map[string]any{"kind": "category", "categories": list}
		}
		other := map[string]any{"role": "kept", "column": c.number, "label": c.name, "domain": spec}
		if c.cuts != nil {
			other["cuts"] = c.cuts
		}
		others = append(others, other)
	}
	text, err := json.Marshal(map[string]any{"task": "joint", "column": 0,
		"domain": map[string]any{"kind": ""}, "epsilon": "1", "others": others})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// writeRelated writes 36 000 persons of some columns, half of whose values follow something that
// all have in common.
func writeRelated(t *testing.T, path string, width int, columns []jointColumn) {
	t.Helper()
	writeFile(t, path, func(out *bufio.Writer) {
		random := rand.New(rand.NewPCG(7, 4))
		names := make([]string, width)
		for i := range names {
			names[i] = fmt.Sprint("unused", i+1)
		}
		for _, c := range columns {
			names[c.number-1] = c.name
		}
		out.WriteString(strings.Join(names, ",") + "\n")
		for range 36_000 {
			common, cells := random.IntN(1000), make([]string, width)
			for i := range cells {
				cells[i] = "0"
			}
			for _, c := range columns {
				size := c.values
				if size == 0 {
					size, _ = strconv.Atoi(c.hi)
				}
				value := random.IntN(size)
				if random.IntN(2) == 0 {
					value = common * size / 1000
				}
				cells[c.number-1] = strconv.Itoa(value)
			}
			out.WriteString(strings.Join(cells, ",") + "\n")
		}
	})
}

// TestJointInTheTab asks for made-up rows of ten columns, and of twenty: how long that takes, how
// much memory, whether the page goes on meanwhile, and whether a run can be cancelled. ADULT names
// the Adult data as whole numbers; without it people of that shape are made up.
func TestJointInTheTab(t *testing.T) {
	long(t)
	var lines []string
	for _, c := range []struct {
		name    string
		columns []jointColumn
		width   int     // columns of a file that is made up
		adult   string  // the file there is
		seconds float64 // at most
	}{
		{"ten columns of the Adult data", adultColumns, 14, os.Getenv("ADULT"), 60},
		{"twenty columns of 50 values", manyColumns(), 20, "", 300},
	} {
		t.Run(c.name, func(t *testing.T) {
			path, name := c.adult, c.name
			if path == "" {
				path = filepath.Join(t.TempDir(), "people.csv")
				writeRelated(t, path, c.width, c.columns)
				name += ", made up"
			}
			p := openEngine(t)
			p.upload("#file", path)
			p.script(`start(); await hush.ready;
				globalThis.opening = await hush.open(picked());
				globalThis.recipe = question(opening, `+jointRecipe(c.columns)+`);
				await hush.read(recipe);
				globalThis.tasks = 0;
				new PerformanceObserver((list) => {
					for (const { duration } of list.getEntries()) tasks = Math.max(tasks, duration);
				}).observe({ type: "longtask" });`, nil)
			before := workersBusy()
			run := lasting[int](p, `globalThis.told = 0;
				await hush.run(recipe, { onprogress: () => told++ }); return told;`)
			busy := (workersBusy() - before).Seconds()
			var longest float64
			p.eval(`tasks`, &longest)
			memory := largestRenderer()
			// again, cancelled after a second: how long until it has ended
			stopped := lasting[float64](p, `const stop = new AbortController();
				const ended = hush.run(recipe, { signal: stop.signal }).then(() => "done", ({ code }) => code);
				await new Promise((later) => setTimeout(later, 1000));
				const began = performance.now();
				stop.abort();
				if (await ended !== "cancelled") throw new Error(await ended);
				return performance.now() - began;`)
			line := fmt.Sprintf("| %s | %.1f s | %.1f s | %s | %.0f ms | %.0f ms | %d | %.0f ms |",
				name, busy, run.took.Seconds(), megabytes(memory), longest, run.longest, run.value,
				stopped.value)
			t.Log(line)
			lines = append(lines, line)
			if busy > c.seconds || busy == 0 && run.took.Seconds() > c.seconds {
				t.Errorf("it took %v, the worker %v s; want at most %v s", run.took, busy,
					c.seconds)
			}
			if memory > 1<<30 {
				t.Errorf("%s, want at most 1 GiB", megabytes(memory))
			}
			if longest >= 200 {
				t.Errorf("a task of %.0f ms, want less than 200", longest)
			}
			if run.value < 5 || stopped.value > 2000 {
				t.Errorf("%d words of progress, cancelled in %.0f ms", run.value, stopped.value)
			}
		})
	}
	if *jointTab && lines != nil {
		text := jointTabHeading + strings.Join(lines, "\n") + "\n"
		if err := os.WriteFile("../../core/joint/TAB.md", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const jointTabHeading = `# Made-up rows in a tab

Made by TestJointInTheTab; do not edit (ADULT=adult.csv ./build.sh bench joint).

Counted and fitted by the engine's worker in Chromium, ε = 1, δ = 10⁻⁷. The first time is that for
which the processor was busy with it, and the second what it took beside other work. Memory is the most that the
page's process held, with the engine in it. The longest task is that of the page, as the browser
reports it (0: none above 50 ms), and the longest wait is that between two turns of its event loop
of 4 ms; words are those of progress. The last column is the time from a click on *Cancel*, a second
after the start, to the end of the run.

| Columns | Busy | Took | Memory | Longest task | Longest wait | Words | Cancelled in |
|---|--:|--:|--:|--:|--:|--:|--:|
`
