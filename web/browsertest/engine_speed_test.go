//go:build browser

package browsertest

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/web/host"
)

var marked = flag.Int64("marked", 4, "megabytes of the file that TestMarksBesideReading reads")

// writePeople writes a CSV file of about that many bytes: six columns as in a register, one of them
// quoted.
func writePeople(t *testing.T, path string, size int64) {
	t.Helper()
	writeFile(t, path, func(out *bufio.Writer) {
		out.WriteString("id,age,income,town,remark,visited\n")
		random := coin.NewSeeded(1)
		towns := []string{"Bern", "Graz", "Ulm", "Saint-Denis", "Łódź"}
		for written, id := int64(0), 1; written < size; id++ {
			n, err := fmt.Fprintf(out, "%d,%d,%d.%02d,%s,\"seen, noted\",2024-%02d-%02d\n", id,
				random.Uniform(100), random.Uniform(90000),
				random.Uniform(100), towns[random.Uniform(uint64(len(towns)))],
				1+random.Uniform(12), 1+random.Uniform(28))
			if err != nil {
				t.Fatal(err)
			}
			written += int64(n)
		}
	})
}

// writeFile writes a large file by pieces, and returns its size.
func writeFile(t *testing.T, path string, write func(out *bufio.Writer)) (size int64) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out := bufio.NewWriterSize(file, 1<<20)
	write(out)
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestEngineReadsALargeFile reads 300 MB into codes and reports how fast, and how long the page was
// busy meanwhile. How fast depends on what else the machine does, so it is reported (go test -v)
// and never judged here.
func TestEngineReadsALargeFile(t *testing.T) {
	const size = 300 << 20
	path := filepath.Join(t.TempDir(), "people.csv")
	writePeople(t, path, size)
	p := openEngine(t)
	p.upload("#file", path)
	p.script(`start(); await hush.ready;`, nil)
	var got struct {
		Bytes, Opening, Reading, Computing float64 // ms but for the first
		Longest, Gap                       float64
		Messages                           int
	}
	p.script(`
		let longest = 0, gap = 0, last = performance.now(), messages = 0;
		const observer = new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longest = Math.max(longest, duration); });
		observer.observe({ type: "longtask" });
		const beat = setInterval(() => { const now = performance.now(); gap = Math.max(gap, now - last); last = now; }, 4);
		let computing = 0; // when it began; its first step always speaks
		const onprogress = ({ phase }) => { messages++; if (phase === "computing") computing ||= performance.now(); };
		const file = picked(), began = performance.now();
		const opening = await hush.open(file, {}, { onprogress });
		const opened = performance.now(), recipe = question(opening, { column: 2 });
		await hush.run(recipe, { onprogress });
		const ran = performance.now();
		clearInterval(beat);
		await new Promise((done) => setTimeout(done, 100)); // for the observer's last news
		observer.disconnect();
		return { bytes: file.size, opening: opened - began, reading: computing - opened, computing: ran - computing, longest, gap, messages };`, &got)
	speed := func(ms float64) float64 { return got.Bytes / 1e6 / (ms / 1e3) }
	t.Logf("opened at %.0f MB/s, read into codes at %.0f MB/s, computed in %.0f ms; the page's "+
		"longest task %.0f ms, longest wait %.0f ms; %d messages",
		speed(got.Opening), speed(got.Reading), got.Computing, got.Longest, got.Gap, got.Messages)
	if seconds := (got.Opening + got.Reading + got.Computing) / 1e3; float64(got.Messages) > 20*
		seconds+3 {
		t.Errorf("%d progress messages in %.1f s, want at most 20 a second", got.Messages, seconds)
	}
}

// TestMarksBesideReading reads files with and without the fingerprint of their rows, in turns, and
// reports what it adds to reading: to opening a file and reading a column into codes. No cell is
// quoted, one of six, or all. The bundle without it is the same but for the key that the engine
// hands over. -marked 200 gives numbers to rely on; how large they are is never judged here.
func TestMarksBesideReading(t *testing.T) {
	const key = "ledger?.rowsKey"
	without, page := engineFiles(t)
	changed := 0
	for name, file := range without {
		if path.Base(name) == "engine.js" && bytes.Contains(file.Data, []byte(key)) {
			file.Data = bytes.Replace(file.Data, []byte(key), []byte(`""`), 1)
			changed++
		}
		if path.Base(name) == "engine.js.br" || path.Base(name) == "engine.js.gz" {
			delete(without, name)
		}
	}
	if changed != 1 {
		t.Fatalf("%d files hand the key over, want 1", changed)
	}
	plain := filepath.Join(t.TempDir(), "plain.csv")
	quoted := filepath.Join(t.TempDir(), "quoted.csv")
	writePeople(t, quoted, *marked<<20)
	text, err := os.ReadFile(quoted)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte(`"seen, noted"`), []byte("seen and noted"))
	every := filepath.Join(t.TempDir(), "every.csv")
	cells := bytes.ReplaceAll(bytes.ReplaceAll(bytes.TrimSuffix(text, []byte("\n")), []byte(","),
		[]byte(`","`)), []byte("\n"), []byte("\"\n\""))
	for file, text := range map[string][]byte{plain: text, every: slices.Concat([]byte(`"`), cells,
		[]byte("\"\n"))} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pages := []*webPage{openEngine(t), open(t, serve(t, host.New(without), page).url)}
	for _, p := range pages {
		p.script(`start(); await hush.ready;`, nil)
	}
	for _, file := range []string{plain, quoted, every} {
		type times struct{ Opening, Reading float64 } // ms, the shortest of some
		var best [2]times
		for try := range 5 {
			for i, p := range pages {
				p.upload("#file", file)
				var got times
				p.script(`
					let computing = 0;
					const onprogress = ({ phase }) => { if (phase === "computing") computing ||= performance.now(); };
					const began = performance.now();
					const opening = await hush.open(picked(), {});
					const opened = performance.now();
					const recipe = question(opening, { column: 2, epsilon: "0.001" });
					await hush.run(recipe, { onprogress });
					return { opening: opened - began, reading: computing - opened };`, &got)
				if try == 0 {
					best[i] = got
				}
				best[i].Opening = min(best[i].Opening, got.Opening)
				best[i].Reading = min(best[i].Reading, got.Reading)
			}
		}
		with, bare := best[0].Opening+best[0].Reading, best[1].Opening+best[1].Reading
		t.Logf("%s, %d MB: opened in %.0f ms with marks and %.0f without, read in %.0f and %.0f: "+
			"reading takes %.1f %% more", filepath.Base(file), *marked, best[0].Opening,
			best[1].Opening, best[0].Reading, best[1].Reading, 100*(with/bare-1))
	}
}
