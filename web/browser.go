package web

import (
	"encoding/json"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/engine"
)

// browser is the only way from Go to the browser: it calls static/page.js and hears from it.
// Rules: numbers and JSON text cross, never a js value that outlives its call; the one callback lives as long as the page.
type browser struct {
	page    app.Value
	replies map[Request]Reply
	last    Request
	queue   []func()
	onNews  func(kind string, body []byte)
}

var (
	_ Engine = (*browser)(nil)
	_ Window = (*browser)(nil)
)

// newBrowser connects to page.js, now or as soon as it is there. dispatch runs a function on the page's goroutine.
func newBrowser(dispatch func(func()), onNews func(kind string, body []byte)) *browser {
	b := &browser{replies: map[Request]Reply{}, onNews: onNews}
	callback := app.FuncOf(func(_ app.Value, args []app.Value) any {
		r, kind, body := Request(args[0].Int()), args[1].String(), []byte(args[2].String())
		dispatch(func() { b.hear(r, kind, body) })
		return nil
	})
	connect := func() {
		if b.page != nil {
			return
		}
		b.page = app.Window().Get("hushPage")
		b.page.Call("start", callback)
		for _, call := range b.queue {
			call()
		}
		b.queue = nil
	}
	if app.Window().Get("hushPage").Truthy() {
		connect()
		return b
	}
	app.Window().Call("addEventListener", "hush-page", app.FuncOf(func(app.Value, []app.Value) any {
		connect()
		return nil
	}))
	return b
}

// hear passes on what page.js says.
func (b *browser) hear(r Request, kind string, body []byte) {
	if r == 0 {
		b.onNews(kind, body)
		return
	}
	reply := b.replies[r]
	if kind != ReplyProgress {
		delete(b.replies, r)
	}
	if reply != nil {
		reply(r, kind, body)
	}
}

// do calls a function of page.js, now or when it is there.
func (b *browser) do(name string, args ...any) {
	if b.page == nil {
		b.queue = append(b.queue, func() { b.page.Call(name, args...) })
		return
	}
	b.page.Call(name, args...)
}

// ask is do for calls that are answered.
func (b *browser) ask(reply Reply, name string, args ...any) Request {
	b.last++
	b.replies[b.last] = reply
	b.do(name, append([]any{int(b.last)}, args...)...)
	return b.last
}

// Call asks the engine. The request crosses as JSON text, a file as it is.
func (b *browser) Call(c engine.Call, reply Reply) Request {
	var file any
	if f, ok := c.File.(browserFile); ok {
		file = f.value
	}
	return b.ask(reply, "call", c.Name, encode(c.Request), file)
}

func (b *browser) Cancel(r Request) { b.do("cancel", int(r)) }

func (b *browser) Evidence(reply Reply) Request { return b.ask(reply, "evidence") }

func (b *browser) Address(path string) { b.do("address", path) }

// text reads a small file as text, or says why it cannot be read.
func (b *browser) text(f File, take func(text string), refuse func(why string)) Request {
	return b.ask(func(_ Request, kind string, body []byte) {
		if kind == ReplyFailed {
			refuse(task.Capital(failure(body).Message) + ".")
			return
		}
		var text string
		decode(body, &text)
		take(text)
	}, "text", f.(browserFile).value)
}

func (b *browser) Reveal(element string) { b.do("reveal", element) }

// drawChart draws a chart option in the element with that ID.
func (b *browser) drawChart(element string, option json.RawMessage) {
	b.do("chart", element, string(option))
}

func (b *browser) download(name, mediaType, text string) { b.do("download", name, mediaType, text) }

// downloadPNG saves an SVG document as PNG with twice as many points each way.
func (b *browser) downloadPNG(name, svg string, reply Reply) { b.ask(reply, "downloadPNG", name, svg) }

// downloadZip saves files in one archive, and with them a picture (SVG) as PNG.
func (b *browser) downloadZip(name, files, pngName, svg string, reply Reply) {
	b.ask(reply, "downloadZip", name, files, pngName, svg)
}

// picture draws a chart option for use outside of the page: in daylight colours, of a fixed size. The reply is SVG as
// JSON text.
func (b *browser) picture(option json.RawMessage, tall bool, reply Reply) {
	b.ask(reply, "picture", string(option), tall)
}

// build is the hash of the bundle that runs, as the bundle itself tells it.
func (b *browser) build() string { return app.Getenv("GOAPP_VERSION") }

// today is the day where the person is: "2026-01-31".
func (b *browser) today() string {
	if b.page == nil {
		return ""
	}
	return b.page.Call("today").String()
}

// watchKeys tells the browser which single keys to report.
func (b *browser) watchKeys(keys string) { b.do("watchKeys", keys) }

func (b *browser) turnKeysOff(off bool) { b.do("turnKeysOff", off) }

// showDialog opens a dialog above the page, or closes it where it is open.
func (b *browser) showDialog(element string) { b.do("showDialog", element) }
func (b *browser) hideDialog(element string) { b.do("hideDialog", element) }

// base is the bundle's address, with a slash at its end; empty while there is no browser.
func (b *browser) base() string {
	if b == nil || b.page == nil {
		return ""
	}
	return b.page.Get("base").String()
}

// copy puts the text of an element on the clipboard.
func (b *browser) copy(element string, reply Reply) { b.ask(reply, "copy", element) }

// visit goes to an address behind the #, as a link does.
func (b *browser) visit(path string) { b.do("visit", path) }

// switchOff closes the network to the page, or opens it again.
func (b *browser) switchOff(off bool) { b.do("switchOff", off) }

// keepStorage asks the browser not to evict what the page stored.
func (b *browser) keepStorage() { b.do("keepStorage") }

// install shows the browser's question whether to install the page.
func (b *browser) install() { b.do("install") }

// acceptUpdate loads the version of the page that waits.
func (b *browser) acceptUpdate() { app.Window().Call("hushUpdate") }

func (b *browser) pick(input string) { b.do("pick", input) }

// setTheme sets the theme: "light" or "dark".
func (b *browser) setTheme(name string) { b.do("setTheme", name) }

// theme returns the theme in force: "light" or "dark".
func (b *browser) theme() string {
	if b.page == nil {
		return "light"
	}
	return b.page.Call("theme").String()
}

// toggleTheme sets the theme that is not in force.
func (b *browser) toggleTheme() {
	if b.theme() == "dark" {
		b.setTheme("light")
	} else {
		b.setTheme("dark")
	}
}

// language is a language of the bundle: its tag, and its name in itself.
type language struct{ Tag, Name string }

// languages are those of the bundle and the one in force; none where there is only English.
func (b *browser) languages() (all []language, current string) {
	if b == nil || b.page == nil {
		return nil, ""
	}
	decode([]byte(b.page.Get("languages").String()), &all)
	return all, b.page.Get("language").String()
}

// speak loads the page in another language.
func (b *browser) speak(tag string) { b.do("speak", tag) }

// browserFile is a File of the browser's.
type browserFile struct{ value app.Value }

func (f browserFile) Name() string { return f.value.Get("name").String() }
func (f browserFile) Size() int64  { return int64(f.value.Get("size").Float()) }

// firstFile returns the first of a FileList, or nil.
func firstFile(list app.Value) File {
	if !list.Truthy() || list.Get("length").Int() == 0 {
		return nil
	}
	return browserFile{list.Index(0)}
}
