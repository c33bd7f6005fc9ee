package report

import (
	"fmt"
	"strings"
)

// A document is an archive of XML parts (ECMA-376, part 1, 17): [Content_Types].xml states the type
// of each part, and the .rels parts what it refers to. static/forms.src.js writes the same bytes if
// there are no pictures; a test compares the two.

const (
	xmlStart  = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	xmlNames  = "http:/" + "/schemas.openxmlformats.org/" // nothing is fetched there
	packages  = xmlNames + "package/2006/"
	documents = xmlNames + "officeDocument/2006/relationships"
	drawing   = xmlNames + "drawingml/2006/"
	dublin    = "http:/" + "/purl.org/dc/elements/1.1/"
	wordML    = xmlNames + "wordprocessingml/2006/main"
)

// Document returns a publication as a document for word processors, without its pictures: the files
// of an archive.
func (c Content) Document() []File {
	return []File{
		{Name: "[Content_Types].xml", Text: xmlStart + `<Types xmlns="` + packages +
			`content-types"><Default Extension="rels" ContentType="application/vnd.` +
			`openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType=` +
			`"application/xml"/><Default Extension="png" ContentType="image/png"/>` +
			partKind("word/document.xml", "officedocument.wordprocessingml.document.main") +
			partKind("word/styles.xml", "officedocument.wordprocessingml.styles") +
			partKind("docProps/core.xml", "package.core-properties") + `</Types>`},
		{Name: "_rels/.rels", Text: relations(documents+"/officeDocument", "word/document.xml",
			packages+"relationships/metadata/core-properties", "docProps/core.xml")},
		{Name: "docProps/core.xml", Text: xmlStart + `<cp:coreProperties xmlns:cp="` + packages +
			`metadata/core-properties" xmlns:dc="` + dublin + `"><dc:title>` +
			xmlText(c.Title) + `</dc:title><dc:creator>` + xmlText(c.Publisher) +
			`</dc:creator><dc:language>` + xmlText(c.Language) +
			`</dc:language></cp:coreProperties>`},
		{Name: "word/document.xml", Text: xmlStart + `<w:document xmlns:w="` + wordML +
			`" xmlns:r="` + documents + `" xmlns:wp="` + drawing + `wordprocessingDrawing" ` +
			`xmlns:a="` + drawing + `main" xmlns:pic="` + drawing + `picture"><w:body>` +
			c.paragraphs() + `<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" ` +
			`w:right="1134" w:bottom="1134" w:left="1134" w:header="567" w:footer="567" ` +
			`w:gutter="0"/></w:sectPr></w:body></w:document>`},
		{Name: "word/_rels/document.xml.rels", Text: relations(documents+"/styles",
			"styles.xml")},
		{Name: "word/styles.xml", Text: wordStyles(c.Language)},
	}
}

// partKind states the type of a part.
func partKind(path, kind string) string {
	return `<Override PartName="/` + path + `" ContentType="application/vnd.openxmlformats-` +
		kind + `+xml"/>`
}

// relations lists what a part refers to, alternating kind and target; the first is rId1.
func relations(list ...string) string {
	var b strings.Builder
	b.WriteString(xmlStart + `<Relationships xmlns="` + packages + `relationships">`)
	for i := 0; i < len(list); i += 2 {
		fmt.Fprintf(&b, `<Relationship Id="rId%d" Type="%s" Target="%s"/>`, i/2+1, list[i],
			list[i+1])
	}
	return b.String() + "</Relationships>"
}

// prose writes the paragraphs of a document.
type prose struct{ strings.Builder }

// paragraph writes a text in a style; nothing for an empty text.
func (w *prose) paragraph(style, text string) {
	if text == "" {
		return
	}
	if style != "" {
		style = `<w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>`
	}
	w.WriteString(`<w:p>` + style + `<w:r><w:t xml:space="preserve">` + xmlText(text) +
		"</w:t></w:r></w:p>\n")
}

func (w *prose) all(texts ...string) {
	for _, text := range texts {
		w.paragraph("", text)
	}
}

// table writes a table; a nil header means that there is none, and the first cell of a row names
// the row. name is read aloud for the table; with an empty name nothing is.
func (w *prose) table(name string, header []string, rows [][]string, numbers []bool) {
	if len(rows) == 0 {
		return
	}
	w.WriteString(`<w:tbl><w:tblPr><w:tblW w:w="5000" w:type="pct"/><w:tblBorders>`)
	for _, side := range []string{"top", "bottom", "insideH"} {
		w.WriteString(`<w:` + side + ` w:val="single" w:sz="4" w:color="BBBBBB"/>`)
	}
	w.WriteString(`</w:tblBorders>`)
	if header != nil {
		w.WriteString(`<w:tblLook w:firstRow="1" w:firstColumn="0"/>`)
	} else {
		w.WriteString(`<w:tblLook w:firstRow="0" w:firstColumn="1"/>`)
	}
	if name != "" {
		w.WriteString(`<w:tblCaption w:val="` + xmlText(name) + `"/>`)
	}
	w.WriteString(`</w:tblPr><w:tblGrid>` + strings.Repeat("<w:gridCol/>", len(rows[0])) +
		"</w:tblGrid>\n")
	if header != nil {
		w.row(header, numbers, true)
	}
	for _, cells := range rows {
		w.row(cells, numbers, false)
	}
	w.WriteString("</w:tbl><w:p/>\n")
}

// row writes a row of a table; heads are repeated on each page, and read as names.
func (w *prose) row(cells []string, numbers []bool, heads bool) {
	repeated, bold := "", ""
	if heads {
		repeated, bold = "<w:tblHeader/>", "<w:rPr><w:b/></w:rPr>"
	}
	w.WriteString("<w:tr><w:trPr><w:cantSplit/>" + repeated + "</w:trPr>")
	for i, cell := range cells {
		right := ""
		if i < len(numbers) && numbers[i] {
			right = `<w:pPr><w:jc w:val="right"/></w:pPr>`
		}
		w.WriteString("<w:tc><w:p>" + right + "<w:r>" + bold + `<w:t xml:space="preserve">` +
			xmlText(cell) + "</w:t></w:r></w:p></w:tc>")
	}
	w.WriteString("</w:tr>\n")
}

// paragraphs is the body of a document.
func (c Content) paragraphs() string {
	w := &prose{}
	w.all(c.Publisher, c.Kind)
	w.paragraph("Title", c.Title)
	w.paragraph("Subtitle", c.Lead)
	w.all(c.Keys...)
	level := "Heading1"
	for _, piece := range c.Pieces {
		switch {
		case piece.Figure > 0:
			w.figure(c.Figures[piece.Figure-1], level)
		case piece.Heading != "":
			w.paragraph("Heading1", piece.Heading)
			level = "Heading2"
		default:
			w.all(strings.Split(piece.Text, "\n\n")...)
		}
	}
	w.paragraph("Heading1", c.Words["method"])
	w.paragraph("Heading2", c.Words["promised"])
	w.all(c.Method.Promised...)
	w.paragraph("Heading2", c.Words["reading"])
	w.all(c.Method.Reading...)
	if len(c.Spent) > 0 {
		w.paragraph("Heading2", c.Words["spent"])
		w.table(c.Words["spent"], c.Spent[0], c.Spent[1:], []bool{false, false, true})
	}
	w.paragraph("Heading1", c.Words["making"])
	for _, f := range c.Figures {
		w.paragraph("Heading2", f.Name+": "+f.Headline)
		w.table(f.Name, nil, f.Facts, nil)
	}
	w.paragraph("Heading1", c.Words["source"])
	w.all(c.Closing...)
	return w.String()
}

func (w *prose) figure(f contentFigure, level string) {
	w.paragraph(level, f.Sentence)
	w.paragraph("Caption", f.Name+". "+f.Subject)
	w.all(f.Below)
	w.all(f.Warnings...)
	w.table(f.Name, f.Header, f.Shown, f.Numeric)
	w.all(f.Left)
}

// wordStyles are the styles of paragraphs; sizes are in half points.
func wordStyles(language string) string {
	var b strings.Builder
	b.WriteString(xmlStart + `<w:styles xmlns:w="` + wordML + `"><w:docDefaults><w:rPrDefault>` +
		`<w:rPr><w:sz w:val="20"/><w:lang w:val="` + xmlText(language) + `"/></w:rPr>` +
		`</w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="120"/></w:pPr></w:pPrDefault>` +
		`</w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name ` +
		`w:val="Normal"/></w:style>`)
	for _, s := range []struct{ id, name, size, level, bold string }{
		{"Title", "Title", "44", "", "<w:b/>"}, {"Subtitle", "Subtitle", "26", "", ""},
		{"Heading1", "heading 1", "30", "0", "<w:b/>"},
		{"Heading2", "heading 2", "23", "1", "<w:b/>"}, {"Caption", "caption", "18", "", ""},
	} {
		if s.level != "" {
			s.level = `<w:spacing w:before="240" w:after="80"/><w:outlineLvl w:val="` + s.level +
				`"/>`
		}
		b.WriteString(`<w:style w:type="paragraph" w:styleId="` + s.id + `"><w:name w:val="` +
			s.name + `"/><w:basedOn w:val="Normal"/><w:pPr><w:keepNext/>` + s.level +
			`</w:pPr><w:rPr>` + s.bold + `<w:sz w:val="` + s.size + `"/></w:rPr></w:style>`)
	}
	return b.String() + "</w:styles>"
}

// xmlText escapes a text for XML, and replaces characters that XML 1.0 does not have.
func xmlText(text string) string {
	var b strings.Builder
	for _, c := range text { // bytes that are no text are U+FFFD
		switch {
		case c < ' ' && c != '\t' && c != '\n' && c != '\r', c == '\ufffe', c == '\uffff':
			b.WriteRune('\ufffd')
		case strings.ContainsRune(`&<>"'`, c):
			fmt.Fprintf(&b, "&#%d;", c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
