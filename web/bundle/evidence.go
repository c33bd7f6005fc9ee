package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"hush/core/audit"
)

// evidence gathers the tables that the tests of core's packages wrote, so that the page shows no
// figure that nobody computed. core is the directory of the packages.
func evidence(core string) ([]byte, error) {
	tables, err := filepath.Glob(filepath.Join(core, "*", "AUDIT.md"))
	if err != nil {
		return nil, err
	}
	if len(tables) == 0 {
		return nil, fmt.Errorf("no AUDIT.md below %s", core)
	}
	var all []audit.Record
	for _, table := range tables {
		text, err := os.ReadFile(table)
		if err != nil {
			return nil, err
		}
		record, err := audit.ReadRecord(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", table, err)
		}
		dir := filepath.Dir(table)
		record.Package = filepath.Base(dir)
		if record.About, err = about(dir); err != nil {
			return nil, err
		}
		text, err = os.ReadFile(filepath.Join(dir, "INTERVALS.md"))
		if err == nil {
			record.Intervals, err = audit.ReadIntervals(string(text))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		all = append(all, record)
	}
	return json.Marshal(all)
}

// about returns the first sentence of a package's comment, without "Package x".
func about(dir string) (string, error) {
	sources, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	for _, source := range sources {
		file, err := parser.ParseFile(token.NewFileSet(), source, nil,
			parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return "", err
		}
		if text := file.Doc.Text(); text != "" {
			return strings.TrimPrefix(new(doc.Package).Synopsis(text),
				"Package "+file.Name.Name+" "), nil
		}
	}
	return "", fmt.Errorf("%s: no package comment", dir)
}
