//go:build !js

package main

import (
	"fmt"
	"html"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"hush/core/message"
)

// Where translations are in the bundle, and the script that chooses one.
const (
	messagesFolder = "messages"
	languageScript = "language.js"
)

// translations reads the files of messages, one for each language, and refuses one that does not fit the catalogue.
func translations(dir, catalogue string) (files, error) {
	found, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	text, err := os.ReadFile(catalogue)
	if err != nil {
		return nil, err
	}
	english, err := message.Read(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", catalogue, err)
	}
	all := files{}
	for _, name := range found {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		l, err := message.Read(text)
		if err == nil {
			err = message.Check(english, l)
		}
		if base := filepath.Base(name); err == nil && base != l.Tag+".json" {
			err = fmt.Errorf("its language is %q, want the name of the file, %s", l.Tag, base)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[path.Join(messagesFolder, filepath.Base(name))] = text
	}
	return all, nil
}

// languages is the element that chooses one of the translations; empty where there is none.
func languages(parts files, version string) string {
	var tags []string
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if path.Dir(name) == messagesFolder {
			tags = append(tags, strings.TrimSuffix(path.Base(name), ".json"))
		}
	}
	if tags == nil {
		return ""
	}
	return `<script data-languages="` + html.EscapeString(strings.Join(tags, " ")) + `" src="` + resolver(version).Resolve("/web/"+languageScript) + `"></script>`
}
