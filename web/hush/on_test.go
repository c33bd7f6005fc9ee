package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/table"
	"hush/core/task"
	"hush/core/verify"
	"hush/web/hush/database"
	"hush/web/hush/ledger"
)

// absent skips a test where an engine is not installed, unless HUSH_WAREHOUSES says that it is.
func absent(t testing.TB, engine string) {
	t.Helper()
	if os.Getenv("HUSH_WAREHOUSES") != "" {
		t.Fatalf("%s is not installed", engine)
	}
	t.Skipf("skipped: %s is not installed; ./build.sh test does that", engine)
}

// server is a PostgreSQL of a test's own, which wants a password.
type server struct {
	t        testing.TB
	bin, dir string
	port     string
}

const (
	secretUser     = "u5er"
	secretPassword = "pa55word"
	secretDatabase = "cl1nic"
)

// startServer starts one, as another user where the test runs as root, which PostgreSQL refuses to.
func startServer(t testing.TB) *server {
	bins, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(bins) == 0 {
		absent(t, "PostgreSQL")
	}
	dir, err := os.MkdirTemp("", "hush-on")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	port := freePort(t)
	s := &server{t, filepath.Dir(bins[len(bins)-1]), dir, port}
	if err := os.WriteFile(dir+"/password", []byte(secretPassword), 0o644); err != nil {
		t.Fatal(err)
	}
	if who := s.user(); who != nil {
		if err := os.Chown(dir, int(who.Uid), int(who.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	s.must("initdb", "-D", dir+"/data", "-A", "scram-sha-256", "--pwfile", dir+"/password",
		"-U", secretUser, "-E", "UTF8", "--no-locale", "--no-sync")
	s.must("pg_ctl", "-D", dir+"/data", "-l", dir+"/log", "-w", "-o", "-p "+port+
		" -c listen_addresses=127.0.0.1 -c unix_socket_directories='"+dir+"' -c fsync=off",
		"start")
	t.Cleanup(func() { s.must("pg_ctl", "-D", dir+"/data", "-m", "immediate", "stop") })
	s.psql("postgres", "CREATE DATABASE "+secretDatabase)
	return s
}

// freePort is a port of this machine that nothing listens on.
func freePort(t testing.TB) string {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer free.Close()
	_, port, _ := net.SplitHostPort(free.Addr().String())
	return port
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
	out, err := os.CreateTemp("", "hush-on-out") // not a pipe: the server would hold it open
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

// psql runs statements, and gives what it writes.
func (s *server) psql(database, script string) string {
	s.t.Helper()
	cmd := exec.Command(filepath.Join(s.bin, "psql"), "-h", s.dir, "-p", s.port, "-U", secretUser,
		"-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-f", "-", database)
	cmd.Env = append(os.Environ(), "PGPASSWORD="+secretPassword)
	cmd.Stdin = strings.NewReader(script)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("psql: %v: %s", err, &said)
	}
	return string(out)
}

// at is the address of the database, at a port of this machine.
func (s *server) at(port string) string {
	return "postgres://" + secretUser + "@127.0.0.1:" + port + "/" + secretDatabase
}

const (
	hostileTable  = `clinic."vis""its; DROP TABLE x -- '"`
	hostileColumn = `age "of'; --`
)

// store has the table and what the tests look at of it, in the SQL of both engines: 2000 people,
// and the visits of 300 of them, up to 40 each.
func store(blank string) string {
	return `CREATE SCHEMA clinic;
CREATE TABLE ` + hostileTable + ` ("age ""of'; --" integer, sex text);
INSERT INTO ` + hostileTable + ` SELECT 18 + i * 7919 % 70,
  CASE i % 4 WHEN 0 THEN 'it''s "f"' WHEN 1 THEN E'a\n.quit\n;\ngo' WHEN 2 THEN '' END
  FROM ` + blank + `;
CREATE TABLE clinic.visits (who text, ward text);
INSERT INTO clinic.visits SELECT 'p' || (i * i) % 300, 'w' || i % 7 FROM ` + blank + `;
`
}

// recipeOn is a recipe for the histogram of the table's ages, or another question.
func recipeOn(t *testing.T, change ...func(map[string]any)) string {
	t.Helper()
	r := map[string]any{"version": 1, "task": "mean", "column": 1, "label": hostileColumn,
		"domain":  map[string]any{"kind": "integer", "lo": "0", "hi": "100"},
		"epsilon": "1", "table": map[string]any{"encoding": "utf-8", "delimiter": ",",
			"header": "yes", "columns": 2}}
	for _, c := range change {
		c(r)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return save(t, "on.json", string(text))
}

// ofVisits asks how many persons' row is of each ward.
func ofVisits(r map[string]any) {
	delete(r, "column")
	delete(r, "label")
	delete(r, "domain")
	r["task"], r["person"] = "table", 1
	r["others"] = []any{map[string]any{"role": "by", "column": 2, "domain": map[string]any{
		"kind": "category", "categories": []string{"w0", "w1", "w2", "w3", "w4", "w5", "w6"}}}}
}

// counts are what a database counts for a recipe, with the question to ask of it.
func counts(t *testing.T, address, table, recipe string) (file string, asked ask.Recipe) {
	t.Helper()
	c := askCommand.call(t.Context(), io.Discard, io.Discard)
	c.on = on{address: address, table: table}
	r := recipeIn(t, recipe)
	found, err := count(c, r)
	if err != nil {
		t.Fatal(err)
	}
	return string(found.file), found.recipe
}

// seeded is the answer to a question of a file, from the coins of a seed.
func seeded(t *testing.T, file string, r ask.Recipe) string {
	t.Helper()
	s := task.NewSession(coin.NewSeeded(1))
	if err := s.Load(strings.NewReader(file), r); err != nil {
		t.Fatal(err)
	}
	s.DrawFrom(coin.NewSeeded(7))
	release, err := s.Run(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(release.Answer)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// keptIn are the bytes of all files of a ledger.
func keptIn(t *testing.T, dir string) (all string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, failed := os.ReadFile(name)
			all, err = all+string(text), failed
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// onEngine is an engine that the common tests ask.
type onEngine struct {
	dialect string
	address string
	table   string // of 2000 people
	column  string // its first, their ages
	insert  func(sql string)
	secrets []string // that nothing keeps
}

// recipe is recipeOn with the engine's name of the column.
func (e *onEngine) recipe(t *testing.T, change ...func(map[string]any)) string {
	named := func(r map[string]any) { r["label"] = e.column }
	return recipeOn(t, append([]func(map[string]any){named}, change...)...)
}

// both tests what holds of each engine.
func (e *onEngine) both(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("age,sex\n")
	for i := range 2000 {
		fmt.Fprintf(&rows, "%d,%d\n", 18+i*7919%70, i%2)
	}

	t.Run("the same answer", func(t *testing.T) {
		for _, question := range []string{"mean", "histogram", "quantiles"} {
			recipe := e.recipe(t, func(r map[string]any) {
				r["task"] = question
				if question == "histogram" {
					r["params"] = map[string]any{"width": "10"}
				}
			})
			file, asked := counts(t, e.address, e.table, recipe)
			r := recipeIn(t, recipe)
			r.Table, _ = table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
				Columns: 2}.Decided()
			if got, want := seeded(t, file, asked), seeded(t, rows.String(), r); got != want {
				t.Errorf("%s: of the counts %s, of the rows %s", question, got, want)
			}
		}
	})

	t.Run("the bound", func(t *testing.T) {
		persons := func(file string) (n int) {
			for _, line := range strings.Split(strings.TrimSpace(file), "\n")[1:] {
				one, err := strconv.Atoi(line[strings.LastIndexByte(line, ',')+1:])
				if err != nil {
					t.Fatal(err)
				}
				n += one
			}
			return n
		}
		recipe := e.recipe(t, ofVisits)
		before, _ := counts(t, e.address, "clinic.visits", recipe)
		n := persons(before)
		e.insert("INSERT INTO clinic.visits SELECT 'p0', ward FROM clinic.visits")
		after, _ := counts(t, e.address, "clinic.visits", recipe)
		if n == 0 || n > 300 || persons(after) != n {
			t.Errorf("%d persons, and %d after one of them has 2000 more rows", n, persons(after))
		}
	})

	t.Run("prices and draws", func(t *testing.T) { e.draws(t) })
}

// draws: nothing is drawn without -spend; a draw is one debit that names the hash of the query, and
// nothing that leads to the database is kept; of a table that has changed it is another.
func (e *onEngine) draws(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	recipe := e.recipe(t)
	command := func(flags ...string) []string {
		return slices.Concat([]string{"ask"}, flags, []string{"-ledger", dir, "-on", e.address,
			"-table", e.table, recipe})
	}
	for _, flags := range [][]string{nil, {"-json"}, {"-dry-run"}, {"-spend", "-dry-run"}} {
		code, out, said := hush(t, command(flags...)...)
		if code != exitDone || strings.Contains(out, "is about") ||
			!strings.Contains(out, "2000") || len(entries(t, dir)) > 0 {
			t.Fatalf("%v: code %d, it writes %q, says %q", flags, code, out, said)
		}
	}
	code, out, said := hush(t, command("-spend", "-json")...)
	if code != exitDone {
		t.Fatalf("code %d: %s", code, said)
	}
	if found := verify.File(nil, []byte(out), ""); found.Count(verify.Fails) > 0 ||
		found.About == "" {
		t.Errorf("the release does not hold: %+v", found)
	}
	sample := save(t, "sample.csv", `"`+strings.ReplaceAll(e.column, `"`, `""`)+`",sex`+
		"\n41,f\n42,m\n")
	_, sql, said := hush(t, "sql", "-dialect", e.dialect, "-table", e.table, recipe, sample)
	hash := sha256.Sum256([]byte(sql))
	list := entries(t, dir)
	if len(list) != 1 || list[0].Query != hex.EncodeToString(hash[:]) {
		t.Fatalf("%d debits, the first by the query %s, want %x (%s)", len(list), list[0].Query,
			hash, said)
	}
	if _, out, _ := hush(t, "ledger", "-ledger", dir); !strings.Contains(out, list[0].Query) {
		t.Errorf("the list of debits names no query: %s", out)
	}
	all := keptIn(t, dir) + out
	for _, secret := range append(e.secrets, "vis\\\"\\\"its", "DROP TABLE") {
		if strings.Contains(all, secret) {
			t.Errorf("the ledger or the release holds %q", secret)
		}
	}

	e.insert("INSERT INTO " + e.table + " VALUES (50, 'f')")
	code, out, said = hush(t, command("-spend", "-json")...)
	var r task.Release
	if err := json.Unmarshal([]byte(out), &r); code != exitDone || err != nil ||
		r.Plan.People != 2001 {
		t.Errorf("code %d, of %d people, %v: %s", code, r.Plan.People, err, said)
	}
	l, err := ledger.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if a := l.Accounts(); len(a) != 1 || len(a[0].Entries) != 2 || a[0].Entries[1].Open() {
		t.Errorf("a table that has changed makes %d accounts", len(a))
	}

	for _, c := range []struct {
		name   string
		change func(map[string]any)
		code   int
		said   string
		flags  []string
	}{
		{"another name", func(r map[string]any) { r["label"] = "income" }, exitRefused, "income",
			nil},
		{"another name, agreed to", func(r map[string]any) { r["label"] = "income" }, exitDone, "",
			[]string{"-agree"}},
		{"other columns", func(r map[string]any) {
			r["table"].(map[string]any)["columns"] = 3
		}, exitUnread, "3 columns", nil},
		{"no counts", func(r map[string]any) {
			r["params"] = map[string]any{ask.ParamHalves: "true"}
		}, exitUnread, ask.ParamHalves, nil},
		{"over the limit", func(r map[string]any) { r["epsilon"] = "2" }, exitRefused, "limit",
			nil},
	} {
		code, _, said := hush(t, slices.Concat([]string{"ask", "-spend", "-dry-run"}, c.flags,
			[]string{"-ledger", dir, "-on", e.address, "-table", e.table,
				e.recipe(t, c.change)})...)
		if code != c.code || !strings.Contains(said, c.said) || len(entries(t, dir)) != 2 {
			t.Errorf("%s: code %d, want %d, it says %q", c.name, code, c.code, said)
		}
	}
	code, _, said = hush(t, "ask", "-ledger", dir, "-on", e.address, "-table", "clinic.none",
		recipe)
	if code != exitUnread || !strings.Contains(said, "none") {
		t.Errorf("no such table: code %d, %s", code, said)
	}
}

// interrupted: SIGINT while the database counts ends the command at once, and debits nothing.
func (e *onEngine) interrupted(t *testing.T, program string, counting func() bool) {
	dir := filepath.Join(t.TempDir(), "ledger")
	run := exec.CommandContext(t.Context(), program, "ask", "-spend", "-ledger", dir, "-on",
		e.address, "-table", "clinic.slow", e.recipe(t))
	var said bytes.Buffer
	run.Stderr = &said
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "it counts", counting)
	asked := time.Now()
	if err := run.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	run.Wait()
	if code := run.ProcessState.ExitCode(); code != exitInterrupted ||
		!strings.Contains(said.String(), "Nothing was spent") || len(entries(t, dir)) > 0 {
		t.Errorf("code %d, %d debits, it says %s", code, len(entries(t, dir)), &said)
	}
	if took := time.Since(asked); took > 5*time.Second {
		t.Errorf("it takes %v to end", took)
	}
	until(t, "the database stops, too", func() bool { return !counting() })
}

func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	if !waited(is) {
		t.Fatalf("10 s have passed, and not yet: %s", what)
	}
}

// waited waits for something, 10 s at most, and says whether it is.
func waited(is func() bool) bool {
	pause := time.NewTicker(50 * time.Millisecond)
	defer pause.Stop()
	for range 200 {
		if is() {
			return true
		}
		<-pause.C
	}
	return false
}

// TestOnPostgreSQL asks a PostgreSQL that it starts.
func TestOnPostgreSQL(t *testing.T) {
	s := startServer(t)
	s.psql(secretDatabase, store("generate_series(0, 1999) i")+`
CREATE VIEW clinic.slow AS SELECT 1 AS "age ""of'; --", CAST(pg_sleep(60) AS text) AS sex;
CREATE VIEW clinic.many AS SELECT i AS "age ""of'; --", 'f' AS sex
  FROM generate_series(1, 50000) i;
`)
	t.Setenv("PGPASSWORD", secretPassword)
	e := &onEngine{"postgresql", s.at(s.port), hostileTable, hostileColumn,
		func(sql string) { s.psql(secretDatabase, sql) },
		[]string{secretUser, secretPassword, secretDatabase, s.port, "127.0.0.1", s.dir}}
	e.both(t)
	t.Run("addresses", s.addresses)
	t.Run("credentials", s.credentials)
	t.Run("dropped", s.dropped)
	t.Run("terminated", s.terminated)
	program := binary(t)
	t.Run("interrupted", func(t *testing.T) { e.interrupted(t, program, s.counting) })
	t.Run("killed", func(t *testing.T) { e.killed(t, program) })
}

// counting says whether the server counts.
func (s *server) counting() bool {
	return s.psql("postgres", "SELECT count(*) FROM pg_stat_activity WHERE application_name = "+
		"'hush' AND state = 'active' AND query LIKE 'COPY%'") != "0\n"
}

// addresses: one table is one data set, however it is addressed; another table is another, unless
// its owner calls both the same.
func (s *server) addresses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	spend := func(address, table string, flags ...string) {
		t.Helper()
		code, _, said := hush(t, slices.Concat([]string{"ask", "-spend"}, flags, []string{
			"-ledger", dir, "-on", address, "-table", table, recipeOn(t,
				func(r map[string]any) { r["epsilon"] = "0.1" })})...)
		if code != exitDone {
			t.Fatalf("%s: code %d, %s", address, code, said)
		}
	}
	accounts := func() (sizes []int) {
		l, err := ledger.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range l.Accounts() {
			sizes = append(sizes, len(a.Entries))
		}
		slices.Sort(sizes)
		return sizes
	}
	s.psql(secretDatabase, "CREATE TABLE clinic.here AS SELECT * FROM "+hostileTable+
		"; CREATE TABLE clinic.copy AS SELECT * FROM "+hostileTable)
	spend(s.at(s.port), "clinic.here")
	spend("postgres:///"+secretDatabase+"?user="+secretUser+"&port="+s.port+"&host="+s.dir,
		"clinic.here")
	spend("postgresql://"+secretUser+"@localhost:"+s.port+"/"+secretDatabase+
		"?search_path=clinic&sslmode=disable&host=127.0.0.1", "here")
	if sizes := accounts(); !slices.Equal(sizes, []int{3}) {
		t.Errorf("one table has accounts of %v debits", sizes)
	}
	spend(s.at(s.port), "clinic.copy")
	if sizes := accounts(); !slices.Equal(sizes, []int{1, 3}) {
		t.Errorf("two tables have accounts of %v debits", sizes)
	}
	spend(s.at(s.port), "clinic.here", "-dataset", "visits of the year")
	spend(s.at(s.port), "clinic.copy", "-dataset", "visits of the year")
	spend(s.at(s.port), "clinic.copy")
	if sizes := accounts(); !slices.Equal(sizes, []int{7}) {
		t.Errorf("two tables of one name have accounts of %v debits", sizes)
	}
}

// credentials: passwords are found where libpq finds them, and no message has one.
func (s *server) credentials(t *testing.T) {
	dir, recipe := t.TempDir(), recipeOn(t)
	try := func(address string) (int, string) {
		code, _, said := hush(t, "ask", "-ledger", filepath.Join(dir, "ledger"), "-on", address,
			"-table", hostileTable, recipe)
		return code, said
	}
	t.Setenv("PGPASSWORD", "")
	if code, said := try("postgres://" + secretUser + ":wr0ng@127.0.0.1:" + s.port + "/" +
		secretDatabase); code != exitUnread || strings.Contains(said, "wr0ng") ||
		!strings.Contains(said, "Nothing was spent") {
		t.Errorf("a wrong password: code %d, %s", code, said)
	}
	if code, said := try("postgres://" + secretUser + ":wr0ng@127.0.0.1:port/"); code !=
		exitUnread || strings.Contains(said, "wr0ng") {
		t.Errorf("no port: code %d, %s", code, said)
	}
	if code, said := try("postgres://" + secretUser + ":" + secretPassword + "@127.0.0.1:" +
		s.port + "/" + secretDatabase); code != exitDone {
		t.Errorf("a password in the address: code %d, %s", code, said)
	}
	t.Setenv("PGPASSFILE", save(t, "pgpass", "127.0.0.1:*:*:"+secretUser+":"+secretPassword+"\n"))
	if code, said := try(s.at(s.port)); code != exitDone {
		t.Errorf("a password in .pgpass: code %d, %s", code, said)
	}
	t.Setenv("PGSERVICEFILE", save(t, "services", "[clinic]\nhost=127.0.0.1\nport="+s.port+
		"\nuser="+secretUser+"\ndbname="+secretDatabase+"\n"))
	if code, said := try("postgres:///?service=clinic"); code != exitDone {
		t.Errorf("a service: code %d, %s", code, said)
	}
}

// dropped cuts the connection after each of some numbers of bytes: nothing is debited unless all
// counts have come.
func (s *server) dropped(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	recipe := recipeOn(t)
	spend := func(most int64) (code int, through int64, said string) {
		port, passed := cutting(t, s.port, most)
		code, _, said = hush(t, "ask", "-spend", "-ledger", dir, "-on", s.at(port)+
			"?sslmode=disable", "-table", "clinic.many", recipe)
		return code, <-passed, said
	}
	code, all, said := spend(1 << 40)
	if code != exitDone || all < 300_000 || len(entries(t, dir)) != 1 {
		t.Fatalf("whole: code %d, %d bytes, %s", code, all, said)
	}
	// The last bytes say goodbye to the statement and the transaction: an end of these is none of
	// the counts.
	for _, most := range []int64{0, 10, 300, all / 10, all / 3, all / 2, all * 9 / 10, all - 100} {
		code, through, said := spend(most)
		if code != exitUnread || through > most || len(entries(t, dir)) != 1 ||
			!strings.Contains(said, "Nothing was spent") {
			t.Errorf("cut after %d of %d bytes: code %d, %d debits, it says %s", most, all, code,
				len(entries(t, dir))-1, said)
		}
	}
}

// cutting passes one connection on to a port of this machine, and cuts it when this many bytes have
// come back.
func cutting(t *testing.T, to string, most int64) (port string, passed <-chan int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	_, port, _ = net.SplitHostPort(l.Addr().String())
	through := make(chan int64, 1)
	go func() {
		near, err := l.Accept()
		l.Close()
		if err != nil {
			through <- 0
			return
		}
		defer near.Close()
		far, err := net.Dial("tcp", "127.0.0.1:"+to)
		if err != nil {
			through <- 0
			return
		}
		defer far.Close()
		go io.Copy(far, near)
		n, _ := io.CopyN(near, far, most)
		through <- n
	}()
	return port, through
}

// terminated: an administrator ends the connection while the server counts.
func (s *server) terminated(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	type end struct {
		code int
		said string
	}
	ends := make(chan end)
	go func() {
		code, _, said := hush(t, "ask", "-spend", "-ledger", dir, "-on", s.at(s.port), "-table",
			"clinic.slow", recipeOn(t))
		ends <- end{code, said}
	}()
	until(t, "it counts", s.counting)
	s.psql("postgres", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "+
		"WHERE application_name = 'hush'")
	if e := <-ends; e.code != exitUnread || len(entries(t, dir)) > 0 ||
		!strings.Contains(e.said, "terminat") {
		t.Errorf("code %d, %d debits, %s", e.code, len(entries(t, dir)), e.said)
	}
}

// killed: a run that is killed (signal 9) after its debit is finished by the same command, whatever
// the table holds by then, and that costs nothing.
func (e *onEngine) killed(t *testing.T, program string) {
	dir := filepath.Join(t.TempDir(), "ledger")
	args := []string{"ask", "-spend", "-json", "-ledger", dir, "-on", e.address, "-table",
		e.table, e.recipe(t)}
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	first := exec.CommandContext(ctx, program, args...)
	said, err := first.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	var text []byte
	for piece := make([]byte, 1); !bytes.Contains(text, []byte("Debited")); {
		if _, err := said.Read(piece); err != nil {
			break
		}
		text = append(text, piece...)
	}
	kill()
	first.Wait()
	e.insert("INSERT INTO " + e.table + " VALUES (50, 'f')")
	if n := len(entries(t, dir)); n != 1 {
		t.Fatalf("killed after %s, the ledger has %d debits", text, n)
	}
	open := entries(t, dir)[0].Open()
	second, err := exec.CommandContext(t.Context(), program, args...).Output()
	if err != nil {
		var failed *exec.ExitError
		errors.As(err, &failed)
		t.Fatalf("%v: %s", err, failed.Stderr)
	}
	if n := len(entries(t, dir)); open && n != 1 {
		t.Errorf("then it has %d debits, want 1", n)
	}
	if found := verify.File(nil, second, ""); found.Count(verify.Fails) > 0 {
		t.Error("the release does not hold")
	}
}

// TestPlaces: a command line names a file or a database, and databases that nothing here asks are
// refused before anything is opened.
func TestPlaces(t *testing.T) {
	file := people(t)
	recipe := mean(t, file, "1")
	for _, c := range []struct {
		args []string
		code int
		said string
	}{
		{[]string{recipe}, exitUsage, "FILE"},
		{[]string{recipe, file, "-on", "duckdb:x"}, exitUsage, "not both"},
		{[]string{recipe, file, "-table", "x"}, exitUsage, "not both"},
		{[]string{recipe, "-on", "duckdb:x"}, exitUsage, "-table"},
		{[]string{recipe, "-table", "x"}, exitUsage, "-on"},
		{[]string{recipe, "-table", "x", "-on", "mysql://u:s3cret@h"}, exitUnread, "mysql:"},
		{[]string{recipe, "-table", "x", "-on", "duckdb:" + file + "x"}, exitUnread, "csvx"},
		{[]string{recipe, "-table", "x", "-on", "duckdb:" + t.TempDir()}, exitUnread, "no file"},
	} {
		dir := filepath.Join(t.TempDir(), "ledger")
		code, out, said := hush(t, append([]string{"ask", "-ledger", dir}, c.args...)...)
		if code != c.code || out != "" || !strings.Contains(said, c.said) ||
			strings.Contains(said, "s3cret") {
			t.Errorf("%v: code %d, want %d; it says %q, want %q", c.args, code, c.code, said,
				c.said)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if code, _, said := hush(t, "ask", "-table", "x", "-on", "duckdb:"+file, recipe); code !=
		exitUnread || !strings.Contains(said, "pip install duckdb-cli") {
		t.Errorf("without duckdb: code %d, %s", code, said)
	}
}

// findDuckDB has the program duckdb on the PATH.
func findDuckDB(t *testing.T) string {
	bin, err := filepath.Abs("../../.cache/warehouses/bin")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	duck, err := exec.LookPath("duckdb")
	if err != nil {
		absent(t, "duckdb")
	}
	return duck
}

// TestOnDuckDB asks a file of DuckDB that it makes.
func TestOnDuckDB(t *testing.T) {
	duck := findDuckDB(t)
	file := filepath.Join(t.TempDir(), "s3cret", "-cl1nic.db")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	insert := func(sql string) {
		t.Helper()
		if out, err := exec.Command(duck, file, sql).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	insert(store("range(2000) t(i)") + `
CREATE VIEW clinic.slow AS SELECT i % 100 AS "age ""of'; --", 'f' AS sex
  FROM range(1000000000000) t(i);
`)
	e := &onEngine{"duckdb", "duckdb:" + file, hostileTable, hostileColumn, insert,
		[]string{"s3cret", "cl1nic", "duckdb"}}
	e.both(t)
	t.Run("read only", func(t *testing.T) {
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		db, err := database.Open(t.Context(), e.address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Count(t.Context(), "DROP TABLE clinic.visits"); err == nil {
			t.Error("a table is dropped")
		}
		if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
			t.Errorf("the file has changed, or %v", err)
		}
	})
	t.Run("no file of DuckDB", func(t *testing.T) {
		code, _, said := hush(t, "ask", "-ledger", t.TempDir(), "-table", "x", "-on",
			"duckdb:"+people(t), recipeOn(t))
		if code != exitUnread || !strings.Contains(said, "duckdb") {
			t.Errorf("code %d, %s", code, said)
		}
	})
	program := binary(t)
	t.Run("interrupted", func(t *testing.T) {
		e.interrupted(t, program, func() bool {
			text, _ := exec.Command("pgrep", "-f", "--", "-json "+file).Output()
			return len(text) > 0
		})
	})
	t.Run("killed", func(t *testing.T) { e.killed(t, program) })
}

// TestCutDuckDB: a list that ends early, and a program that fails at its end, debit nothing.
func TestCutDuckDB(t *testing.T) {
	file := save(t, "clinic.db", "")
	for _, c := range []struct {
		counts string
		code   int
		said   string
	}{
		{`echo '[{"age":"41","persons":"20"},{"age":"42","persons":20}]'`, exitDone, ""},
		{`echo '[{"age":"41","persons":"20"},'`, exitUnread, "ends within"},
		{`echo '[{"age":"41","persons":"20"}]'; kill -9 $$`, exitUnread, "killed"},
		{`echo '[{"age":"41","persons":"20"}][]'`, exitUnread, "more than one"},
		{`echo '[{"age":"41","persons":null}]'`, exitUnread, "number was due"},
		{`echo 'out of memory' >&2; exit 1`, exitUnread, "out of memory"},
	} {
		bin := t.TempDir()
		script := "#!/bin/sh\ncase $(cat) in\nDESCRIBE*) echo '[{\"column_name\":\"age\"}]';;\n" +
			"*) " + c.counts + ";;\nesac\n"
		if err := os.WriteFile(filepath.Join(bin, "duckdb"), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		dir := filepath.Join(t.TempDir(), "ledger")
		code, _, said := hush(t, "ask", "-spend", "-ledger", dir, "-on", "duckdb:"+file, "-table",
			"visits", recipeOn(t, func(r map[string]any) {
				r["label"] = "age"
				delete(r, "table")
			}))
		debits := map[bool]int{true: 1}[c.code == exitDone]
		if code != c.code || !strings.Contains(said, c.said) || len(entries(t, dir)) != debits {
			t.Errorf("%s: code %d, want %d; %d debits, it says %q", c.counts, code, c.code,
				len(entries(t, dir)), said)
		}
	}
}

// TestCutSpark: what PySpark does not write whole debits nothing, nor does a Python without it.
func TestCutSpark(t *testing.T) {
	names := `echo '{"names": ["age", "persons"]}'; `
	for _, c := range []struct {
		counts string
		code   int
		said   string
	}{
		{names + `echo '{"cells": ["41", "20"]}'; echo '{"rows": 1}'`, exitDone, ""},
		{names + `echo '{"cells": ["41", "20"]}'`, exitUnread, "has ended"},
		{names + `echo '{"cells": ["41", "20"]}'; echo '{"rows": 2}'`, exitUnread, "1 rows"},
		{names + `echo '{"cells": ["41", `, exitUnread, "has ended"},
		{`echo '{"error": "no table; sc://h/;token=s3cret;x"}'`, exitUnread, "no table"},
		{`echo '{"error": "no pyspark", "missing": true}'`, exitUnread, "pip install"},
	} {
		python := save(t, "python", "#!/bin/sh\necho '{}'; read job; "+
			"echo '{\"names\": [\"age\"], \"place\": [\"a\", \"b\"]}'; read job; "+c.counts+"\n")
		if err := os.Chmod(python, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PYSPARK_PYTHON", python)
		dir := filepath.Join(t.TempDir(), "ledger")
		code, _, said := hush(t, "ask", "-spend", "-ledger", dir, "-on", "sc://h/;token=s3cret;x=1",
			"-table", "visits", recipeOn(t, func(r map[string]any) {
				r["label"] = "age"
				delete(r, "table")
			}))
		debits := map[bool]int{true: 1}[c.code == exitDone]
		if code != c.code || !strings.Contains(said, c.said) || len(entries(t, dir)) != debits ||
			strings.Contains(said+keptIn(t, dir), "s3cret") {
			t.Errorf("%s: code %d, want %d; %d debits, it says %q", c.counts, code, c.code,
				len(entries(t, dir)), said)
		}
	}
	t.Setenv("PYSPARK_PYTHON", filepath.Join(t.TempDir(), "python"))
	if code, _, said := hush(t, "ask", "-table", "x", "-on", "sc://h", recipeOn(t)); code !=
		exitUnread || !strings.Contains(said, "PYSPARK_PYTHON") {
		t.Errorf("without Python: code %d, %s", code, said)
	}
}

var withSpark = flag.Bool("spark", false, "start a local Spark, and ask it, too")

// TestOnSpark asks a Spark Connect that it starts.
func TestOnSpark(t *testing.T) {
	if !*withSpark {
		t.Skip("skipped: Spark takes a minute; ./build.sh bench warehouses runs it")
	}
	python, err := filepath.Abs("../../.cache/warehouses/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	found, err := exec.Command(python, "-c",
		"import os, pyspark; print(os.path.dirname(pyspark.__file__))").Output()
	if err != nil {
		t.Fatalf("PySpark: %v", err)
	}
	home, port := strings.TrimSpace(string(found)), freePort(t)
	dir := t.TempDir()
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	args := []string{"--class", "org.apache.spark.sql.connect.service.SparkConnectServer",
		"--master", "local[2]", "--driver-memory", "2g"}
	for name, value := range map[string]string{"spark.ui.enabled": "false",
		"spark.sql.shuffle.partitions": "2", "spark.connect.grpc.binding.port": port,
		"spark.connect.grpc.binding.address": "127.0.0.1", "spark.driver.host": "127.0.0.1",
		"spark.driver.bindAddress":        "127.0.0.1",
		"spark.sql.catalogImplementation": "in-memory",
		"spark.sql.warehouse.dir":         filepath.Join(dir, "tables")} {
		args = append(args, "--conf", name+"="+value)
	}
	server := exec.Command(filepath.Join(home, "bin", "spark-submit"),
		append(args, "spark-internal")...)
	server.Dir, server.Stdout, server.Stderr = dir, log, log
	server.Env = append(os.Environ(), "SPARK_HOME="+home, "PYSPARK_PYTHON="+python)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		server.Process.Signal(syscall.SIGTERM)
		server.Wait()
	}()
	said := func() string {
		text, _ := os.ReadFile(log.Name())
		return string(text)
	}
	for range 10 { // 100 s
		if strings.Contains(said(), "Spark Connect server started") {
			break
		}
		waited(func() bool { return strings.Contains(said(), "Spark Connect server started") })
	}

	t.Setenv("PYSPARK_PYTHON", python)
	db, err := database.Open(t.Context(), "sc://127.0.0.1:"+port)
	if err != nil {
		t.Fatalf("%v\n%s", err, said())
	}
	defer db.Close()
	insert := func(sql string) {
		t.Helper()
		if _, err := db.Count(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	for _, sql := range []string{"CREATE DATABASE clinic",
		"CREATE TABLE clinic.people AS SELECT CAST(18 + id * 7919 % 70 AS INT) AS age, " +
			"CASE id % 3 WHEN 0 THEN 'it''s' WHEN 1 THEN '' END AS sex FROM range(2000)",
		"CREATE TABLE clinic.visits AS SELECT CONCAT('p', id * id % 300) AS who, " +
			"CONCAT('w', id % 7) AS ward FROM range(2000)",
		"CREATE VIEW clinic.slow AS SELECT id % 100 AS age, 'f' AS sex FROM range(1000000000000)",
		"CREATE VIEW clinic.many AS SELECT id AS age, SHA2(CAST(id AS STRING), 512) AS sex " +
			"FROM range(50000)"} {
		insert(sql)
	}
	e := &onEngine{"spark", "sc://127.0.0.1:" + port + "/;user_id=" + secretUser, "clinic.people",
		"age", insert, []string{secretUser, port, "127.0.0.1"}}
	e.both(t)
	program := binary(t)
	t.Run("interrupted", func(t *testing.T) {
		before := len(said())
		e.interrupted(t, program, func() bool {
			log := said()[before:]
			return strings.LastIndex(log, "Running task") > max(strings.LastIndex(log,
				"cancelled"), strings.LastIndex(log, "Finished task"))
		})
	})
	t.Run("killed", func(t *testing.T) { e.killed(t, program) })
	t.Run("dropped", func(t *testing.T) {
		near, passed := cutting(t, port, 30_000)
		dir := filepath.Join(t.TempDir(), "ledger")
		code, _, said := hush(t, "ask", "-spend", "-ledger", dir, "-on", "sc://127.0.0.1:"+near,
			"-table", "clinic.many", e.recipe(t))
		if through := <-passed; code != exitUnread || through != 30_000 ||
			len(entries(t, dir)) > 0 || !strings.Contains(said, "Nothing was spent") {
			t.Errorf("cut after %d bytes: code %d, %d debits, it says %s", through, code,
				len(entries(t, dir)), said)
		}
	})
}

// TestOnMany asks PostgreSQL about 10^8 rows that are persons, and 10^7 rows of 10^6 persons, which
// are generated there.
func TestOnMany(t *testing.T) {
	if os.Getenv("HUSH_LONG") == "" {
		t.Skip("skipped: minutes, and 5 GB; HUSH_LONG=1 runs it")
	}
	s := startServer(t)
	t.Setenv("PGPASSWORD", secretPassword)
	for _, c := range []struct {
		table, rows string
		people      int64
		change      func(map[string]any)
	}{
		{"persons", "SELECT i * 7919 % 100 AS age, 'w' || i % 7 AS ward " +
			"FROM generate_series(1, 100000000::bigint) i", 100_000_000,
			func(r map[string]any) { r["label"] = "age" }},
		{"visits", "SELECT i * 7919 % 1000000 AS who, 'w' || i % 7 AS ward " +
			"FROM generate_series(1, 10000000::bigint) i", 1_000_000, ofVisits},
	} {
		start := time.Now()
		s.psql(secretDatabase, "CREATE UNLOGGED TABLE "+c.table+" AS "+c.rows)
		t.Logf("%s: generated in %v", c.table, time.Since(start).Round(time.Second))
		start = time.Now()
		code, out, said := hush(t, "ask", "-spend", "-json", "-ledger",
			filepath.Join(t.TempDir(), "ledger"), "-agree", "-on", s.at(s.port), "-table", c.table,
			recipeOn(t, c.change))
		var r task.Release
		if err := json.Unmarshal([]byte(out), &r); code != exitDone || err != nil ||
			r.Plan.People != c.people {
			t.Errorf("code %d, of %d people, %v: %s", code, r.Plan.People, err, said)
		}
		t.Logf("%s: asked in %v: %s", c.table, time.Since(start).Round(time.Second/10),
			r.Statement)
	}
}
