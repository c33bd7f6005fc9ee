//go:build !js

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"hush/wasm/shrink"
	"hush/web"
	"hush/web/host"
)

// Built natively this package writes the bundle: the entry documents at its root, and everything
// else below v/<hash>/, where hash stands for the content of the whole bundle. It reads what
// build.sh has made before.
func main() {
	var in inputs
	flag.StringVar(&in.wasm, "wasm", "", "the binary for the browser")
	flag.StringVar(&in.exec, "exec", "", "wasm_exec.js of the Go that made the binary")
	flag.StringVar(&in.static, "static", "static",
		"the directory of style sheets, scripts and icons")
	flag.StringVar(&in.core, "core", "core",
		"the directory of the algorithms, with the tables that their tests wrote")
	flag.StringVar(&in.made, "made", "",
		"the directory of scripts and licences that build.sh has made")
	flag.BoolVar(&in.traces, "traces", false,
		"keep the names and lines that a stack trace of the binary shows")
	flag.StringVar(&in.whole, "whole", "",
		"the file to write why the binary is not made smaller, if it is not")
	out := flag.String("out", "dist", "the directory to write")
	flag.Parse()
	web.Register()
	if err := in.write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

// inputs are the paths of what a bundle is made of, and how.
type inputs struct {
	wasm, exec, static, core, made, whole string

	traces bool
}

// files maps paths with slashes to contents.
type files map[string][]byte

// write makes the bundle in a directory of its own and puts it in the place of dir.
func (in inputs) write(dir string) error {
	bundle, err := in.bundle()
	if err != nil {
		return err
	}
	fresh := dir + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	for name, text := range bundle {
		target := filepath.Join(fresh, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, text, 0o644); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Rename(fresh, dir)
}

// bundle returns every file under its path in the bundle. The hash is taken of the bundle as it is
// with another word in its place, so that the same content always has the same hash and any change
// another.
func (in inputs) bundle() (files, error) {
	parts, err := in.parts()
	if err != nil {
		return nil, err
	}
	templates := files{}
	for _, name := range templateNames {
		if templates[name], err = os.ReadFile(filepath.Join(in.static, name)); err != nil {
			return nil, err
		}
	}
	said, err := speech(parts, templates[speechTemplate])
	if err != nil {
		return nil, err
	}
	if said != nil {
		parts[languageScript] = withSpeech(parts[languageScript], said)
		templates[host.ScriptFile] = withSpeech(templates[host.ScriptFile], said)
	}
	// go-app takes an empty version for the time of day
	blank, err := assemble(parts, templates, "none")
	if err != nil {
		return nil, err
	}
	return assemble(parts, templates, blank.hash())
}

// assemble adds what go-app makes to the parts and gives everything its place.
func assemble(parts, templates files, version string) (files, error) {
	generated, documents, err := generate(parts, templates, version)
	if err != nil {
		return nil, err
	}
	all := maps.Clone(documents)
	for _, group := range []files{parts, generated} {
		for name, text := range group {
			all[folder(version)+name] = text
		}
	}
	for name := range all {
		if !host.Known(name) {
			return nil, fmt.Errorf("%s would not be served: web/host does not know its type", name)
		}
	}
	all[hashesFile] = all.hashes()
	all[host.RulesFile], all[host.IgnoreFile] = host.Rules(), []byte(host.Ignored)
	return all, nil
}

// folder is where the versioned files are, relative to the entry documents.
func folder(version string) string { return host.Versioned + version + "/" }

func (f files) hash() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(f)) {
		fmt.Fprintf(h, "%s %d\n", name, len(f[name]))
		h.Write(f[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// hashesFile lists the SHA-256 of every file that is served, as sha256sum writes and checks it: two
// builds of the same sources can be compared, and a visitor can tell what was served.
const hashesFile = "hashes.txt"

func (f files) hashes() []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(f)) {
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(f[name]), name)
	}
	return b.Bytes()
}

// parts reads and makes the versioned files, except those that go-app makes.
func (in inputs) parts() (files, error) {
	parts := files{}
	read := func(name, file string) error {
		text, err := os.ReadFile(file)
		parts[name] = text
		return err
	}
	err := errors.Join(read(binaryName, in.wasm), read("wasm_exec.js", in.exec))
	if err == nil {
		parts[binaryName], err = in.smaller(parts[binaryName])
	}
	for _, dir := range []string{in.static, in.made} {
		for _, pattern := range []string{
			"*.js", "*.css", "*.txt", "icons/*", "fonts/*", readersFolder + "/*.js"} {
			found, badPattern := filepath.Glob(filepath.Join(dir, pattern))
			err = errors.Join(err, badPattern)
			for _, file := range found {
				name, outside := filepath.Rel(dir, file)
				if err = errors.Join(err, outside); shipped(name) {
					err = errors.Join(err, read(filepath.ToSlash(name), file))
				}
			}
		}
	}
	if err == nil {
		parts[engineScript], err = withVectors(parts[engineScript])
	}
	spoken, noMessages := translations(filepath.Join(in.static, "messages"),
		filepath.Join(in.core, "message", "catalogue.json"))
	maps.Copy(parts, spoken)
	err = errors.Join(err, noMessages)
	if len(spoken) == 0 {
		delete(parts, languageScript)
	}
	figures, noFigures := evidence(in.core)
	parts["evidence.json"], err = figures, errors.Join(err, noFigures)
	return parts, err
}

// smaller makes the binary smaller. What another Go lays out in a way that shrink does not know
// stays as it is, with a warning: it does the same, and is larger.
func (in inputs) smaller(binary []byte) ([]byte, error) {
	small, err := shrink.Binary(binary, in.traces)
	if !errors.Is(err, shrink.ErrLayout) {
		return small, err
	}
	fmt.Fprintln(os.Stderr, "bundle: warning: the binary is shipped as the compiler made it:", err)
	if in.whole == "" {
		return binary, nil
	}
	return binary, os.WriteFile(in.whole, []byte(err.Error()), 0o644)
}

// shipped tells the files of static that go into the bundle as they are from sources of others.
func shipped(name string) bool {
	return !strings.HasSuffix(name, ".src.js") && !slices.Contains(templateNames, path.Base(name))
}

// The sources of entry documents, beside the other scripts: the service worker, the script that
// other sites load, and a page that shows how; and the template of speech.
const (
	workerTemplate  = "app-worker.js"
	exampleTemplate = "example.html"
)

// readersFolder has a script for each kind of file that is no plain text.
const readersFolder = "readers"

var templateNames = []string{workerTemplate, host.ScriptFile, exampleTemplate, speechTemplate}
