//go:build peer

package peer

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
	"hush/core/task"
)

var rows = flag.Int("rows", 1_000_000, "of the file whose table is timed")

// duckdbScript counts the same cells as often, on one thread, and prints the seconds of each run.
const duckdbScript = `
import sys, time
import duckdb

for run in range(5):
    database = duckdb.connect()
    database.execute("set threads = 1")
    begun = time.perf_counter()
    cells = database.execute(
        "select a, b, c, count(*) from read_csv(?, header = true, columns = {'a': 'varchar', 'b': 'varchar', 'c': 'varchar'})"
        "group by a, b, c", [sys.argv[1]]).fetchall()
    print(time.perf_counter() - begun, len(cells))
`

// TestTableSpeed times a table of three columns beside DuckDB's "group by", on one thread and in
// turns, from the file to the counts. It never fails for being slow.
func TestTableSpeed(t *testing.T) {
	places := [][]string{
		{"Harbour", "Hill", "Market", "Mill", "North", "Old town", "Station", "Wharf"},
		{"emergency", "heart", "eyes", "children", "surgery"}, {"2021", "2022", "2023", "2024"}}
	path := filepath.Join(t.TempDir(), "visits.csv")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, random := bufio.NewWriterSize(file, 1<<20), rand.New(rand.NewPCG(1, 2))
	w.WriteString("a,b,c\n")
	for range *rows {
		for i, list := range places {
			w.WriteString(list[random.IntN(len(list))])
			w.WriteByte(",,\n"[i])
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}

	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	pass := func(p table.Pass, err error) {
		if err == nil {
			var in *os.File
			if in, err = os.Open(path); err == nil {
				_, err = io.CopyBuffer(writer{p}, struct{ io.Reader }{in}, make([]byte, 4<<20))
				in.Close()
			}
		}
		if err == nil {
			err = p.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var opens, asks, theirs []float64
	for range 5 {
		s := task.NewSession(coin.NewSeeded(1))
		begun := time.Now()
		pass(s.Survey(table.Options{}))
		opens = append(opens, time.Since(begun).Seconds())
		opened, err := s.Opened()
		if err != nil {
			t.Fatal(err)
		}
		r := ask.Recipe{Version: ask.RecipeVersion, Task: "table", Table: opened.Options,
			Epsilon: "1", Params: ask.Params{}}
		for i, list := range places {
			r.Others = append(r.Others, ask.Field{Role: "by", Column: i + 1,
				Label:  string("abc"[i]),
				Domain: domain.Spec{Kind: domain.Category, Categories: list}})
		}
		begun = time.Now()
		pass(s.Encode(r))
		if _, err := s.Run(r, nil); err != nil {
			t.Fatal(err)
		}
		asks = append(asks, time.Since(begun).Seconds())
	}
	if *python != "" {
		run := exec.Command(*python, "-c", duckdbScript, path)
		run.Stderr = os.Stderr
		out, err := run.Output()
		if err != nil {
			t.Logf("without DuckDB: %v", err)
		}
		for line := range bytes.Lines(out) {
			seconds, err := strconv.ParseFloat(strings.Fields(string(line))[0], 64)
			if err != nil {
				t.Fatal(err)
			}
			theirs = append(theirs, seconds)
		}
	}
	middle := func(list []float64) float64 {
		slices.Sort(list)
		return list[len(list)/2]
	}
	line := fmt.Sprintf("%d rows × 3 columns: opened in %.2f s, table in %.2f s", *rows,
		middle(opens), middle(asks))
	if len(theirs) > 0 {
		line += fmt.Sprintf("; DuckDB's group by on one thread in %.2f s: the table takes %.2f of "+
			"that, with opening %.2f", middle(theirs), middle(asks)/middle(theirs),
			(middle(opens)+middle(asks))/middle(theirs))
	}
	t.Log(line)
}
