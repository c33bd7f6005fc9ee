package database

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"hush/core/warehouse"
)

// sparkProgram is run by Python, for Spark's own client is PySpark.
//
//go:embed spark.py
var sparkProgram string

// spark is a session of Spark Connect, held by PySpark. The client in Go was considered (0.1.1): it
// takes use_ssl for a header and connects without TLS, drops a token that contains a "=", and does
// not check whether all rows have arrived.
type spark struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *json.Decoder
	said    *bytes.Buffer
	address string
}

// openSpark starts PySpark. The address, which may hold a token, is not among the arguments, which
// all users of a machine can see.
func openSpark(ctx context.Context, address string) (Database, error) {
	python := os.Getenv("PYSPARK_PYTHON")
	if python == "" {
		python = "python3"
	}
	s := &spark{exec.CommandContext(ctx, python, "-c", sparkProgram), nil, nil, new(bytes.Buffer),
		address}
	s.cmd.Env = append(os.Environ(), "SPARK_REMOTE="+address)
	s.cmd.Stderr = s.said
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(os.Interrupt) }
	s.cmd.WaitDelay = farewell
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.in, s.out = in, json.NewDecoder(out)
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoPySpark, err)
	}
	if _, err := s.answer(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

var errNoPySpark = errors.New("there is no PySpark, by which Spark is asked: install it with " +
	"pip install 'pyspark[connect]', or name a Python that has it in PYSPARK_PYTHON")

// sparkAnswer is a line that the program writes.
type sparkAnswer struct {
	Names   []string `json:"names"`
	Place   []string `json:"place"` // the catalog and the database that contain it
	Cells   []string `json:"cells"`
	Rows    *int     `json:"rows"` // total number of rows: the last line
	Error   string   `json:"error"`
	Missing bool     `json:"missing"` // PySpark is not installed
}

// answer reads a line.
func (s *spark) answer(ctx context.Context) (a sparkAnswer, err error) {
	err = s.out.Decode(&a)
	switch {
	case ctx.Err() != nil:
		return a, ctx.Err()
	case err != nil:
		return a, fmt.Errorf("PySpark has ended: %w", err)
	case a.Missing:
		return a, fmt.Errorf("%w: %s", errNoPySpark, a.Error)
	case a.Error != "":
		return a, errors.New("Spark: " + s.withoutToken(a.Error))
	}
	return a, nil
}

// withoutToken removes from a text what follows "token=" in the address.
func (s *spark) withoutToken(text string) string {
	_, token, found := strings.Cut(s.address, "token=")
	if token, _, _ = strings.Cut(token, ";"); found && token != "" {
		text = strings.ReplaceAll(text, token, "…")
	}
	return text
}

// do sends a job.
func (s *spark) do(ctx context.Context, job map[string]string) error {
	return ended(ctx, json.NewEncoder(s.in).Encode(job))
}

func (s *spark) Dialect() warehouse.Dialect { return warehouse.Spark }

func (s *spark) Close() {
	s.in.Close()
	s.cmd.Wait()
}

// Look identifies a table by the host and the port, and by its name with its catalog and its
// database.
func (s *spark) Look(ctx context.Context, table string) ([]string, string, error) {
	quoted, err := warehouse.Spark.Quoted(table)
	if err != nil {
		return nil, "", err
	}
	if err := s.do(ctx, map[string]string{"do": "look", "table": quoted}); err != nil {
		return nil, "", err
	}
	found, err := s.answer(ctx)
	if err != nil {
		return nil, "", err
	}
	parts, _ := warehouse.Parts(table) // Quoted has read them
	if missing := 3 - len(parts); missing > 0 && missing <= len(found.Place) {
		parts = append(found.Place[:missing:missing], parts...)
	}
	server, _, _ := strings.Cut(strings.TrimPrefix(s.address, "sc://"), "/")
	if !strings.Contains(server, ":") {
		server += ":15002"
	}
	return found.Names, strings.ToLower(fmt.Sprintf("spark %s %q", server, parts)), nil
}

func (s *spark) Count(ctx context.Context, sql string) ([]byte, error) {
	if err := s.do(ctx, map[string]string{"do": "count", "sql": statement(sql)}); err != nil {
		return nil, err
	}
	var counts held
	w := csv.NewWriter(&counts)
	for rows := 0; ; rows++ {
		a, err := s.answer(ctx)
		switch {
		case err != nil:
			return nil, err
		case a.Rows != nil && *a.Rows == rows-1: // the first has the names
			w.Flush()
			return counts.Bytes(), w.Error()
		case a.Rows != nil:
			return nil, fmt.Errorf("PySpark writes %d rows, and counts %d", rows-1, *a.Rows)
		}
		cells := a.Cells
		if rows == 0 {
			cells = a.Names
		}
		if err := w.Write(cells); err != nil {
			return nil, err
		}
	}
}
