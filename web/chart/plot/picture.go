package plot

import "cmp"

// Text holds a chart's words, so that it can be read without the page around it.
type Text struct {
	Title    string // the sentence
	Subtitle string // what is drawn, and of how many
	Note     string // the noise, what the error bars mean, what is hatched
	Source   string
	Alone    bool // it leaves the page, without a title
}

// Picture is a release as it is drawn: the plot, with the facts that its words need.
type Picture struct {
	Plot   object
	Tall   bool
	Unit   string   // of the values, at the top left
	Axis   string   // below the plot
	Height int      // of the plot, in points
	Rows   []string // names of lying bars, for which the plot is made as high as they need

	What    string // for the subtitle
	Bars    string // what error bars or a band mean; empty: there are none
	Left    string // what becomes of people without a value; empty: nothing to say
	Hatched bool   // something is too few to tell
}

// Words returns what the drawing program lays out around the plot.
func (p Picture) Words(t Text) object {
	words := object{"height": cmp.Or(p.Height, 300)}
	for name, text := range map[string]string{"title": t.Title, "subtitle": t.Subtitle,
		"note": t.Note, "source": t.Source, "unit": p.Unit, "axis": p.Axis} {
		if text != "" {
			words[name] = text
		}
	}
	if p.Rows != nil {
		words["rows"] = p.Rows
	}
	if t.Alone {
		words["alone"] = true
	}
	return words
}
