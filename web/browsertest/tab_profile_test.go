//go:build browser

package browsertest

import (
	"cmp"
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/profiler"
	"github.com/chromedp/chromedp"

	"hush/web/host"
)

// tabGroup are functions, by parts of their names, that do something together.
type tabGroup struct {
	name  string
	parts []string
}

// Garbage, as every program of Go has it.
var tabGarbage = tabGroup{"collect garbage", []string{"(garbage collector)", "runtime.gc",
	"runtime.bg", "runtime.scan", "runtime.mark", "runtime.sweep"}}

// tabPhases are what the engine's worker does: the first group that fits counts, and what fits
// nowhere counts where its caller does.
var tabPhases = []tabGroup{
	{"wait for the browser to read", []string{"(idle)"}},
	tabGarbage,
	{"copy into the program's memory", []string{"copyBytes", "get buffer", "(*worker).write"}},
	{"make the fingerprint of rows", []string{"table.hash", "(*multiset)", "table.multiset"}},
	{"find quotes, delimiters, line ends", []string{"table.mark", "(*batch)"}},
	{"look at values", []string{"(*Survey)", "(*sample)", "(*seen)", "table.detect",
		"table.NewSurvey"}},
	{"turn cells into codes", []string{"(*target)", "(*codeStore", "(*Encode)", "core/domain",
		"table.encod"}},
	{"take rows apart", []string{"(*Scanner)", "(*feed)"}},
	{"count", []string{"core/basic", "core/rank", "(*Column)"}},
	{"draw noise", []string{"core/coin", "core/mechanism", "math/big", "core/selection"}},
	{"price, check, write the answer", []string{"encoding/json", "core/phrase", "core/message",
		"core/ask", "core/task", "web/engine"}},
}

// tabStartGroups are what the page's thread does until its program stands.
var tabStartGroups = []tabGroup{
	{"wait", []string{"(idle)"}},
	{"the browser: compile, lay out, paint", []string{"(program)"}},
	tabGarbage,
	{"begin the program: its memory and variables", []string{"runtime.rt0", "runtime.schedinit",
		"runtime.doInit"}},
	{"draw the page", []string{"pkg/app.", "hush/web"}},
}

const (
	tabScripts = "JavaScript, its calls of Go and Go's of it"
	tabRest    = "the rest"
)

// tabGroupOf returns the group of the function, or nothing. The profiler writes the brackets, stars
// and slashes of Go's names as underscores.
func tabGroupOf(groups []tabGroup, function, url string) string {
	plain := strings.NewReplacer("(", "_", ")", "_", "*", "_", "/", "_")
	for _, group := range groups {
		for _, part := range group.parts {
			if strings.Contains(function, part) || strings.Contains(function, plain.Replace(part)) {
				return group.name
			}
		}
	}
	if !strings.HasSuffix(url, ".wasm") && !strings.HasPrefix(function, "(") {
		return tabScripts
	}
	return ""
}

// tabSpent is one group's time, in ms, in two samples: of opening and asking, or of a first visit
// and a later one.
type tabSpent struct {
	name  string
	spent [2]float64
}

// tabSampled samples what a thread does meanwhile, and adds it to the column of a table.
func tabSampled(t *testing.T, try func(...chromedp.Action) error, groups []tabGroup,
	found []tabSpent, column int, meanwhile func()) {
	t.Helper()
	if err := try(profiler.Enable(), profiler.SetSamplingInterval(200),
		profiler.Start()); err != nil {
		t.Fatal(err)
	}
	meanwhile()
	var profile *profiler.Profile
	if err := try(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		profile, err = profiler.Stop().Do(ctx)
		return err
	})); err != nil {
		t.Fatal(err)
	}
	callers := map[int64]int64{}
	nodes := map[int64]*profiler.ProfileNode{}
	for _, node := range profile.Nodes {
		nodes[node.ID] = node
		for _, child := range node.Children {
			callers[child] = node.ID
		}
	}
	group := func(id int64) string {
		for ; nodes[id] != nil; id = callers[id] {
			frame := nodes[id].CallFrame
			if name := tabGroupOf(groups, frame.FunctionName, frame.URL); name != "" {
				return name
			}
		}
		return tabRest
	}
	spent := map[string]float64{}
	for i, id := range profile.Samples {
		ms := float64(profile.TimeDeltas[i]) / 1e3
		name := group(id)
		place := slices.IndexFunc(found, func(p tabSpent) bool { return p.name == name })
		found[place].spent[column] += ms
		spent[name+": "+nodes[id].CallFrame.FunctionName] += ms
	}
	for _, name := range slices.SortedFunc(maps.Keys(spent), func(a, b string) int {
		return cmp.Compare(spent[b], spent[a])
	}) {
		if spent[name] > 5 {
			t.Logf("%6.1f ms %s", spent[name], name)
		}
	}
}

func tabEmpty(groups []tabGroup) (found []tabSpent) {
	for _, group := range groups {
		found = append(found, tabSpent{name: group.name})
	}
	return append(found, tabSpent{name: tabScripts}, tabSpent{name: tabRest})
}

// tabProfile samples the engine's worker while a file is opened and while it is read for a question
// and the answer is drawn, in the bundle whose functions have names.
func tabProfile(t *testing.T, path string) (found []tabSpent) {
	t.Run("profile", func(t *testing.T) {
		files, page := engineFilesOf(t, os.DirFS(benched.named))
		p := open(t, serve(t, host.New(files), page).url)
		p.upload("#file", path)
		p.script(`start(); await hush.ready;`, nil)
		engine := p.worker("engine.js")
		found = tabEmpty(tabPhases)
		for column, body := range []string{tabOpen, `await hush.run(` + tabRecipe + `);`} {
			tabSampled(t, engine.try, tabPhases, found, column, func() { lasting[any](p, body) })
		}
	})
	return found
}

// tabStartProfile samples the page's thread in a first visit and in a later one, likewise.
func tabStartProfile(t *testing.T) (found []tabSpent) {
	t.Run("start profile", func(t *testing.T) {
		s := serve(t, host.New(os.DirFS(benched.named)), "/")
		p := openWatched(t, "about:blank")
		found = tabEmpty(tabStartGroups)
		for column := range 2 {
			tabSampled(t, p.try, tabStartGroups, found, column, func() {
				p.visit(s.url)
				p.until("the program", `watched.started > 0`)
			})
			p.installed()
			p.reload() // what is kept now is compiled for the next visit
			p.until("the program", `watched.started > 0`)
		}
	})
	return found
}
