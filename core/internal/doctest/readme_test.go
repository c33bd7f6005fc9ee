package doctest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	// the snippet uses it: without this its changes would not run the test again
	_ "hush/core/threshold"
)

func file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// section is the part of the README below a heading, up to the next one.
func section(t *testing.T, heading string) string {
	t.Helper()
	_, rest, ok := strings.Cut(file(t, "README.md"), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("README.md has no section %q", heading)
	}
	text, _, _ := strings.Cut(rest, "\n## ")
	return text
}

var (
	// not those that are indirect
	required = regexp.MustCompile(`(?m)^(?:require |\t)(\S+) (v\S+)$`)
	majors   = regexp.MustCompile(`(/go)?/v[0-9]+$`)
	tool     = regexp.MustCompile(`(?m)^readonly (\w+)=\S+@(v\S+)`)
	pinned   = regexp.MustCompile(`(?m)^([\w.-]+)==(\S+)$`)
)

// TestDependencies finds a dependency that the README's table does not name with its version, and a
// row of the table that is about none.
func TestDependencies(t *testing.T) {
	versions := map[string]string{} // by name
	for _, m := range required.FindAllStringSubmatch(file(t, "go.mod"), -1) {
		versions[filepath.Base(majors.ReplaceAllString(m[1], ""))] = m[2]
	}
	for _, m := range tool.FindAllStringSubmatch(file(t, "build.sh"), -1) {
		versions[m[1]] = m[2]
	}
	peers := file(t, "core/internal/peer/requirements.txt") +
		file(t, "core/internal/peer/requirements-persons.txt") +
		file(t, "web/browsertest/tab/requirements.txt")
	for _, m := range pinned.FindAllStringSubmatch(peers, -1) {
		versions[m[1]] = m[2]
	}
	for _, name := range []string{"static/package.json", "static/edge/package.json",
		"web/browsertest/tab/package.json"} {
		var p struct{ Dependencies, DevDependencies map[string]string }
		if err := json.Unmarshal([]byte(file(t, name)), &p); err != nil {
			t.Fatal(err)
		}
		for _, list := range []map[string]string{p.Dependencies, p.DevDependencies} {
			for name, version := range list {
				versions[name] = version
			}
		}
	}
	for name, version := range shipped(t) {
		versions[name] = version
	}

	var rows []string
	for line := range strings.Lines(section(t, "Dependencies")) {
		if strings.HasPrefix(line, "| [") {
			rows = append(rows, line)
		}
	}
	named := make([]bool, len(rows))
	for name, version := range versions {
		is := regexp.MustCompile(
			`(?i)\b` + regexp.QuoteMeta(path.Base(name)) + `\b.* ` + regexp.QuoteMeta(version) + `\b`)
		i := slices.IndexFunc(rows, is.MatchString)
		if i < 0 {
			t.Errorf("the README's table of dependencies lacks %s %s", name, version)
			continue
		}
		named[i] = true
	}
	for i, row := range rows {
		if !named[i] {
			t.Errorf("a row of the README's table is about no dependency: %s", row)
		}
	}
}

// shipped is all that the bundle has a part of, dependencies of dependencies too, with versions.
func shipped(t *testing.T) map[string]string {
	t.Helper()
	versions := map[string]string{}
	list := exec.Command("go", "list", "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", "./wasm")
	list.Dir = root
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOPROXY=off")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		name, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		versions[filepath.Base(majors.ReplaceAllString(name, ""))] = version
	}
	var lock struct {
		Packages map[string]struct {
			Version string
			Dev     bool
		}
	}
	if err := json.Unmarshal([]byte(file(t, "static/package-lock.json")), &lock); err != nil {
		t.Fatal(err)
	}
	for at, p := range lock.Packages {
		if name, ok := strings.CutPrefix(at, "node_modules/"); ok && !p.Dev {
			versions[name] = p.Version
		}
	}
	if len(versions) < 6 {
		t.Errorf("only %v is shipped", versions)
	}
	return versions
}

var (
	block = regexp.MustCompile("(?ms)^```\\w*\n(.*?)^```$")
	mean  = regexp.MustCompile(`^Mean age of those with a value is about (\S+) \(\S+ to \S+ in 95 of 100 releases\)\. ` +
		`Spent: ε = 0\.5\n$`)
)

// TestSnippet runs the README's program that uses core from its own module, without a network, and
// compares its output with the README's.
func TestSnippet(t *testing.T) {
	var blocks []string
	for _, m := range block.FindAllStringSubmatch(section(t, "The algorithms in a Go program"),
		-1) {
		blocks = append(blocks, m[1])
	}
	if len(blocks) != 3 {
		t.Fatalf("%d blocks, want go.mod, a program and what it prints", len(blocks))
	}
	project, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	module := strings.Replace(blocks[0], "=> ../hush", "=> "+strconv.Quote(project), 1)
	if module == blocks[0] {
		t.Fatal("go.mod of the snippet replaces nothing by ../hush")
	}
	dir := t.TempDir()
	people := "age,sex\n" + strings.Repeat("41,f\n59,m\n", 500)
	for name, text := range map[string]string{"go.mod": module, "main.go": blocks[1],
		"people.csv": people, "go.sum": file(t, "go.sum")} { // what go mod tidy writes
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) string {
		command := exec.Command("go", args...)
		command.Dir = dir
		command.Env = append(os.Environ(), "GOWORK=off", "GOPROXY=off",
			"GOFLAGS=-mod=mod")
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("go %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run("vet", ".")
	for _, printed := range []string{run("run", "."), blocks[2]} {
		m := mean.FindStringSubmatch(printed)
		if m == nil {
			t.Fatalf("printed %q, want %v", printed, mean)
		}
		// The mean is 50, its scale about 0.2.
		if x, err := strconv.ParseFloat(m[1], 64); err != nil || x < 40 || x > 60 {
			t.Errorf("the mean is %v, %v", x, err)
		}
	}
}

var (
	inText = regexp.MustCompile("`((?:core|web|wasm|static|\\.github)/[\\w./-]+)`")
	linked = regexp.MustCompile(`\]\(([^):#]+)\)`)
)

// TestPaths finds a file that the documents name or link to, and that is not there.
func TestPaths(t *testing.T) {
	const languages = "static/messages" // made with the first translation
	names := 0
	for _, document := range []string{"README.md", ".github/CONTRIBUTING.md",
		".github/ARCHITECTURE.md", ".github/LIMITS.md", ".github/CHANGELOG.md",
		"core/README.md"} {
		text := file(t, document)
		var all []string
		for _, m := range inText.FindAllStringSubmatch(text, -1) {
			all = append(all, m[1])
		}
		for _, m := range linked.FindAllStringSubmatch(text, -1) {
			all = append(all, path.Join(path.Dir(document), m[1]))
		}
		for _, name := range all {
			names++
			_, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
			if err != nil && strings.TrimSuffix(name, "/") != languages {
				t.Errorf("%s names %s, which is not there", document, name)
			}
		}
	}
	if names < 100 {
		t.Errorf("%d names of files found", names)
	}
}
