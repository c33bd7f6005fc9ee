package database

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"hush/core/warehouse"
)

// duckDB is a DuckDB file, read by the program duckdb: there is no reader for it in pure Go.
type duckDB struct{ program, file string }

// openDuckDB finds the program and the file. The file's name cannot be taken for an option of the
// program, since it is made absolute.
func openDuckDB(_ context.Context, address string) (Database, error) {
	name, err := filepath.Abs(strings.TrimPrefix(address, "duckdb:"))
	if err == nil {
		name, err = filepath.EvalSymlinks(name)
	}
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(name); err != nil || info.IsDir() {
		return nil, errors.Join(fmt.Errorf("%s is no file", name), err)
	}
	program, err := exec.LookPath("duckdb")
	if err != nil {
		return nil, fmt.Errorf("a file of DuckDB is read by its program duckdb, which is not "+
			"here: install it from duckdb.org, or with pip install duckdb-cli (%w)", err)
	}
	return &duckDB{program, name}, nil
}

func (d *duckDB) Dialect() warehouse.Dialect { return warehouse.DuckDB }

func (d *duckDB) Close() {}

// run has the program run a statement, which it passes on standard input: arguments are visible to
// all users of a machine, and a statement may hold a key. take receives the output, a list of
// objects.
func (d *duckDB) run(ctx context.Context, sql string, take func(*json.Decoder) error) error {
	cmd := exec.CommandContext(ctx, d.program, "-readonly", "-no-init", "-batch", "-bail", "-json",
		d.file)
	apart(cmd)
	var said bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(statement(sql)+"\n;\n"), &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return ended(ctx, err)
	}
	read := whole(json.NewDecoder(out), take)
	if read != nil {
		out.Close() // nobody reads on, which ends the program
	}
	err = cmd.Wait()
	switch {
	case err != nil && said.Len() > 0:
		return fmt.Errorf("duckdb: %s", strings.TrimSpace(said.String()))
	case read != nil && !errors.Is(read, io.EOF):
		return read
	case err != nil:
		return fmt.Errorf("duckdb: %w", err)
	}
	return read
}

// whole reads a list to its end.
func whole(d *json.Decoder, take func(*json.Decoder) error) error {
	if _, err := d.Token(); err != nil {
		return fmt.Errorf("duckdb writes no list: %w", err)
	}
	for d.More() {
		err := take(d)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("duckdb ends within its list: %w", err)
		}
		if err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return fmt.Errorf("duckdb ends within its list: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("duckdb writes more than one list")
	}
	return nil
}

// Look identifies a table within a file by its name alone: two tables of one name, in two schemas,
// count as one. A file that was moved counts as another.
func (d *duckDB) Look(ctx context.Context, table string) (columns []string, identity string,
	err error) {
	quoted, err := warehouse.DuckDB.Quoted(table)
	if err != nil {
		return nil, "", err
	}
	err = d.run(ctx, "DESCRIBE SELECT * FROM "+quoted, func(from *json.Decoder) error {
		var row struct {
			Name string `json:"column_name"`
		}
		err := from.Decode(&row)
		columns = append(columns, row.Name)
		return err
	})
	parts, _ := warehouse.Parts(table) // Quoted has read them
	return columns, fmt.Sprintf("duckdb %q %q", d.file,
		strings.ToLower(parts[len(parts)-1])), ended(ctx, err)
}

// Count writes the list as CSV. All cells are texts, or whole numbers.
func (d *duckDB) Count(ctx context.Context, sql string) ([]byte, error) {
	var counts held
	w := csv.NewWriter(&counts)
	first := true
	err := d.run(ctx, sql, func(from *json.Decoder) error {
		names, cells, err := object(from)
		if err == nil && first {
			first, err = false, w.Write(names)
		}
		if err == nil {
			err = w.Write(cells)
		}
		return err
	})
	if err != nil {
		return nil, ended(ctx, err)
	}
	w.Flush()
	return counts.Bytes(), w.Error()
}

// object reads an object, in the order of its fields.
func object(from *json.Decoder) (names, cells []string, err error) {
	from.UseNumber()
	for depth := 0; ; {
		token, err := from.Token()
		if err != nil {
			return nil, nil, err
		}
		text := ""
		switch token := token.(type) {
		case json.Delim:
			switch {
			case token == '{' && depth == 0:
				depth++
				continue
			case token == '}' && len(names) == len(cells):
				return names, cells, nil
			}
			return nil, nil, fmt.Errorf("duckdb writes %v where a text or a number was due", token)
		case string:
			text = token
		case json.Number:
			text = token.String()
		default:
			return nil, nil, fmt.Errorf("duckdb writes %v where a text or a number was due", token)
		}
		if len(names) == len(cells) {
			names = append(names, text)
		} else {
			cells = append(cells, text)
		}
	}
}
