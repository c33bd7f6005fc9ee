//go:build browser

package browsertest

import (
	"context"
	"math"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"hush/web/host"
	"hush/web/state/place"
)

// installed waits until the service worker has everything and answers for the page.
func (p *webPage) installed() {
	p.t.Helper()
	p.until("the service worker", `navigator.serviceWorker.controller`)
}

func TestHeadersReachTheBrowser(t *testing.T) {
	s := serveBundle(t)
	p := open(t, s.url)
	var headers map[string]string
	p.eval(`fetch("./").then((answer) => Object.fromEntries(answer.headers))`, &headers)
	if got, want := headers["content-security-policy"],
		host.Policy+"; frame-ancestors 'none'"; got != want {
		t.Errorf("the policy is %q, want %q", got, want)
	}
	var meta string
	p.eval(`document.querySelector("meta[http-equiv=Content-Security-Policy]").content`, &meta)
	if meta != host.Policy {
		t.Errorf("the page's own policy is %q, want %q", meta, host.Policy)
	}
}

// A first visit, with all that the service worker puts aside, stays within the budget, and comes as
// brotli. The budget is that of static/pack.mjs, of files; the headers of an answer are less than a
// kilobyte.
func TestFirstVisit(t *testing.T) {
	const headers = 1000
	pack, err := os.ReadFile("../../static/pack.mjs")
	stated := regexp.MustCompile(`visit: ([0-9.e]+) }`).FindSubmatch(pack)
	if err != nil || stated == nil {
		t.Fatalf("static/pack.mjs states no budget: %v", err)
	}
	files, err := strconv.ParseFloat(string(stated[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	s := serveBundle(t)
	p := open(t, s.url)
	p.installed()
	p.until("the chart library",
		`import(document.querySelector("script[src$='page.js']").src.replace("page.js", "charts.js"))`)
	sent := s.sent.Load()
	t.Logf("%d bytes over the wire, headers included, in %d answers", sent, len(s.answers()))
	if budget := int64(files) + headers*int64(len(s.answers())); sent > budget {
		t.Errorf("a first visit takes %d bytes, want at most %d", sent, budget)
	}
	times := map[string]int{}
	for _, answer := range s.answers() {
		if answer.status != http.StatusOK && answer.status != http.StatusNotModified {
			t.Errorf("%s is answered with %d", answer.path, answer.status)
		}
		if host.Packed(answer.path) && answer.status == http.StatusOK && answer.encoding != "br" {
			t.Errorf("%s comes as %q, want br", answer.path, answer.encoding)
		}
		if times[answer.path]++; times[answer.path] == 2 && strings.HasPrefix(answer.path, "/v/") {
			t.Errorf("%s is transferred twice", answer.path)
		}
	}
}

// places are the two ways of serving: ours at the root, and somebody else's plain file server below
// a path.
var places = []struct {
	name  string
	serve func(t *testing.T) *site
}{
	{"our server", serveBundle},
	{"another server below a path", func(t *testing.T) *site {
		return servePlain(t, "/docs/play/")
	}},
}

func TestOffline(t *testing.T) {
	for _, where := range places {
		t.Run(where.name, func(t *testing.T) {
			s := where.serve(t)
			p := open(t, s.url)
			p.eval(`caches.open("of another program")`, nil)
			p.installed()
			p.another(s.url+"embed.html#task=count").
				until("the document of demos to be kept",
					`caches.match(location.href.replace(/#.*/, "")).then(Boolean)`)
			var title, offline string
			p.eval(`document.querySelector("h1").innerText`, &title)
			s.stop()
			p.expect("ERR_CONNECTION_REFUSED") // the browser looks for a newer service worker

			p.reload()
			if p.eval(`document.querySelector("h1").innerText`, &offline); offline != title {
				t.Errorf("offline the page's title is %q, want %q", offline, title)
			}
			addresses := []string{"?from=a-link", "index.html", "index.html?x", "no/such/page",
				"#/learn/mean"}
			for _, view := range []place.View{place.ViewWorkbench, place.ViewLedger,
				place.ViewLearn, place.ViewWords, place.ViewProof, place.ViewEvidence,
				place.ViewCheck} {
				addresses = append(addresses, "#"+view.Path())
			}
			for _, address := range append(addresses, "embed.html?from=a-link#task=count",
				"embed.html#task=count") {
				p.visit(s.url + address)
				p.eval(`import(document.querySelector("script[src$='page.js']").src.replace("page.js", "charts.js"))`, nil)
			}
			p.waitText("A private answer")
			var kept []string
			p.eval(`caches.keys()`, &kept)
			if len(kept) != 2 || !slices.Contains(kept, "of another program") {
				t.Errorf("the caches are %q, want ours and the other program's", kept)
			}
			for _, file := range offlineFiles(t) {
				var status int
				p.eval(`fetch("`+s.url+file+`").then(({ status }) => status)`, &status)
				if status != http.StatusOK {
					t.Errorf("offline %s is answered with %d", file, status)
				}
			}
		})
	}
}

// offlineFiles lists the bundle's files as addresses relative to the page.
func offlineFiles(t *testing.T) []string {
	var names []string
	for name := range readBundle(t) {
		switch {
		case !host.Known(name), name == "app-worker.js": // not asked for by the page
		case slices.Contains([]string{host.FrameFile, host.ScriptFile, "example.html",
			"package.html"}, name):
			// kept by who uses them: TestEmbed
		case name == "hashes.txt": // says what the host serves
		case strings.Contains(name, "/readers/"): // TestReadersAreKept
		case name == "hush.tgz", strings.Contains(name, "/package/"): // TestPackagePage
		case name == "index.html":
			names = append(names, "")
		default:
			names = append(names, name)
		}
	}
	return names
}

// The whole page, from any path, asks for files of the bundle and for nothing else.
func TestRequestsStayInTheBundle(t *testing.T) {
	for _, where := range places {
		t.Run(where.name, func(t *testing.T) {
			s := where.serve(t)
			p := open(t, s.url)
			p.installed()
			bundle := readBundle(t)
			for _, request := range append(p.sentRequests(), requested(s)...) {
				name, ours := strings.CutPrefix(request, s.url)
				if name == "" {
					name = "index.html"
				}
				if _, there := bundle[name]; !ours || !there {
					t.Errorf("%s is no file of the bundle", request)
				}
			}
		})
	}
}

func requested(s *site) []string {
	var all []string
	for _, answer := range s.answers() {
		all = append(all, "http://"+s.addr+answer.path)
	}
	return all
}

// The tests above prove something only if the browser's record shows what goes wrong.
func TestHarnessSeesWhatGoesWrong(t *testing.T) {
	for _, c := range []struct{ name, script, seen string }{
		{"a request that the policy blocks", `fetch("https://example.org/x").catch(() => 0)`,
			"policy violated: connect-src"},
		{"an inline style", `document.body.setAttribute("style", "color: red")`,
			"policy violated: style-src-attr"},
		{"an inline script",
			`(() => { const script = document.createElement("script"); script.append("1"); document.body.append(script); })()`, "requires 'TrustedScript' assignment"},
		{"a script of another server",
			`(() => { try { document.createElement("script").src = "http://elsewhere.example/x.js"; } catch {} })()`, "policy violated: require-trusted-types-for"},
		{"markup from text",
			`(() => { try { document.createElement("p").innerHTML = "<b>bold</b>"; } catch {} })()`,
			"policy violated: require-trusted-types-for"},
		{"an exception", `void setTimeout(() => { throw new Error("broken on purpose") })`,
			"exception in page: Error: broken on purpose"},
		{"an unhandled rejection", `void Promise.reject(new Error("nobody cares"))`,
			"nobody cares"},
		{"an error in the console", `console.error("as it is")`, `console in page: "as it is"`},
		{"a missing file", `fetch("no-such-file.js").then(() => 0)`, "404"},
		{"a link out", `void (location = "http://elsewhere.example/")`,
			"request to another server: GET http://elsewhere.example/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Cleanup(chromium.foreign.forget) // once the tab is closed
			p := open(t, serveBundle(t).url)
			if found := p.problems(); len(found) > 0 {
				t.Fatalf("problems before anything was done: %q", found)
			}
			p.eval(c.script, nil)
			p.wait("the problem to be seen", func() bool {
				return slices.ContainsFunc(p.problems(), func(problem string) bool {
					return strings.Contains(problem, c.seen)
				})
			})
			p.expect("") // all of them
			if strings.Contains(c.script, "location = ") {
				// a tab that is closed on its way may keep the browser from answering for a minute
				p.waitText("there is no other server here")
			}
			p.asked = math.MaxInt // whatever it asked of elsewhere is what the test is about
		})
	}
}

// The browser reads the manifest without complaint, and every icon in it is a picture of the size
// it claims.
func TestManifestIsUnderstood(t *testing.T) {
	for _, where := range places {
		t.Run(where.name, func(t *testing.T) {
			s := where.serve(t)
			p := open(t, s.url)
			p.do(chromedp.ActionFunc(func(ctx context.Context) error {
				address, complaints, text, _, err := page.GetAppManifest().Do(ctx)
				for _, complaint := range complaints {
					t.Errorf("the manifest: %s", complaint.Message)
				}
				if want := s.url + "manifest.webmanifest"; address != want ||
					!strings.Contains(text, `"Hush"`) {
					t.Errorf("the manifest is %q at %s, want it at %s", text, address, want)
				}
				return err
			}))
			var wrong []string
			p.eval(`(async () => {
				const base = new URL("manifest.webmanifest", location.href);
				const { icons, scope, start_url } = await (await fetch(base)).json();
				const wrong = [scope, start_url].filter((address) => new URL(address, base).href !== base.href.replace("manifest.webmanifest", ""));
				for (const { src, sizes } of icons) {
					const image = new Image();
					image.src = new URL(src, base);
					await image.decode();
					if (sizes !== "any" && sizes !== image.naturalWidth + "x" + image.naturalHeight) wrong.push(src);
				}
				return wrong;
			})()`, &wrong)
			if len(wrong) > 0 {
				t.Errorf("wrong in the manifest: %q", wrong)
			}
		})
	}
}
