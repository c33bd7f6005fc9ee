// Package parts holds the building blocks of pages: fields, steps, tables, notes, dialogs, charts,
// and the way to the browser.
package parts

import (
	"encoding/json"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/engine"
	"hush/web/state/place"
)

// Browser is the only way from Go to the browser: it calls static/page.js and hears from it. Rules:
// numbers and JSON text cross, never a js value that outlives its call; the one callback lives as
// long as the page.
type Browser struct {
	page    app.Value
	replies map[engine.Request]engine.Reply
	last    engine.Request
	queue   []func()
	onNews  func(kind string, body []byte)
}

var (
	_ place.Engine = (*Browser)(nil)
	_ place.Window = (*Browser)(nil)
)

// NewBrowser connects to page.js, now or as soon as it is there. dispatch runs a function on the
// page's goroutine.
func NewBrowser(dispatch func(func()), onNews func(kind string, body []byte)) *Browser {
	b := &Browser{replies: map[engine.Request]engine.Reply{}, onNews: onNews}
	callback := app.FuncOf(func(_ app.Value, args []app.Value) any {
		r, kind, body := engine.Request(args[0].Int()), args[1].String(), []byte(args[2].String())
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
func (b *Browser) hear(r engine.Request, kind string, body []byte) {
	if r == 0 {
		b.onNews(kind, body)
		return
	}
	reply := b.replies[r]
	if kind != engine.ReplyProgress {
		delete(b.replies, r)
	}
	if reply != nil {
		reply(r, kind, body)
	}
}

// do calls a function of page.js, now or when it is there.
func (b *Browser) do(name string, args ...any) {
	if b.page == nil {
		b.queue = append(b.queue, func() { b.page.Call(name, args...) })
		return
	}
	b.page.Call(name, args...)
}

// ask is do for calls that are answered.
func (b *Browser) ask(reply engine.Reply, name string, args ...any) engine.Request {
	b.last++
	b.replies[b.last] = reply
	b.do(name, append([]any{int(b.last)}, args...)...)
	return b.last
}

// Call asks the engine. The request crosses as JSON text, a file as it is.
func (b *Browser) Call(c engine.Call, reply engine.Reply) engine.Request {
	var file any
	if f, ok := c.File.(browserFile); ok {
		file = f.value
	}
	return b.ask(reply, "call", c.Name, engine.Encode(c.Request), file)
}

func (b *Browser) Cancel(r engine.Request) { b.do("cancel", int(r)) }

func (b *Browser) Evidence(reply engine.Reply) engine.Request { return b.ask(reply, "evidence") }

func (b *Browser) Address(path string) { b.do("address", path) }

func (b *Browser) Stand(at place.Step) { b.do("stand", engine.Encode(at)) }

// Text reads a small file as text, or says why it cannot be read.
func (b *Browser) Text(f engine.File, take func(text string),
	refuse func(why string)) engine.Request {
	return b.ask(textOr(take, refuse), "text", f.(browserFile).value)
}

// textOr takes a reply that is a text, or says why there is none.
func textOr(take func(text string), refuse func(why string)) engine.Reply {
	return func(_ engine.Request, kind string, body []byte) {
		if kind == engine.ReplyFailed {
			refuse(task.Capital(place.Failure(body).Message) + ".")
			return
		}
		var text string
		engine.Decode(body, &text)
		take(text)
	}
}

// Table reads a living table that lies beside the program, as Text does.
func (b *Browser) Table(address string, take func(text string), refuse func(why string)) {
	b.ask(textOr(take, refuse), "table", address)
}

func (b *Browser) Reveal(element string) { b.do("reveal", element) }

// drawChart draws a chart option in the element with that ID.
func (b *Browser) drawChart(element string, option json.RawMessage) {
	b.do("chart", element, string(option))
}

// Download saves a text as a file.
func (b *Browser) Download(name, mediaType, text string) { b.do("download", name, mediaType, text) }

// Preview shows an HTML document of ours in a frame that runs nothing.
func (b *Browser) Preview(frame, document string) { b.do("preview", frame, document) }

// DownloadPNG saves an SVG document as PNG with twice as many points each way.
func (b *Browser) DownloadPNG(name, svg string, reply engine.Reply) {
	b.ask(reply, "downloadPNG", name, svg)
}

// DownloadZip saves files, a list of report.File as JSON, in one archive.
func (b *Browser) DownloadZip(name, files string, reply engine.Reply) {
	b.ask(reply, "downloadZip", name, files)
}

// DownloadForm saves a publication, a report.Content as JSON, in a form, "docx", "xlsx" or "zip".
func (b *Browser) DownloadForm(name, mediaType, form, page string, reply engine.Reply) {
	b.ask(reply, "downloadForm", name, mediaType, form, page)
}

// DownloadRows saves made-up rows, as JSON with names, kinds and rows, in a form, "xlsx" or
// "parquet".
func (b *Browser) DownloadRows(name, mediaType, form, rows string, reply engine.Reply) {
	b.ask(reply, "downloadRows", name, mediaType, form, rows)
}

// Picture draws a chart option for use outside of the page: in daylight colours, of a fixed size;
// 0 is the usual width. The reply is SVG as JSON text.
func (b *Browser) Picture(option json.RawMessage, tall bool, width int, reply engine.Reply) {
	b.ask(reply, "picture", string(option), tall, width)
}

// Build returns the hash of the bundle that runs, as the bundle itself states it.
func (b *Browser) Build() string { return app.Getenv("GOAPP_VERSION") }

// Today returns the date where the person is: "2026-01-31".
func (b *Browser) Today() string {
	if b.page == nil {
		return ""
	}
	return b.page.Call("today").String()
}

// WatchKeys tells the browser which single keys to report.
func (b *Browser) WatchKeys(keys string) { b.do("watchKeys", keys) }

// TurnKeysOff ends single keys, or allows them again; the browser remembers it.
func (b *Browser) TurnKeysOff(off bool) { b.do("turnKeysOff", off) }

// KeepCourse keeps which lessons are done; the browser remembers it.
func (b *Browser) KeepCourse(done string) { b.do("keepCourse", done) }

// KeepPolls keeps the codes drawn in polls, and says in turn what is kept.
func (b *Browser) KeepPolls(codes string) { b.do("keepPolls", codes) }

// ShowDialog opens a dialog above the page, or closes it where it is open.
func (b *Browser) ShowDialog(element string) { b.do("showDialog", element) }

func (b *Browser) HideDialog(element string) { b.do("hideDialog", element) }

// Base returns the bundle's address, with a slash at its end; it is empty while there is no
// browser.
func (b *Browser) Base() string {
	if b == nil || b.page == nil {
		return ""
	}
	return b.page.Get("base").String()
}

// Copy puts the text of an element on the clipboard.
func (b *Browser) Copy(element string, reply engine.Reply) { b.ask(reply, "copy", element) }

// Visit goes to an address behind the #, as a link does.
func (b *Browser) Visit(path string) { b.do("visit", path) }

// switchOff closes the network to the page, or opens it again.
func (b *Browser) switchOff(off bool) { b.do("switchOff", off) }

// keepStorage asks the browser not to evict what the page stored.
func (b *Browser) keepStorage() { b.do("keepStorage") }

// install shows the browser's question whether to install the page.
func (b *Browser) install() { b.do("install") }

// AcceptUpdate loads the version of the page that waits.
func (b *Browser) AcceptUpdate() { app.Window().Call("hushUpdate") }

// Pick opens the system's file dialog for an input.
func (b *Browser) Pick(input string) { b.do("pick", input) }

// setTheme sets the theme: "light" or "dark".
func (b *Browser) setTheme(name string) { b.do("setTheme", name) }

// theme returns the theme in force: "light" or "dark".
func (b *Browser) theme() string {
	if b.page == nil {
		return "light"
	}
	return b.page.Call("theme").String()
}

// ToggleTheme sets the theme that is not in force.
func (b *Browser) ToggleTheme() {
	if b.theme() == "dark" {
		b.setTheme("light")
	} else {
		b.setTheme("dark")
	}
}

// language is one language of the bundle: its tag, and its own name for itself.
type language struct{ Tag, Name string }

// Languages returns the languages of the bundle and the one in force; none where there is only
// English.
func (b *Browser) Languages() (all []language, current string) {
	if b == nil || b.page == nil {
		return nil, ""
	}
	engine.Decode([]byte(b.page.Get("languages").String()), &all)
	return all, b.page.Get("language").String()
}

// Speak loads the page in another language.
func (b *Browser) Speak(tag string) { b.do("speak", tag) }

// browserFile is a File of the browser's.
type browserFile struct{ value app.Value }

func (f browserFile) Name() string { return f.value.Get("name").String() }

func (f browserFile) Size() int64 { return int64(f.value.Get("size").Float()) }

// FirstFile returns the first of a FileList, or nil.
func FirstFile(list app.Value) engine.File {
	if !list.Truthy() || list.Get("length").Int() == 0 {
		return nil
	}
	return browserFile{list.Index(0)}
}
