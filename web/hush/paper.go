package main

import (
	"archive/zip"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"hush/core/publication"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/hush/pictures"
	"hush/web/report"
)

// printed describes a page of the answers drawn, from the flags.
type printed struct{ html, docx, title, publisher, source string }

// inPrint declares the flags of commands that write a page.
func inPrint(c *call) {
	c.flags.StringVar(&c.html, "html", "", "with -spend: the file that a page of the answers is "+
		"written to; hush check checks it")
	c.flags.StringVar(&c.docx, "docx", "", "with -spend: the file that the same is written to as "+
		"a Word document, which names the releases that hush check checks")
	c.flags.StringVar(&c.printed.title, "title", "", "with -html or -docx: the title of the page")
	c.flags.StringVar(&c.printed.publisher, "publisher", "", "with -html or -docx: who publishes "+
		"it")
	c.flags.StringVar(&c.printed.source, "source", "", "with -html or -docx: what the data are")
}

// paper is the destination of a page, or nil if there is none.
type paper struct {
	printed
	sheets []sheet
	pen    *pictures.Pen // nil: the page has tables in the place of pictures
	notes  io.Writer
}

// sheet is one form of a page, with its file.
type sheet struct {
	*blank
	write func(w io.Writer, page report.Report, files []string) error
}

// paper prepares the files of a page before anything is spent: a page that cannot be written costs
// nothing.
func (c *call) paper() (*paper, error) {
	if c.html == "" && c.docx == "" && c.printed != (printed{}) {
		return nil, fail(exitUsage, "-title, -publisher and -source are of a page: name its file "+
			"with -html or -docx")
	}
	if c.html != "" && c.docx != "" && filepath.Clean(c.html) == filepath.Clean(c.docx) {
		return nil, fail(exitUsage, "-html and -docx name the same file, %s", c.html)
	}
	if !c.drawing() {
		return nil, nil
	}
	p := &paper{printed: c.printed, notes: c.err}
	for _, form := range []struct {
		place string
		write func(io.Writer, report.Report, []string) error
	}{{c.html, writePage}, {c.docx, writeDocument}} {
		if form.place == "" {
			continue
		}
		file, err := newBlank(form.place)
		if err != nil {
			p.drop()
			return nil, fmt.Errorf("%w. Nothing was spent", err)
		}
		p.sheets = append(p.sheets, sheet{file, form.write})
	}
	if c.html != "" {
		var err error
		if p.pen, err = pictures.New(); err != nil {
			fmt.Fprintf(p.notes, "%s has tables in the place of pictures: %v.\n", c.html, err)
		}
	}
	return p, nil
}

// drop discards a page that was not written.
func (p *paper) drop() {
	if p != nil {
		for _, s := range p.sheets {
			s.blank.drop()
		}
	}
}

// write writes the releases of one plan, or of none, as a page. files are the files in which the
// ledger keeps them.
func (p *paper) write(releases []*task.Release, files []string,
	plans ...publication.Plan) error {
	if p == nil || len(releases) == 0 {
		return nil
	}
	page := publication.Page{Title: p.title, Publisher: p.publisher, Source: p.source,
		Date: time.Now().Format(time.DateOnly), Plans: plans}
	printed := report.Report{}
	for i, r := range releases {
		page.Pieces = append(page.Pieces, publication.Piece{
			Figure: &publication.Figure{Release: r, Plan: len(plans)}})
		picture, err := p.draw(r)
		if err != nil {
			fmt.Fprintf(p.notes, "Figure %d has a table in the place of its picture: %v.\n", i+1,
				err)
		}
		printed.Pictures = append(printed.Pictures, picture)
	}
	printed.Page = page
	for _, s := range p.sheets {
		err := s.write(s.blank, printed, files)
		if err == nil {
			err = s.finish()
		}
		if err != nil {
			return fmt.Errorf("%s cannot be written: %w. What was drawn is kept in the ledger",
				s.place, err)
		}
	}
	return nil
}

// draw draws a release as the page does.
func (p *paper) draw(r *task.Release) (drawn report.Picture, err error) {
	if p.pen == nil {
		return drawn, nil
	}
	option, tall, width := chart.Bare(r)
	wide, err := p.pen.Draw(option, tall, width)
	if err != nil {
		return drawn, err
	}
	narrow, err := p.pen.Draw(option, tall, chart.NarrowWidth)
	if err != nil {
		return drawn, err
	}
	return report.Picture{Wide: wide, Narrow: narrow}, nil
}

func writePage(w io.Writer, page report.Report, _ []string) error {
	_, err := io.WriteString(w, page.HTML())
	return err
}

// writeDocument writes a page as a Word document. That cannot be checked, so it names the files
// that can be: the ledger's, without its directory, which may reveal its owner's name.
func writeDocument(w io.Writer, page report.Report, files []string) error {
	content := page.Content(false)
	for i, name := range files {
		content.Closing = append(content.Closing, fmt.Sprintf("%s is the release in the file %s, "+
			"which hush check checks without the data.", content.Figures[i].Name,
			filepath.Base(name)))
	}
	archive := zip.NewWriter(w)
	for _, f := range content.Document() {
		part, err := archive.Create(f.Name)
		if err == nil {
			_, err = io.WriteString(part, f.Text)
		}
		if err != nil {
			return err
		}
	}
	return archive.Close()
}
