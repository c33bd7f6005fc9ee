package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
	"testing"
)

// unpacked are the files of an archive as npm installs them: below package/, each once.
func unpacked(t *testing.T, archive []byte) files {
	t.Helper()
	packed, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	all := files{}
	for list := tar.NewReader(packed); ; {
		header, err := list.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		name, below := strings.CutPrefix(header.Name, "package/")
		if _, twice := all[name]; twice || !below || header.Mode != 0o644 {
			t.Errorf("%s: twice %v, below package/ %v, mode %o", header.Name, twice, below,
				header.Mode)
		}
		if all[name], err = io.ReadAll(list); err != nil {
			t.Fatal(err)
		}
	}
}

var imported = regexp.MustCompile(`(?:from|import)\s*"(\.{1,2}/[^"]*)"`)

// TestPackage: the package holds the scripts that the bundle serves, byte for byte, all that they
// import, and the hash of each; and it depends on nothing.
func TestPackage(t *testing.T) {
	all, version := bundleOf(t, made(t, "wasm"))
	files := unpacked(t, all[packageFile])
	var manifest map[string]any
	if err := json.Unmarshal(files["package.json"], &manifest); err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"dependencies", "peerDependencies", "optionalDependencies",
		"scripts"} {
		if manifest[field] != nil {
			t.Errorf("the package has %s", field)
		}
	}
	var integrity map[string]string
	if err := json.Unmarshal(files[integrityFile], &integrity); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if served, shared := all[folder(version)+name]; shared && !bytes.Equal(text, served) {
			t.Errorf("%s is not what the bundle serves", name)
		}
		hash := sha512.Sum384(text)
		want := "sha384-" + base64.StdEncoding.EncodeToString(hash[:])
		if got := integrity[name]; got != want && name != integrityFile {
			t.Errorf("%s has the integrity %q, want %q", name, got, want)
		}
		if path.Ext(name) != ".js" && !strings.HasSuffix(name, ".d.ts") {
			continue
		}
		for _, match := range imported.FindAllSubmatch(text, -1) {
			if _, there := files[path.Join(path.Dir(name), string(match[1]))]; !there {
				t.Errorf("%s imports %s, which is not in the package", name, match[1])
			}
		}
	}
	for _, name := range []string{"hush.js", "node.js", "thread.js", "hush.d.ts", "node.d.ts",
		"README.md", binaryName, "licences-go.txt"} {
		if len(files[name]) == 0 {
			t.Errorf("%s is missing or empty", name)
		}
	}
	if len(integrity) != len(files)-1 {
		t.Errorf("%d hashes of %d files", len(integrity), len(files))
	}
}

// Another binary is another version of the package, and the same files are the same bytes.
func TestPackageVersion(t *testing.T) {
	named := func(wasm string) ([]byte, string) {
		all, _ := bundleOf(t, made(t, wasm))
		var manifest struct{ Version string }
		if err := json.Unmarshal(unpacked(t, all[packageFile])["package.json"],
			&manifest); err != nil {
			t.Fatal(err)
		}
		return all[packageFile], manifest.Version
	}
	first, version := named("wasm")
	again, _ := named("wasm")
	if !bytes.Equal(first, again) {
		t.Error("two runs over the same files make two packages")
	}
	if _, other := named("WASM"); other == version {
		t.Errorf("another binary has the version %s, too", version)
	}
	if !regexp.MustCompile(`^\d+\.\d+\.\d+-h[0-9a-f]{12}$`).MatchString(version) {
		t.Errorf("the version is %q", version)
	}
}

// What the page of the package shows is what runs there.
func TestPackagePage(t *testing.T) {
	all, version := bundleOf(t, made(t, "wasm"))
	page := string(all[packageTemplate])
	script := string(all[folder(version)+exampleScript])
	for _, line := range []string{"await Hush.open()", "hush.file(file)", "hush.price(recipe)",
		"hush.release(recipe, { agreed })"} {
		if !strings.Contains(script, line) || !strings.Contains(page, line) {
			t.Errorf("the page or its script does not say %s", line)
		}
	}
	if want := fmt.Sprintf(`<script src="./%s%s" type="module">`, folder(version),
		exampleScript); !strings.Contains(page, want) {
		t.Errorf("the page does not load %s", want)
	}
	for _, left := range []string{"POLICY", "EXAMPLE", "/web/"} {
		if strings.Contains(page, left) {
			t.Errorf("%s is left in it", left)
		}
	}
}
