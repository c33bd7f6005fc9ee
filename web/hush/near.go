package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// near asks whether a mistyped word was meant to be one of those that are known, and goes on to say
// who lists them, if anybody does.
func near(word string, known []string, lists string) string {
	best, least := "", min(2, 1+len([]rune(word))/4) // more changes make any word
	for _, k := range known {
		if d := changes(strings.ToLower(word), strings.ToLower(k)); d <= least {
			best, least = k, d-1
		}
	}
	switch {
	case best == "" && lists == "":
		return ""
	case best == "":
		return "; " + lists
	}
	return strings.TrimSpace(": did you mean " + best + "? " + lists)
}

// changes counts the letters to add, drop, replace or swap with the next that make one word of the
// other (the optimal string alignment distance).
func changes(a, b string) int {
	from, to := []rune(a), []rune(b)
	rows := make([][]int, len(from)+1)
	for i := range rows {
		rows[i] = make([]int, len(to)+1)
		rows[i][0] = i
		for j := range rows[i] {
			switch {
			case i == 0:
				rows[i][j] = j
			case j > 0:
				replaced := rows[i-1][j-1]
				if from[i-1] != to[j-1] {
					replaced++
				}
				rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, replaced)
				if i > 1 && j > 1 && from[i-1] == to[j-2] && from[i-2] == to[j-1] {
					rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
				}
			}
		}
	}
	return rows[len(from)][len(to)]
}

// unopened words why a file of the command line cannot be opened.
func unopened(name string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return &failure{exitUnread, err}
	}
	var beside []string
	list, _ := os.ReadDir(filepath.Dir(name)) // without a list nothing is near
	for _, entry := range list {
		if !entry.IsDir() {
			beside = append(beside, entry.Name())
		}
	}
	return fail(exitUnread, "there is no file %s%s", name, near(filepath.Base(name), beside, ""))
}

// readFile reads a file of the command line.
func readFile(name string) ([]byte, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, fail(exitUnread, "%s is a directory: name a file", name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, unopened(name, err)
	}
	return text, nil
}
