//go:build browser

package browsertest

import (
	"bufio"
	"context"
	"encoding/json"
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
// behind a proxy that is not there.
const quietFirefox = `user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
user_pref("network.proxy.allow_hijacking_localhost", false);
user_pref("app.update.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
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

// startFirefox starts the browser with a fresh profile and an empty tab.
func startFirefox(t *testing.T) *firefox {
	t.Helper()
	profile := t.TempDir()
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(quietFirefox),
		0o600); err != nil {
		t.Fatal(err)
	}
	ctx, quit := context.WithCancel(context.Background())
	browser := exec.CommandContext(ctx, findFirefox(t), "--headless", "--no-remote", "--profile",
		profile,
		"--remote-debugging-port=0", "about:blank")
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
	f := &firefox{t: t}
	f.connect(ctx, listening(t, bufio.NewScanner(out)))
	f.call("session.new", map[string]any{"capabilities": map[string]any{}}, nil)
	f.call("session.subscribe", map[string]any{"events": []string{"log.entryAdded"}}, nil)
	var tabs struct{ Contexts []struct{ Context string } }
	f.call("browsingContext.getTree", map[string]any{}, &tabs)
	f.tab = tabs.Contexts[0].Context
	return f
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
	connection.SetDeadline(time.Now().Add(5 * time.Minute))
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
	deadline := time.Now().Add(2 * patience)
	pause := time.NewTicker(50 * time.Millisecond)
	defer pause.Stop()
	for done := false; ; <-pause.C {
		if f.eval("Boolean("+expression+")", &done); done {
			return
		}
		if time.Now().After(deadline) {
			var text string
			f.eval("document.body.innerText", &text)
			f.t.Fatalf("waited for %s; Firefox shows:\n%s\nproblems: %q", what, text, f.problems)
		}
	}
}

// waitText waits until the page shows a text; white space and line ends do not matter.
func (f *firefox) waitText(text string) {
	f.t.Helper()
	want, err := json.Marshal(strings.Join(strings.Fields(text), " "))
	if err != nil {
		f.t.Fatal(err)
	}
	f.until("the text "+string(want),
		`document.body.innerText.split(/\s+/).join(" ").includes(`+string(want)+`)`)
}

// element returns what a script finds, as the protocol names it, once it is there and enabled.
func (f *firefox) element(what, expression string) map[string]any {
	f.t.Helper()
	f.until(what, `(e => e && !e.disabled)(`+expression+`)`)
	var got struct {
		Result struct{ SharedID string }
	}
	f.call("script.evaluate", map[string]any{
		"expression": expression, "target": map[string]any{"context": f.tab}, "awaitPromise": false,
	}, &got)
	return map[string]any{"sharedId": got.Result.SharedID}
}

// click clicks a button whose text begins so, as a mouse does.
func (f *firefox) click(text string) {
	f.t.Helper()
	f.pointTo(text)
	f.mouse("pointerDown")
	f.mouse("pointerUp")
}

// pointTo moves the mouse to a button whose text begins so, once it is there and enabled.
func (f *firefox) pointTo(text string) {
	f.t.Helper()
	name, err := json.Marshal(text)
	if err != nil {
		f.t.Fatal(err)
	}
	button := f.element("the button "+text,
		`[...document.querySelectorAll("button")].find((b) => b.innerText.trim().startsWith(`+
			string(name)+`))`)
	f.call("script.callFunction", map[string]any{
		"functionDeclaration": `(e) => e.scrollIntoView({ block: "center", behavior: "instant" })`,
		"arguments":           []any{button}, "target": map[string]any{"context": f.tab},
		"awaitPromise": false,
	}, nil)
	f.point(map[string]any{"type": "pointerMove", "x": 0, "y": 0,
		"origin": map[string]any{"type": "element", "element": button}})
}

// mouse does one thing with the mouse where it is: "pointerDown" or "pointerUp".
func (f *firefox) mouse(what string) {
	f.t.Helper()
	f.point(map[string]any{"type": what, "button": 0})
}

func (f *firefox) point(action map[string]any) {
	f.t.Helper()
	f.call("input.performActions", map[string]any{"context": f.tab, "actions": []any{map[string]any{
		"type": "pointer", "id": "mouse", "actions": []any{action},
	}}}, nil)
}

// fill replaces the text of the field of that id and leaves the field.
func (f *firefox) fill(id, text string) {
	f.t.Helper()
	f.eval(`document.getElementById("`+id+`").select()`, nil)
	var keys []any
	for _, r := range text + tabKey {
		for _, kind := range []string{"keyDown", "keyUp"} {
			keys = append(keys, map[string]any{"type": kind, "value": string(r)})
		}
	}
	f.call("input.performActions", map[string]any{"context": f.tab, "actions": []any{map[string]any{
		"type": "key", "id": "keyboard", "actions": keys,
	}}}, nil)
}

const tabKey = "\ue004" // as WebDriver writes it
