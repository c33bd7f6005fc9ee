// Command bundle writes what a static host serves: the entry documents at the root, and everything
// else below v/<hash>/, where hash stands for the content of the whole bundle. It reads what
// build.sh has made before.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"hush/web"
	"hush/web/bundle/shrink"
	"hush/web/host"
)

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
	flag.StringVar(&in.texts, "texts", "",
		"the file to write every text to, for translators to start from; empty: none")
	out := flag.String("out", "dist", "the directory to write")
	flag.Parse()
	web.Register()
	if err := in.write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

// inputs holds the paths of a bundle's parts, and how it is built.
type inputs struct {
	wasm, exec, static, core, made, whole, texts string

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

// bundle returns every file under its path in the bundle. Its version is the hash of a list of its
// files, made with a placeholder for the version, so that the same content always has the same
// version and any change a new one. The list is one of the versioned files: from it the service
// worker of a later version learns which files this one had.
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
	packaged, err := packageFiles(parts, filepath.Join(in.static, packageFolder))
	if err != nil {
		return nil, err
	}
	if templates[packageFile], err = packaged.archive(); err != nil {
		return nil, err
	}
	// go-app takes an empty version for the time of day
	const none = "none"
	parts[listFile] = nil
	blank, err := assemble(parts, templates, none)
	if err != nil {
		return nil, err
	}
	parts[listFile] = blank.list(folder(none))
	hash := sha256.Sum256(parts[listFile])
	return assemble(parts, templates, hex.EncodeToString(hash[:8]))
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
	if all[workerTemplate], err = all.withHashes(all[workerTemplate]); err != nil {
		return nil, err
	}
	all[hashesFile] = all.hashes()
	all[host.RulesFile], all[host.IgnoreFile] = host.Rules(), []byte(host.Ignored)
	return all, nil
}

// folder returns the folder of the versioned files, relative to the entry documents.
func folder(version string) string { return host.Versioned + version + "/" }

// listFile lists the SHA-256 of the versioned files below their folder, and of the other files as
// they are without a version. Only what does not name the version itself is as the list says.
const listFile = "files.txt"

// list returns that list for versioned files that are all in one folder.
func (f files) list(folder string) []byte {
	below := files{}
	for name, text := range f {
		versioned, is := strings.CutPrefix(name, folder)
		switch {
		case !is:
			below[strings.Repeat("../", strings.Count(folder, "/"))+name] = text
		case versioned != listFile:
			below[versioned] = text
		}
	}
	delete(below, "../../"+hashesFile) // it says nothing more
	return below.hashes()
}

// withHashes completes the service worker: it asks for the HASHES of all other files that are
// served, and for the headers of entry DOCUMENTS.
func (f files) withHashes(worker []byte) ([]byte, error) {
	hashes, documents := map[string]string{}, map[string]map[string]string{}
	for name, text := range f {
		if name == workerTemplate {
			continue
		}
		hashes[name] = fmt.Sprintf("%x", sha256.Sum256(text))
		if path.Ext(name) == ".html" {
			documents[name] = host.Headers(name)
		}
	}
	for asked, with := range map[string]any{"HASHES": hashes, "DOCUMENTS": documents} {
		if bytes.Count(worker, []byte(asked)) != 1 {
			return nil, fmt.Errorf("the service worker does not say %s once", asked)
		}
		text, err := json.Marshal(with)
		if err != nil {
			return nil, err
		}
		worker = bytes.Replace(worker, []byte(asked), text, 1)
	}
	return worker, nil
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
			"*.js", "*.css", "*.txt", "icons/*", "fonts/*", readersFolder + "/*.js",
			exampleScript} {
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
	spoken, noMessages := in.translations()
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
// other sites load, a page that shows how, and one that shows the package; and the template of
// speech.
const (
	workerTemplate  = "app-worker.js"
	exampleTemplate = "example.html"
)

// readersFolder has a script for each kind of file that is no plain text.
const readersFolder = "readers"

var templateNames = []string{workerTemplate, host.ScriptFile, exampleTemplate, packageTemplate,
	speechTemplate}
