package book

import (
	"cmp"
	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/sample"
	"hush/core/table"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/outside"
	"hush/web/say"
	"hush/web/state/dataset"
	"hush/web/state/form"
	"reflect"
	"strings"
)

// Text returns the codebook as a person saves it.
func (k *Codebook) Text() string {
	text, err := k.Encode()
	if err != nil {
		panic("web: internal error: " + err.Error()) // each change was checked
	}
	return string(text)
}

// Save passes the codebook to save.
func (k *Codebook) Save(save func(text string)) {
	save(k.Text())
	k.saved = k.Codebook
	k.Update()
}

// Open opens a codebook that was saved. Without a file it waits for one.
func (k *Codebook) Open(text string) {
	b, err := codebook.Decode([]byte(text))
	if err != nil {
		k.Refuse(task.Capital(say.Error(err)) + ".")
		return
	}
	k.Asked.Remember("")
	k.Refused, k.Differing, k.Describing = "", nil, Describing{}
	k.waits = k.Data.Phase != dataset.Opened || !k.Data.Confirmed
	before := k.Codebook
	k.Codebook = b
	k.Form = form.BookFormOf(b)
	k.Claims.take(before)
	if k.waits {
		k.Update()
		return
	}
	k.FitFile()
	k.Asked.Settle()
}

// Refuse says why no codebook was opened.
func (k *Codebook) Refuse(why string) {
	k.Refused = why
	k.Update()
}

// WaitsForFile reports whether a codebook waits for its file.
func (k *Codebook) WaitsForFile() bool { return k.waits && k.Data.Phase == dataset.None }

// TakeSample makes the codebook of a bundled data set wait for it.
func (k *Codebook) TakeSample(s sample.Set) {
	if b, err := codebook.Decode([]byte(s.Codebook)); err == nil {
		b.Rows.Each = cmp.Or(b.Rows.Each, codebook.One)
		k.Codebook, k.Form, k.waits = b, form.BookFormOf(b), true
	}
}

// Learn describes the columns of a recipe in the codebook. Note says where the codebook differed.
func (k *Codebook) Learn(r ask.Recipe, tasks []ask.Task) {
	b, other := form.Learned(k.Codebook, r, tasks)
	if b.Check() != nil {
		return // a recipe with words that no codebook may hold: its columns are described by hand
	}
	before := k.Codebook
	b.Table = r.Table
	k.Codebook, k.Form = b, form.BookFormOf(b)
	k.Claims.take(before)
	if len(other) > 0 {
		k.Note = say.Format("The question was saved with another description of %s: that one "+
			"counts now, and is in the codebook.",
			strings.Join(other, ", "))
	}
}

// FitFile fits the codebook to the file whose reading was confirmed, and reports which of its
// columns the file lacks.
func (k *Codebook) FitFile() {
	was := k.Codebook
	b, left, ours := was.Beside(k.Data.Opened.Options, k.Data.Opened.Fields)
	k.Differing, k.Claims.brought.Left = nil, nil
	for _, c := range left {
		k.Differing = append(k.Differing, say.Phrase(c.Title()))
		k.Claims.brought.Left = append(k.Claims.brought.Left,
			outside.Claim{About: outside.Left, Column: c.Number, Says: say.Phrase(c.Title())})
	}
	if !ours {
		k.Form.Name, k.Form.Source, k.Form.One, k.Form.Many = "", "", "", ""
	}
	k.Form.Column = b.Rows.Column
	k.Codebook, k.waits = b, false
	if k.Claims.brought.Any() {
		k.Claims.take(was) // its statements about a column went with it
	}
	k.saved = k.Codebook
}

// Forget forgets the codebook, unless it waits for the file that is being opened.
func (k *Codebook) Forget() {
	k.Describing, k.fault, k.Refused, k.Differing = Describing{}, nil, "", nil
	k.drafts = nil
	if !k.waits {
		k.Codebook = codebook.Codebook{}
		k.Claims.forget()
	}
	k.Form = form.BookFormOf(k.Codebook)
}

// Expect tells the engine which columns are described: later questions may be about them.
func (k *Codebook) Expect() {
	var columns []table.Wanted
	for _, c := range k.Columns() {
		if _, _, spec := k.Published(c.Number); spec.Kind != "" {
			columns = append(columns, table.Wanted{Column: c.Number, Spec: spec})
		}
	}
	if key := engine.Encode(columns); key != k.expected {
		k.expected = key
		k.Call(engine.Expect.With(columns), func(engine.Request, string, []byte) {})
	}
}

// Reading returns how to open a file for which the codebook waits; ok is false if it waits for
// none.
func (k *Codebook) Reading() (o table.Options, ok bool) { return k.Table, k.waits }

// WaitNoMore ends the codebook's waiting for a file.
func (k *Codebook) WaitNoMore() { k.waits = false }

// Rereads prepares for another reading of the file.
func (k *Codebook) Rereads() {
	k.Describing, k.placed = Describing{}, ""
	k.whose = k.Data.HeaderName(k.Form.Column)
}

// Whose asks again whose rows these are, if the column that said so has another header now.
func (k *Codebook) Whose() {
	if k.Form.Column > 0 && k.Data.HeaderName(k.Form.Column) != k.whose && !k.waits {
		k.Edit("", func(b *form.BookForm) { b.Each, b.Column = "", 0 })
	}
}

// MeetFile fits the waiting codebook to the file that was just read as it says. Rows of another
// width are read again, by their looks, and a person confirms that.
func (k *Codebook) MeetFile() {
	if !k.waits {
		return
	}
	o, waits := k.Data.Opened.Options, &k.Table
	switch {
	case *waits != (table.Options{}) && k.Data.Opened.Width != o.Columns && o.Ragged != table.Keep:
		*waits = table.Options{}
		k.Data.Reread(func(o *table.Options) { *o = table.Options{} })
	case *waits == o && !k.Data.Doubtful() && !k.Form.Lacks():
		k.Data.Confirm()
	}
}

// CloseFile forgets what is known about the file that was open.
func (k *Codebook) CloseFile() {
	k.placed, k.placing = "", 0
	k.whose, k.expected = "", ""
}

// ExpectAnew forgets what the engine expects: it was restarted.
func (k *Codebook) ExpectAnew() { k.expected = "" }

// UseOwn drops what came from outside and is not agreed to. Earlier statements are back; the rest
// of the question stays. A file that was read differently from its looks is read again, and its
// owner confirms that.
func (k *Codebook) UseOwn() {
	b := k.Claims.brought.Without(k.Data.ForClaims(), k.Codebook)
	anew := b.Table != k.Table
	k.Asked.Remember("")
	k.Codebook, k.Form = b, form.BookFormOf(b)
	k.Asked.Settle()
	if anew {
		k.Asked.ForgetSteps()
		k.Data.Reread(func(o *table.Options) { *o = b.Table })
	}
}

// TakeBack restores a codebook, and what was typed about it, to the state before a change.
func (k *Codebook) TakeBack(b codebook.Codebook, typed form.BookForm) {
	k.Codebook, k.Form, k.Describing = b, typed, Describing{}
}

// Unsaved reports whether leaving the page loses what was typed about the data.
func (k *Codebook) Unsaved() bool {
	return k.Data.Phase == dataset.Opened && !k.Data.Sample && k.Described() > 0 &&
		!reflect.DeepEqual(k.Codebook, k.saved)
}
