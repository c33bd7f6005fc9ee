// Package review turns a publication into what reviewers ask for: the items of NIST SP 800-226, an
// entry for the public registry of deployments, a codebook, and the trade-off curve.
//
// Everything in it follows from the release: nothing is typed twice. Facts that no tool can know
// are marked blanks ([Blank]). All of it is in English, the language of its readers.
package review

import (
	"hush/core/publication"
)

// Blank stands where the author has to write something.
const Blank = "TO BE FILLED IN"

// File is a file of the package.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Files returns the package for a publication; a single answer is a publication with one figure.
// The error is that of [publication.Page.Total], for a page whose price cannot be worked out.
func Files(p publication.Page) ([]File, error) {
	total, err := p.Total()
	if err != nil {
		return nil, err
	}
	r := &reviewed{page: p, total: total}
	return []File{
		{"nist-sp-800-226.md", r.items()},
		{"registry.yaml", r.registry()},
		{"codebook.csv", r.codebookCSV()},
		{"codebook-ddi.json", r.codebookDDI()},
		{"trade-off.csv", r.tradeOff()},
	}, nil
}

// reviewed is a page with its total cost.
type reviewed struct {
	page  publication.Page
	total publication.Total
}
