//go:build browser

package browsertest

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// The accessibility trees of both browsers, in the same words.

// chromiumRoles are the names of roles that are Chromium's own.
var chromiumRoles = map[string]string{"StaticText": "text", "img": "image",
	"DisclosureTriangle": "summary", "DescriptionListTerm": "term",
	"DescriptionListDetail": "definition", "Figcaption": "figcaption", "LabelText": "label",
	"Legend": "label", "ProgressIndicator": "progressbar", "Meter": "meter", "SvgRoot": "image",
	"RootWebArea": "document"}

// tree is what Chromium tells a screen reader.
func (p *webPage) tree() *heard {
	p.t.Helper()
	var nodes []*accessibility.Node
	p.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		nodes, err = accessibility.GetFullAXTree().Do(ctx)
		return err
	}))
	byID := map[accessibility.NodeID]*accessibility.Node{}
	for _, n := range nodes {
		byID[n.NodeID] = n
	}
	var hear func(n *accessibility.Node) []*heard
	hear = func(n *accessibility.Node) (list []*heard) {
		for _, id := range n.ChildIDs {
			if kid := byID[id]; kid != nil {
				list = append(list, hear(kid)...)
			}
		}
		if n.Ignored {
			return list
		}
		h := &heard{Role: axText(n.Role), Name: axText(n.Name), Description: axText(n.Description),
			Kids: list}
		switch h.Role {
		case "StaticText":
			var raw string
			if json.Unmarshal(n.Name.Value, &raw) == nil {
				h.Name = raw
			}
			h.Kids = nil
		case "InlineTextBox", "ListMarker":
			return nil
		}
		if role := chromiumRoles[h.Role]; role != "" {
			h.Role = role
		}
		if holdsValue[h.Role] {
			h.Value = axText(n.Value)
		}
		if h.Role == "slider" {
			h.Value = p.valueText(n.BackendDOMNodeID)
		}
		states := map[string]bool{}
		for _, property := range n.Properties {
			value := axText(property.Value)
			switch name := string(property.Name); name {
			case "level":
				if h.Role == "heading" {
					json.Unmarshal(property.Value.Value, &h.Level)
				}
			case "checked":
				states["checked"], states["not checked"] = value == "true", value == "false"
			case "expanded":
				states["expanded"], states["collapsed"] = value == "true", value == "false"
			case "valuemax":
				if h.Role == "progressbar" && h.Value != "" {
					done, _ := strconv.ParseFloat(h.Value, 64)
					of, _ := strconv.ParseFloat(value, 64)
					h.Value = strconv.FormatFloat(100*done/of, 'f', 0, 64) + " %"
				}
			case "pressed", "disabled", "required", "invalid":
				states[name] = value == "true"
			}
		}
		h.States = slices.DeleteFunc(slices.Clone(heardStates), func(s string) bool {
			return !states[s]
		})
		return []*heard{h}
	}
	return hear(nodes[0])[0]
}

// valueText is what an element has to be said for its value: the protocol gives the number alone.
func (p *webPage) valueText(node cdp.BackendNodeID) (text string) {
	p.t.Helper()
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		return callOn(ctx, node,
			`function() { return this.getAttribute("aria-valuetext") ?? this.value; }`, &text)
	}))
	return text
}

// holdsValue are the roles of which a value is said beside the name.
var holdsValue = map[string]bool{"textbox": true, "searchbox": true, "combobox": true,
	"slider": true, "spinbutton": true, "progressbar": true, "meter": true}

func (p *webPage) give(selector, path string) { p.upload(selector, path) }

// typed replaces the text of the field of that id and leaves the field.
func (p *webPage) typed(id, text string) {
	p.t.Helper()
	p.until("the field "+id, `document.getElementById("`+id+`")`)
	p.eval(`void (() => { const e = document.getElementById("`+id+`"); e.focus(); e.select(); })()`,
		nil)
	p.do(input.InsertText(text))
	p.eval(`void document.getElementById("`+id+`").blur()`, nil)
}

func (p *webPage) goes(address string) {
	p.t.Helper()
	p.do(chromedp.Navigate(address))
	p.until("the page", `document.readyState === "complete"`)
}

func (p *webPage) keeps(_ string, save func()) []byte { return p.download(save).data }

// firefoxTree walks Firefox's own accessibility tree, in the browser's own window: the protocol has
// no word for it.
const firefoxTree = `(async () => {
	const service = Cc["@mozilla.org/accessibilityService;1"].getService(Ci.nsIAccessibilityService);
	const S = Ci.nsIAccessibleStates;
	const roles = { "text leaf": "text", "static text": "text", statictext: "text", "summary": "summary", "graphic": "image" };
	const walk = (a) => {
		const plain = {}, more = {};
		a.getState(plain, more);
		const state = (bit) => Boolean(plain.value & bit);
		const kids = [];
		const native = service.getStringRole(a.role);
		for (let k = a.firstChild; k; k = k.nextSibling) kids.push(walk(k));
		let level = 0;
		try { level = Number(a.attributes?.getStringProperty("level")) || 0; } catch {}
		const caption = native === "caption" && service.getStringRole(a.parent.role) === "figure";
		return {
			Role: caption ? "figcaption" : roles[native] ?? (a.computedARIARole || native), Name: a.name ?? "", Value: a.value ?? "",
			Description: a.description ?? "", Level: level, Kids: kids,
			States: Object.entries({
				checked: state(S.STATE_CHECKED), checkable: state(S.STATE_CHECKABLE), pressed: state(S.STATE_PRESSED),
				expanded: state(S.STATE_EXPANDED), collapsed: state(S.STATE_COLLAPSED),
				disabled: state(S.STATE_UNAVAILABLE), required: state(S.STATE_REQUIRED), invalid: state(S.STATE_INVALID),
			}).filter(([, is]) => is).map(([name]) => name),
		};
	};
	const page = service.getAccessibleFor(gBrowser.selectedBrowser)?.firstChild;
	return page ? JSON.stringify(walk(page)) : "null";
})()`

// tree is what Firefox tells a screen reader.
func (f *firefox) tree() *heard {
	f.t.Helper()
	var windows struct{ Contexts []struct{ Context string } }
	f.call("browsingContext.getTree", map[string]any{"moz:scope": "chrome"}, &windows)
	var root *heard
	f.wait("the accessibility tree", func() bool {
		var got struct {
			Type             string
			Result           struct{ Value string }
			ExceptionDetails struct{ Text string }
		}
		f.call("script.evaluate", map[string]any{"expression": firefoxTree,
			"target":       map[string]any{"context": windows.Contexts[0].Context},
			"awaitPromise": true}, &got)
		if got.Type != "success" {
			f.t.Fatal(got.ExceptionDetails.Text)
		}
		if err := json.Unmarshal([]byte(got.Result.Value), &root); err != nil {
			f.t.Fatal(err)
		}
		return root != nil
	})
	var mend func(h *heard)
	mend = func(h *heard) {
		if !holdsValue[h.Role] {
			h.Value = ""
		}
		if h.Role != "text" {
			h.Name, h.Value = strings.Join(strings.Fields(h.Name), " "),
				strings.Join(strings.Fields(h.Value), " ")
		}
		if slices.Contains(h.States, "checkable") && !slices.Contains(h.States, "checked") {
			h.States = append(h.States, "not checked")
		}
		has := h.States
		h.States = slices.DeleteFunc(slices.Clone(heardStates), func(s string) bool {
			return !slices.Contains(has, s)
		})
		for _, k := range h.Kids {
			mend(k)
		}
	}
	mend(root)
	return root
}

func (f *firefox) clickSelector(selector string) { f.click(selector) }

func (f *firefox) give(selector, path string) { f.upload(selector, path) }

func (f *firefox) typed(id, text string) { f.fill(id, text) }

func (f *firefox) goes(address string) {
	f.t.Helper()
	f.call("browsingContext.navigate",
		map[string]any{"context": f.tab, "url": address, "wait": "complete"}, nil)
}

func (f *firefox) keeps(name string, save func()) []byte {
	save()
	return f.download(name)
}
