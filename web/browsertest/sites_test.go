//go:build browser

package browsertest

import (
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSites: a demo runs in a site that is made with each of the programs that static/sites has a
// recipe for. A program that is not there and cannot be installed is said. HUSH_SITES=1 asks for
// all but the plain page: it takes minutes.
func TestSites(t *testing.T) {
	bundle := serveBundle(t)
	for _, c := range []struct {
		name    string
		made    string // where the site is, once it is built
		program string // that has to be there
		install [][]string
		build   []string
	}{
		{name: "plain", made: "."},
		{name: "mkdocs", made: "site", program: "python3", install: [][]string{
			{"python3", "-m", "venv", ".venv"},
			{".venv/bin/pip", "install", "-q", "mkdocs==1.6.1"}},
			build: []string{".venv/bin/mkdocs", "build", "-q"}},
		{name: "mdbook", made: "book", program: "mdbook", build: []string{"mdbook", "build"}},
		{name: "docusaurus", made: "build", program: "npm", install: [][]string{
			{"npm", "install", "--no-audit", "--no-fund", "--loglevel=error"}},
			build: []string{"node_modules/.bin/docusaurus", "build"}},
		{name: "quarto", made: "_site", program: "quarto", build: []string{"quarto", "render"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.program != "" && os.Getenv("HUSH_SITES") == "" {
				t.Skip("skipped: it installs a program; HUSH_SITES=1 asks for it")
			}
			if _, err := exec.LookPath(c.program); c.program != "" && err != nil {
				t.Skipf("skipped: %s is not installed", c.program)
			}
			dir := siteOf(t, c.name, strings.TrimSuffix(bundle.url, "/"))
			for _, command := range append(c.install, c.build) {
				if len(command) == 0 {
					continue
				}
				made := exec.Command(command[0], command[1:]...)
				if strings.Contains(command[0], "/") {
					made.Path = filepath.Join(dir, command[0])
				}
				made.Dir = dir
				if said, err := made.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, said)
				}
			}
			files := http.FileServerFS(os.DirFS(filepath.Join(dir, c.made)))
			s := serve(t, files, "/")
			s.url = strings.Replace(s.url, "127.0.0.1", "localhost", 1) // another site
			p := openOther(t, s, bundle)
			p.expect("favicon.ico") // the recipe has none
			p.waitText("A mean with noise")
			p.waitText("about 2,964")
			p.pressButton("Run this demo")
			f := p.frame(bundle.url + "embed.html")
			f.waitText("A private answer Mean salary of those with a value is about")
			p.waitGone("about 2,964")
			p.screenshot("site-"+c.name, 1280, 900, "light")
			p.screenshot("site-narrow-"+c.name, 360, 900, "light")
		})
	}
}

// siteOf copies the sources of a site, with the address of a bundle in them.
func siteOf(t *testing.T, name, address string) string {
	t.Helper()
	from, dir, said := filepath.Join("../../static/sites", name), t.TempDir(), 0
	err := filepath.WalkDir(from, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, file)
		if err != nil {
			return err
		}
		said += bytes.Count(text, []byte("ADDRESS"))
		target := filepath.Join(dir, below)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		text = bytes.ReplaceAll(text, []byte("ADDRESS"), []byte(address))
		return os.WriteFile(target, text, 0o600)
	})
	if err != nil || said != 1 {
		t.Fatalf("%s says ADDRESS %d times, want once (%v)", from, said, err)
	}
	return dir
}
