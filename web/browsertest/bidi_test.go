//go:build browser

package browsertest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

// firefox is a tab of a Firefox of its own, driven by WebDriver BiDi: one request at a time, with
// the events that come in between. Its methods fail the test when they cannot do what they say.
type firefox struct {
	t          *testing.T
	connection net.Conn
	lastID     int
	tab        string
	profile    string   // the browser's own folder
	saved      string   // the folder for downloads
	problems   []string // what the console and the scripts complained about
}

// findFirefox returns the path of a Firefox. FIREFOX names one; build.sh installs one.
func findFirefox(t *testing.T) string {
	t.Helper()
	for _, name := range []string{os.Getenv("FIREFOX"), "firefox", "firefox-esr"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no Firefox found: install one, or name one in FIREFOX")
	return ""
}

// quietFirefox keeps it from calling its makers, who could not be reached: all but this machine is
// behind a proxy that is not there. What it saves goes to a folder of the test.
const quietFirefox = `user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
user_pref("network.proxy.allow_hijacking_localhost", false);
user_pref("app.update.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.download.folderList", 2);
user_pref("browser.sessionstore.interval", 500);
`

// openFirefox is startFirefox with an address loaded, whose program runs.
func openFirefox(t *testing.T, address string) *firefox {
	t.Helper()
	f := startFirefox(t)
	f.call("browsingContext.navigate",
		map[string]any{"context": f.tab, "url": address, "wait": "complete"}, nil)
	f.until("the page to start", `!document.getElementById("app-wasm-loader")`)
	return f
}

// startFirefox starts the browser with a fresh profile, with further settings, and an empty tab.
func startFirefox(t *testing.T, further ...string) *firefox {
	t.Helper()
	profile, saved := t.TempDir(), t.TempDir()
	settings := quietFirefox + fmt.Sprintf("user_pref(\"browser.download.dir\", %q);\n", saved) +
		strings.Join(further, "")
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(settings),
		0o600); err != nil {
		t.Fatal(err)
	}
	ctx, quit := context.WithCancel(context.Background())
	browser := exec.CommandContext(ctx, findFirefox(t), "--headless", "--no-remote", "--profile",
		profile,
		"--remote-debugging-port=0", "--remote-allow-system-access", "about:blank")
	browser.Env = append(os.Environ(), "HOME="+profile, "MOZ_CRASHREPORTER_DISABLE=1")
	// so that its children end with it
	browser.Cancel = func() error { return browser.Process.Signal(os.Interrupt) }
	browser.WaitDelay = 10 * time.Second
	out, err := browser.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := browser.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		quit()
		browser.Wait()
	})
	f := &firefox{t: t, profile: profile, saved: saved}
	f.connect(ctx, listening(t, bufio.NewScanner(out)))
	f.call("session.new", map[string]any{"capabilities": map[string]any{}}, nil)
	f.call("session.subscribe", map[string]any{"events": []string{"log.entryAdded"}}, nil)
	var tabs struct{ Contexts []struct{ Context string } }
	f.call("browsingContext.getTree", map[string]any{}, &tabs)
	f.tab = tabs.Contexts[0].Context
	t.Cleanup(f.verify)
	return f
}

// verify fails the test for whatever the console complained about.
func (f *firefox) verify() {
	f.eval("null", nil) // and hears what was said up to now
	for _, problem := range f.problems {
		f.t.Errorf("in Firefox: %s", problem)
	}
}

// listening reads what the browser prints until it says where it listens, and goes on reading for
// its sake.
func listening(t *testing.T, printed *bufio.Scanner) string {
	t.Helper()
	found := make(chan string, 1)
	go func() {
		for printed.Scan() {
			if _, address, ok := strings.Cut(printed.Text(), "WebDriver BiDi listening on "); ok {
				found <- address
			}
		}
		close(found)
	}()
	select {
	case address := <-found:
		if address == "" {
			t.Fatal("Firefox ended before it could be driven")
		}
		return address
	case <-time.After(2 * patience):
		t.Fatal("Firefox does not say where it listens")
	}
	return ""
}

func (f *firefox) connect(ctx context.Context, address string) {
	f.t.Helper()
	connection, early, _, err := ws.Dial(ctx, address+"/session")
	if err != nil {
		f.t.Fatal(err)
	}
	if early != nil {
		f.t.Fatal("Firefox speaks before it is asked")
	}
	f.t.Cleanup(func() { connection.Close() })
	f.connection = connection
}

// call asks the browser and decodes its answer into a pointer, or drops it with nil.
func (f *firefox) call(method string, params, into any) {
	f.t.Helper()
	f.lastID++
	request, err := json.Marshal(map[string]any{"id": f.lastID, "method": method, "params": params})
	if err != nil {
		f.t.Fatal(err)
	}
	f.connection.SetDeadline(time.Now().Add(3 * patience))
	if err := wsutil.WriteClientText(f.connection, request); err != nil {
		f.t.Fatal(err)
	}
	for {
		message, err := wsutil.ReadServerText(f.connection)
		if err != nil {
			f.t.Fatalf("%s: %v", method, err)
		}
		var answer struct {
			ID                    int
			Type, Message, Method string
			Result                json.RawMessage
			Params                struct{ Level, Text string }
		}
		if err := json.Unmarshal(message, &answer); err != nil {
			f.t.Fatalf("%s: %v", method, err)
		}
		switch {
		case answer.Method == "log.entryAdded" && answer.Params.Level == "error":
			f.problems = append(f.problems, answer.Params.Text)
		case answer.ID != f.lastID:
		case answer.Type != "success":
			f.t.Fatalf("%s: %s", method, answer.Message)
		case into == nil:
			return
		default:
			if err := json.Unmarshal(answer.Result, into); err != nil {
				f.t.Fatalf("%s: %v", method, err)
			}
			return
		}
	}
}

// eval returns the value of an expression, which may be a promise, decoded into a pointer or
// dropped with nil.
func (f *firefox) eval(expression string, into any) {
	f.t.Helper()
	var got struct {
		Type             string
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}
	f.call("script.evaluate", map[string]any{
		"expression":   `(async () => JSON.stringify(await (` + expression + `)) ?? "null")()`,
		"target":       map[string]any{"context": f.tab},
		"awaitPromise": true,
	}, &got)
	if got.Type != "success" {
		f.t.Fatalf("%s in %s", got.ExceptionDetails.Text, expression)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal([]byte(got.Result.Value), into); err != nil {
		f.t.Fatal(err)
	}
}

// until waits until an expression is true. what completes "waited for …".
func (f *firefox) until(what, expression string) {
	f.t.Helper()
	var done bool
	f.untilDecoded(what, "Boolean("+expression+")", &done, func() bool { return done })
}

// untilDecoded decodes an expression again and again into a pointer, until done.
func (f *firefox) untilDecoded(what, expression string, into any, done func() bool) {
	f.t.Helper()
	f.wait(what, func() bool {
		f.eval(expression, into)
		return done()
	})
}

// wait asks again and again until done, and fails with the page's text when that takes too long.
func (f *firefox) wait(what string, done func() bool) {
	f.t.Helper()
	deadline := time.Now().Add(2 * patience)
	pause := time.NewTicker(50 * time.Millisecond)
	defer pause.Stop()
	for !done() {
		if time.Now().After(deadline) {
			var text string
			f.eval("document.body.innerText", &text)
			f.t.Fatalf("waited for %s; Firefox shows:\n%s\nproblems: %q", what, text, f.problems)
		}
		<-pause.C
	}
}

// waitText waits until the page shows a text; white space and line ends do not matter.
func (f *firefox) waitText(text string) {
	f.t.Helper()
	want, err := json.Marshal(strings.Join(strings.Fields(text), " "))
	if err != nil {
		f.t.Fatal(err)
	}
	page := `document.body.innerText.split(/\s+/).join(" ")`
	found := page + `.includes(` + string(want) + `)`
	if text == histogramSays {
		found += ` || ` + page + fmt.Sprintf(`.includes(%q)`, levelSays)
	}
	f.until("the text "+string(want), found)
}

// element returns the first element that a CSS selector matches, as the protocol names it.
func (f *firefox) element(selector string) map[string]any {
	f.t.Helper()
	f.until(selector, fmt.Sprintf(`document.querySelector(%q)`, selector))
	var got struct {
		Result struct{ SharedID string }
	}
	f.call("script.evaluate", map[string]any{
		"expression": fmt.Sprintf(`document.querySelector(%q)`, selector),
		"target":     map[string]any{"context": f.tab}, "awaitPromise": false,
	}, &got)
	if got.Result.SharedID == "" {
		f.t.Fatalf("%s went as soon as it was there", selector)
	}
	return map[string]any{"sharedId": got.Result.SharedID}
}

// click presses the first element that a CSS selector matches, as a mouse does.
func (f *firefox) click(selector string) {
	f.t.Helper()
	f.mouse(f.reach(selector), "pointerDown", "pointerUp")
}

// reach scrolls the first element that a CSS selector matches into view and returns its middle,
// once it is enabled, stands still, and nothing covers it.
func (f *firefox) reach(selector string) (at [2]int) {
	f.t.Helper()
	var found []int
	f.untilDecoded("a free "+selector, fmt.Sprintf(`(async () => {
		const element = document.querySelector(%q);
		if (!element || element.disabled || element.closest("[inert]")) return null;
		element.scrollIntoView({ block: "center", behavior: "instant" });
		const where = () => {
			const { left, top, width, height } = element.getBoundingClientRect();
			return [Math.floor(left + width / 2), Math.floor(top + height / 2)];
		};
		const before = where();
		await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
		const after = where(), hit = document.elementFromPoint(...after);
		const reached = hit && (element.contains(hit) || hit.closest("label")?.control === element);
		return reached && String(before) === String(after) ? after : null;
	})()`, selector), &found, func() bool { return len(found) == 2 })
	return [2]int(found)
}

// mouse moves the mouse to a place of the window and does these things there: "pointerDown",
// "pointerUp".
func (f *firefox) mouse(at [2]int, what ...string) {
	f.t.Helper()
	actions := []any{map[string]any{"type": "pointerMove", "x": at[0], "y": at[1]}}
	for _, act := range what {
		actions = append(actions, map[string]any{"type": act, "button": 0})
	}
	f.call("input.performActions", map[string]any{"context": f.tab, "actions": []any{map[string]any{
		"type": "pointer", "id": "mouse", "actions": actions,
	}}}, nil)
}

// upload gives a file to the file input that a CSS selector matches, as the system's dialog does.
func (f *firefox) upload(selector, path string) {
	f.t.Helper()
	f.call("input.setFiles", map[string]any{
		"context": f.tab, "element": f.element(selector), "files": []string{path},
	}, nil)
}

// download waits for a file of that name, whole, and returns it.
func (f *firefox) download(name string) (data []byte) {
	f.t.Helper()
	f.wait("the file "+name, func() bool {
		parts, err := filepath.Glob(filepath.Join(f.saved, "*.part"))
		if err != nil || len(parts) > 0 {
			return false
		}
		data, err = os.ReadFile(filepath.Join(f.saved, name))
		return err == nil && len(data) > 0
	})
	return data
}

// fill replaces the text of the field of that id and leaves the field.
func (f *firefox) fill(id, text string) {
	f.t.Helper()
	f.until("the field "+id, `document.getElementById("`+id+`")`)
	f.eval(`void document.getElementById("`+id+`").select()`, nil)
	var keys []any
	for _, r := range text + tabKey {
		for _, kind := range []string{"keyDown", "keyUp"} {
			keys = append(keys, map[string]any{"type": kind, "value": string(r)})
		}
	}
	f.call("input.performActions", map[string]any{"context": f.tab, "actions": []any{map[string]any{
		"type": "key", "id": "keyboard", "actions": keys,
	}}}, nil)
	f.until(id+" to hold "+text,
		fmt.Sprintf(`document.getElementById(%q)?.value === %q`, id, text))
}

const tabKey = "\ue004" // as WebDriver writes it
