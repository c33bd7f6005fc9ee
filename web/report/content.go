package report

import (
	"strings"

	"hush/core/ask"
	"hush/core/publication"
	"hush/web/chart"
	"hush/web/say"
)

// Content is a publication with all its words, from which static/forms.src.js makes its other
// forms: a document, a workbook, a notebook, a script, and an archive of everything. Cells of
// tables are harmless to spreadsheets.
type Content struct {
	Language      string            `json:"language"`
	Title         string            `json:"title"`
	Publisher     string            `json:"publisher"`
	Kind          string            `json:"kind"`
	Lead          string            `json:"lead"`
	Keys          []string          `json:"keys"`
	Pieces        []contentPiece    `json:"pieces"`
	Figures       []contentFigure   `json:"figures"`
	Method        contentMethod     `json:"method"`
	Spent         [][]string        `json:"spent"`
	About         [][]string        `json:"about"`   // the sheet that a workbook begins with
	Closing       []string          `json:"closing"` // source, citation, and what made it
	Words         map[string]string `json:"words"`   // headings
	Dictionary    [][]string        `json:"dictionary"`
	DictionaryCSV string            `json:"dictionaryCSV"`
	Readme        []string          `json:"readme"`
	HTML          string            `json:"html"`
	JSON          string            `json:"json"`
	Plans         []string          `json:"plans"`
}

type contentPiece struct {
	Heading string `json:"heading,omitempty"`
	Text    string `json:"text,omitempty"`
	Figure  int    `json:"figure,omitempty"` // its number
}

type contentMethod struct {
	Promised []string `json:"promised"`
	Reading  []string `json:"reading"`
}

type contentFigure struct {
	Name      string     `json:"name"` // "Figure 3"
	Headline  string     `json:"headline"`
	Sentence  string     `json:"sentence"`
	Title     string     `json:"title"`
	Subject   string     `json:"subject"`
	Below     string     `json:"below"`
	Statement string     `json:"statement"`
	Warnings  []string   `json:"warnings"`
	SVG       string     `json:"svg"`
	Width     int        `json:"width"`
	Height    int        `json:"height"`
	File      string     `json:"file"`
	CSV       string     `json:"csv"`
	Rows      [][]string `json:"rows"`    // as in the CSV file
	Numbers   []bool     `json:"numbers"` // which of their columns hold numbers
	Header    []string   `json:"header"`
	Shown     [][]string `json:"shown"` // as on the page
	Numeric   []bool     `json:"shownNumbers"`
	Left      string     `json:"left"`
	Facts     [][]string `json:"facts"`
	Recipe    string     `json:"recipe"`
	Redraw    redrawing  `json:"redraw"`
}

// Content gathers a publication's words and numbers. With all it includes its page, for an archive.
func (r Report) Content(all bool) Content {
	p, m := r.Page, r.Method()
	tag, _ := say.Spoken()
	c := Content{Language: tag, Title: r.Title(), Publisher: p.Publisher, Kind: r.kind(),
		Lead: p.Lead, Spent: m.Spent, Dictionary: defused(r.dictionary()), Words: words()}
	for _, k := range r.keys() {
		c.Keys = append(c.Keys, k.value+"  "+k.name)
	}
	c.Method.Promised = append(append([]string{m.Promise}, m.Exact...), m.Units...)
	c.Method.Reading = m.Reading
	c.Closing = filled(r.source(), r.cited(), r.made())
	number := 0
	for _, piece := range p.Pieces {
		part := contentPiece{Heading: piece.Heading, Text: piece.Text}
		if piece.Figure != nil {
			number++
			part.Figure = number
			c.Figures = append(c.Figures, r.contentFigure(piece.Figure, number))
		}
		c.Pieces = append(c.Pieces, part)
	}
	c.About = defused(c.about())
	if !all {
		return c
	}
	c.DictionaryCSV, c.Readme = ask.CSV(r.dictionary()), r.readme()
	c.HTML, c.JSON = r.HTML(), string(publication.Write(p))
	for _, plan := range p.Plans {
		c.Plans = append(c.Plans, indented(plan))
	}
	return c
}

// words are the headings, by what stands below them.
func words() map[string]string {
	texts := say.Texts("About", "Columns", "How these figures protect people", "What is promised",
		"How to read the figures", "Where ε went", "How it was made", "Source")
	all := map[string]string{}
	for i, name := range []string{"about", "columns", "method", "promised", "reading", "spent",
		"making", "source"} {
		all[name] = texts[i]
	}
	return all
}

// about returns the rows of a workbook's first sheet.
func (c Content) about() (rows [][]string) {
	texts := filled(c.Title, c.Publisher, c.Kind, c.Lead)
	texts = append(append(append(texts, c.Method.Promised...), c.Method.Reading...), c.Closing...)
	for _, text := range texts {
		rows = append(rows, []string{"", text})
	}
	rows = append(append(rows, nil), c.Spent...)
	for _, f := range c.Figures {
		rows = append(rows, nil, []string{f.Name, f.Sentence, f.Subject})
		for _, text := range f.Warnings {
			rows = append(rows, []string{"", text})
		}
	}
	return rows
}

func (r Report) contentFigure(f *publication.Figure, number int) contentFigure {
	release, caption := f.Release, chart.CaptionOf(f.Release)
	c := contentFigure{Name: say.Format("Figure %d", number), Headline: headline(release),
		Sentence: sentence(f), Title: caption.What, Subject: subject(caption),
		Below: below(caption), Statement: release.Statement, Warnings: warnings(release),
		File: tableName(number), CSV: release.CSV(), Recipe: RecipeText(release),
		Redraw: redrawingOf(release)}
	if mark, words := verdict(release); words != "" {
		c.Warnings = append(c.Warnings, join(mark+" "+words, release.Verdict.Text))
	}
	if number <= len(r.Pictures) && r.Pictures[number-1].Wide != nil {
		picture := r.Pictures[number-1].Wide
		c.SVG, c.Width, c.Height = picture.SVG(), picture.Width(), picture.Height()
	}
	rows, _ := release.Rows()
	c.Rows = defused(rows)
	for i := range rows[0] {
		c.Numbers = append(c.Numbers, isNumbers(rows[1:], i))
	}
	header, shown, numeric, left := tableOf(release)
	c.Header, c.Shown, c.Left = header, shown, left
	for i := range header {
		c.Numeric = append(c.Numeric, numeric(i))
	}
	for _, fact := range facts(release) {
		c.Facts = append(c.Facts, []string{fact.term, fact.text})
	}
	return c
}

// filled returns the texts that are not empty.
func filled(texts ...string) (list []string) {
	for _, text := range texts {
		if text != "" {
			list = append(list, text)
		}
	}
	return list
}

// defused returns rows with cells that no spreadsheet takes for a formula.
func defused(rows [][]string) (safe [][]string) {
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = ask.Defuse(cell)
		}
		safe = append(safe, cells)
	}
	return safe
}

// readme explains what the files of an archive are, and how to ask again.
func (r Report) readme() []string {
	lines := append([]string{oneLine(r.Title()), oneLine(r.cited()), ""}, say.Texts(
		"publication.html is the page; it opens in any browser and prints on paper.",
		"publication.docx and publication.xlsx hold the same for word processors and spreadsheets.",
		"publication.json holds it for programs: questions, answers, guarantees.",
		"figures holds the numbers (CSV) and the picture (SVG) of each figure; "+
			"data-dictionary.csv says what each column means.",
		"charts.ipynb (Python) and charts.R draw the figures again from the CSV files.",
		"ask-again holds the questions. To ask one again of the data, which costs its privacy "+
			"loss once more, use the command:",
		"hush ask ask-again/figure-1.json DATA.csv",
		"That states the cost. With -spend it debits the ledger and draws the answer.")...)
	if len(r.Page.Plans) > 0 {
		lines = append(lines, say.Text("A plan lists questions that were asked together: asked "+
			"one by one they cost the sum of their ε."))
	}
	return lines
}

// oneLine returns a text without line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
