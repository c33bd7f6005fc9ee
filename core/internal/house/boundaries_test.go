package house

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../../.."

// A rule says that a pattern is nowhere in some files.
type rule struct {
	reason  string
	pattern string // of RE2; ^ and $ are those of a line

	in     []string // the directories and files that it is about
	names  []string // patterns of their names; none is all
	except []string // patterns of names that it is not about
	beside []string // names of directories below that it is not about

	planted [2]string // a file and a line that break it
	allowed string    // a file in which that line breaks nothing, if there is one
}

// Places and kinds of files that several rules are about.
var (
	goFiles   = []string{"*.go"}
	tests     = []string{"*_test.go"}
	pageFiles = []string{"*.go", "*.js"}
	all       = []string{"core", "web", "wasm"}
	aside     = []string{"web/state", "web/chart", "web/report", "web/film", "web/engine"}
	places    = []string{"web/publish", "web/ledger", "web/learn", "web/proof", "web/help"}
	algorithm = []string{"core/coin", "core/privacy", "core/mechanism", "core/domain",
		"core/table", "core/basic", "core/threshold", "core/density", "core/query", "core/joint",
		"core/classify", "core/selection", "core/audit", "core/param", "core/phrase",
		"core/codebook", "core/sample"}
)

var rules = []rule{
	{reason: "syscall/js outside wasm: all else must run and be tested natively",
		pattern: `"syscall/js"`, in: []string{"core", "web", "serve.go"}, names: goFiles,
		planted: [2]string{"core/basic/mean.go", `import "syscall/js"`},
		allowed: "wasm/main_js.go"},
	{reason: "go-app or net/http in core: algorithms know nothing of the page or the network",
		pattern: `"(github.com/maxence-charriere/go-app|net/http)`, in: []string{"core"},
		names:   goFiles,
		planted: [2]string{"core/basic/mean.go", `import "net/http"`}, allowed: "web/host/host.go"},
	{reason: "an algorithm imports core/message: it gives phrases, and who knows the reader says " +
		"them",
		pattern: `"hush/core/message"`, in: algorithm, names: goFiles,
		planted: [2]string{"core/basic/mean.go", `import "hush/core/message"`},
		allowed: "core/ask/session.go"},
	{reason: "a language kept outside of web/say: two readers at once would share it, so pass it " +
		"on",
		pattern: `^var [^(\n]*\b(message\.)?Language\b|message\.Use\(`, in: all, names: goFiles,
		except: tests, beside: []string{"say"},
		planted: [2]string{"core/ask/session.go", `var reader message.Language`},
		allowed: "web/say/say.go"},
	{reason: "core imports web or wasm: arrows point one way, wasm to web to core",
		pattern: `^[ \t]*(import )?([a-z]+ )?"hush/(web|wasm)`, in: []string{"core"},
		names:   goFiles,
		planted: [2]string{"core/basic/mean.go", `import "hush/web/say"`},
		allowed: "web/page.go"},
	{reason: "web imports wasm: arrows point one way, wasm to web to core",
		pattern: `^[ \t]*(import )?([a-z]+ )?"hush/wasm`, in: []string{"web"}, names: goFiles,
		planted: [2]string{"web/page.go", "\t\"hush/wasm\""},
		allowed: "wasm/main_js.go"},
	{reason: "os or logging in core: it takes bytes and returns values",
		pattern: `^[ \t]*(import )?([a-z]+ )?"(os|os/.*|log|log/.*|syscall)"`, in: []string{"core"},
		names: goFiles, except: tests, beside: []string{"internal", "texts"},
		planted: [2]string{"core/basic/mean.go", "\t\"os\""}, allowed: "core/basic/mean_test.go"},
	{reason: "a clock in core: durations are not private, and results must not depend on them",
		pattern: `time\.(Now|Since|Until|Tick|After|NewTimer|NewTicker|Sleep)\b`,
		in:      []string{"core"}, names: goFiles, except: tests,
		planted: [2]string{"core/basic/mean.go", "\tstart := time.Now()"},
		allowed: "core/basic/bench_test.go"},
	{reason: "randomness outside core/coin: every decision goes through coin.Source, exactly",
		pattern: `"(math/rand|math/rand/v2|crypto/rand)"`, in: all, names: goFiles, except: tests,
		beside:  []string{"coin"},
		planted: [2]string{"core/basic/mean.go", `import "math/rand/v2"`},
		allowed: "core/coin/crypto.go"},
	{reason: "gonum in core's code, but for what is released already (core/NUMBERS.md): it never " +
		"makes noise nor sees what noise hides",
		pattern: `"gonum\.org/v1/gonum`, in: []string{"core"}, names: goFiles, except: tests,
		beside:  []string{"internal", "selection"},
		planted: [2]string{"core/basic/mean.go", `import "gonum.org/v1/gonum/stat/distuv"`},
		allowed: "core/selection/eigen.go"},
	{reason: "go-app in what the page knows, or in its charts: both are plain Go, tested without " +
		"a page",
		pattern: `"github.com/maxence-charriere/go-app`, in: aside, names: goFiles, except: tests,
		planted: [2]string{"web/state/model.go",
			`import "github.com/maxence-charriere/go-app/v10/pkg/app"`},
		allowed: "web/parts/field.go"},
	{reason: "an arrow that runs back up: places stand on parts and charts, these on the state",
		pattern: `"hush/web(/(publish|ledger|learn|proof|help|frame|gallery)(/[a-z]+)?)?"`,
		in:      append([]string{"web/parts"}, aside...), names: goFiles, except: tests,
		planted: [2]string{"web/parts/field.go", `import "hush/web/publish/data"`},
		allowed: "web/frame/frame.go"},
	{reason: "an arrow between places: what two of them need is a part, a chart or state",
		pattern: `"hush/web/(publish|ledger|learn|proof|help)"`, in: places, names: goFiles,
		except:  tests,
		planted: [2]string{"web/ledger/page.go", `import "hush/web/learn"`},
		allowed: "web/frame/frame.go"},
	{reason: "a step of publishing in another place: what two of them need is a part, a chart or " +
		"state",
		pattern: `"hush/web/publish/`,
		in:      []string{"web/ledger", "web/learn", "web/proof", "web/help"}, names: goFiles,
		except:  tests,
		planted: [2]string{"web/learn/page.go", `import "hush/web/publish/data"`},
		allowed: "web/publish/page.go"},
	{reason: "an arrow that runs back up in publishing: question and answer stand on the data",
		pattern: `"hush/web/publish/(question|answer)"`,
		in: []string{"web/publish/data", "web/publish/question", "web/publish/answer",
			"web/publish/explore"}, names: goFiles, except: tests,
		planted: [2]string{"web/publish/data/step.go", `import "hush/web/publish/question"`},
		allowed: "web/publish/page.go"},
	{reason: "a chart's shape that knows an answer: it is drawn from numbers and names, and " +
		"charts stand on it",
		pattern: `"hush/(core/task|web/(state|chart))[/"]`,
		in:      []string{"web/chart/plot", "web/chart/svg"}, names: goFiles, except: tests,
		planted: [2]string{"web/chart/plot/bars.go", `import "hush/core/task"`},
		allowed: "web/chart/answer.go"},
	{reason: "net/http in web's components: it would double the binary",
		pattern: `"net/http`, in: []string{"web"}, names: goFiles,
		beside:  []string{"host", "bundle", "browsertest"},
		planted: [2]string{"web/parts/field.go", `import "net/http"`}, allowed: "web/host/host.go"},
	{reason: "an end of an interval rounded to nearest, inwards half of the time: phrase.Ends, " +
		"EndsTo and AtMost round it outward",
		pattern: `\b(Prose|Short|FormatFloat)\([^(),\n]*\b([lL]ow|[hH]igh|[fF]rom|[tT]o|[bB]ound)\b`,
		in:      []string{"core/ask", "core/task", "web/chart", "web/living", "web/publish"},
		names:   goFiles, except: tests,
		planted: [2]string{"core/task/mean.go", "\tlow := message.Prose(row.Low)"},
		allowed: "core/phrase/ends.go"},
	{reason: "app.Raw: no text may become markup",
		pattern: `app\.Raw\(`, in: []string{"web"}, names: goFiles,
		planted: [2]string{"web/parts/field.go", "\treturn app.Raw(text)"}},
	{reason: "inline styles: the content security policy blocks them; use a class",
		pattern: `\.Style\(|style="|\.setAttribute\("style"|\.innerHTML`,
		in:      []string{"web", "static"}, names: pageFiles, except: tests,
		beside:  []string{"browsertest"},
		planted: [2]string{"static/page.js", `element.innerHTML = text;`},
		allowed: "web/parts/field_test.go"},
	{reason: "an address of another origin: nothing leaves the tab, and nothing comes from " +
		"elsewhere",
		pattern: `(https?:)?//[a-z0-9-]+\.[a-z]`, in: []string{"web", "static"},
		names:   []string{"*.go", "*.js", "*.css", "*.svg", "*.html"},
		except:  append([]string{"icon.svg", "quiet.svg"}, tests...),
		beside:  []string{"browsertest", "testdata", "sites"},
		planted: [2]string{"static/page.js", `fetch("https://example.org/")`},
		allowed: "static/icons/icon.svg"},
	{reason: "time.Sleep in a test: wait for what you wait for",
		pattern: `time\.Sleep\(`, in: all, names: goFiles,
		planted: [2]string{"web/parts/field_test.go", "\ttime.Sleep(time.Second)"}},
	{reason: "an example that is not in example_test.go, where readers and go doc look for it",
		pattern: `^func Example`, in: all, names: goFiles, except: []string{"example_test.go"},
		planted: [2]string{"core/basic/mean_test.go", "func ExampleMean() {"},
		allowed: "core/basic/example_test.go"},
	{reason: "an example inside of its package: nobody can copy what uses unexported names",
		pattern: `^package [a-z]+$`, in: all, names: []string{"example_test.go"},
		planted: [2]string{"core/basic/example_test.go", "package basic"},
		allowed: "core/basic/mean_test.go"},
	{reason: "unfinished work",
		pattern: `\b(TODO|FIXME|XXX)\b`,
		in:      []string{"core", "web", "wasm", "static", "serve.go", "build.sh", ".ci"},
		names:   []string{"*.go", "*.js", "*.mjs", "*.css", "*.sh"},
		planted: [2]string{"static/page.js", "// TODO: say why"}, allowed: "core/README.md"},
	{reason: "a path of one machine or the address of a registry",
		pattern: `(^|[^a-z.])/(root|home|work)/|registry\.npmjs|"resolved":`,
		in: []string{"core", "web", "wasm", "static", "serve.go", "build.sh", ".ci", ".github",
			"README.md"},
		planted: [2]string{"static/package-lock.json", `"resolved": "somewhere"`}},
}

// tree maps paths, from the root and with slashes, to texts.
type tree map[string]string

// about reports whether the rule is about a file.
func (r rule) about(name string) bool {
	matches := func(patterns []string) bool {
		return slices.ContainsFunc(patterns, func(pattern string) bool {
			ok, err := path.Match(pattern, path.Base(name))
			return ok && err == nil
		})
	}
	for _, place := range r.in {
		below, found := strings.CutPrefix(name, place+"/")
		if name != place && !found {
			continue
		}
		besides := slices.ContainsFunc(strings.Split(path.Dir(below), "/"),
			func(dir string) bool { return slices.Contains(r.beside, dir) })
		if !besides && (len(r.names) == 0 || matches(r.names)) && !matches(r.except) {
			return true
		}
	}
	return false
}

// broken lists where the rule is broken, each as a file, a line's number and the line.
func (r rule) broken(t tree) (found []string) {
	pattern := regexp.MustCompile("(?m)" + r.pattern)
	for name, text := range t {
		if !r.about(name) {
			continue
		}
		for _, at := range pattern.FindAllStringIndex(text, -1) {
			line := 1 + strings.Count(text[:at[1]], "\n")
			from := 1 + strings.LastIndexByte(text[:at[1]], '\n')
			said, _, _ := strings.Cut(text[from:], "\n")
			found = append(found, fmt.Sprintf("%s:%d: %.100s", name, line, said))
		}
	}
	slices.Sort(found)
	return found
}

// house reads what the rules are about. This file has what they look for.
func house(t *testing.T) tree {
	t.Helper()
	texts := tree{}
	for _, place := range []string{"core", "web", "wasm", "static", "serve.go", "build.sh", ".ci",
		".github", "README.md"} {
		err := filepath.WalkDir(filepath.Join(root, place),
			func(name string, d fs.DirEntry, err error) error {
				switch {
				case err != nil:
					return err
				case d.IsDir() && d.Name() == "node_modules":
					return filepath.SkipDir
				case d.IsDir():
					return nil
				}
				text, err := os.ReadFile(name)
				short, outside := filepath.Rel(root, name)
				if short = filepath.ToSlash(short); !strings.HasSuffix(
					short, "internal/house/boundaries_test.go") {
					texts[short] = string(text)
				}
				return cmp.Or(err, outside)
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	return texts
}

// TestBoundaries: no file breaks a rule, and each place that a rule is about is there.
func TestBoundaries(t *testing.T) {
	texts := house(t)
	for _, r := range rules {
		if found := r.broken(texts); len(found) > 0 {
			t.Errorf("%s\n  %s", r.reason, strings.Join(found, "\n  "))
		}
		for _, place := range r.in {
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(place))); err != nil {
				t.Errorf("a rule is about what is not there: %v", err)
			}
		}
	}
}

// TestPlanted: each rule sees a line that breaks it, where it is about the file, and in a tree that
// is otherwise as it should be.
func TestPlanted(t *testing.T) {
	for _, r := range rules {
		name, line := r.planted[0], r.planted[1]
		text := "package some\n\n" + line + "\n"
		if strings.HasPrefix(line, "package ") {
			text = line + "\n"
		}
		if found := r.broken(tree{name: text}); len(found) != 1 ||
			!strings.HasPrefix(found[0], name+":") || !strings.HasSuffix(found[0], line) {
			t.Errorf("%s: found %q, want %q in %s", r.reason, found, line, name)
		}
		if r.allowed == "" {
			continue
		}
		if found := r.broken(tree{r.allowed: text}); len(found) > 0 {
			t.Errorf("%s: found %q, where it is allowed", r.reason, found)
		}
	}
}

// others matches what comes from go.sum and package-lock.json, and is not committed.
var others = regexp.MustCompile(`(^|/)(node_modules|vendor)/|\.min\.(js|css)$|` +
	`(^|/)(wasm_exec|charts|axe)\.js$|\.wasm$`)

// TestCommitted: no code of others is committed. A copy of the sources without history passes.
func TestCommitted(t *testing.T) {
	command := exec.CommandContext(t.Context(), "git", "ls-files")
	command.Dir = root
	listed, err := command.Output()
	if err != nil {
		t.Logf("nothing says what is committed: %v", err)
	}
	for name := range bytes.Lines(listed) {
		if name = bytes.TrimSuffix(name, []byte("\n")); others.Match(name) {
			t.Errorf("committed code of others, which go.sum and package-lock.json bring: %s", name)
		}
	}
	for _, name := range []string{"static/node_modules/a.js", "vendor/b.go", "static/c.min.js",
		"static/d.min.css", "static/wasm_exec.js", "static/charts.js", "axe.js", "web/e.wasm"} {
		if !others.MatchString(name) {
			t.Errorf("%s may be committed", name)
		}
	}
	for _, name := range []string{"static/charts.src.js", "static/page.js", "wasm/main_js.go"} {
		if others.MatchString(name) {
			t.Errorf("%s may not be committed", name)
		}
	}
}

var (
	comment = regexp.MustCompile(`^[ \t]*//`)
	heading = regexp.MustCompile(`^[ \t]*// # `)
	between = regexp.MustCompile(`^[ \t]*//$`)
)

// headings lists the numbers of lines at which go doc does not take a heading for one: it does only
// between empty lines of its comment.
func headings(text string) (at []int) {
	last := ""
	for i, line := range strings.Split(text, "\n") {
		said := func(line string) bool {
			return comment.MatchString(line) && !between.MatchString(line)
		}
		if heading.MatchString(line) && said(last) || heading.MatchString(last) && said(line) {
			at = append(at, i+1)
		}
		last = line
	}
	return at
}

func TestHeadings(t *testing.T) {
	for name, text := range house(t) {
		if path.Ext(name) != ".go" {
			continue
		}
		for _, line := range headings(text) {
			t.Errorf("%s:%d: a heading of a doc comment without an empty // line above or below it",
				name, line)
		}
	}
	for text, want := range map[string]int{
		"// a\n//\n// # B\n//\n// c\n": 0,
		"// a\n// # B\n//\n// c\n":     1,
		"// a\n//\n// # B\n// c\n":     1,
		"// # B\n// c\n":               1,
		"// # B\n//\n// c\n":           0,
	} {
		if got := headings(text); len(got) != want {
			t.Errorf("%q: lines %v, want %d", text, got, want)
		}
	}
}
