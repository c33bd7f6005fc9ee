package course

import (
	"math"
	"slices"

	"hush/core/coin"
)

// FewestAsked is the rule of the office: it answers no question about fewer people.
const FewestAsked = 20

// Names are the people of the office.
var Names = []string{"Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo", "Jo", "Kim",
	"Leo", "Mia", "Noa", "Ole", "Pia", "Ana", "Ravi", "Sam", "Tess", "Uma", "Vic", "Wes", "Yara",
	"Zoe"}

// OfficeEpsilon is the ε of all answers together where the office adds noise, and MostPay the
// public bound of a person's pay in that case.
const (
	OfficeEpsilon = "1"
	MostPay       = 10_000
)

// Office answers questions about the pay of its people: totals of at least FewestAsked of them.
type Office struct {
	Pay    []int64   // in the order of Names: the secret
	Total  int64     // of all, as published
	Tables []Total   // what it also publishes, no two of which differ in one person
	solved []float64 // of the tables and the total
}

// Total is a published total.
type Total struct {
	Without []int // who is not in it, by position in Names
	Pay     int64 // of all others
}

// The pay of half of the people is low and that of the others high: a coin decides of each. In the
// office nobody earns between the two ranges.
const (
	lowPay, highPay = 2_000, 3_600
	paySteps        = 120 // of ten
	betweenPays     = 3_395
	tables          = 60
)

// NewOffice makes up an office.
func NewOffice(seed coin.Seed) *Office {
	src := coin.NewSeeded(seed)
	o := &Office{}
	for range Names {
		pay := int64(lowPay)
		if heads(src) {
			pay = highPay
		}
		o.Pay = append(o.Pay, pay+10*int64(src.Uniform(paySteps)))
	}
	o.Total = o.But(nil)
	for range tables {
		t := Total{Without: outside(src)}
		t.Pay = o.But(t.Without)
		o.Tables = append(o.Tables, t)
	}
	return o
}

// outside draws who is not in a table: three to five people.
func outside(src coin.Source) (who []int) {
	for n := 3 + int(src.Uniform(3)); len(who) < n; {
		if i := int(src.Uniform(uint64(len(Names)))); !slices.Contains(who, i) {
			who = append(who, i)
		}
	}
	slices.Sort(who)
	return who
}

// But is the pay of all but those.
func (o *Office) But(without []int) (sum int64) {
	for i, pay := range o.Pay {
		if !slices.Contains(without, i) {
			sum += pay
		}
	}
	return sum
}

// Noisy returns the office as it would publish with noise, OfficeEpsilon in all: what is published
// of it differs, and its secrets do not.
func (o *Office) Noisy(seed coin.Seed) *Office {
	n := &Office{Pay: o.Pay}
	m := laplace(OfficeEpsilon, uint64(MostPay*(1+len(o.Tables))))
	src := coin.NewSeeded(seed)
	n.Total = m.AddTo(src, o.Total)
	for _, t := range o.Tables {
		n.Tables = append(n.Tables, Total{t.Without, m.AddTo(src, t.Pay)})
	}
	return n
}

// Solve returns everybody's pay as the published totals alone give it: by least squares, which is
// exact where the totals are.
func (o *Office) Solve() []int64 {
	if o.solved == nil {
		n := len(Names)
		rows := make([][]float64, n) // the normal equations, with their right side at the end
		for i := range rows {
			rows[i] = make([]float64, n+1)
		}
		add := func(t Total) {
			in := func(i int) bool { return !slices.Contains(t.Without, i) }
			for i := range n {
				for j := 0; in(i) && j < n; j++ {
					if in(j) {
						rows[i][j]++
					}
				}
				if in(i) {
					rows[i][n] += float64(t.Pay)
				}
			}
		}
		add(Total{Pay: o.Total})
		for _, t := range o.Tables {
			add(t)
		}
		o.solved = solve(rows)
	}
	all := make([]int64, len(o.solved))
	for i, x := range o.solved {
		all[i] = int64(math.Round(x))
	}
	return all
}

// solve eliminates, with the largest number of a column as pivot. What the equations leave open
// becomes 0.
func solve(rows [][]float64) []float64 {
	n := len(rows)
	for c := range n {
		pivot := c
		for r := c; r < n; r++ {
			if math.Abs(rows[r][c]) > math.Abs(rows[pivot][c]) {
				pivot = r
			}
		}
		rows[c], rows[pivot] = rows[pivot], rows[c]
		if math.Abs(rows[c][c]) < 1e-9 {
			continue
		}
		for r := range n {
			if f := rows[r][c] / rows[c][c]; r != c && f != 0 {
				for k := c; k <= n; k++ {
					rows[r][k] -= f * rows[c][k]
				}
			}
		}
	}
	x := make([]float64, n)
	for c := range n {
		if math.Abs(rows[c][c]) >= 1e-9 {
			x[c] = rows[c][n] / rows[c][c]
		}
	}
	return x
}

// ToTheEuro counts the people whose pay comes out to the last euro.
func (o *Office) ToTheEuro() (right int) {
	for i, pay := range o.Solve() {
		right += int(one(pay == o.Pay[i]))
	}
	return right
}

// HighOrLow counts the people whose pay the attack rightly takes for high or for low, which a coin
// decided.
func (o *Office) HighOrLow() (right int) {
	for i, pay := range o.Solve() {
		right += int(one(pay > betweenPays == (o.Pay[i] > betweenPays)))
	}
	return right
}

// Subtract is the first attack: the published total, less that of all but one. With noise both
// cost OfficeEpsilon together.
func (o *Office) Subtract(who int, noisy bool, seed coin.Seed) (all, rest int64) {
	all, rest = o.But(nil), o.But([]int{who})
	if noisy {
		m, src := laplace(OfficeEpsilon, 2*MostPay), coin.NewSeeded(seed)
		all, rest = m.AddTo(src, all), m.AddTo(src, rest)
	}
	return all, rest
}
