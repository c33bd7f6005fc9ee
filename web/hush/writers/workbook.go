package writers

import (
	"archive/zip"
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"hush/core/ask"
)

// A workbook is an archive of XML parts (ECMA-376, part 1, 18): [Content_Types].xml states the type
// of each part, and the .rels parts what it refers to. static/forms.src.js writes the page's
// workbooks.

const (
	mostCell   = 32_000 // characters in a cell; a spreadsheet allows 32 767
	mostDigits = 15     // of a number: a spreadsheet forgets the others
	firstDay   = -25508 // 1900-03-01: before, spreadsheets count days in different ways
	dayOne     = 25569  // the number of 1970-01-01 in a workbook
)

const (
	start     = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	names     = "http:/" + "/schemas.openxmlformats.org/" // of XML; nothing is fetched there
	packages  = names + "package/2006/"
	documents = names + "officeDocument/2006/relationships"
	sheetML   = names + "spreadsheetml/2006/main"
	office    = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// Workbook writes a table as the only sheet of a workbook, below a row of names that stays in
// place. Whole numbers of more than 15 digits are texts, since a spreadsheet would change them; so
// are days before 1900-03-01, and moments, whose zone a workbook cannot hold. No cell is a formula.
func Workbook(w io.Writer, t Table, sheet string) error {
	formats := []string{"General", "yyyy-mm-dd"}
	styles := make([]int, len(t.Names))
	kinds := t.kinds()
	for i, k := range kinds {
		format := formatOf(t, i, k)
		at := slices.Index(formats, format)
		if at < 0 {
			at = len(formats)
			formats = append(formats, format)
		}
		styles[i] = at
	}
	book := zip.NewWriter(w)
	for _, part := range []struct{ name, text string }{
		{"[Content_Types].xml", `<Types xmlns="` + packages + `content-types"><Default ` +
			`Extension="rels" ContentType="application/vnd.openxmlformats-package.` +
			`relationships+xml"/>` + kindOf("workbook", "sheet.main") +
			kindOf("styles", "styles") + kindOf("worksheets/sheet1", "worksheet") + `</Types>`},
		{"_rels/.rels", relations("officeDocument", "xl/workbook.xml")},
		{"xl/workbook.xml", `<workbook xmlns="` + sheetML + `" xmlns:r="` + documents +
			`"><sheets><sheet name="` + escaped(sheet) +
			`" sheetId="1" r:id="rId1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", relations("worksheet", "worksheets/sheet1.xml", "styles",
			"styles.xml")},
		{"xl/styles.xml", stylesOf(formats)},
	} {
		out, err := book.Create(part.name)
		if err == nil {
			_, err = io.WriteString(out, start+part.text)
		}
		if err != nil {
			return err
		}
	}
	part, err := book.Create("xl/worksheets/sheet1.xml")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(part) // it keeps the first error, which Flush returns
	fmt.Fprintf(out, `%s<worksheet xmlns="%s"><sheetViews><sheetView workbookViewId="0"><pane `+
		`ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView>`+
		`</sheetViews><cols><col min="1" max="%d" width="18" customWidth="1"/></cols><sheetData>`+
		`<row>`, start, sheetML, len(t.Names))
	for _, name := range t.Names {
		writeText(out, name, len(formats))
	}
	out.WriteString("</row>\n")
	for _, row := range t.Rows {
		out.WriteString("<row>")
		for i, cell := range row {
			writeCell(out, kinds[i], cell, styles[i])
		}
		out.WriteString("</row>\n")
	}
	out.WriteString("</sheetData></worksheet>")
	if err := out.Flush(); err != nil {
		return err
	}
	return book.Close()
}

// kindOf says what a part of the workbook is.
func kindOf(part, kind string) string {
	return `<Override PartName="/xl/` + part + `.xml" ContentType="` + office + kind + `+xml"/>`
}

// relations returns the relations of a part, given as kind and target by turns; the first is rId1.
func relations(list ...string) string {
	var b strings.Builder
	b.WriteString(`<Relationships xmlns="` + packages + `relationships">`)
	for i := 0; i < len(list); i += 2 {
		fmt.Fprintf(&b, `<Relationship Id="rId%d" Type="%s/%s" Target="%s"/>`, i/2+1, documents,
			list[i], list[i+1])
	}
	return b.String() + "</Relationships>"
}

// stylesOf has a style of cells for each format, and behind them that of names.
func stylesOf(formats []string) string {
	var list, cells strings.Builder
	for i, format := range formats {
		id := 0
		if i > 0 { // from 164 on they are a workbook's own
			id = 163 + i
			fmt.Fprintf(&list, `<numFmt numFmtId="%d" formatCode="%s"/>`, id, format)
		}
		fmt.Fprintf(&cells, `<xf xfId="0" numFmtId="%d" applyNumberFormat="1"/>`, id)
	}
	return fmt.Sprintf(`<styleSheet xmlns="%s"><numFmts count="%d">%s</numFmts><fonts count="2">`+
		`<font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name `+
		`val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/>`+
		`</fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1">`+
		`<border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="%d">%s`+
		`<xf xfId="0" fontId="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle `+
		`name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`, sheetML,
		len(formats)-1, list.String(), len(formats)+1, cells.String())
}

// formatOf returns the format of the numbers of a column: as many decimals as one of them has.
func formatOf(t Table, column int, k Kind) string {
	switch k {
	case Day:
		return "yyyy-mm-dd"
	case Whole:
		return "0"
	case Number:
		decimals := 0
		for _, row := range t.Rows {
			_, behind, _ := strings.Cut(row[column], ".")
			if !ask.IsNumber(row[column]) && row[column] != "" || len(behind) > mostDigits {
				return "General"
			}
			decimals = max(decimals, len(behind))
		}
		if decimals == 0 {
			return "0"
		}
		return "0." + strings.Repeat("0", decimals)
	}
	return "General"
}

// writeCell writes a cell that fits its kind.
func writeCell(out *bufio.Writer, k Kind, cell string, style int) {
	switch {
	case cell == "":
		out.WriteString("<c/>")
		return
	case k == Day:
		if days, _ := day(cell); days >= firstDay {
			fmt.Fprintf(out, `<c s="%d"><v>%d</v></c>`, style, days+dayOne)
			return
		}
	case k == Number, k == Whole && len(strings.TrimLeft(cell, "-0")) <= mostDigits:
		fmt.Fprintf(out, `<c s="%d"><v>%s</v></c>`, style, cell)
		return
	}
	writeText(out, cell, 0)
}

func writeText(out *bufio.Writer, text string, style int) {
	if utf8.RuneCountInString(text) > mostCell {
		text = string([]rune(text)[:mostCell]) + "…"
	}
	fmt.Fprintf(out, `<c s="%d" t="inlineStr"><is><t xml:space="preserve">%s</t></is></c>`, style,
		escaped(numbered(text)))
}

// numbered is a text in which what XML does not keep is written by its number, as _x0008_, and so
// is the sign that begins what would be read like that.
func numbered(text string) string {
	var b strings.Builder
	for i, c := range text {
		if c < ' ' && c != '\n' && c != '\t' || c == '_' && isNumbered.MatchString(text[i:]) {
			fmt.Fprintf(&b, "_x%04X_", c)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

var isNumbered = regexp.MustCompile(`^_x[0-9A-Fa-f]{4}_`)

// escaped is a text inside of XML; what XML does not have becomes U+FFFD.
func escaped(text string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		return "" // unreachable: a strings.Builder takes everything
	}
	return b.String()
}
