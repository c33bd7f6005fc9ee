package film

import (
	"fmt"
	"math/big"
	"strings"

	"hush/core/coin"
	"hush/core/query"
	"hush/core/sample/crowd"
	"hush/web/say"
)

// symptoms lists the elements of the sets, by their first letters.
var symptoms = []string{"fever", "cough", "ache", "rash"}

const (
	cubePeople = 4000
	cubeMost   = 6
)

// cube is a film of Pieces: all sets of four symptoms, by size from below.
type cube struct {
	*Film
	pieces query.Decomposition
}

func pieces(seed coin.Seed) (*Film, error) {
	made := crowd.Unrelated(cubePeople)
	workload := must(query.Independent(len(symptoms), big.NewRat(1, 2)))
	m := must(query.NewPieces(
		query.PiecesParams{Epsilon: epsilon("2"), Most: cubeMost, Threshold: big.NewRat(1, 5),
			Workloads: []query.Workload{workload}}))
	tests, release, err := m.Watch(seed, made)
	if err != nil {
		return nil, err
	}
	c := &cube{&Film{
		Title: say.Text("Many questions are answered by few pieces"), Height: 214,
		Data: say.Format("%d made-up people with some of four symptoms, ε = 2, at most %d pieces.",
			cubePeople, cubeMost),
	}, query.Decomposition{{}}}
	for mask := range 1 << len(symptoms) {
		x, y := c.place(mask)
		for s := range symptoms {
			if mask>>s&1 == 0 {
				toX, toY := c.place(mask | 1<<s)
				c.Ground = append(c.Ground, line(Soft, x, y, toX, toY))
			}
		}
	}
	c.add(say.Text("Each dot is a question about a set of symptoms: how many people have at "+
		"least one of them? First letters name the sets: the empty set is at the bottom, all "+
		"four symptoms are at the top."), c.dots()...)
	c.add(say.Text("Noise for each of the sixteen answers would be loud. So the sets are split "+
		"into pieces with nearly equal answers, starting with one piece; the number in a dot is "+
		"its piece."), c.dots()...)
	for _, t := range tests {
		c.test(t)
	}
	c.answers(query.Coverage{Records: must(query.RecordsOf(made))}, release)
	return c.Film, nil
}

// place returns the position of a set in the picture.
func (c *cube) place(mask int) (x, y float64) {
	size, before, same := ones(mask), 0, 0
	for other := range 1 << len(symptoms) {
		if ones(other) == size {
			same++
			if other < mask {
				before++
			}
		}
	}
	return Width/2 + 58*(float64(before)-float64(same-1)/2), 195 - 44*float64(size)
}

func ones(mask int) (n int) {
	for s := range symptoms {
		n += mask >> s & 1
	}
	return n
}

// setOf returns a set in the form that the algorithm has.
func setOf(mask int) query.Set {
	var members []int
	for s := range symptoms {
		if mask>>s&1 == 1 {
			members = append(members, s)
		}
	}
	return must(query.NewSet(len(symptoms), members...))
}

// letters returns the first letters of a set's symptoms.
func letters(mask int) (text string) {
	for s, name := range symptoms {
		if mask>>s&1 == 1 {
			text += strings.ToUpper(name[:1])
		}
	}
	switch len(text) {
	case 0:
		return "–"
	case len(symptoms):
		return "all"
	}
	return text
}

// dots draws the sets, in the colours of their pieces.
func (c *cube) dots() (marks []Mark) {
	for mask := range 1 << len(symptoms) {
		x, y := c.place(mask)
		piece := c.pieces.Find(setOf(mask))
		marks = append(marks, dot(Look(fmt.Sprintf("piece%d", piece)), x, y, 17),
			text(Plain, x, y, letters(mask)), text(Soft, x, y+13, fmt.Sprint(piece+1)))
	}
	return marks
}

// test shows one test, and splits the piece as the algorithm does.
func (c *cube) test(t query.Test) {
	p, name := c.pieces[t.Piece], symptoms[t.Element]
	from := []string{}
	for _, s := range p.In.Members() {
		from = append(from, symptoms[s])
	}
	smallest := say.Text("the empty one")
	if len(from) > 0 {
		smallest = strings.Join(from, " or ")
	}
	words := say.Format(
		"Does %s matter in piece %d? To its smallest set, %s, it adds %s. With noise, that is ",
		name, t.Piece+1, smallest, people(int(t.Marginal)))
	if !t.Split {
		c.add(words+say.Format("not above %d: the piece is not split, and the “no” costs nothing.",
			t.Least-1), c.dots()...)
		return
	}
	p, old := query.Piece{In: with(p.In, t.Element), Out: p.Out},
		query.Piece{In: p.In, Out: with(p.Out, t.Element)}
	c.pieces[t.Piece] = old
	c.pieces = append(c.pieces, p)
	c.add(words+
		say.Format("above %d: the sets with %s become piece %d. Only such a yes costs privacy.",
			t.Least-1, name, len(c.pieces)), c.dots()...)
}

// with returns s and one more element.
func with(s query.Set, x int) query.Set {
	return must(query.NewSet(len(symptoms), append(s.Members(), x)...))
}

// answers shows the means, and sets one question beside its true answer.
func (c *cube) answers(truth query.Coverage, release *query.Release) {
	var means []Mark
	far, worst, said := 0.0, 0, 0.0
	for mask := range 1 << len(symptoms) {
		x, y := c.place(mask)
		answer := must(release.Ask(setOf(mask)))
		off := answer.Persons - float64(truth.Value(setOf(mask)))
		if off = max(off, -off); off > far {
			far, worst, said = off, mask, answer.Persons
		}
		piece := release.Pieces.Find(setOf(mask))
		means = append(means, dot(Look(fmt.Sprintf("piece%d", piece)), x, y, 17),
			text(Plain, x, y+4, fmt.Sprintf("%.0f", answer.Persons)))
	}
	c.add(say.Format("Each piece gets one number: the mean of its answers, with noise. These %d "+
		"numbers and the pieces are released, and answer every question.", len(release.Pieces)),
		means...)
	x, y := c.place(worst)
	c.add(say.Format("Most answers are near the truth, but a few may be far off: the worst is "+
		"%s, with %.0f for a true %d. For this few questions, counting each with noise is "+
		"better: pieces are for very many.",
		letters(worst), said, truth.Value(setOf(worst))),
		append(means, Mark{Shape: Dot, Look: Outline, X: tenth(x), Y: tenth(y), W: 17})...)
}
