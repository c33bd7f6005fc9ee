//go:build browser

package browsertest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Names that are pasted, each in another place.
const (
	inControl = "Zwingelspan" // in a field that does not forbid to keep it
	inDrawn   = "Quorvenblick"
	inProgram = "Byxtomander"
	inRead    = "Fjolkewitz"
)

// A field as any page has it: what is typed there does reach the disk, so that the search is known
// to find it.
const controlPage = `<!doctype html><title>c</title><link rel="icon" href="data:,">
<details id="begin"><summary>more</summary></details><textarea id="pasted"></textarea>`

// TestPastedRowsStayOffTheDisk: what was pasted is not found in the files that the browser keeps,
// neither after the page was left, nor after the table was read.
func TestPastedRowsStayOffTheDisk(t *testing.T) {
	held, _ := heldBundle(t, bundleFiles(t))
	whole := serveBundle(t)
	control := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte(controlPage))
	}), "/")
	profile := t.TempDir()
	allocator, release := chromedp.NewExecAllocator(context.Background(),
		append(chromium.options, chromedp.UserDataDir(profile))...)
	defer release()
	ctx, quit := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	defer quit()
	run := func(actions ...chromedp.Action) {
		t.Helper()
		if err := chromedp.Run(ctx, actions...); err != nil {
			t.Fatal(err)
		}
	}
	until := func(condition string) chromedp.Action {
		return chromedp.ActionFunc(func(ctx context.Context) error {
			var holds bool
			for deadline := time.Now().Add(patience); !holds && time.Now().Before(deadline); {
				// fails while a page is being replaced
				evaluate("Boolean("+condition+")", &holds).Do(ctx)
			}
			if !holds {
				return errors.New("waited for " + condition)
			}
			return nil
		})
	}
	paste := func(address, started, name string) {
		t.Helper()
		run(chromedp.ActionFunc(func(ctx context.Context) error {
			_, _, _, _, err := page.Navigate(address).Do(ctx)
			return err
		}), until(`location.href === "`+address+`" && document.getElementById("begin") && `+started),
			evaluate(`void (document.getElementById("begin").open = true)`, nil),
			evaluate(`document.getElementById("pasted").focus()`, nil),
			input.InsertText("name,age\n"+name+",31\nAda,32\n"),
			until(`document.getElementById("pasted").value.includes("`+name+`")`))
	}
	paste(control.url, `document.getElementById("pasted")`, inControl)
	paste(held.url, `document.documentElement.classList.contains("early")`, inDrawn)
	paste(whole.url, pageStarted, inProgram)
	run(chromedp.Navigate(control.url))
	paste(whole.url, pageStarted, inRead)
	run(evaluate(`void [...document.querySelectorAll("button")].find((b) =>
		b.textContent === "Read the pasted table").click()`, nil),
		until(`document.body.innerText.includes("pasted table")`),
		chromedp.Navigate(control.url))
	if err := chromedp.Cancel(ctx); err != nil {
		t.Fatal(err)
	}
	search(t, profile)
}

// TestFirefoxKeepsNoPastedRows is the same in the other browser, which writes all open tabs down as
// they are. The control comes last: when it is written, the others were.
func TestFirefoxKeepsNoPastedRows(t *testing.T) {
	held, _ := heldBundle(t, bundleFiles(t))
	whole := serveBundle(t)
	control := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte(controlPage))
	}), "/")
	f := startFirefox(t)
	paste := func(address, started, name string) {
		t.Helper()
		var tab struct{ Context string }
		f.call("browsingContext.create", map[string]any{"type": "tab"}, &tab)
		f.tab = tab.Context
		f.call("browsingContext.navigate",
			map[string]any{"context": f.tab, "url": address, "wait": "interactive"}, nil)
		f.until("the page to start", started)
		f.eval(`void (document.getElementById("begin").open = true)`, nil)
		f.fill("pasted", "name,age "+name+",31 ")
	}
	paste(held.url, `document.documentElement.classList.contains("early")`, inDrawn)
	paste(whole.url, pageStarted, inProgram)
	paste(whole.url, pageStarted, inRead)
	f.eval(`void [...document.querySelectorAll("button")].find((b) =>
		b.textContent === "Read the pasted table").click()`, nil)
	f.waitText("pasted table")
	paste(control.url, `document.getElementById("pasted")`, inControl)
	f.wait("the tabs to be written down", func() bool {
		return found(t, f.profile)[inControl] != ""
	})
	search(t, f.profile)
}

// search looks for the names in every file of a profile, as any program of its owner can.
func search(t *testing.T, profile string) {
	t.Helper()
	found := found(t, profile)
	for name, where := range map[string]string{
		inDrawn:   "pasted before the program ran",
		inProgram: "pasted and left",
		inRead:    "pasted and read",
	} {
		if file := found[name]; file != "" {
			t.Errorf("what was %s is in %s", where, file)
		}
	}
	if found[inControl] == "" {
		t.Error("what a field without the ban holds is not found either: the search finds nothing")
	}
}

// found tells in which file of a profile each of the names is.
func found(t *testing.T, profile string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(profile, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil // a browser that runs takes files away
		}
		text, _ := os.ReadFile(path)
		if strings.HasSuffix(path, ".jsonlz4") {
			text = unpackLZ4(text)
		}
		for _, name := range []string{inControl, inDrawn, inProgram, inRead} {
			if bytes.Contains(text, []byte(name)) || bytes.Contains(text, wide(name)) {
				found[name], _ = filepath.Rel(profile, path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// wide is a text as browsers keep it: in units of two bytes, the lower first.
func wide(text string) (bytes []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		bytes = binary.LittleEndian.AppendUint16(bytes, unit)
	}
	return bytes
}

// unpackLZ4 reads a file of Firefox: a head of twelve bytes, and one block of LZ4. What is cut off
// it gives as far as it came.
func unpackLZ4(packed []byte) (text []byte) {
	rest := packed[min(12, len(packed)):]
	length := func(n int) int {
		for more := byte(255); n >= 15 && more == 255 && len(rest) > 0; {
			more, rest = rest[0], rest[1:]
			n += int(more)
		}
		return n
	}
	for len(rest) > 0 {
		token := int(rest[0])
		rest = rest[1:]
		literals := min(length(token>>4), len(rest))
		text, rest = append(text, rest[:literals]...), rest[literals:]
		if len(rest) < 2 {
			break
		}
		back := int(rest[0]) | int(rest[1])<<8
		rest = rest[2:]
		if back == 0 || back > len(text) {
			break
		}
		for range length(token&15) + 4 {
			text = append(text, text[len(text)-back])
		}
	}
	return text
}
