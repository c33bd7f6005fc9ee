package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// Progress shows after half a second, and twice a second from then on: more often would flicker.
const pace = time.Second / 2

// progress shows, on standard error, how far longer work has come. On a terminal it is one line
// that changes, elsewhere a line for each tenth.
type progress struct {
	w        io.Writer
	terminal bool
	phase    string
	began    time.Time
	last     time.Time
	tenth    int64
	shown    bool
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w}
	if f, is := w.(*os.File); is {
		info, err := f.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

// say states how much of a phase is done.
func (p *progress) say(phase string, done, total int64) {
	now := time.Now()
	if phase != p.phase {
		p.end()
		p.phase, p.began, p.last, p.tenth = phase, now, now, 0
	}
	if total <= 0 || now.Sub(p.last) < pace {
		return
	}
	p.last = now
	percent := 100 * done / total
	switch {
	case p.terminal:
		fmt.Fprintf(p.w, "\r%s: %d %%, %.0f s ", phase, percent, now.Sub(p.began).Seconds())
		p.shown = true
	case percent/10 > p.tenth || p.tenth == 0:
		p.tenth = max(1, percent/10)
		fmt.Fprintf(p.w, "%s: %d %%, %.0f s\n", phase, percent, now.Sub(p.began).Seconds())
	}
}

// end makes room for further output.
func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.phase, p.shown = "", false
}
