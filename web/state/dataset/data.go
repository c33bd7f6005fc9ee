package dataset

import (
	"hush/core/sample"
	"hush/core/table"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/account"
	"hush/web/state/place"
	"hush/web/state/stage"
)

// Data is the data set that is open, or is being opened.
type Data struct {
	place.Link
	File
	Account *engine.Account // what was spent on it so far; nil before that is known

	Way        *stage.Way
	Follower   Follower
	Progressed func() // called if only the progress of the reading has changed
}

// Follower is what was said and asked about the open file: it follows what happens to the file.
type Follower interface {
	Options() table.Options // how the next file is read; the zero value: by its looks
	Leave(next *sample.Set) // another file replaces the open one: a bundled one, or nil
	Gone()                  // the file is closed: its reading was given up
	Rereads()               // the file is about to be read in another way
	Reads()                 // the file was read
	LacksPersons() bool     // nobody has said yet whether a person can have several rows
	Confirmed()             // how the file is read is accepted
}

// Open reads a dropped or picked file.
func (d *Data) Open(f engine.File) {
	d.opening(f.Name(), f.Size(), nil)
	d.read(engine.Source{Options: d.Follower.Options()}, f)
	d.Update()
}

// OpenText reads a table that was pasted.
func (d *Data) OpenText(text string) {
	d.opening(say.Text("pasted table"), int64(len(text)), nil)
	d.read(engine.Source{Options: d.Follower.Options(), Text: &text}, nil)
	d.Update()
}

// OpenSample reads a bundled data set.
func (d *Data) OpenSample(s sample.Set) {
	d.opening(say.Text(s.Title), 0, &s)
	d.read(engine.Source{Options: d.Follower.Options(), Sample: s.Name}, nil)
	d.Update()
}

func (d *Data) opening(name string, size int64, bundled *sample.Set) {
	d.Cancel(d.request)
	d.Follower.Leave(bundled)
	d.Account = nil
	d.Way.Chosen = stage.Data
	d.Way.Reveal(stage.DataID) // the button that was pressed is gone
	d.File = File{Phase: Opening, Name: name, Size: size, Sample: bundled != nil}
}

// read has the engine open a file; nil if the source says enough.
func (d *Data) read(s engine.Source, f engine.File) {
	d.request = d.Call(engine.Open.With(s).Of(f), d.reply)
}

// CancelOpen cancels reading.
func (d *Data) CancelOpen() { d.Cancel(d.request) }

func (d *Data) reply(r engine.Request, kind string, body []byte) {
	if r != d.request {
		return
	}
	switch kind {
	case engine.ReplyProgress:
		engine.Decode(body, &d.Progress)
		d.Progressed() // nothing else
		return
	case engine.ReplyDone:
		d.request, d.Phase = 0, Opened
		d.Opened = engine.Open.Read(body)
		d.Opened.StorageRefused = engine.Said(d.Opened.StorageRefused)
		d.Account = &d.Opened.Account
		d.Follower.Reads()
	case engine.ReplyFailed:
		d.request = 0
		d.Failure = place.Failure(body)
		d.Phase = Failed
		if d.Failure.Code == engine.Cancelled {
			d.File = File{}
			d.Follower.Gone()
		}
	}
	d.Update()
}

// Close closes the file. The record of the budget spent stays.
func (d *Data) Close() { d.File, d.Account = File{}, nil }

// Confirm accepts how the file is read: it becomes part of the recipe. It does not accept a file
// that is no data set however it is read, nor a guess at the encoding where there are several
// readings, nor a file for which it is open whether a person can have several rows.
func (d *Data) Confirm() {
	if d.Phase != Opened || d.Misfit || d.Unusable() != "" || len(d.Opened.Readings) > 0 {
		d.Update()
		return
	}
	if d.Unanswered = d.Follower.LacksPersons(); d.Unanswered {
		d.Update()
		d.Way.Reveal(stage.PersonsID)
		return
	}
	d.Confirmed = true
	d.Follower.Confirmed()
}

// Doubtful reports whether a person has yet to confirm the number of rows, for a data set from
// which nothing was released.
func (d *Data) Doubtful() bool {
	return !d.Confirmed && d.Counting() && (d.Account == nil || d.Account.Count == 0)
}

// Reread reads the file again, differently from the guess.
func (d *Data) Reread(change func(*table.Options)) {
	if d.Phase == None { // it was closed
		return
	}
	options := d.Opened.Options
	change(&options)
	d.Confirmed, d.Misfit = false, false
	d.Follower.Rereads()
	d.read(engine.Source{Options: options}, nil)
	d.Update()
}

// Looked reports whether the data set was looked at.
func (d *Data) Looked() bool { return d.Account != nil && d.Account.Looked != "" }

// NoteLook records that the owner has looked, unless the file was closed meanwhile.
func (d *Data) NoteLook() bool {
	if d.Account == nil {
		return false
	}
	if d.Account.Looked == "" {
		d.Account.Looked = "now" // the ledger adds the time
	}
	return true
}

// AtHand returns the data set in the form of the ledger.
func (d *Data) AtHand() account.AtHand {
	return account.AtHand{Open: d.Phase == Opened, Fingerprint: d.Opened.Fingerprint,
		Name: d.Name, Account: d.Account}
}
