// Package film makes pictures that move: runs of real algorithms on small made-up data, told frame
// by frame.
//
// A run draws seeded coins and is watched by the package it comes from, so that what is shown is
// what the algorithm does. Nothing here is private, and nothing that comes of it is a release.
package film

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"hush/core/coin"
	"hush/core/message"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/web/say"
)

// Film is a watched run.
type Film struct {
	Title  string  `json:"title"`
	Data   string  `json:"data"`   // what it runs on, and with which parameters
	Height int     `json:"height"` // of the picture, whose width is Width
	Ground []Mark  `json:"ground"` // what all frames have, below their own
	Frames []Frame `json:"frames"`
}

// Width is the width of every picture. Lengths are in its units, places from the upper left.
const Width = 360

// Frame is one moment of a film.
type Frame struct {
	Text  string `json:"text"` // what happens, in words
	Marks []Mark `json:"marks"`
}

// Mark is a part of a picture.
type Mark struct {
	Shape Shape   `json:"shape"`
	Look  Look    `json:"look"`
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	// W and H are the size of a bar or the end of a line; W is the radius of a dot.
	W float64 `json:"w,omitempty"`
	H float64 `json:"h,omitempty"`
	// Text holds the words of a text, or the path of a curve.
	Text string `json:"text,omitempty"`
	// Faint is the share of its colour that is taken away, in percent.
	Faint int `json:"faint,omitempty"`
}

// Shape is the kind of a mark.
type Shape string

const (
	Bar   Shape = "bar"
	Dot   Shape = "dot"
	Line  Shape = "line"
	Text  Shape = "text" // X is its middle, Y its base line
	Curve Shape = "curve"
)

// Look is the manner in which a mark is drawn.
type Look string

const (
	Plain   Look = "plain"   // what is there
	Soft    Look = "soft"    // what stands back
	Main    Look = "main"    // what the algorithm works on
	Chosen  Look = "chosen"  // what has been drawn or decided
	Outline Look = "outline" // an outline of the item in focus
)

// Request names a film and its coins: the same seed shows the same run.
type Request struct {
	ID   string    `json:"id"`
	Seed coin.Seed `json:"seed"`
}

// films lists all films.
var films = []struct {
	id    string
	name  phrase.Key
	shoot func(coin.Seed) (*Film, error)
}{
	{"laplace", "discrete Laplace mechanism", laplace},
	{"topup", "top-up of a release", topUp},
	{"exponential", "exponential mechanism", exponential},
	{"flip", "permute and flip", permuteAndFlip},
	{"treelog", "TreeLog", treeLog},
	{"heavypaths", "HeavyPaths", heavyPaths},
	{"merr", "maximum error rule", merr},
	{"pieces", "pieces of sets", pieces},
	{"weights", "multiplicative weights", weights},
	{"relabelling", "relabelling", relabelling},
	{"votes", "stable votes", votes},
	{"stopping", "random stopping", stopping},
	{"search", "first that is good enough", search},
	{"clusters", "k-means", clusters},
}

// IDs lists the films.
func IDs() (all []string) {
	for _, f := range films {
		all = append(all, f.id)
	}
	return all
}

// Name says in a word or two what a film shows; it is empty where there is no such film.
func Name(id string) string {
	for _, f := range films {
		if f.id == id {
			return say.Text(f.name)
		}
	}
	return ""
}

// Run runs the algorithm and shows what happened. *param.Error (id) where there is no such film.
func Run(r Request) (*Film, error) {
	for _, f := range films {
		if f.id == r.ID {
			return f.shoot(r.Seed)
		}
	}
	return nil, param.Refuse("film", "id", fmt.Sprintf("%q", r.ID), "one of %s",
		strings.Join(IDs(), ", "))
}

// add adds a frame with its own marks.
func (f *Film) add(text string, marks ...Mark) {
	f.Frames = append(f.Frames, Frame{text, slices.Clone(marks)})
}

func bar(look Look, x, y, w, h float64) Mark {
	return Mark{Shape: Bar, Look: look, X: tenth(x), Y: tenth(y), W: tenth(w), H: tenth(h)}
}

func line(look Look, x, y, toX, toY float64) Mark {
	return Mark{Shape: Line, Look: look, X: tenth(x), Y: tenth(y), W: tenth(toX), H: tenth(toY)}
}

func text(look Look, x, y float64, words string) Mark {
	return Mark{Shape: Text, Look: look, X: tenth(x), Y: tenth(y), Text: words}
}

// tenth rounds to a tenth, which is as exact as a picture needs.
func tenth(x float64) float64 { return math.Round(10*x) / 10 }

// people writes a number of people.
func people(n int) string {
	return say.Count(int64(n), "1 person", "%s people", message.Grouped(int64(n)))
}

// must unwraps a result that cannot be an error for the parameters in this package.
func must[T any](x T, err error) T {
	if err != nil {
		panic("film: internal error: " + err.Error())
	}
	return x
}

func dot(look Look, x, y, radius float64) Mark {
	return Mark{Shape: Dot, Look: look, X: tenth(x), Y: tenth(y), W: radius}
}

// curve returns the path that goes straight from point to point.
func curve(look Look, points [][2]float64) Mark {
	var path strings.Builder
	for i, p := range points {
		path.WriteByte("ML"[min(i, 1)])
		fmt.Fprint(&path, tenth(p[0]), " ", tenth(p[1]))
	}
	return Mark{Shape: Curve, Look: look, Text: path.String()}
}

func epsilon(text string) privacy.Epsilon { return must(privacy.ParseEpsilon(text)) }
