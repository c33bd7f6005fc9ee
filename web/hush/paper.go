package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"hush/core/publication"
	"hush/core/task"
	"hush/web/report"
)

// printed is a page of the answers that are drawn, as the flags have it.
type printed struct{ html, title, publisher, source string }

// inPrint declares the flags of commands that write a page.
func inPrint(c *call) {
	c.flags.StringVar(&c.html, "html", "", "with -spend: the file that a page of the answers is "+
		"written to, with tables in the place of pictures; hush check checks it")
	c.flags.StringVar(&c.printed.title, "title", "", "with -html: the title of the page")
	c.flags.StringVar(&c.printed.publisher, "publisher", "", "with -html: who publishes it")
	c.flags.StringVar(&c.printed.source, "source", "", "with -html: what the data are")
}

// paper is the file that a page will be written to; nil: none will.
type paper struct {
	printed
	blank *os.File // beside it, so that the page is there whole or not at all
}

// paper is had before anything is spent: a page that cannot be written costs nothing.
func (c *call) paper() (*paper, error) {
	if c.html == "" && c.printed != (printed{}) {
		return nil, fail(exitUsage, "-title, -publisher and -source are of a page: name its file "+
			"with -html")
	}
	if c.html == "" || !c.drawing() {
		return nil, nil
	}
	blank, err := os.CreateTemp(filepath.Dir(c.html), ".hush-*")
	if err == nil {
		err = blank.Chmod(0o644) // it is to be published
	}
	if at, failed := os.Stat(c.html); failed == nil && at.IsDir() {
		err = errors.New("it is a directory")
	}
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		err = at.Err // the path is that of the blank
	}
	if err != nil {
		return nil, fail(exitUsage, "%s cannot be written: %w. Nothing was spent", c.html, err)
	}
	return &paper{c.printed, blank}, nil
}

// drop gives a page up that was not written.
func (p *paper) drop() {
	if p != nil {
		p.blank.Close()
		os.Remove(p.blank.Name())
	}
}

// write writes the releases of one plan, or of none, as a page.
func (p *paper) write(releases []*task.Release, plans ...publication.Plan) error {
	if p == nil || len(releases) == 0 {
		return nil
	}
	page := publication.Page{Title: p.title, Publisher: p.publisher, Source: p.source,
		Date: time.Now().Format(time.DateOnly), Plans: plans}
	for _, r := range releases {
		page.Pieces = append(page.Pieces, publication.Piece{
			Figure: &publication.Figure{Release: r, Plan: len(plans)}})
	}
	_, err := p.blank.WriteString(report.Report{Page: page}.HTML())
	if err = errors.Join(err, p.blank.Close()); err == nil {
		err = os.Rename(p.blank.Name(), p.html)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w. What was drawn is kept in the ledger", p.html,
			err)
	}
	return nil
}
