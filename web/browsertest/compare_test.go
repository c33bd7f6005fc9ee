//go:build browser

package browsertest

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"hush/core/coin"
	"hush/web/host"
)

// peerScript reads column 2 into codes by PapaParse, in a page or in a worker. What a code costs
// beside the parsing is as little as it can be: a number and its bounds.
const peerScript = `
globalThis.peer = (file, rows, whole) => new Promise((resolve, reject) => {
  const codes = new Uint8Array(rows);
  let n = -1; // the first row holds names
  const take = ({ data }) => {
    for (const row of data) {
      if (n >= 0) {
        const value = row[1] === "" ? NaN : Number(row[1]);
        codes[n] = Number.isInteger(value) && value >= 0 && value <= 99 ? value : 255;
      }
      n++;
    }
  };
  Papa.parse(file, {
    skipEmptyLines: true,
    error: reject,
    ...(whole ? { complete: (all) => (take(all), resolve({ n, codes })) } : { chunk: take, complete: () => resolve({ n, codes }) }),
  });
});
`

const peerWorkerScript = `
importScripts("papaparse.js", "peer.js");
onmessage = async ({ data: { file, rows } }) => {
  const { n, codes } = await peer(file, rows);
  postMessage({ n, codes }, [codes.buffer]);
};
`

// compared is one way to get from a file's bytes to the codes of a column.
type compared struct{ name, body string }

// ways: each body is given a file and its rows, and returns how many rows it found. The first is
// ours.
var ways = []compared{
	{"Hush, reading", `
		globalThis.opening ??= await hush.open(file);
		began = performance.now();
		await hush.read(question(opening, { column: 2, domain: { kind: "integer", lo: "0", hi: String(99 + turn) } })); // another domain: read again
		return Number(opening.rows);`},
	{"Hush, opening", `globalThis.opening = await hush.open(file); return Number(opening.rows);`},
	{"PapaParse, in chunks", `return (await peer(file, rows)).n;`},
	{"PapaParse, in chunks, in a worker", `
		globalThis.peerWorker ??= new Worker("peer-worker.js");
		return (await new Promise((resolve, reject) => { peerWorker.onmessage = ({ data }) => resolve(data); peerWorker.onerror = reject; peerWorker.postMessage({ file, rows }); })).n;`},
	{"PapaParse, as a whole", `return (await peer(file, rows, true)).n;`},
}

// TestComparedWithPapaParse prints how fast a file becomes codes in one tab, by us and by the
// fastest parser of CSV that is written in JavaScript. It judges nothing but that both find the
// same rows.
func TestComparedWithPapaParse(t *testing.T) {
	if os.Getenv("HUSH_BENCH") == "" {
		t.Skip("skipped: it measures another program; ./build.sh bench table runs it")
	}
	const turns = 3 // the best counts: the machine may have other work
	library, err := os.ReadFile("../../static/node_modules/papaparse/papaparse.min.js")
	if err != nil {
		t.Fatalf("PapaParse is not installed: run ./build.sh build (%v)", err)
	}
	files, page := engineFiles(t)
	for name, text := range map[string]string{"papaparse.js": string(library),
		"peer.js": peerScript, "peer-worker.js": peerWorkerScript} {
		files[strings.TrimPrefix(path.Dir(page), "/")+"/"+name] = &fstest.MapFile{
			Data: []byte(text)}
	}
	address := serve(t, host.New(files), page).url
	for _, f := range []struct {
		name string
		row  func(src coin.Source, id int) string
	}{{"plain", plainPerson}, {"quoted", quotedPerson}} {
		file := filepath.Join(t.TempDir(), f.name+".csv")
		size, rows := writeRows(t, file, 48<<20, f.row)
		p := open(t, address)
		p.upload("#file", file)
		p.script(`
			for (const src of ["papaparse.js", "peer.js"]) await new Promise((onload, onerror) => document.head.append(Object.assign(document.createElement("script"), { src, onload, onerror })));
			start(); await hush.ready;`, nil)
		best := map[string]float64{} // MB/s
		for turn := range turns {
			for _, way := range ways {
				got := lasting[struct{ N, Took float64 }](p, fmt.Sprintf(`
					const file = picked(), rows = %d, turn = %d; let began = performance.now();
					const n = await (async () => {%s})();
					return { n, took: performance.now() - began };`, rows, turn, way.body))
				if int(got.value.N) != rows {
					t.Errorf("%s: %s finds %.0f.rows, want %d", f.name, way.name, got.value.N, rows)
				}
				best[way.name] = max(best[way.name], float64(size)/1e6/(got.value.Took/1e3))
			}
		}
		fastest := 0.0
		for _, way := range ways[2:] {
			fastest = max(fastest, best[way.name])
		}
		fmt.Printf("\n%s, %s, %d rows, best of %d\n", f.name, megabytes(size), rows, turns)
		for _, way := range ways {
			fmt.Printf("  %-36s %6.0f MB/s\n", way.name, best[way.name])
		}
		both := 1 / (1/best[ways[0].name] + 1/best[ways[1].name])
		fmt.Printf("  %-36s %6.1f (aim: 2), with opening %.1f\n",
			"ratio to the fastest of PapaParse", best[ways[0].name]/fastest, both/fastest)
	}
}

func plainPerson(src coin.Source, id int) string {
	return fmt.Sprintf("%d,%d,%d.%02d,town %d,2024-%02d-%02d,seen and noted\n", id,
		src.Uniform(100), src.Uniform(90000), src.Uniform(100),
		src.Uniform(20), 1+src.Uniform(12), 1+src.Uniform(28))
}

func quotedPerson(src coin.Source, id int) string {
	return fmt.Sprintf("\"%d\",\"%d\",\"%d.%02d\",\"town %d\",\"2024-%02d-%02d\",\"she said "+
		"\"\"yes\"\", and\nleft\"\n", id, src.Uniform(100),
		src.Uniform(90000), src.Uniform(100), src.Uniform(20), 1+src.Uniform(12), 1+src.Uniform(28))
}

// writeRows writes a row of names and then the same part of.rows again and again, and returns the
// bytes and the rows.
func writeRows(t *testing.T, path string, least int,
	row func(coin.Source, int) string) (size int64, rows int) {
	t.Helper()
	var part, whole bytes.Buffer
	src := coin.NewSeeded(1)
	const inPart = 50000
	for id := range inPart {
		part.WriteString(row(src, id))
	}
	whole.WriteString("id,age,income,town,visited,remark\n")
	for whole.Len() < least {
		whole.Write(part.Bytes())
		rows += inPart
	}
	if err := os.WriteFile(path, whole.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return int64(whole.Len()), rows
}
