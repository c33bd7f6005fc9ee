//go:build browser

package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// The finders wait for one element, visible to assistive technology, and return its number.

// find returns the element of that role whose accessible name is, or else starts with, the given
// one.
func (p *webPage) find(role, name string) cdp.BackendNodeID {
	p.t.Helper()
	var found cdp.BackendNodeID
	var last error
	p.wait(fmt.Sprintf("one %s named %q", role, name), func() bool {
		found, last = p.tryFind(role, name)
		return last == nil
	})
	return found
}

// has reports whether there is exactly one such element now.
func (p *webPage) has(role, name string) bool {
	_, err := p.tryFind(role, name)
	return err == nil
}

func (p *webPage) tryFind(role, name string) (found cdp.BackendNodeID, err error) {
	err = p.try(chromedp.ActionFunc(func(ctx context.Context) error {
		root, err := dom.GetDocument().WithDepth(0).Do(ctx)
		if err != nil {
			return err
		}
		nodes, err := accessibility.QueryAXTree().WithBackendNodeID(root.BackendNodeID).
			WithRole(role).Do(ctx)
		if err != nil {
			return err
		}
		var exact, starting []cdp.BackendNodeID
		for _, node := range nodes {
			if node.Ignored {
				continue
			}
			switch given := axText(node.Name); {
			case given == name:
				exact = append(exact, node.BackendDOMNodeID)
			case strings.HasPrefix(given, name):
				starting = append(starting, node.BackendDOMNodeID)
			}
		}
		for _, list := range [][]cdp.BackendNodeID{exact, starting} {
			if len(list) == 1 {
				found = list[0]
				return nil
			}
			if len(list) > 1 {
				break
			}
		}
		return fmt.Errorf("%d elements have that name and %d start with it", len(exact),
			len(starting))
	}))
	return found, err
}

// names lists the accessible names of all elements of a role, in the order of the page.
func (p *webPage) names(role string) []string {
	p.t.Helper()
	var names []string
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		root, err := dom.GetDocument().WithDepth(0).Do(ctx)
		if err != nil {
			return err
		}
		nodes, err := accessibility.QueryAXTree().WithBackendNodeID(root.BackendNodeID).
			WithRole(role).Do(ctx)
		for _, node := range nodes {
			if !node.Ignored {
				names = append(names, axText(node.Name))
			}
		}
		return err
	}))
	return names
}

func axText(value *accessibility.Value) string {
	if value == nil {
		return ""
	}
	var text string
	if json.Unmarshal(value.Value, &text) != nil {
		return string(value.Value)
	}
	return strings.Join(strings.Fields(text), " ")
}

// findSelector returns the first element that a CSS selector matches.
func (p *webPage) findSelector(selector string) cdp.BackendNodeID {
	p.t.Helper()
	var found cdp.BackendNodeID
	p.wait("an element "+selector, func() bool {
		return p.try(chromedp.ActionFunc(func(ctx context.Context) error {
			root, err := dom.GetDocument().WithDepth(0).Do(ctx)
			if err != nil {
				return err
			}
			id, err := dom.QuerySelector(root.NodeID, selector).Do(ctx)
			if err != nil {
				return err
			}
			if id == 0 {
				return errors.New("no such element")
			}
			node, err := dom.DescribeNode().WithNodeID(id).Do(ctx)
			if err == nil {
				found = node.BackendNodeID
			}
			return err
		})) == nil
	})
	return found
}

// click presses the element of that role and name with the mouse, once it stands still and nothing
// covers it.
func (p *webPage) click(role, name string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("a %s named %q that can be clicked", role, name), func() bool {
		node, err := p.tryFind(role, name)
		return err == nil && p.tryClick(node) == nil
	})
}

// landed is what stands on the page while no file is open.
const landed = "Or drop a file anywhere, or paste from a spreadsheet."

// sample opens a bundled data set, to be asked about from the start.
func (p *webPage) sample(title string) {
	p.t.Helper()
	p.until("the landing", `document.getElementById("begin")`)
	if !p.evalBool(`document.getElementById("begin").open`) {
		p.clickSelector("#begin summary")
	}
	p.click("button", title)
}

// menu clicks what the masthead's menu holds.
func (p *webPage) menu(role, name string) {
	p.t.Helper()
	p.clickSelector(".menu > summary")
	p.click(role, name)
}

// clickSelector clicks an element without a name of its own.
func (p *webPage) clickSelector(selector string) {
	p.t.Helper()
	node := p.findSelector(selector)
	p.wait(selector+" to be clickable", func() bool { return p.tryClick(node) == nil })
}

// clickAgain chooses what stands in the menu about the answer that is shown.
func (p *webPage) clickAgain(name string) {
	p.t.Helper()
	p.click("DisclosureTriangle", "More about this answer")
	p.click("button", name)
}

// export presses a button that takes an answer out of the page, also one that stands below More. It
// says first that noise is known to be noise.
func (p *webPage) export(selector string) {
	p.t.Helper()
	p.until(selector, fmt.Sprintf(`document.querySelector(%q)`, selector))
	if p.evalBool(`document.getElementById("know")?.checked === false`) {
		p.clickSelector("#know")
	}
	p.eval(fmt.Sprintf(`void ((document.querySelector(%q).closest("details") ?? {}).open = true)`,
		selector), nil)
	p.clickSelector(selector)
}

// waitPrice waits for the price of the question at hand, and the error to expect.
func (p *webPage) waitPrice() {
	p.t.Helper()
	p.until("a price", `document.getElementById("forecast")`)
}

// agree takes what came with a link as the owner's word, where it is asked.
func (p *webPage) agree() {
	p.t.Helper()
	if !strings.Contains(p.text(), "Look at its contents…") {
		return
	}
	p.click("button", "Look at its contents…")
	p.until("the dialog", `document.getElementById("claims")?.open`)
	p.click("button", "Agree")
}

// tryClick presses the mouse on an element. An element that is disabled or drawn anew while the
// mouse is down is not clicked, and a person would press once more.
func (p *webPage) tryClick(node cdp.BackendNodeID) error {
	return p.try(chromedp.ActionFunc(func(ctx context.Context) error {
		x, y, err := middle(ctx, node)
		if err != nil {
			return err
		}
		if err := callOn(ctx, node, `function() {
			this.missed = true;
			addEventListener("click", ({ target }) => {
				const hit = this.contains(target) || target.closest?.("label")?.control === this;
				this.missed &&= !hit;
			}, { capture: true, signal: AbortSignal.timeout(5000) });
		}`, nil); err != nil {
			return err
		}
		for _, kind := range []input.MouseType{input.MouseMoved, input.MousePressed,
			input.MouseReleased} {
			if err := input.DispatchMouseEvent(kind, x, y).WithButton(input.Left).WithClickCount(1).
				Do(ctx); err != nil {
				return err
			}
		}
		var missed bool // nothing can be asked once the click has led to another page
		if callOn(ctx, node, `function() { return this.missed; }`, &missed) == nil && missed {
			return errors.New("the element changed while it was clicked")
		}
		return nil
	}))
}

// middle scrolls an element into view and returns its middle when a click there would reach it.
func middle(ctx context.Context, node cdp.BackendNodeID) (x, y float64, err error) {
	if err := dom.ScrollIntoViewIfNeeded().WithBackendNodeID(node).Do(ctx); err != nil {
		return 0, 0, err
	}
	before, err := dom.GetContentQuads().WithBackendNodeID(node).Do(ctx)
	if err != nil {
		return 0, 0, err
	}
	var free bool
	err = callOn(ctx, node, `async function() {
		if (this.disabled || this.closest("[inert]")) return false;
		await new Promise(requestAnimationFrame);
		const { left, top, width, height } = this.getClientRects()[0];
		const hit = document.elementFromPoint(left + width / 2, top + height / 2);
		const free = hit !== null && (this.contains(hit) || hit.closest("label")?.control === this);
		if (!free) this.scrollIntoView({ block: "center" }); // from below the bar that stays
		return free;
	}`, &free)
	if err != nil {
		return 0, 0, err
	}
	after, err := dom.GetContentQuads().WithBackendNodeID(node).Do(ctx)
	if err != nil {
		return 0, 0, err
	}
	if !free || len(after) == 0 || len(before) == 0 || !slices.Equal(before[0], after[0]) {
		return 0, 0, errors.New("the element is disabled, covered or moving")
	}
	q := after[0]
	return (q[0] + q[4]) / 2, (q[1] + q[5]) / 2, nil
}

// callOn calls a function of JavaScript with an element as this and decodes what it returns.
func callOn(ctx context.Context, node cdp.BackendNodeID, function string, into any,
	args ...any) error {
	object, err := dom.ResolveNode().WithBackendNodeID(node).Do(ctx)
	if err != nil {
		return err
	}
	defer runtime.ReleaseObject(object.ObjectID).Do(ctx)
	call := runtime.CallFunctionOn(function).WithObjectID(object.ObjectID).WithAwaitPromise(true).
		WithReturnByValue(true).WithUserGesture(true)
	for _, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			return err
		}
		call.Arguments = append(call.Arguments, &runtime.CallArgument{Value: text})
	}
	result, exception, err := call.Do(ctx)
	if err != nil {
		return err
	}
	if exception != nil {
		return errors.New(describe(exception))
	}
	if into == nil || len(result.Value) == 0 {
		return nil
	}
	return json.Unmarshal(result.Value, into)
}

// on calls a function of JavaScript with the element of that role and name as this.
func (p *webPage) on(role, name, function string, into any, args ...any) {
	p.t.Helper()
	node := p.find(role, name)
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		return callOn(ctx, node, function, into, args...)
	}))
}

// fill replaces the text of a field as if typed, and leaves the field, so that it counts as
// changed.
func (p *webPage) fill(role, name, text string) {
	p.t.Helper()
	p.on(role, name, `function() { this.focus(); this.select?.(); }`, nil)
	if text == "" {
		p.press("\b")
	} else {
		p.do(input.InsertText(text))
	}
	p.on(role, name, `function() { this.blur(); }`, nil)
}

// choose selects an entry of a drop-down list by its text.
func (p *webPage) choose(name, entry string) {
	p.t.Helper()
	p.on("combobox", name, `function(entry) {
		const option = [...this.options].find((o) => o.text.trim() === entry);
		if (!option) throw new Error("no entry " + entry + " among " + [...this.options].map((o) => o.text).join(", "));
		this.focus();
		this.value = option.value;
		this.dispatchEvent(new Event("input", { bubbles: true }));
		this.dispatchEvent(new Event("change", { bubbles: true }));
	}`, nil, entry)
}

// value returns what a field holds.
func (p *webPage) value(role, name string) string {
	p.t.Helper()
	var value string
	p.on(role, name, `function() { return this.value; }`, &value)
	return value
}

// press types keys: text, or keys of chromedp/kb such as kb.Tab.
func (p *webPage) press(keys string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(keys))
}

// focused returns role and accessible name of the element that has the focus.
func (p *webPage) focused() (role, name string) {
	p.t.Helper()
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		object, _, err := runtime.Evaluate("document.activeElement").Do(ctx)
		if err != nil {
			return err
		}
		nodes, err := accessibility.GetPartialAXTree().WithObjectID(object.ObjectID).
			WithFetchRelatives(false).Do(ctx)
		if err == nil && len(nodes) > 0 {
			role, name = axText(nodes[0].Role), axText(nodes[0].Name)
		}
		return err
	}))
	return role, name
}

// upload gives files to a file input as the system's dialog does.
func (p *webPage) upload(selector string, paths ...string) {
	p.t.Helper()
	node := p.findSelector(selector)
	p.do(dom.SetFileInputFiles(p.absolute(paths)).WithBackendNodeID(node))
}

// drop drags files from the system over the middle of an element and lets them go.
func (p *webPage) drop(selector string, paths ...string) {
	p.t.Helper()
	node := p.findSelector(selector)
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: p.absolute(paths),
		DragOperationsMask: 1}
	p.wait(selector+" to stand still", func() bool {
		return p.try(chromedp.ActionFunc(func(ctx context.Context) error {
			x, y, err := middle(ctx, node)
			if err != nil {
				return err
			}
			for _, kind := range []input.DispatchDragEventType{input.DragEnter, input.DragOver,
				input.Drop} {
				if err := input.DispatchDragEvent(kind, x, y, data).Do(ctx); err != nil {
					return err
				}
			}
			return nil
		})) == nil
	})
}

func (p *webPage) absolute(paths []string) []string {
	p.t.Helper()
	absolute := slices.Clone(paths)
	for i, path := range paths {
		var err error
		if absolute[i], err = filepath.Abs(path); err != nil {
			p.t.Fatal(err)
		}
	}
	return absolute
}
