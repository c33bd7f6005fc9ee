package claim

import (
	"strings"

	"hush/core/verify"
	"hush/web/engine"
	"hush/web/state/place"
)

// Check is a release that somebody opened to see which of its claims hold. It needs no data.
type Check struct {
	place.Link
	Phase   CheckPhase
	Name    string // of the file
	Size    int64
	Report  *verify.Report // in CheckDone
	Failure *engine.Fault  // in CheckFailed

	// Wanted is the fingerprint that the publisher states elsewhere, as typed.
	Wanted string

	running engine.Request
}

// CheckPhase is the state of a check.
type CheckPhase int

const (
	CheckUnasked CheckPhase = iota
	CheckRunning
	CheckDone
	CheckFailed
)

// Open checks a file. build is the program that runs.
func (c *Check) Open(f engine.File, build string) {
	c.Cancel(c.running)
	c.Phase, c.Name, c.Size = CheckRunning, f.Name(), f.Size()
	c.Report, c.Failure = nil, nil
	c.running = c.Call(engine.Check.With(engine.CheckOf{Build: build}).Of(f), c.reply)
	c.Update()
}

func (c *Check) reply(r engine.Request, kind string, body []byte) {
	if r != c.running || c.Phase != CheckRunning {
		return
	}
	switch kind {
	case engine.ReplyFailed:
		c.Phase, c.Failure = CheckFailed, place.Failure(body)
	case engine.ReplyDone:
		report := engine.Check.Read(body)
		c.Phase, c.Report = CheckDone, &report
	}
	c.Update()
}

// Want sets the fingerprint that the publisher states.
func (c *Check) Want(text string) {
	c.Wanted = text
	c.Update()
}

// shortest is the least number of digits of a fingerprint that are compared.
const shortest = 16

// Published reports whether the file has the fingerprint that was typed; said is false until that
// is long enough to compare.
func (c *Check) Published() (same, said bool) {
	typed := strings.ToLower(strings.Join(strings.Fields(c.Wanted), ""))
	if c.Report == nil || len(typed) < shortest {
		return false, false
	}
	return strings.HasPrefix(c.Report.Fingerprint, typed), true
}

// Fingerprint returns the file's fingerprint in groups, for comparison by eye: "5be2 c410 9a7e
// 03d1".
func (c *Check) Fingerprint() string {
	if c.Report == nil || len(c.Report.Fingerprint) < shortest {
		return ""
	}
	f := c.Report.Fingerprint
	return f[:4] + " " + f[4:8] + " " + f[8:12] + " " + f[12:16]
}
