//go:build browser

package browsertest

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"hush/core/coin"
)

// What ./build.sh bench tab hands to TestTab.
var benched struct {
	dir, python, named string
	rows               int
	persons            bool
}

func init() {
	flag.StringVar(&benched.dir, "tab", "", "`directory` with the scripts of other programs, by "+
		"./build.sh bench tab; without it TestTab is skipped")
	flag.StringVar(&benched.python, "tab-python", "", "a Python with duckdb and polars")
	flag.StringVar(&benched.named, "tab-named", "",
		"a bundle whose functions have names, to be profiled")
	flag.BoolVar(&benched.persons, "tab-persons", false, "TestPersonsFitIntoMemory writes "+
		"core/table/PERSONS.md")
	flag.IntVar(&benched.rows, "tab-rows", 1_000_000, "rows of the file")
}

const (
	tabTries    = 5
	tabPatience = 2 * time.Minute // with another program
	tabIdle     = 200e6           // bytes, that no page which does nothing takes
	tabBins     = 10              // of ten ages each
	tabFile     = "../../core/table/SPEED.md"
)

var tabTowns = []string{"Bern", "Brno", "Graz", "Kyiv", "Linz", "Lugo", "Metz", "Nice", "Oslo",
	"Pisa", "Porto", "Riga", "Rome", "Saint-Denis", "Split", "Tartu", "Turku", "Ulm", "Vaduz",
	"Wels"}

// writeTab writes a file of eight columns, about 54 bytes a row, and returns how many people are of
// each age, by bins.
func writeTab(t *testing.T, path string, rows int) (counts [tabBins]int64, size int64) {
	t.Helper()
	size = writeFile(t, path, func(out *bufio.Writer) {
		out.WriteString("id,age,income,town,visited,sex,score,remark\n")
		random := coin.NewSeeded(29)
		for id := range rows {
			age := random.Uniform(100)
			counts[age/10]++
			fmt.Fprintf(out, "%d,%d,%d.%02d,%s,2024-%02d-%02d,%c,0.%03d,seen twice\n",
				id+1_000_000, age, random.Uniform(90_000), random.Uniform(100),
				tabTowns[random.Uniform(20)], 1+random.Uniform(12), 1+random.Uniform(28),
				"fm"[random.Uniform(2)], random.Uniform(1000))
		}
	})
	return counts, size
}

// tabRun is one run of a program.
type tabRun struct {
	ready, open, ask time.Duration // ready: until the program could begin
	ahead            time.Duration // to an answer from columns that were read ahead
	memory           int64
}

func (r tabRun) total() time.Duration { return r.open + r.ask }

// tabResult is what came of a program's runs, or why there are none.
type tabResult struct {
	name, why string
	runs      []tabRun
}

// TestTab times file → histogram in one tab, with Hush and with other programs, and natively, and
// writes what it finds to core/table/SPEED.md. All find the same counts.
func TestTab(t *testing.T) {
	if benched.dir == "" {
		t.Skip("skipped: it measures; ./build.sh bench tab asks for it")
	}
	path := filepath.Join(t.TempDir(), "people.csv")
	want, size := writeTab(t, path, benched.rows)
	names := []string{"Hush", "DuckDB-Wasm", "Arquero", "PapaParse", "uDSV", "DuckDB, one thread",
		"DuckDB", "polars"}
	results := make([]tabResult, len(names))
	load := machineLoad()
	for range tabTries {
		for i, name := range names {
			r := &results[i]
			if r.name = name; r.why != "" {
				continue
			}
			t.Run(name, func(t *testing.T) {
				run, counts, err := tabOnce(t, name, path)
				switch {
				case err != nil:
					r.why, r.runs = err.Error(), nil
					t.Log(err)
				case counts != want:
					t.Errorf("counts %v, want %v", counts, want)
				default:
					r.runs = append(r.runs, run)
					t.Logf("ready after %v, %v, %v for the first answer, %v read ahead; %s",
						run.ready, run.open, run.ask, run.ahead, megabytes(run.memory))
				}
			})
		}
	}
	asked := tabQuestions(t, path)
	phases := tabProfile(t, path)
	starting := tabStartProfile(t)
	waits := tabWait(t, path)
	halves := tabHalves(t, path)
	cold, warm := tabStarts(t)
	if t.Failed() {
		return
	}
	unasked := func(r tabResult) bool { return r.runs == nil && r.why == "" }
	if slices.ContainsFunc(results, unasked) || asked[len(asked)-1].run == 0 ||
		phases == nil || starting == nil || waits.OpenSilence == 0 || len(warm) == 0 ||
		halves == nil {
		t.Log("-run left something out: nothing is written")
		return
	}
	text := tabText(tabFound{size, load, results, asked, phases, starting, cold, warm,
		waits, halves})
	if err := os.WriteFile(tabFile, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func tabOnce(t *testing.T, name, path string) (tabRun, [tabBins]int64, error) {
	// The pages of earlier runs are to be gone, for memory is that of the largest page.
	within(10*time.Second, func() bool { return largestRenderer() <= tabIdle })
	switch name {
	case "Hush":
		return tabHush(t, path)
	case "DuckDB, one thread":
		return tabNative("duckdb", path, 1)
	case "DuckDB":
		return tabNative("duckdb", path, runtime.NumCPU())
	case "polars":
		return tabNative("polars", path, runtime.NumCPU())
	}
	return tabPeer(t, strings.ToLower(strings.TrimSuffix(name, "-Wasm")), path)
}

const tabOpen = `
	globalThis.opening = await hush.open(picked());
	await hush.setLimit(null);`

const tabRecipe = `question(opening, { column: 2, epsilon: "100" })`

// tabAsk opens the file in a page and asks at once. longest is for how long the page stood still,
// in ms.
func tabAsk(p *webPage, path string) (run tabRun, counts [tabBins]int64, longest float64,
	err error) {
	p.upload("#file", path)
	ready := lasting[any](p, `start(); await hush.ready;`)
	open := lasting[any](p, tabOpen)
	type bins []struct{ Count int64 }
	ask := lasting[bins](p, `return (await hush.run(`+tabRecipe+`)).answer.histogram.bins;`)
	if len(ask.value) != tabBins {
		return run, counts, 0, fmt.Errorf("%d bins", len(ask.value))
	}
	for i, bin := range ask.value {
		counts[i] = bin.Count
	}
	run = tabRun{ready: ready.took, open: open.took, ask: ask.took, memory: largestRenderer()}
	return run, counts, max(open.longest, ask.longest), nil
}

// tabHush is tabAsk; then, with the file opened anew, it asks some time after the price was shown.
func tabHush(t *testing.T, path string) (run tabRun, counts [tabBins]int64, err error) {
	p := openEngine(t)
	run, counts, _, err = tabAsk(p, path)
	if err != nil {
		return run, counts, err
	}
	lasting[any](p, `globalThis.opening = await hush.open(picked());
		await hush.plan(`+tabRecipe+`);
		await new Promise((resolve) => setTimeout(resolve, `+
		fmt.Sprint(2*run.ask.Milliseconds()+1000)+`));`)
	run.ahead = lasting[any](p, `await hush.run(`+tabRecipe+`);`).took
	return run, counts, nil
}

const tabPage = `<!doctype html><html lang="en"><title>%[1]s</title><link rel="icon" href="data:,">
<input type="file" id="file"><script type="module">
import { ready, count } from "./%[1]s.js";
globalThis.peer = { ready, count };
globalThis.picked = () => document.getElementById("file").files[0];
globalThis.outcome = (promise) => promise.then((value) => ({ value }), ({ name, message }) => ({ error: { name, message } }));
</script>`

// tabPeer counts by a program in the same browser.
func tabPeer(t *testing.T, name, path string) (run tabRun, counts [tabBins]int64, err error) {
	if _, err := os.Stat(filepath.Join(benched.dir, name+".js")); err != nil {
		return run, counts, fmt.Errorf("it could not be installed")
	}
	mux := http.NewServeMux()
	files := http.FileServer(http.Dir(benched.dir))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		// Chromium keeps in memory what it was served, for each fresh profile; the fourth 34 MB of
		// DuckDB-Wasm never came.
		w.Header().Set("Cache-Control", "no-store")
		files.ServeHTTP(w, r)
	})
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, tabPage, name)
	})
	p := open(t, serve(t, mux, "/page").url)
	p.upload("#file", path)
	ready, err := tryLasting[any](p, tabPatience, `await peer.ready();`)
	if err != nil {
		return run, counts, err
	}
	ask, err := tryLasting[[]int64](p, tabPatience, `return peer.count(picked());`)
	if err != nil {
		return run, counts, err
	}
	for age, n := range ask.value {
		counts[age/10] += n
	}
	return tabRun{ready: ready.took, ask: ask.took, memory: largestRenderer()}, counts, nil
}

func tabNative(library, path string, threads int) (run tabRun, counts [tabBins]int64, err error) {
	if benched.python == "" {
		return run, counts, fmt.Errorf("it could not be installed")
	}
	command := exec.Command(benched.python, "tab/native.py", library, path)
	command.Env = append(os.Environ(), fmt.Sprintf("POLARS_MAX_THREADS=%d", threads))
	out, err := command.CombinedOutput()
	if err != nil {
		return run, counts, fmt.Errorf("it fails: %s", lastLine(out))
	}
	return nativeRun(out)
}

// nativeRun is what a program of the machine says of its run.
func nativeRun(out []byte) (run tabRun, counts [tabBins]int64, err error) {
	var got struct {
		Seconds float64
		Bytes   int64
		Counts  []int64
	}
	if err := json.Unmarshal(out, &got); err != nil {
		return run, counts, err
	}
	for age, n := range got.Counts {
		counts[age/10] += n
	}
	run.ask, run.memory = time.Duration(got.Seconds*1e9), got.Bytes
	return run, counts, nil
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// tabAsked is a question about the open file.
type tabAsked struct {
	name           string
	changes        string // of the recipe
	read, run      time.Duration
	again, forKept time.Duration // the same once more
}

// tabQuestions asks others, each of a file that was just opened, and each once more.
func tabQuestions(t *testing.T, path string) []tabAsked {
	towns, err := json.Marshal(tabTowns)
	if err != nil {
		t.Fatal(err)
	}
	town := `{ kind: "category", categories: ` + string(towns) + ` }`
	by := func(column int, label, domain string) string {
		return fmt.Sprintf(`{ role: "by", column: %d, label: %q, domain: %s }`, column, label,
			domain)
	}
	list := []tabAsked{
		{name: "Histogram of ages", changes: `column: 2`},
		{name: "Median of ages", changes: `column: 2, task: "median"`},
		{name: "Nine quantiles of ages", changes: `column: 2, task: "quantiles",
			params: { targets: "10,20,30,40,50,60,70,80,90" }`},
		{name: "All percentiles of incomes", changes: `column: 3, task: "distribution",
			domain: { kind: "decimal", lo: "0", hi: "100000", step: "0.01" }`},
		{name: "Table of town and sex", changes: `
			column: 0, task: "table", domain: { kind: "" }, others: [` +
			by(4, "town", town) + `, ` + by(6, "sex", `{ kind: "category", categories: ["f", "m"] }`) + `]`},
		{name: "Median of ages in each of 20 towns", changes: `column: 2, task: "median",
			group: { column: 4, names: ` + string(towns) + ` }`},
		{name: "Median of remarks, a text", changes: `column: 8, task: "median",
			domain: { kind: "text", length: 32 }`},
	}
	for i := range list {
		q := &list[i]
		t.Run(q.name, func(t *testing.T) {
			p := openEngine(t)
			p.upload("#file", path)
			p.script(`start(); await hush.ready;`, nil)
			lasting[any](p, tabOpen)
			p.script(`globalThis.recipe = question(opening, { `+q.changes+` });`, nil)
			q.read = lasting[any](p, `await hush.read(recipe);`).took
			q.run = lasting[any](p, `await hush.run(recipe);`).took
			q.again = lasting[any](p, `await hush.read(recipe);`).took
			q.forKept = lasting[any](p, `await hush.run(recipe);`).took
			t.Logf("read in %v, run in %v; again %v, %v; %s", q.read, q.run, q.again, q.forKept,
				megabytes(largestRenderer()))
		})
	}
	return list
}

// tabMilestones notes when the page's program was asked for, and when it was there and compiled.
const tabMilestones = `
globalThis.milestones = { asked: 0, compiled: 0 };
const { instantiateStreaming } = WebAssembly;
WebAssembly.instantiateStreaming = async (...all) => {
	milestones.asked = performance.now();
	try {
		return await instantiateStreaming.apply(WebAssembly, all);
	} finally {
		milestones.compiled = performance.now();
	}
};
`

// tabStart are moments of a visit, in ms from its beginning.
type tabStart struct{ usable, asked, compiled, stands float64 }

// tabStarts are first visits, in fresh profiles, and later ones.
func tabStarts(t *testing.T) (cold, warm []tabStart) {
	s := serveBundle(t)
	noted := func(p *webPage) tabStart {
		var got struct{ Asked, Compiled float64 }
		usable, stands, _, _, _ := watched(p)
		p.eval(`milestones`, &got)
		t.Logf("usable %.0f ms, asked %.0f, compiled %.0f, stands %.0f", usable, got.Asked,
			got.Compiled, stands)
		return tabStart{usable, got.Asked, got.Compiled, stands}
	}
	for range tabTries {
		t.Run("start", func(t *testing.T) {
			p := openWatched(t, s.url, tabMilestones)
			cold = append(cold, noted(p))
			p.installed()
			p.reload() // now its parts are kept, and compiled
			noted(p)
			p.reload()
			warm = append(warm, noted(p))
		})
	}
	return cold, warm
}

// tabWaits are the longest times without a word of progress, and from a cancel to its end, in ms;
// below 0 if there was nothing to cancel any more.
type tabWaits struct{ OpenSilence, AskSilence, OpenCancel, AskCancel float64 }

func tabWait(t *testing.T, path string) (waits tabWaits) {
	t.Run("wait", func(t *testing.T) {
		p := openEngine(t)
		p.upload("#file", path)
		p.script(`start(); await hush.ready;`, nil)
		waits = lasting[tabWaits](p, `
			const silence = async (call) => {
				let last = performance.now(), longest = 0;
				const heard = () => { const now = performance.now(); longest = Math.max(longest, now - last); last = now; };
				const value = await call({ onprogress: heard });
				heard();
				return [value, longest];
			};
			const cancel = async (call) => {
				const abort = new AbortController();
				let at = 0;
				const { error } = await outcome(call({ signal: abort.signal, onprogress: ({ done, total }) => {
					if (!at && done > total / 2) { at = performance.now(); abort.abort(); }
				} }));
				return error?.code === "cancelled" ? performance.now() - at : -1;
			};
			const openCancel = await cancel((how) => hush.open(picked(), {}, how));
			const [opening, openSilence] = await silence((how) => hush.open(picked(), {}, how));
			const recipe = `+tabRecipe+`;
			await hush.setLimit(null);
			const askCancel = await cancel((how) => hush.run(recipe, how));
			const [, askSilence] = await silence((how) => hush.run(recipe, how));
			return { openSilence, askSilence, openCancel, askCancel };`).value
		t.Logf("%+v", waits)
	})
	return waits
}

// tabHalf is how long one engine took with the whole file, and two with half of it each, in ms.
type tabHalf struct{ OpenOne, ReadOne, OpenTwo, ReadTwo float64 }

// tabHalves is what two workers could gain at most: two engines at once, each with one half of the
// file, which put nothing together.
func tabHalves(t *testing.T, path string) (list []tabHalf) {
	t.Run("halves", func(t *testing.T) {
		p := openEngine(t)
		p.upload("#file", path)
		p.script(`
			start();
			globalThis.other = new hush.constructor();
			await Promise.all([hush.ready, other.ready]);
			const file = picked(), middle = file.size >> 1;
			const header = (await file.slice(0, 1000).text()).split("\n")[0] + "\n";
			const cut = middle + (await file.slice(middle, middle + 1000).text()).indexOf("\n") + 1;
			globalThis.parts = [new File([file.slice(0, cut)], "a.csv"), new File([header, file.slice(cut)], "b.csv")];`,
			nil)
		for range tabTries {
			half := lasting[tabHalf](p, `
				const timed = async (work) => {
					const from = performance.now(), value = await work();
					return [value, performance.now() - from];
				};
				const ask = (engine, opening) => engine.read(question(opening, { column: 2 }));
				const [whole, openOne] = await timed(() => hush.open(picked()));
				const [, readOne] = await timed(() => ask(hush, whole));
				const [[a, b], openTwo] = await timed(() => Promise.all([hush.open(parts[0]), other.open(parts[1])]));
				const [, readTwo] = await timed(() => Promise.all([ask(hush, a), ask(other, b)]));
				if (Number(a.rows) + Number(b.rows) !== Number(whole.rows)) throw new Error("the halves have other rows");
				return { openOne, readOne, openTwo, readTwo };`).value
			t.Logf("%+v", half)
			list = append(list, half)
		}
	})
	return list
}
