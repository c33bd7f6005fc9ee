package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"
)

// packageFile is the engine as a package of npm: the scripts of the page that it needs, byte for
// byte, and those of static/package, by which it also runs in Node. The bundle serves it, and no
// page asks for it.
const packageFile = "hush.tgz"

// packageFolder has the sources of the package; exampleScript among them is the page's that shows
// it.
const (
	packageFolder   = "package"
	packageTemplate = "package.html"
	exampleScript   = packageFolder + "/example.js"
)

// packaged lists the parts that the engine needs besides its readers.
var packaged = []string{"hush.js", engineScript, "answers.js", "count.js", "digest.js", "fault.js",
	"formats.js", "ledger.js", "reader.js", "source.js", "trust.js", "wasm_exec.js", binaryName,
	"licences-go.txt", "licences-npm.txt"}

// integrityFile lists the SHA-384 of the package's other files as the attribute integrity has it.
const integrityFile = "integrity.json"

// packageFiles returns the files of the package, by their names in it.
func packageFiles(parts files, dir string) (files, error) {
	all := files{}
	for name, text := range parts {
		if slices.Contains(packaged, name) || path.Dir(name) == readersFolder {
			all[name] = text
		}
	}
	for _, pattern := range []string{"*.js", "*.d.ts", "*.md", "*.json"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			name := filepath.Base(file)
			if name == path.Base(exampleScript) {
				continue
			}
			if all[name], err = os.ReadFile(file); err != nil {
				return nil, err
			}
		}
	}
	hash := sha256.Sum256(all.hashes())
	manifest, count := all["package.json"], bytes.Count(all["package.json"], []byte("VERSION"))
	if count != 1 {
		return nil, fmt.Errorf("package.json says VERSION %d times, want once", count)
	}
	version := fmt.Sprintf("0.1.0-h%x", hash[:6])
	all["package.json"] = bytes.Replace(manifest, []byte("VERSION"), []byte(version), 1)
	listed, err := json.MarshalIndent(all.integrity(), "", "  ")
	all[integrityFile] = append(listed, '\n')
	return all, err
}

func (f files) integrity() map[string]string {
	all := map[string]string{}
	for name, text := range f {
		hash := sha512.Sum384(text)
		all[name] = "sha384-" + base64.StdEncoding.EncodeToString(hash[:])
	}
	return all
}

// archive returns the files as npm pack writes them: below package/, in order, all with the same
// old time.
func (f files) archive() ([]byte, error) {
	var b bytes.Buffer
	packed, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	list := tar.NewWriter(packed)
	for _, name := range slices.Sorted(maps.Keys(f)) {
		header := &tar.Header{Format: tar.FormatUSTAR, Typeflag: tar.TypeReg,
			Name: packageFolder + "/" + name, Mode: 0o644, Size: int64(len(f[name])),
			ModTime: time.Date(1985, 10, 26, 8, 15, 0, 0, time.UTC)}
		if err := list.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := list.Write(f[name]); err != nil {
			return nil, err
		}
	}
	if err := list.Close(); err != nil {
		return nil, err
	}
	err = packed.Close()
	return b.Bytes(), err
}
