//go:build browser

package browsertest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"
)

// tabFound is what TestTab found.
type tabFound struct {
	size       int64
	load       float64 // before the first run
	results    []tabResult
	asked      []tabAsked
	phases     []tabSpent // of opening, of asking
	starting   []tabSpent // of a first visit, of a later one
	cold, warm []tabStart
	waits      tabWaits
	halves     []tabHalf
}

func tabMedian[T any](list []T, of func(T) float64) float64 {
	numbers := make([]float64, len(list))
	for i, one := range list {
		numbers[i] = of(one)
	}
	slices.Sort(numbers)
	return numbers[len(numbers)/2]
}

func (r tabResult) seconds(of func(tabRun) time.Duration) float64 {
	return tabMedian(r.runs, func(run tabRun) float64 { return of(run).Seconds() })
}

// ratio is the median of what Hush took by what this program took in the same turn.
func (r tabResult) ratio(hush tabResult, of func(tabRun) time.Duration) float64 {
	list := make([]float64, len(r.runs))
	for i := range list {
		list[i] = of(hush.runs[i]).Seconds() / r.runs[i].total().Seconds()
	}
	return tabMedian(list, func(ratio float64) float64 { return ratio })
}

func (r tabResult) memory() float64 {
	return tabMedian(r.runs, func(run tabRun) float64 { return float64(run.memory) })
}

// grouped is a number with a space between each three digits.
func grouped(number int) string {
	text := fmt.Sprint(number)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + " " + text[i:]
	}
	return text
}

// tabText is SPEED.md.
func tabText(f tabFound) string {
	var b strings.Builder
	hush := f.results[0]
	fmt.Fprintf(&b, `# How fast a file is read

Written by `+"`./build.sh bench tab`"+`. `+"`ROWS=1000000`"+` before it says how many rows its file has.

A file of %s rows and eight columns, %s, is read to a histogram of one of them by each program in turn, %d times, each time in a
fresh page or as a fresh program, on a machine of %d cores and %s of memory. %s
Times are medians, in seconds. A ratio is the median of those within a turn: Hush's time by the other's. Memory is the most that the page's
process, or the program, held. All find the same counts: Hush is asked with ε = 100, where noise changes no count.

| Program | begins after | open | ask | file → histogram | Hush's by its | Hush's, read ahead, by its | memory |
|---|--:|--:|--:|--:|--:|--:|--:|
`, grouped(benched.rows), megabytes(f.size), tabTries, runtime.NumCPU(), machineMemory(), loadText(f.load))
	ahead := func(r tabRun) time.Duration { return r.open + r.ahead }
	order := slices.Clone(f.results[1:])
	slices.SortStableFunc(order, func(a, b tabResult) int {
		if len(a.runs) == 0 || len(b.runs) == 0 {
			return cmp.Compare(len(b.runs), len(a.runs))
		}
		return cmp.Compare(a.seconds(tabRun.total), b.seconds(tabRun.total))
	})
	row := func(name string, r tabResult, open string) {
		begins := ""
		if ready := r.seconds(func(r tabRun) time.Duration { return r.ready }); ready > 0 {
			begins = fmt.Sprintf("%.2f", ready)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %.2f | %.2f | %.2f | %.2f | %s |\n", name, begins, open,
			r.seconds(func(r tabRun) time.Duration { return r.ask }), r.seconds(tabRun.total),
			r.ratio(hush, tabRun.total), r.ratio(hush, ahead), megabytes(int64(r.memory())))
	}
	opened := hush.seconds(func(r tabRun) time.Duration { return r.open })
	row("**Hush**", hush, fmt.Sprintf("%.2f", opened))
	for _, r := range order {
		if len(r.runs) > 0 {
			row(tabVersion(r.name), r, "")
		}
	}
	for _, r := range f.results {
		if r.why != "" {
			fmt.Fprintf(&b, "\nLeft out: %s. %s.\n", r.name, strings.TrimSuffix(r.why, "."))
		}
	}
	fmt.Fprintf(&b, `
Hush reads a file twice: when it opens, for its format, its flaws, the contents of its columns and its fingerprints, and once more for the columns of a question
"Ask" is the time of a question that comes at once. On the page the second reading goes on while its price is looked at: then
the answer took %.2f s after "release" was pressed, which makes "read ahead". The others turn one column into numbers, and leave the rest as text.

`, hush.seconds(func(r tabRun) time.Duration { return r.ahead }))
	tabGoals(&b, f)
	b.WriteString(`
## Other questions

Of the same file, just opened: the reading for the question, and its answer with all that is around it, in seconds; both together by those of the
histogram; then both again, of columns that are kept. One run each.

| Question | read | answer | by the histogram's | read again | answer again |
|---|--:|--:|--:|--:|--:|
`)
	base := (f.asked[0].read + f.asked[0].run).Seconds()
	for _, q := range f.asked {
		fmt.Fprintf(&b, "| %s | %.2f | %.2f | %.2f | %.3f | %.2f |\n", q.name, q.read.Seconds(),
			q.run.Seconds(), (q.read+q.run).Seconds()/base, q.again.Seconds(), q.forKept.Seconds())
	}
	b.WriteString(`
## Where the time goes

Samples of the engine's worker, every 0.2 ms, in milliseconds and hundredths, in one run of the same program with names; to take them slows it. What belongs
to no phase counts where its caller does. To open includes what starts only once: the ledger, and compiling what was not yet run.

| | open | | ask | |
|---|--:|--:|--:|--:|
`)
	tabSpentText(&b, f.phases)
	fmt.Fprintf(&b, `
## Waiting

The longest time without a word of progress: %.0f ms while the file was opened, %.0f ms while a question was read for and answered. A cancel in the
middle of opening %s, in the middle of reading %s.
`, f.waits.OpenSilence, f.waits.AskSilence, cancelText(f.waits.OpenCancel),
		cancelText(f.waits.AskCancel))
	tabHalvesText(&b, f.halves)
	start := func(name string, of func(tabStart) float64) {
		fmt.Fprintf(&b, "| %s | %.0f | %.0f |\n", name, tabMedian(f.cold, of),
			tabMedian(f.warm, of))
	}
	b.WriteString(`
## Start

Milliseconds from the beginning of a visit to the page, medians. A first visit is one in a fresh profile, over a network that takes no time; a later
one finds the page kept.

| | first | later |
|---|--:|--:|
`)
	start("the page can be used", func(s tabStart) float64 { return s.usable })
	start("its program is asked for", func(s tabStart) float64 { return s.asked })
	start("it is there and compiled", func(s tabStart) float64 { return s.compiled })
	start("it has drawn its page", func(s tabStart) float64 { return s.stands })
	b.WriteString(`
What the page's thread does in that time, in samples as above, of one visit each:

| | first | | later | |
|---|--:|--:|--:|--:|
`)
	tabSpentText(&b, f.starting)
	return b.String()
}

// tabHalvesText says whether it pays to read a file by two workers.
func tabHalvesText(b *strings.Builder, list []tabHalf) {
	const pays = 1.3
	of := func(number func(tabHalf) float64) float64 { return tabMedian(list, number) / 1000 }
	gain := tabMedian(list, func(h tabHalf) float64 {
		return (h.OpenOne + h.ReadOne) / (h.OpenTwo + h.ReadTwo)
	})
	fmt.Fprintf(b, `
## Two workers

The same file cut into two, and each half opened and read for a question by an engine of its own, both at once: what two workers on
slices of a file could gain at most, since these put nothing together and mend no quotes that a cut goes through. Medians of %d runs.

| | open | read | both |
|---|--:|--:|--:|
| one engine | %.2f | %.2f | %.2f |
| two, each with one half | %.2f | %.2f | %.2f |

`, len(list), of(func(h tabHalf) float64 { return h.OpenOne }),
		of(func(h tabHalf) float64 { return h.ReadOne }),
		of(func(h tabHalf) float64 { return h.OpenOne + h.ReadOne }),
		of(func(h tabHalf) float64 { return h.OpenTwo }),
		of(func(h tabHalf) float64 { return h.ReadTwo }),
		of(func(h tabHalf) float64 { return h.OpenTwo + h.ReadTwo }))
	says := "more than the %.1f that would pay for a second engine: files should be read so."
	if gain < pays {
		says = "less than the %.1f that would pay for a second engine, its memory and what the " +
			"seams need. So one reads all."
	}
	fmt.Fprintf(b, "The gain is %.2f, "+says+"\n", gain, pays)
}

// tabGoals compares with what Hush wants to be.
func tabGoals(b *strings.Builder, f tabFound) {
	hush := f.results[0]
	ahead := func(r tabRun) time.Duration { return r.open + r.ahead }
	b.WriteString("| Goal | at once | read ahead |\n|---|--:|--:|\n")
	for _, goal := range []struct {
		name string
		most float64
	}{{"DuckDB, one thread", 1.3}, {"DuckDB-Wasm", .75}} {
		i := slices.IndexFunc(f.results, func(r tabResult) bool { return r.name == goal.name })
		if r := f.results[i]; len(r.runs) > 0 {
			fmt.Fprintf(b, "| at most %.2f × %s | %s | %s |\n", goal.most, goal.name,
				verdict(r.ratio(hush, tabRun.total), goal.most),
				verdict(r.ratio(hush, ahead), goal.most))
		}
	}
	memory := "missed"
	if hush.memory() <= 300e6 {
		memory = "met"
	}
	fmt.Fprintf(b, "| at most 300 MB | %s | |\n", memory)
}

func verdict(ratio, most float64) string {
	if ratio <= most {
		return "met"
	}
	return fmt.Sprintf("missed by %.2f ×", ratio/most)
}

// tabSpentText are the rows of a table, with the sums.
func tabSpentText(b *strings.Builder, list []tabSpent) {
	all := tabSpent{name: "all"}
	for _, p := range list {
		for i, ms := range p.spent {
			all.spent[i] += ms
		}
	}
	for _, p := range append(list, all) {
		fmt.Fprintf(b, "| %s | %.0f | %.0f %% | %.0f | %.0f %% |\n", p.name, p.spent[0],
			100*p.spent[0]/all.spent[0], p.spent[1], 100*p.spent[1]/all.spent[1])
	}
}

// tabVersion is a program's name, with its version after its first word.
func tabVersion(name string) string {
	known, manner, _ := strings.Cut(name, ",")
	versions := map[string]string{}
	var npm struct{ Dependencies map[string]string }
	if list, err := os.ReadFile("tab/package.json"); err == nil {
		json.Unmarshal(list, &npm) // without it no version is known
	}
	for name, version := range npm.Dependencies {
		versions[path.Base(name)] = version
	}
	if list, err := os.ReadFile("tab/requirements.txt"); err == nil {
		for line := range strings.Lines(string(list)) {
			if name, version, ok := strings.Cut(strings.TrimSpace(line), "=="); ok {
				versions[name] = version
			}
		}
	}
	name = strings.TrimSpace(known + " " + versions[strings.ToLower(known)])
	if manner != "" {
		name += "," + manner
	}
	return name
}

func cancelText(ms float64) string {
	if ms < 0 {
		return "came too late for so small a file"
	}
	return fmt.Sprintf("ended it after %.0f ms", ms)
}

// machineMemory is how much memory the machine has.
func machineMemory() string {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return "an unknown size"
	}
	var kB float64
	fmt.Sscanf(string(text), "MemTotal: %f", &kB)
	return fmt.Sprintf("%.0f GB", kB/1e6)
}

// machineLoad is how many programs have wanted to run in the last minute, or -1.
func machineLoad() (load float64) {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return -1
	}
	fmt.Sscanf(string(text), "%f", &load)
	return load
}

func loadText(load float64) string {
	switch {
	case load < 0:
		return "What else it did is unknown."
	case load > .5:
		return fmt.Sprintf("It had other work, too, a load of %.1f before the first run, so that "+
			"times are longer than they need be.", load)
	}
	return "It had nothing else to do."
}
