//go:build browser

package browsertest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestSpeedOfKinds prints how long one table takes to open and to become codes in a tab as CSV,
// Parquet and a workbook, how much memory that takes, and how long DuckDB and calamine take
// natively. Subtests run alone tell the memory of one kind: each takes the browser's largest
// process so far.
func TestSpeedOfKinds(t *testing.T) {
	dir, python := os.Getenv("HUSH_KINDS"), os.Getenv("HUSH_PYTHON")
	if dir == "" {
		t.Skip("skipped: it measures. HUSH_KINDS names a directory that kinds.py has written, " +
			"and HUSH_PYTHON a Python with duckdb and python-calamine")
	}
	for _, kind := range []string{"csv", "parquet", "xlsx"} {
		file := filepath.Join(dir, "people."+kind)
		info, err := os.Stat(file)
		if err != nil {
			continue // a sheet does not hold so many rows
		}
		t.Run(kind, func(t *testing.T) {
			p := openEngine(t)
			p.upload("#file", file)
			p.script(`start(); await hush.ready;`, nil)
			open := lasting[int64](p,
				`globalThis.opening = await hush.open(picked()); return Number(opening.rows);`)
			p.script(`globalThis.recipe = question(opening,
				{ column: 2, domain: { kind: "integer", lo: "18", hi: "87" } });`, nil)
			read := lasting[any](p, `await hush.read(recipe);`)
			fmt.Printf("%s, %s, %d rows: opened in %v, read in %v, %s, the page stood still for "+
				"%.0f ms\n", filepath.Base(file), megabytes(info.Size()), open.value,
				open.took, read.took, peak(), max(open.longest, read.longest))
		})
	}
	if python != "" {
		out, err := exec.Command(python, "kinds.py", "time", dir).CombinedOutput()
		if fmt.Printf("%s", out); err != nil {
			t.Error(err)
		}
	}
}
