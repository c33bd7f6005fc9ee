package warehouse

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

var withSpark = flag.Bool("spark", false, "run the statements on a local Spark, too")

// python is the one that has DuckDB, sqlglot and PySpark: build.sh puts it there.
const python = "../../.cache/warehouses/bin/python"

// needPython skips a test where the engines are not installed, unless HUSH_WAREHOUSES says that
// they are.
func needPython(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(python); err != nil {
		if os.Getenv("HUSH_WAREHOUSES") != "" {
			t.Fatal(err)
		}
		t.Skip("no engines are installed: ./build.sh test does that")
	}
}

// engine is one that runs here.
type engine interface {
	dialect() Dialect
	// run makes a table, runs a statement of it, and returns the file of counts.
	run(columns []string, rows [][]any, sql string) (string, error)
}

// hostileTable is what tables are called.
const hostileTable = `vis"its; DROP TABLE x -- '`

// quotedTable is that as a user types it.
var quotedTable = `"` + strings.ReplaceAll(hostileTable, `"`, `""`) + `"`

// startEngines starts those that run here.
func startEngines(t *testing.T) (list []engine) {
	needPython(t)
	list = append(list, startPython(t, DuckDB), startPostgreSQL(t))
	if *withSpark {
		list = append(list, startPython(t, Spark))
	}
	return list
}

// create is the statement that makes a table of texts for another. Where they are equal in the eyes
// of the engine differs from column to column, but for those that name persons, of which that is
// refused.
func create(t testing.TB, d Dialect, columns []string, sql string) string {
	kinds := map[Dialect][]string{
		DuckDB:     {"VARCHAR COLLATE NOCASE", "VARCHAR", "VARCHAR COLLATE NOCASE.NOACCENT"},
		PostgreSQL: {"text COLLATE anycase", "text", "varchar COLLATE anycase"}}[d]
	list := make([]string, len(columns))
	for i, name := range columns {
		quoted, err := d.name("column", name)
		if err != nil {
			t.Fatal(err)
		}
		list[i] = quoted + " " + kinds[i%len(kinds)]
		if strings.Contains(sql, "TYPEOF("+quoted+")") {
			list[i] = quoted + " " + kinds[1]
		}
	}
	name, err := d.Quoted(quotedTable)
	if err != nil {
		t.Fatal(err)
	}
	return "CREATE TABLE " + name + " (" + strings.Join(list, ", ") + ")"
}

// inPython is an engine that a program of Python runs.
type inPython struct {
	t   testing.TB
	of  Dialect
	in  io.Writer
	out *bufio.Scanner
}

func startPython(t testing.TB, of Dialect) *inPython {
	return (&inPython{t, of, nil, nil}).start("testdata/engine.py", string(of))
}

func (p *inPython) start(script string, args ...string) *inPython {
	cmd := exec.Command(python, append([]string{script}, args...)...)
	cmd.Stderr = new(bytes.Buffer)
	in, err := cmd.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.in, p.out = in, bufio.NewScanner(out)
	p.out.Buffer(nil, 1<<28)
	p.t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			p.t.Errorf("%s: %v\n%s", script, err, cmd.Stderr)
		}
	})
	return p
}

// ask sends a line, and reads the answer to it.
func (p *inPython) ask(job, answer any) {
	if err := json.NewEncoder(p.in).Encode(job); err != nil {
		p.t.Fatal(err)
	}
	if !p.out.Scan() {
		p.t.Fatalf("%s says nothing: %v", p.of, p.out.Err())
	}
	if err := json.Unmarshal(p.out.Bytes(), answer); err != nil {
		p.t.Fatalf("%v: %q", err, p.out.Text())
	}
}

func (p *inPython) dialect() Dialect { return p.of }

func (p *inPython) run(columns []string, rows [][]any, sql string) (string, error) {
	job := map[string]any{"columns": columns, "rows": rows, "sql": sql, "table": "visits"}
	if p.of == DuckDB {
		name, err := p.of.Quoted(quotedTable)
		if err != nil {
			return "", err
		}
		job["create"], job["drop"] = create(p.t, p.of, columns, sql), "DROP TABLE "+name
		job["insert"] = "INSERT INTO " + name + " VALUES (?" +
			strings.Repeat(", ?", len(columns)-1) + ")"
	}
	var answer struct{ CSV, Error string }
	p.ask(job, &answer)
	if answer.Error != "" {
		return "", fmt.Errorf("%s: %s", p.of, answer.Error)
	}
	return answer.CSV, nil
}

// server is a PostgreSQL of a test's own, reached by a socket in its directory.
type server struct {
	t   testing.TB
	bin string
	dir string
}

// startPostgreSQL starts one, as another user where the test runs as root, which PostgreSQL refuses
// to.
func startPostgreSQL(t testing.TB) *server {
	bins, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(bins) == 0 {
		if os.Getenv("HUSH_WAREHOUSES") != "" {
			t.Fatal("PostgreSQL is not installed")
		}
		t.Skip("PostgreSQL is not installed: ./build.sh test does that")
	}
	dir, err := os.MkdirTemp("", "hush-pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &server{t, filepath.Dir(bins[len(bins)-1]), dir}
	if who := s.user(); who != nil {
		if err := os.Chown(dir, int(who.Uid), int(who.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	s.must("initdb", "-D", dir+"/data", "-A", "trust", "-U", "hush", "-E", "UTF8", "--no-locale",
		"--no-sync")
	log := dir + "/log"
	s.must("pg_ctl", "-D", dir+"/data", "-l", log, "-w", "-o",
		"-c listen_addresses='' -c unix_socket_directories='"+dir+"' -c fsync=off", "start")
	t.Cleanup(func() { s.must("pg_ctl", "-D", dir+"/data", "-m", "immediate", "stop") })
	return s
}

// user is who runs the server; nil: who runs the test.
func (s *server) user() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	who, err := user.Lookup("postgres")
	if err != nil {
		who, err = user.Lookup("nobody")
	}
	if err != nil {
		s.t.Fatal(err)
	}
	uid, _ := strconv.Atoi(who.Uid)
	gid, _ := strconv.Atoi(who.Gid)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// must runs a program of the server's.
func (s *server) must(name string, args ...string) {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.Dir = s.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.user()}
	out, err := os.CreateTemp("", "hush-pg-out") // not a pipe: the server would hold it open
	if err != nil {
		s.t.Fatal(err)
	}
	defer os.Remove(out.Name())
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(out.Name())
		s.t.Fatalf("%s: %v\n%s", name, err, said)
	}
}

func (s *server) dialect() Dialect { return PostgreSQL }

// psql runs statements, the input of the first COPY after them.
func (s *server) psql(script string) (string, error) {
	cmd := exec.Command(filepath.Join(s.bin, "psql"), "-h", s.dir, "-U", "hush", "-X", "-q",
		"-v", "ON_ERROR_STOP=1", "-f", "-", "postgres")
	cmd.Stdin = strings.NewReader(script)
	var out, fault bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &fault
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("psql: %v: %s", err, &fault)
	}
	return out.String(), nil
}

func (s *server) run(columns []string, rows [][]any, sql string) (string, error) {
	name, err := PostgreSQL.Quoted(quotedTable)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("BEGIN;\nCREATE COLLATION anycase (provider = icu, locale = " +
		"'und-u-ks-level2', deterministic = false);\n" +
		create(s.t, PostgreSQL, columns, sql) + ";\nCOPY " + name + " FROM STDIN CSV;\n")
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			if cell != nil {
				b.WriteString(`"` + strings.ReplaceAll(cell.(string), `"`, `""`) + `"`)
			}
		}
		b.WriteByte('\n')
	}
	b.WriteString("\\.\nCOPY (" + strings.TrimSuffix(strings.TrimSpace(sql), ";") +
		"\n) TO STDOUT CSV HEADER;\nROLLBACK;\n")
	return s.psql(b.String())
}

// countsIn reads a file of counts: how often each text of cells is there.
func countsIn(t testing.TB, text string) map[string]int64 {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	counts := map[string]int64{}
	for _, row := range rows[1:] {
		last := len(row) - 1
		n, err := strconv.ParseInt(row[last], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if n != 0 {
			counts[strings.Join(row[:last], "\x00")] += n
		}
	}
	return counts
}
