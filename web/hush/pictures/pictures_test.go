package pictures

import (
	"errors"
	"os"
	"testing"
	"time"

	"hush/core/publication"
	"hush/web/chart"
	"hush/web/chart/svg"
	"hush/web/exhibit"
	"hush/web/report"
)

// need returns a new pen, and skips the test where there is no chart library.
func need(t *testing.T) *Pen {
	t.Helper()
	p, err := New()
	if errors.Is(err, ErrNone) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// awkward are answers with numbers so long that they are broken over lines, or leave room for a
// single one on their axis: a check finds texts in their pictures that it cannot place.
var awkward = map[string]bool{"histogram of huge counts and long names": true,
	"one huge number": true}

// slow are the largest pictures.
var slow = map[string]bool{"contacts of many places": true, "table of three columns": true}

// TestPen: every kind of answer is drawn, by two pens alike, at each width that a page has; and a
// page with these pictures is the one that a check writes again, with no text that is not its
// chart's.
func TestPen(t *testing.T) {
	p, other := need(t), need(t)
	for _, a := range exhibit.Answers() {
		t.Run(a.State, func(t *testing.T) {
			r := a.Release
			option, tall, width := chart.Bare(r)
			if testing.Short() && slow[a.State] {
				t.Skip("it takes seconds")
			}
			var drawn []*svg.Picture
			for _, wide := range []int{width, chart.NarrowWidth} {
				began := time.Now()
				picture, err := p.Draw(option, tall, wide)
				if err != nil {
					t.Fatal(err)
				}
				if picture.Width() != wide || picture.Height() < 100 {
					t.Errorf("it is %d × %d points, want %d wide", picture.Width(),
						picture.Height(), wide)
				}
				t.Logf("%d points: %d bytes in %v", wide, len(picture.SVG()), time.Since(began))
				if len(picture.SVG()) < 32<<10 { // the largest take seconds
					again, err := other.Draw(option, tall, wide)
					if err != nil || again.SVG() != picture.SVG() {
						t.Errorf("another pen draws it otherwise (%v)", err)
					}
				}
				drawn = append(drawn, picture)
			}
			page := publication.Page{Pieces: []publication.Piece{{
				Figure: &publication.Figure{Release: r}}}}
			text := report.Report{Page: page,
				Pictures: []report.Picture{{Wide: drawn[0], Narrow: drawn[1]}}}.HTML()
			again := report.Rewrite([]byte(text), page)
			if awkward[a.State] {
				return
			}
			if again.HTML != text || again.Strange != nil || again.Bare != nil {
				t.Errorf("a check writes another page, or finds strange %v, bare %v",
					again.Strange, again.Bare)
			}
		})
	}
}
