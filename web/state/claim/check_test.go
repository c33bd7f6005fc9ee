package claim_test

import (
	"testing"

	"hush/core/verify"
	"hush/web/engine"
	"hush/web/state/claim"
	"hush/web/state/place"
)

// file is one by name.
type file string

func (f file) Name() string { return string(f) }
func (f file) Size() int64  { return 7 }

// asked keeps what is asked of the engine.
type asked struct {
	calls   []engine.Call
	replies []engine.Reply
}

func (a *asked) Call(c engine.Call, reply engine.Reply) engine.Request {
	a.calls, a.replies = append(a.calls, c), append(a.replies, reply)
	return engine.Request(len(a.calls))
}

func (a *asked) Cancel(engine.Request) {}

// TestCheckAnotherFile: the report of a file that was followed by another is dropped, a failure is
// shown, and a fingerprint is compared once it is long enough.
func TestCheckAnotherFile(t *testing.T) {
	a := &asked{}
	c := claim.Check{Link: place.Link{Engine: a}}
	c.Open(file("first.json"), "0123")
	c.Open(file("second.json"), "0123")
	report := verify.Report{About: "first", Fingerprint: "5be2c4109a7e03d1ff"}
	a.replies[0](1, engine.ReplyDone, []byte(engine.Encode(report)))
	if c.Phase != claim.CheckRunning || c.Name != "second.json" {
		t.Errorf("the first file's report is shown: %+v", c)
	}
	a.replies[1](2, engine.ReplyDone, []byte(engine.Encode(report)))
	if c.Phase != claim.CheckDone || c.Report.About != "first" ||
		c.Fingerprint() != "5be2 c410 9a7e 03d1" {
		t.Errorf("%+v", c)
	}
	for text, want := range map[string][2]bool{"5be2": {}, "5BE2 c410  9a7e 03d1": {true, true},
		"5be2 c410 9a7e 03d2": {false, true}, "5be2c4109a7e03d1ff": {true, true},
		"5be2c4109a7e03d1ff00": {false, true}} {
		c.Want(text)
		if same, said := c.Published(); same != want[0] || said != want[1] {
			t.Errorf("%q: %v, %v", text, same, said)
		}
	}
	c.Open(file("third.json"), "")
	a.replies[2](3, engine.ReplyFailed, []byte(engine.Encode(engine.Fault{Message: "no"})))
	if c.Phase != claim.CheckFailed || c.Failure.Message != "no" || c.Report != nil {
		t.Errorf("%+v", c)
	}
}
