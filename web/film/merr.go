package film

import (
	"fmt"
	"math/big"
	"sort"

	"hush/core/coin"
	"hush/core/density"
	"hush/core/sample/crowd"
	"hush/web/say"
)

// The plane of a distribution function: values to the right, people upwards.
const (
	curveLeft, curveRight = 26.0, 346.0
	curveTop, curveFoot   = 12.0, 172.0
	curveSize             = 256
	curvePeople           = 2000
)

func merr(seed coin.Seed) (*Film, error) {
	made := crowd.TwoHills(curvePeople, curveSize)
	values := made.People()
	m := must(density.NewMERR(
		density.MERRParams{Epsilon: epsilon("1"), Size: big.NewInt(curveSize), Persons: curvePeople,
			Rounds: 6, Recount: 6}))
	rounds, release, err := m.Watch(seed, made)
	if err != nil {
		return nil, err
	}
	f := &Film{
		Title:  say.Text("The maximum error rule learns a distribution"),
		Height: int(curveFoot) + 20,
		Data: say.Format("%d made-up people with values from 0 to %d, ε = 1, 6 rounds.",
			curvePeople, curveSize-1),
	}
	truth := make([][2]float64, curveSize+1)
	for b := range truth {
		truth[b] = onPlane(
			float64(b), float64(
				sort.Search(len(values), func(i int) bool { return values[i] >= uint64(b) })))
	}
	f.Ground = []Mark{
		line(Soft, curveLeft, curveFoot, curveRight, curveFoot),
		line(Soft, curveLeft, curveTop, curveLeft, curveFoot),
		text(Soft, curveLeft, curveFoot+14, "0"),
		text(Soft, curveRight-10, curveFoot+14, fmt.Sprint(curveSize-1)),
		text(Soft, 12, curveTop+4, "all"),
		curve(Plain, truth),
	}
	line := polyline{[]float64{0, curveSize}, []float64{0, curvePeople}}
	f.add(say.Text("The grey curve is secret: for each value, how many people are below it. The "+
		"algorithm knows only the number of people, and starts with a straight line."),
		line.mark(Main))
	for i, r := range rounds {
		line = f.round(i+1, r, line)
	}
	at, below := []float64{0}, []float64{0}
	for i := range release.Cells() {
		_, last, n := release.Cell(i)
		at, below = append(at, float64(last.Int64()+1)), append(below, below[i]+n)
	}
	f.add(say.Text("Last, all people between the places found are counted once more, with noise, "+
		"for the 6/16 of ε that were kept for it. The release holds places and numbers, not the "+
		"curve."),
		polyline{at, below}.mark(Chosen))
	return f, nil
}

// round shows one round, and returns the line after it.
func (f *Film) round(number int, r density.Round, before polyline) polyline {
	b, truth, measured := float64(r.At[0].Int64()), float64(r.True[0]), float64(r.Measured[0])
	said := before.value(b)
	gap := onPlane(b, truth)
	off := onPlane(b, said)
	f.add(say.Format("Round %d: a place is drawn; the further apart line and curve are, the "+
		"likelier it is. Below %.0f the line says %.0f people; there are %.0f.", number, b, said,
		truth),
		before.mark(Main), line(Chosen, gap[0], gap[1], off[0], off[1]),
		dot(Chosen, off[0], off[1], 4))
	after := polyline{}
	for i, at := range r.Breaks {
		after.at, after.people = append(after.at, float64(at.Int64())),
			append(after.people, float64(r.Values[i]))
	}
	words := say.Format(
		"It is measured there with noise: %.0f people. The line goes through the measurement",
		measured)
	for i, at := range before.at {
		if after.value(at) != before.people[i] {
			words += say.Text(
				", and where it would fall, since numbers below a value cannot, it is levelled")
			break
		}
	}
	place := onPlane(b, after.value(b))
	f.add(words+".", after.mark(Main), dot(Chosen, place[0], place[1], 4))
	return after
}

// polyline draws a rising line through break points.
type polyline struct{ at, people []float64 }

func (p polyline) value(x float64) float64 {
	i := max(min(sort.SearchFloat64s(p.at, x), len(p.at)-1), 1)
	part := (x - p.at[i-1]) / (p.at[i] - p.at[i-1])
	return p.people[i-1] + part*(p.people[i]-p.people[i-1])
}

func (p polyline) mark(look Look) Mark {
	points := make([][2]float64, len(p.at))
	for i := range points {
		points[i] = onPlane(p.at[i], p.people[i])
	}
	return curve(look, points)
}

func onPlane(value, people float64) [2]float64 {
	people = min(max(people, 0), curvePeople)
	return [2]float64{curveLeft + (curveRight-curveLeft)*value/curveSize,
		curveFoot - (curveFoot-curveTop)*people/curvePeople}
}
