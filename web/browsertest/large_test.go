//go:build browser

package browsertest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"hush/core/domain"
	"hush/core/table"
	"hush/web/engine"
)

// long ends a test that is not asked for.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("HUSH_LONG") == "" {
		t.Skip("skipped: it takes minutes and gigabytes of disk; HUSH_LONG=1 asks for it")
	}
}

// writeLarge writes a file as writePeople does, but by repeating a part of it, which is as fast as
// the disk.
func writeLarge(t *testing.T, path string, size int64) {
	t.Helper()
	writePeople(t, path, 32<<20)
	part, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows := part[bytes.IndexByte(part, '\n')+1:]
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for written := int64(len(part)); written < size; written += int64(len(rows)) {
		if _, err := file.Write(rows); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLargeFileFitsIntoMemory reads a column of a file of 2 GB: the column's codes bound the
// engine's memory, whatever the file's size, a run keeps to its estimate, and the page stays usable
// meanwhile.
func TestLargeFileFitsIntoMemory(t *testing.T) {
	long(t)
	const size = 2 << 30
	// ms between two turns of the page's event loop, on a machine that has other work too
	const wantLongest = 1000.0
	path := filepath.Join(t.TempDir(), "people.csv")
	writeLarge(t, path, size)
	for _, c := range []struct {
		table.Wanted
		width int64 // bytes of a code
	}{
		{table.Wanted{Column: 2, Spec: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"}}, 1},
		{table.Wanted{
			Column: 3, Spec: domain.Spec{Kind: domain.Decimal, Lo: "0", Hi: "100000",
				Step: "0.01"}}, 4},
		{table.Wanted{
			Column: 1, Spec: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "1000000000000"}}, 8},
	} {
		t.Run(fmt.Sprintf("%d bytes a code", c.width), func(t *testing.T) {
			spec, err := json.Marshal(c.Spec)
			if err != nil {
				t.Fatal(err)
			}
			p := openEngine(t)
			p.upload("#file", path)
			p.script(`start(); await hush.ready;`, nil)
			memory := func() (bytes int64) { // it never shrinks, so this is the most so far
				p.inWorker("engine.js", `go._inst.exports.mem.buffer.byteLength`, &bytes)
				return bytes
			}
			began := memory()
			open := lasting[int64](
				p, `globalThis.opening = await hush.open(picked()); return Number(opening.rows);`)
			opened := memory()
			p.script(fmt.Sprintf(
				`globalThis.recipe = question(opening, { task: "median", column: %d, domain: %s });`, c.Column, spec), nil)
			read := lasting[any](p, `await hush.read(recipe);`)
			held := memory()
			run := lasting[any](p, `await hush.run(recipe);`)
			ran := memory()

			rows, codes := open.value, open.value*c.width
			estimate, err := table.Estimate(table.EncodeParams{Columns: []table.Wanted{c.Wanted}},
				rows, size)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d rows, codes of %s; memory: %s at first, %s opened, %s read, %s after a "+
				"median, which was estimated at %s; %s; opened in %v, read in %v, run in %v",
				rows, megabytes(codes), megabytes(began), megabytes(opened), megabytes(held),
				megabytes(ran), megabytes(estimate), peak(), open.took, read.took, run.took)
			if limit := codes*22/10 + 64<<20; held > limit {
				t.Errorf("reading took %s, want at most %s: 2.2 times the codes and 64 MiB",
					megabytes(held), megabytes(limit))
			}
			if ran > estimate {
				t.Errorf("the run took %s, and %s were estimated", megabytes(ran),
					megabytes(estimate))
			}
			if longest := max(open.longest, read.longest, run.longest); longest > wantLongest {
				t.Errorf("the page stood still for %.0f ms, want at most %.0f", longest,
					wantLongest)
			}
		})
	}
}

// writeVisits writes 10^7 rows of 10^6 persons in any order: an identifier, a group, a day and a
// value.
func writeVisits(t *testing.T, path string) {
	t.Helper()
	writeFile(t, path, func(out *bufio.Writer) {
		out.WriteString("person,group,day,value\n")
		random := rand.New(rand.NewPCG(27, 9))
		var line []byte
		for range 10_000_000 {
			line = strconv.AppendInt(append(line[:0], 'u'), 1e6+random.Int64N(1e6), 10)
			line = append(line, ",g"...)
			line = append(strconv.AppendInt(line, random.Int64N(20), 10), ',')
			line = append(strconv.AppendInt(line, random.Int64N(365), 10), ',')
			line = append(strconv.AppendInt(line, random.Int64N(500), 10), '\n')
			out.Write(line)
		}
	})
}

// TestPersonsFitIntoMemory asks the same question of 10^7 rows of 10^6 persons: of rows, of one row
// of each person, of three, of two rows in each of five groups, and of a sum of all. The engine
// takes at most 400 MB. How long each takes is reported beside the first: in time of the processor,
// which what else the machine does lengthens less. ./build.sh bench persons has it written to
// core/table/PERSONS.md.
func TestPersonsFitIntoMemory(t *testing.T) {
	long(t)
	const most = 400e6
	path := filepath.Join(t.TempDir(), "visits.csv")
	writeVisits(t, path)
	load := machineLoad()
	var found []visitsRun
	for _, c := range []struct{ name, use string }{
		{"rows", ""},
		{"one row of each", "person: 1"},
		{"three rows of each", "person: 1, use: { rows: 3 }"},
		{"two rows in each of five groups", "person: 1, use: { rows: 2, groups: 5, column: 2 }"},
		{"the sum of each", `person: 1, use: { values: [{ column: 4, of: "sum" }] }`},
	} {
		run := visitsRun{name: c.name}
		p := openEngine(t)
		p.upload("#file", path)
		p.script(`start(); await hush.ready;`, nil)
		for i, body := range []string{`globalThis.opening = await hush.open(picked());`,
			fmt.Sprintf(`globalThis.recipe = question(opening, { task: "median", column: 4,
				domain: { kind: "integer", lo: "0", hi: "5000" }, %s });
				await hush.read(recipe);`, c.use),
			`await hush.run(recipe);`} {
			began := workersBusy()
			run.took[i] = lasting[any](p, body).took
			run.busy[i] = workersBusy() - began
		}
		p.inWorker("engine.js", `go._inst.exports.mem.buffer.byteLength`, &run.memory)
		found = append(found, run)
		t.Logf("%s: opened, read, answered in %v, busy for %v: %.1f times rows; %s, %s", c.name,
			run.took, run.busy, run.all()/found[0].all(), megabytes(run.memory), peak())
		if run.memory > most { // it never shrinks, so this is the most so far
			t.Errorf("%s: the engine took %s, want at most %s", c.name, megabytes(run.memory),
				megabytes(most))
		}
	}
	if !benched.persons || t.Failed() || found[0].all() == 0 {
		return
	}
	if err := os.WriteFile("../../core/table/PERSONS.md", []byte(visitsText(found, load)),
		0o644); err != nil {
		t.Fatal(err)
	}
}

// visitsRun is what opening a file, reading it for a question and the answer took, and for how long
// the engine's thread was busy with each.
type visitsRun struct {
	name       string
	took, busy [3]time.Duration
	memory     int64
}

// all is the busy time of all three.
func (r visitsRun) all() float64 { return (r.busy[0] + r.busy[1] + r.busy[2]).Seconds() }

func visitsText(found []visitsRun, load float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# How fast persons with several rows are read\n\n"+
		"Written by `./build.sh bench persons`: a file of 10 000 000 rows of 1 000 000 persons, "+
		"in any order, with an identifier, one of 20\ngroups, a day and a value, is opened in "+
		"Chromium, read for the median of values, and the answer drawn, by what counts of a "+
		"person.\nSeconds for which the processor was busy with the engine's thread, once each; "+
		"in brackets those that went by, where the machine\nhad a load of %.1f before. The last "+
		"columns are all three by those of rows, where nobody is bounded, and the engine's "+
		"memory.\n\n"+
		"| Counted | open | read | answer | in all | by rows | memory |\n"+
		"|---|--:|--:|--:|--:|--:|--:|\n", load)
	for _, r := range found {
		fmt.Fprintf(&b, "| %s |", r.name)
		all := time.Duration(0)
		for i, busy := range r.busy {
			fmt.Fprintf(&b, " %.2f (%.1f) |", busy.Seconds(), r.took[i].Seconds())
			all += r.took[i]
		}
		fmt.Fprintf(&b, " %.2f (%.1f) | %.2f | %s |\n", r.all(), all.Seconds(),
			r.all()/found[0].all(), megabytes(r.memory))
	}
	return b.String() + visitsWhy
}

const visitsWhy = `
A row of the file without persons is a code at the end of a list. A row of a person is looked up
first: a place in a table of 48 MB or so, then what that person has so far, each somewhere else in
memory. Natively such a look takes a third of the time, most likely since the memory of a browser's
program has small pages only, and most looks also wait for where the page is. By groups there are a
third and a fourth look, at the person's groups and at their entries, and a keyed hash of the person
and the group for each row, which says whether the group is one of those that count.

Tried and left out: rows that wait in up to 256 buckets, by the bits that say where in the table
their persons are, until those of a bucket are taken together. One row of each took 5 % less, three
rows 14 %, a sum 27 %, groups 7 % and 90 MB more; files of a thousand rows took longer, and the code
was 560 lines.
`

// TestLargeTextMedian asks for the median of a text column of 4·10^7 rows: the answer comes, or a
// refusal that says what to do, and until then no second passes without a word of progress.
func TestLargeTextMedian(t *testing.T) {
	long(t)
	const rows = 40_000_000
	// ms, on a machine that has other work too, which also keeps the page from listening
	const wantSilence = 1000.0
	path := filepath.Join(t.TempDir(), "remarks.csv")
	writeFile(t, path, func(out *bufio.Writer) {
		out.WriteString("id,remark\n")
		random := rand.New(rand.NewPCG(28, 4))
		var line []byte
		for id := range rows {
			line = append(strconv.AppendInt(line[:0], int64(id), 10), ',')
			for range 4 + random.IntN(20) {
				line = append(line, 'a'+byte(random.IntN(26)))
			}
			out.Write(append(line, '\n'))
		}
	})
	p := openEngine(t)
	p.upload("#file", path)
	p.script(`start(); await hush.ready;`, nil)
	type heard struct {
		Silence float64
		Behind  map[string]any // the word before the longest silence
		Error   *failure
	}
	told := func(call string) lasted[heard] {
		return lasting[heard](p, `let last = performance.now(), silence = 0, word = {}, behind = {};
			const onprogress = (next) => {
				const now = performance.now();
				if (now - last > silence) [silence, behind] = [now - last, word];
				[last, word] = [now, next];
			};
			const { error } = await outcome(`+call+`);
			onprogress({});
			return { silence, behind, error };`)
	}
	open := told(`hush.open(picked(), {}, { onprogress }).then((o) => { globalThis.opening = o; })`)
	p.script(`globalThis.recipe = question(opening, { task: "median", column: 2,
		domain: { kind: "text", length: 32 } });`, nil)
	run := told(`hush.run(recipe, { onprogress })`)
	t.Logf("opened in %v, read and answered in %v, %s; silent for %.0f and %.0f ms, behind %v",
		open.took, run.took, peak(), open.value.Silence, run.value.Silence, run.value.Behind)
	if open.value.Error != nil {
		t.Fatalf("it does not open: %+v", open.value.Error)
	}
	if refused := run.value.Error; refused != nil {
		t.Logf("refused: %+v", refused)
		if refused.Code != engine.TooLarge {
			t.Errorf("refused by %q", refused.Code)
		}
	}
	if silence := max(open.value.Silence, run.value.Silence); silence > wantSilence {
		t.Errorf("silent for %.0f ms, want at most %.0f", silence, wantSilence)
	}
}

func megabytes(n int64) string { return fmt.Sprintf("%.0f MB", float64(n)/1e6) }

// lasted is what came of a script that may take minutes.
type lasted[T any] struct {
	value   T
	took    time.Duration
	longest float64 // ms between two turns of the page's event loop
}

// lasting runs the body of an async function in the page.
func lasting[T any](p *webPage, body string) lasted[T] {
	p.t.Helper()
	got, err := tryLasting[T](p, 10*time.Minute, body)
	if err != nil {
		p.t.Fatalf("%v in %s", err, body)
	}
	return got
}

// tryLasting is lasting for one that may fail, or not end in this time.
func tryLasting[T any](p *webPage, atMost time.Duration, body string) (lasted[T], error) {
	p.t.Helper()
	p.script(`
		let last = performance.now(), longest = 0;
		const began = last, beat = setInterval(() => { const now = performance.now(); longest = Math.max(longest, now - last); last = now; }, 4);
		globalThis.lasting = null;
		outcome((async () => {`+body+`})()).then((result) => {
			clearInterval(beat);
			globalThis.lasting = { ...result, took: performance.now() - began, longest };
		});`, nil)
	var got struct {
		Value         T
		Error         *failure
		Took, Longest float64
	}
	if !within(atMost, func() bool {
		var done bool
		return p.tryEval(`lasting !== null`, &done) == nil && done
	}) {
		return lasted[T]{}, fmt.Errorf("it does not end in %v", atMost)
	}
	p.eval(`lasting`, &got)
	if got.Error != nil {
		return lasted[T]{}, fmt.Errorf("%s: %s", got.Error.Name, got.Error.Message)
	}
	took := time.Duration(got.Took * 1e6).Round(time.Millisecond)
	return lasted[T]{got.Value, took, got.Longest}, nil
}

// peak says how much memory the largest of Chromium's processes held at most, where the system
// tells: the renderer with the engine in it.
func peak() string {
	if largest := largestOf(""); largest > 0 {
		return megabytes(largest) + " in the largest process"
	}
	return "processes unknown"
}

// largestRenderer is how much memory the largest process of a page that is open held at most.
func largestRenderer() int64 { return largestOf("--type=renderer") }

// workersBusy is for how long the processor was busy with the workers of Chromium's pages, to a
// hundredth of a second; 0 where the system does not say.
func workersBusy() (busy time.Duration) {
	for _, pid := range browserProcesses() {
		names, err := fs.Glob(os.DirFS("/proc"), fmt.Sprintf("%d/task/[0-9]*/stat", pid))
		if err != nil {
			return 0
		}
		for _, name := range names {
			text, err := os.ReadFile("/proc/" + name)
			if err != nil || !bytes.Contains(text, []byte("(DedicatedWorker)")) {
				continue // it has ended, or does something else
			}
			field := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
			for _, ticks := range field[11:13] { // in the program and in the system
				n, _ := strconv.Atoi(ticks)
				busy += time.Duration(n) * 10 * time.Millisecond
			}
		}
	}
	return busy
}

// largestOf is that of Chromium's processes with this part in their command; 0 where the system
// does not say.
func largestOf(part string) (largest int64) {
	for _, pid := range browserProcesses() {
		command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil || !bytes.Contains(command, []byte(part)) {
			continue
		}
		n, _ := strconv.ParseInt(statusOf(pid, "VmHWM:"), 10, 64)
		largest = max(largest, n<<10)
	}
	return largest
}

// browserProcesses are Chromium and what it started; none where the system does not say.
func browserProcesses() (pids []int) {
	browser := chromedp.FromContext(chromium.ctx).Browser.Process()
	names, err := fs.Glob(os.DirFS("/proc"), "[0-9]*")
	if err != nil || browser == nil {
		return nil
	}
	parents := map[int]int{}
	for _, name := range names {
		pid, _ := strconv.Atoi(name)
		parents[pid], _ = strconv.Atoi(statusOf(pid, "PPid:"))
	}
	for pid := range parents {
		for up := pid; up > 1; up = parents[up] {
			if up == browser.Pid {
				pids = append(pids, pid)
				break
			}
		}
	}
	return pids
}

// statusOf is what the system says of a process by this name, empty where it does not.
func statusOf(pid int, name string) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return "" // it has ended
	}
	for line := range strings.Lines(string(text)) {
		if field := strings.Fields(line); len(field) > 1 && field[0] == name {
			return field[1]
		}
	}
	return ""
}
