package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"hush/core/privacy"
	"hush/core/table"
	"hush/core/task"
	"hush/core/verify"
	"hush/web/engine"
	"hush/web/hush/ledger"
)

// people is a file of made-up people, and mean a recipe about it.
func people(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("age,sex\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "%d,%c\n", 18+i*7919%70, "fm"[i%2])
	}
	return save(t, "people.csv", b.String())
}

// readingOf is how look proposes to read a file.
func readingOf(t *testing.T, file string) table.Options {
	t.Helper()
	code, out, said := hush(t, "look", "-json", file)
	var found struct{ Options table.Options }
	if err := json.Unmarshal([]byte(out), &found); code != exitDone || err != nil {
		t.Fatalf("look: code %d, %s %v", code, said, err)
	}
	return found.Options
}

// mean is the text of a recipe for the mean of the first column of a file.
func mean(t *testing.T, file, epsilon string, change ...func(map[string]any)) string {
	t.Helper()
	r := map[string]any{"version": 1, "task": "mean", "column": 1, "label": "age",
		"domain":  map[string]any{"kind": "integer", "lo": "0", "hi": "100"},
		"epsilon": epsilon, "table": readingOf(t, file)}
	for _, c := range change {
		c(r)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return save(t, "mean.json", string(text))
}

// entries are the debits of a ledger.
func entries(t *testing.T, dir string) (list []*ledger.Entry) {
	t.Helper()
	l, err := ledger.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range l.Accounts() {
		list = append(list, a.Entries...)
	}
	return list
}

// TestAsk: nothing is drawn or written without -spend, nor with -dry-run; a draw is debited, kept,
// and a release that holds; the limit ends it, and the exit codes say so.
func TestAsk(t *testing.T) {
	file, dir := people(t), filepath.Join(t.TempDir(), "ledger")
	recipe := mean(t, file, "1")
	for _, flags := range [][]string{nil, {"-json"}, {"-dry-run"}, {"-spend", "-dry-run"}} {
		code, out, _ := hush(t, append(append([]string{"ask"}, flags...), "-ledger", dir, recipe,
			file)...)
		if code != exitDone || strings.Contains(out, "Mean age is") ||
			len(entries(t, dir)) > 0 && len(flags) == 0 {
			t.Errorf("%v: code %d, it writes %q", flags, code, out)
		}
	}
	if n := len(entries(t, dir)); n > 0 {
		t.Fatalf("%d debits without -spend", n)
	}
	for i := range 3 {
		code, out, said := hush(t, "ask", "-spend", "-json", "-ledger", dir, recipe, file)
		var r task.Release
		if err := json.Unmarshal([]byte(out), &r); code != exitDone || err != nil {
			t.Fatalf("code %d, %v: %s", code, err, said)
		}
		if found := verify.File(nil, []byte(out), ""); found.Count(verify.Fails) > 0 ||
			found.About == "" {
			t.Errorf("the release does not hold: %+v", found)
		}
		if r.Origin != "crypto" || len(entries(t, dir)) != i+1 {
			t.Errorf("it is drawn of %s, with %d debits", r.Origin, len(entries(t, dir)))
		}
	}
	for _, flag := range []string{"-spend", "-dry-run"} {
		if code, _, said := hush(t, "ask", flag, "-ledger", dir, recipe, file); code !=
			exitRefused || !strings.Contains(said, "limit") || len(entries(t, dir)) != 3 {
			t.Errorf("%s over the limit: code %d, %s", flag, code, said)
		}
	}
	id := entries(t, dir)[0].ID
	if code, out, _ := hush(t, "ledger", "-ledger", dir, "answer", id[:8], "-csv"); code !=
		exitDone || !strings.Contains(out, "mean") {
		t.Errorf("the kept answer: code %d, %s", code, out)
	}
	if code, out, _ := hush(t, "ledger", "-ledger", dir, "-json"); code != exitDone ||
		!strings.Contains(out, `"spent": "3"`) {
		t.Errorf("the list: code %d, %s", code, out)
	}
}

// TestRefusals: what is wrong is named with its file and place, and spends nothing.
func TestRefusals(t *testing.T) {
	file, dir := people(t), filepath.Join(t.TempDir(), "ledger")
	other := func(name string, value any) string {
		return mean(t, file, "1", func(r map[string]any) { r[name] = value })
	}
	for _, c := range []struct {
		name, recipe, file string
		code               int
		said               []string
	}{
		{"a label that the file does not have", other("label", "income"), file, exitRefused,
			[]string{"income"}},
		{"no column", other("column", 9), file, exitUnread, []string{"people.csv", "column"}},
		{"a misspelt field", other("epsilom", "1"), file, exitUnread,
			[]string{"mean.json", "epsilom"}},
		{"no JSON", save(t, "cut.json", "{\"version\": 1,\n \"task\": }"), file, exitUnread,
			[]string{"cut.json", "line 2, character"}},
		{"no file", mean(t, file, "1"), file + "x", exitUnread, []string{"people.csvx"}},
		{"no question", other("task", "meaning"), file, exitUnread, []string{"meaning"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, said := hush(t, "ask", "-spend", "-ledger", dir, c.recipe, c.file)
			if code != c.code || out != "" {
				t.Errorf("code %d, want %d; it writes %q and says %s", code, c.code, out, said)
			}
			for _, word := range c.said {
				if !strings.Contains(said, word) {
					t.Errorf("it does not say %q: %s", word, said)
				}
			}
		})
	}
	if n := len(entries(t, dir)); n > 0 {
		t.Errorf("%d debits", n)
	}
	income := other("label", "income")
	if code, out, said := hush(t, "ask", "-spend", "-agree", "-ledger", dir, income,
		file); code != exitDone || !strings.Contains(out, "income") {
		t.Errorf("what was agreed to: code %d, %s %s", code, out, said)
	}
}

// TestBusy: while another run holds the ledger nothing is spent, and the exit code says that.
func TestBusy(t *testing.T) {
	file, dir := people(t), filepath.Join(t.TempDir(), "ledger")
	recipe := mean(t, file, "1")
	l, err := ledger.Open(t.Context(), dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	wait := patience
	patience = 20 * time.Millisecond
	defer func() { patience = wait }()
	if code, _, said := hush(t, "ask", "-spend", "-ledger", dir, recipe, file); code != exitBusy ||
		!strings.Contains(said, "another run") {
		t.Errorf("code %d, %s", code, said)
	}
	if code, _, _ := hush(t, "ask", "-ledger", dir, recipe, file); code != exitDone {
		t.Errorf("a price waits for a run: code %d", code)
	}
}

// binary is the command as ./build.sh tool makes it.
func binary(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "hush")
	compile := exec.Command("go", "build", "-o", name, ".")
	compile.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return name
}

// TestKilled kills the program (signal 9) after its debit, after its draw, and whenever. Each time
// the debit stands, the next run of the same question finishes it and costs nothing, and an answer
// that was drawn is the one that is shown.
func TestKilled(t *testing.T) {
	program, file := binary(t), people(t)
	recipe := mean(t, file, "1")
	ends := map[string]int{}
	for i := range 24 {
		dir := filepath.Join(t.TempDir(), "ledger")
		args := []string{"ask", "-spend", "-json", "-ledger", dir, recipe, file}
		first := exec.CommandContext(t.Context(), program, args...)
		var out bytes.Buffer
		first.Stdout = &out
		said, err := first.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := first.Start(); err != nil {
			t.Fatal(err)
		}
		at := []string{"Debited", "Drawn", ""}[i%3]
		if at == "" {
			late := time.AfterFunc(time.Duration(i)*2*time.Millisecond,
				func() { first.Process.Kill() })
			defer late.Stop()
		}
		for lines := bufio.NewScanner(said); lines.Scan(); {
			if at != "" && strings.HasPrefix(lines.Text(), at) {
				first.Process.Kill()
			}
		}
		first.Wait()

		list := entries(t, dir)
		end, answer := "before the debit", ""
		if len(list) > 0 {
			l, err := ledger.Read(dir)
			if err != nil {
				t.Fatal(err)
			}
			var drawn bool
			if answer, drawn, err = l.Answer(list[0], 1); err != nil {
				t.Fatal(err)
			}
			end = map[bool]string{false: "before the draw", true: "before it was seen"}[drawn]
			if !list[0].Open() {
				end = "after all"
				if out.String() != answer {
					t.Error("what counts as seen was not written whole")
				}
			}
		}
		ends[end]++
		if end == "before the debit" && out.Len() > 0 {
			t.Error("something was written without a debit")
		}
		if end == "after all" {
			continue
		}
		second, err := exec.CommandContext(t.Context(), program, args...).Output()
		if err != nil {
			t.Fatalf("%s: %v", end, err)
		}
		if n := len(entries(t, dir)); n != 1 {
			t.Errorf("killed %s, the ledger has %d debits, want 1", end, n)
		}
		if answer != "" && string(second) != answer {
			t.Errorf("killed %s, another answer is shown than was drawn", end)
		}
		if found := verify.File(nil, second, ""); found.Count(verify.Fails) > 0 {
			t.Errorf("killed %s, the release does not hold", end)
		}
	}
	t.Logf("killed: %v", ends)
	if ends["before the draw"]+ends["before it was seen"] == 0 {
		t.Error("none was killed after its debit and before its end")
	}
}

// page runs the ledger of the page in Node.
func page(t *testing.T, request any) (all []engine.Spending, sums []engine.Imported) {
	t.Helper()
	var told struct {
		Sums      []engine.Imported
		Spendings []engine.Spending
	}
	inPage(t, request, &told)
	return told.Spendings, told.Sums
}

// inPage is page, with the whole answer of the script.
func inPage(t *testing.T, request, told any) {
	t.Helper()
	copied := t.TempDir()
	text, err := os.ReadFile("../../static/ledger.js")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"ledger.js": string(text),
		"package.json": `{"type": "module"}`} {
		if err := os.WriteFile(filepath.Join(copied, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	node := exec.Command("node", "testdata/page.mjs", "../../static", copied)
	node.Stdin = bytes.NewReader(in)
	out, err := node.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
	}
	if err := json.Unmarshal(out, told); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestPageHoldsPlans: the ledger of the page debits a plan for what its engine charges, and for no
// price that its questions cannot have together; then nothing is written.
func TestPageHoldsPlans(t *testing.T) {
	if _, err := os.Stat("../../static/node_modules/fake-indexeddb"); err != nil {
		t.Skip("the packages of static/package.json are not installed")
	}
	parts := []engine.PlanPart{{Least: "999/10", Epsilon: "100", Delta: "0"},
		{Least: "999/1000", Epsilon: "1", Delta: "1/10000000"}}
	for _, c := range []struct {
		epsilon, delta string
		parts          []engine.PlanPart
		taken          bool
	}{
		{"0", "1/1000000", parts, false},
		{"1/2", "1/1000000", parts, false},
		{"998/10", "1/1000000", parts, false},
		{"999/10", "1/1000000", parts, true},
		{"101", "1/1000000", parts, true},
		{"1011/10", "1/1000000", parts, false},
		{"1011/10", "0", parts, true},
		{"100", "1/1000000", nil, false},
		{"100", "1/1000000", parts[:1], false},
	} {
		var told struct {
			Refused   string
			Spendings []engine.Spending
		}
		inPage(t, map[string]any{"plan": map[string]any{"questions": 2, "parts": c.parts,
			"loss": map[string]string{"epsilon": c.epsilon, "delta": c.delta}}}, &told)
		debits := 0
		for _, s := range told.Spendings {
			debits += len(s.Entries)
		}
		if (told.Refused == "") != c.taken || debits > 0 != c.taken ||
			!c.taken && !strings.Contains(told.Refused, "cannot be that of its questions") {
			t.Errorf("ε = %s, δ = %s, %d parts: %d debits, %q", c.epsilon, c.delta, len(c.parts),
				debits, told.Refused)
		}
	}
}

// TestPageImports: the page takes what hush ledger export writes, adds it up to the same, and what
// it writes hush ledger import takes, its own debit included.
func TestPageImports(t *testing.T) {
	if _, err := os.Stat("../../static/node_modules/fake-indexeddb"); err != nil {
		t.Skip("the packages of static/package.json are not installed")
	}
	file, dir := people(t), filepath.Join(t.TempDir(), "ledger")
	for _, epsilon := range []string{"0.5", "0.25"} {
		if code, _, said := hush(t, "ask", "-spend", "-ledger", dir, mean(t, file, epsilon),
			file); code != exitDone {
			t.Fatal(said)
		}
	}
	_, text, _ := hush(t, "ledger", "export", "-ledger", dir)
	read, err := engine.ReadLedger(text)
	if err != nil {
		t.Fatal(err)
	}
	loss := map[string]string{"epsilon": "1/8", "delta": "0"}
	all, sums := page(t, map[string]any{"merge": [][]engine.Spending{read, read}, "spend": loss})
	want := []engine.Imported{{DataSets: 1, Added: 2, Elsewhere: 1},
		{DataSets: 1, Known: 2, Elsewhere: 1}}
	if len(sums) != 2 || sums[0] != want[0] || sums[1] != want[1] {
		t.Errorf("the page takes %+v, want %+v", sums, want)
	}
	total := func(list []engine.Spending) (sum privacy.Loss) {
		for _, s := range list {
			sum = sum.Plus(s.Spent())
		}
		return sum
	}
	if got := total(all).String(); got != "ε = 0.875" {
		t.Errorf("on the page %s is spent, want ε = 0.875", got)
	}
	back, err := engine.WriteLedger(all)
	if err != nil {
		t.Fatal(err)
	}
	code, out, said := hush(t, "ledger", "import", save(t, "page.json", back), "-ledger", dir,
		"-json")
	var sum engine.Imported
	if err := json.Unmarshal([]byte(out), &sum); code != exitDone || err != nil ||
		sum != (engine.Imported{DataSets: 2, Added: 1, Known: 2, Elsewhere: 1}) {
		t.Errorf("code %d, %+v, %s", code, sum, said)
	}
	if n := len(entries(t, dir)); n != 3 {
		t.Errorf("the ledger has %d debits, want 3", n)
	}
	if code, _, said := hush(t, "ledger", "import", save(t, "no.json", "{}"), "-ledger",
		dir); code != exitUnread || !strings.Contains(said, "no.json") {
		t.Errorf("no ledger: code %d, %s", code, said)
	}
}

// TestKinds: the same people in any kind of file are one data set of the ledger, and the question
// is priced and answered as of the CSV.
func TestKinds(t *testing.T) {
	file, dir := people(t), filepath.Join(t.TempDir(), "ledger")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	type person struct {
		Age int32  `parquet:"age" json:"age"`
		Sex string `parquet:"sex" json:"sex"`
	}
	var list []person
	var lines bytes.Buffer
	for i, row := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if i == 0 {
			continue
		}
		var p person
		if _, err := fmt.Sscanf(row, "%d,%s", &p.Age, &p.Sex); err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
		if err := json.NewEncoder(&lines).Encode(p); err != nil {
			t.Fatal(err)
		}
	}
	pack, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	gz := gzip.NewWriter(&packed)
	if _, err := gz.Write(text); err != nil || gz.Close() != nil {
		t.Fatal(err)
	}
	table := filepath.Join(t.TempDir(), "people.parquet")
	if err := parquet.WriteFile(table, list); err != nil {
		t.Fatal(err)
	}
	files := []string{file, table, save(t, "people.jsonl", lines.String()),
		save(t, "people.csv.gz", packed.String()),
		save(t, "people.csv.zst", string(pack.EncodeAll(text, nil))),
		save(t, "people.jsonl.zst", string(pack.EncodeAll(lines.Bytes(), nil))),
		save(t, "people.tsv", strings.ReplaceAll(string(text), ",", "\t"))}
	for i, name := range files {
		code, out, said := hush(t, "ask", "-spend", "-json", "-ledger", dir,
			mean(t, name, "0.25"), name)
		var r task.Release
		if err := json.Unmarshal([]byte(out), &r); code != exitDone || err != nil {
			t.Fatalf("%s: code %d, %s", filepath.Base(name), code, said)
		}
		if r.Plan.People != 2000 || len(entries(t, dir)) != i+1 {
			t.Errorf("%s: %d people, %d debits", filepath.Base(name), r.Plan.People,
				len(entries(t, dir)))
		}
	}
	l, err := ledger.Read(dir)
	if err != nil || len(l.Accounts()) != 1 {
		t.Errorf("the ledger has %d data sets, %v", len(l.Accounts()), err)
	}
	if code, _, said := hush(t, "look", save(t, "book.xlsx", "PK\x03\x04…")); code != exitUnread ||
		!strings.Contains(said, "CSV") {
		t.Errorf("a workbook: code %d, %s", code, said)
	}
	if code, _, said := hush(t, "look", save(t, "cut.json", `{"a": 1}`+"\n"+
		`{"a": [2]}`)); code != exitUnread || !strings.Contains(said, "row 2, line 2, column 1") {
		t.Errorf("a nested value: code %d, %s", code, said)
	}
}

// TestCells: before anything is spent its owner sees which cells of a question have no value, and
// where.
func TestCells(t *testing.T) {
	file := save(t, "odd.csv", "age,sex\n41,f\nforty,m\n"+strings.Repeat("30,f\n", 50))
	code, out, said := hush(t, "ask", "-ledger", t.TempDir(), mean(t, file, "1"), file)
	if code != exitDone || !strings.Contains(out, "row 3, line 3, column 1, byte 13") {
		t.Errorf("code %d: %s %s", code, out, said)
	}
}

// TestInterrupted: a run that is interrupted while it reads spends nothing, and its exit code says
// so.
func TestInterrupted(t *testing.T) {
	file, dir := people(t), filepath.Join(t.TempDir(), "ledger")
	recipe := mean(t, file, "1")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out, said bytes.Buffer
	code := run(ctx, []string{"ask", "-spend", "-ledger", dir, recipe, file}, &out, &said)
	if code != exitInterrupted || out.Len() > 0 || len(entries(t, dir)) > 0 {
		t.Errorf("code %d, it writes %s and says %s", code, &out, &said)
	}
}

// TestLimit: a limit that is raised lets more through, one that is taken away all, and only the
// data set that is named has another.
func TestLimit(t *testing.T) {
	file, dir := people(t), filepath.Join(t.TempDir(), "ledger")
	ask := func(epsilon string) int {
		code, _, _ := hush(t, "ask", "-spend", "-ledger", dir, mean(t, file, epsilon), file)
		return code
	}
	if code := ask("2"); code != exitDone {
		t.Fatalf("within the limit: code %d", code)
	}
	l, err := ledger.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	name := l.Accounts()[0].Fingerprint[:8]
	for _, c := range []struct{ epsilon, asked, want string }{
		{"3", "2", "refused"}, {"4", "2", "done"}, {"none", "5", "done"},
	} {
		code, out, said := hush(t, "ledger", "limit", name, c.epsilon, "-ledger", dir)
		if code != exitDone || out == "" {
			t.Fatalf("%s: code %d, %s", c.epsilon, code, said)
		}
		want := map[string]int{"refused": exitRefused, "done": exitDone}[c.want]
		if code := ask(c.asked); code != want {
			t.Errorf("with the limit %s, ε = %s has code %d, want %d", c.epsilon, c.asked, code,
				want)
		}
	}
	for _, wrong := range [][]string{{"none such", "3"}, {name, "-1"}} {
		if code, _, _ := hush(t, "ledger", "-ledger", dir, "limit", "--", wrong[0],
			wrong[1]); code != exitUsage {
			t.Errorf("%v: code %d", wrong, code)
		}
	}
}

// TestProgress: nothing is shown within half a second, then how much is done; not on a terminal,
// once for each tenth.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out)
	p.say("reading", 1, 100)
	p.say("reading", 5, 100)
	if out.Len() > 0 {
		t.Errorf("at once it shows %q", &out)
	}
	for _, done := range []int64{12, 13, 25} {
		p.last = p.last.Add(-time.Second)
		p.say("reading", done, 100)
	}
	if want := "reading: 12 %, 0 s\nreading: 25 %, 0 s\n"; out.String() != want {
		t.Errorf("it shows %q, want %q", &out, want)
	}
}
