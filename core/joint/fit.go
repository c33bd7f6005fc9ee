package joint

import (
	"math"
	"slices"

	"hush/core/coin"
)

// Fit looks for rows that n persons could be: among all lists of rows whose tables are as near to
// the measured ones as the true tables would be, it looks for one in which columns are as
// independent as that allows. It sees the noisy tables alone, so it is post-processing and costs
// nothing.
//
// # What is fitted
//
// With Q a law of rows, P the product of the single columns, y_s a noisy table and σ_s its noise,
//
//	minimise n·KL(Q ‖ P) + Σ_s λ_s/2·‖n·Q_s − y_s‖²/σ_s²
//
// which is strictly convex, so one Q has the least. Nothing is clipped before: a count below 0
// pulls its cell down, and no cell is ruled out. Each table has a strength λ_s of its own, which
// grows while ‖n·Q_s − y_s‖²/σ_s² is above what noise alone would leave ([newGoal]; Morozov's
// discrepancy principle, table by table). One strength for all hides a strong relation among many
// absent ones, and follows the noise of these. Every table is tested after each sweep, since one
// may fall out again while others grow. Where a table shows no relation, y_s are its columns by
// themselves, and rows are pulled there.
//
// Q is never written down, since it can have more cells than there are atoms. Rows are drawn from
//
//	Pr[rows] ∝ Π P(row)·exp(−Σ_s λ_s/2·‖table_s(rows) − y_s‖²/σ_s²)
//
// whose shares are Q for large n: one value after the other is drawn anew, given all else (Gibbs),
// while the strengths grow (annealing). Rows pull on each other through the tables, so these are
// met far more closely than by independent draws from Q.
//
// # Cost
//
// Up to MostSweeps sweeps. A sweep adds, for each row and column, a list of numbers for each table
// of the column: rows·Σ c_i·tables_i. The rows are as many as there are persons, but at least
// leastRows and at most mostRows, and fewer where a sweep would take more than mostWork.
//
// # Reference
//
// The objective is McKenna, Sheldon, Miklau, "Graphical-model based estimation and inference for
// differential privacy", 2019, with entropy relative to independent columns as what is preferred
// among laws that fit, and a sample in place of the junction
// tree: all pairs have none that is small.
func Fit(src coin.Source, m *Measured, step coin.Step) (*Model, error) {
	c := newChain(coin.NewSeeded(coin.Seed(src.Uniform(1<<63))), m)
	for sweep := range MostSweeps {
		var pause coin.Step
		if step != nil {
			pause = func(done, all int64) error {
				return step(int64(sweep)*all+done, MostSweeps*all)
			}
		}
		c.pull()
		if err := c.sweep(pause); err != nil {
			return nil, err
		}
		if c.near() {
			break
		}
	}
	model := &Model{Measured: m, Strengths: c.strengths, rows: c.rows}
	model.pack()
	return model, nil
}

// A strength is λ in units of the noise: the amount that a count which is off by one standard
// deviation of its noise adds to the logarithm of a chance.
const (
	MostSweeps    = 110 // sweeps in a fit
	firstStrength = 1.0 / 32
	growth        = 1.07
)

// The rows of a chain.
const (
	leastRows = 1 << 10
	mostRows  = 1 << 16
	mostWork  = 700_000_000 // additions in a sweep
)

// rowsOf returns the number of rows to fit, from public facts.
func rowsOf(m *Measured) int {
	return max(min(m.Persons, mostRows, mostWork/workOf(m)), leastRows)
}

// workOf returns the number of additions that a row takes in a sweep.
func workOf(m *Measured) int {
	work := 1
	for _, t := range m.Tables {
		work += m.Sizes[t.Columns[0]] + m.Sizes[t.Columns[1]]
	}
	return work
}

// chain holds rows that are redrawn value by value.
type chain struct {
	coins     coin.Source
	of        *Measured
	scale     float64   // persons for each row
	strengths []float64 // by table
	rows      []uint8   // those of the first row first
	singles   [][]float64
	goal      *goal
	logs      [][]float64 // of the singles
	links     [][]link    // by column
}

// link is a table as seen from one of its columns.
type link struct {
	other  int       // its other column
	table  int       // in the order of those measured
	pull   []float64 // by place in the other column, then in this: added to a logarithm
	back   []float64 // the same, as seen from the other column
	weight float64   // how much one row more adds to the pull, downwards
}

func newChain(coins coin.Source, m *Measured) *chain {
	columns := len(m.Sizes)
	c := &chain{coins: coins, of: m, singles: m.singles(), logs: make([][]float64, columns),
		links: make([][]link, columns)}
	for k, t := range m.Tables {
		i, j := t.Columns[0], t.Columns[1]
		there, back := make([]float64, m.cells(t)), make([]float64, m.cells(t))
		c.links[i] = append(c.links[i], link{other: j, table: k, pull: there, back: back})
		c.links[j] = append(c.links[j], link{other: i, table: k, pull: back, back: there})
	}
	rows := rowsOf(m)
	c.scale = float64(m.Persons) / float64(rows)
	c.rows = make([]uint8, rows*columns)
	for i, shares := range c.singles {
		c.logs[i] = make([]float64, len(shares))
		for place, share := range shares {
			c.logs[i][place] = math.Log(share)
		}
		c.deal(i)
	}
	c.goal = newGoal(m, c.singles)
	c.strengths = slices.Repeat([]float64{firstStrength}, len(m.Tables))
	return c
}

// deal assigns the rows places of a column in proportion to their shares, in random order.
func (c *chain) deal(column int) {
	columns := len(c.of.Sizes)
	rows := len(c.rows) / columns
	order := make([]int, rows)
	for row := range order {
		other := int(c.coins.Uniform(uint64(row + 1)))
		order[row], order[other] = order[other], row
	}
	place, sum := 0, c.singles[column][0]
	for k, row := range order {
		for place+1 < c.of.Sizes[column] && float64(k)+0.5 > sum*float64(rows) {
			place++
			sum += c.singles[column][place]
		}
		c.rows[row*columns+column] = uint8(place)
	}
}

// independent returns the tables of independent columns.
func independent(m *Measured, singles [][]float64) [][]float64 {
	tables := make([][]float64, len(m.Tables))
	for k, t := range m.Tables {
		for _, first := range singles[t.Columns[0]] {
			for _, second := range singles[t.Columns[1]] {
				tables[k] = append(tables[k], first*second*float64(m.Persons))
			}
		}
	}
	return tables
}

// tables counts the rows, in persons.
func (c *chain) tables() [][]float64 {
	columns := len(c.of.Sizes)
	tables := make([][]float64, len(c.of.Tables))
	for k, t := range c.of.Tables {
		counts, size := make([]int, c.of.cells(t)), c.of.Sizes[t.Columns[1]]
		for at := 0; at < len(c.rows); at += columns {
			counts[int(c.rows[at+t.Columns[0]])*size+int(c.rows[at+t.Columns[1]])]++
		}
		tables[k] = make([]float64, len(counts))
		for cell, rows := range counts {
			tables[k][cell] = float64(rows) * c.scale
		}
	}
	return tables
}

// near reports whether the rows are near enough to every table, and strengthens the others.
func (c *chain) near() bool {
	near := true
	for k, counts := range c.tables() {
		if c.goal.misfit(k, counts) > c.goal.misfits[k] {
			c.strengths[k] *= growth
			near = false
		}
	}
	return near
}

// pull sets each pull by the strengths and by the tables of the rows.
func (c *chain) pull() {
	wide, tables := 0.0, c.tables()
	for _, stdDev := range c.goal.stdDevs {
		wide += stdDev / float64(len(c.of.Tables))
	}
	for i := range c.links {
		for k := range c.links[i] {
			l := &c.links[i][k]
			t, stdDev := c.of.Tables[l.table], c.goal.stdDevs[l.table]
			l.weight = c.strengths[l.table] * wide * c.scale / (stdDev * stdDev)
			if t.Columns[0] != i {
				continue
			}
			size := c.of.Sizes[t.Columns[1]]
			for cell, persons := range tables[l.table] {
				pull := l.weight / c.scale * (c.goal.tables[l.table][cell] - persons)
				l.pull[cell%size*c.of.Sizes[i]+cell/size] = pull
				l.back[cell] = pull
			}
		}
	}
}

// sweep redraws each value of each row, given all others.
func (c *chain) sweep(step coin.Step) error {
	columns := len(c.of.Sizes)
	var room [MostPlaces]float64
	for at := 0; at < len(c.rows); at += columns {
		if step != nil && at/columns%1024 == 0 {
			if err := step(int64(at), int64(len(c.rows))); err != nil {
				return err
			}
		}
		row := c.rows[at : at+columns]
		for i, logs := range c.logs {
			chances := room[:len(logs)]
			copy(chances, logs)
			alone := 0.0
			for _, l := range c.links[i] {
				alone += l.weight
			}
			c.pulled(chances, row, c.links[i])
			chances[row[i]] += alone // the row itself does not count
			if place := c.draw(chances); place != row[i] {
				c.move(row, i, place)
			}
		}
	}
	return nil
}

// pulled adds the pulls of a column's tables, one after the other. Four at a time halve the time of
// a sweep, and the sums are the same to the last bit.
func (c *chain) pulled(chances []float64, row []uint8, links []link) {
	size := len(chances)
	pull := func(l *link) []float64 {
		from := int(row[l.other]) * size
		return l.pull[from : from+size]
	}
	for ; len(links) >= 4; links = links[4:] {
		p, q, r, s := pull(&links[0]), pull(&links[1]), pull(&links[2]), pull(&links[3])
		q, r, s = q[:len(p)], r[:len(p)], s[:len(p)]
		chances := chances[:len(p)]
		for place, x := range p {
			chances[place] = chances[place] + x + q[place] + r[place] + s[place]
		}
	}
	for i := range links {
		for place, x := range pull(&links[i]) {
			chances[place] += x
		}
	}
}

// move gives a row another place in a column.
func (c *chain) move(row []uint8, column int, place uint8) {
	size := c.of.Sizes[column]
	for _, l := range c.links[column] {
		other, others := int(row[l.other]), c.of.Sizes[l.other]
		l.pull[other*size+int(row[column])] += l.weight
		l.pull[other*size+int(place)] -= l.weight
		l.back[int(row[column])*others+other] += l.weight
		l.back[int(place)*others+other] -= l.weight
	}
	row[column] = place
}

// draw chooses a place by the logarithms of chances, which it overwrites.
func (c *chain) draw(logs []float64) uint8 {
	most := math.Inf(-1)
	for _, x := range logs {
		most = max(most, x)
	}
	sum := 0.0
	for place, x := range logs {
		logs[place] = exp(x - most)
		sum += logs[place]
	}
	left := float64(c.coins.Uniform(1<<53)) / (1 << 53) * sum
	last := 0
	for place, chance := range logs {
		if chance == 0 {
			continue
		}
		if last = place; left < chance {
			break
		}
		left -= chance
	}
	return uint8(last)
}

// exp returns e^x for x ≤ 0, to nine digits, and 0 below -40.
func exp(x float64) float64 {
	if !(x > -40) {
		return 0
	}
	whole := math.Floor(x*math.Log2E + 0.5)
	f := x - whole*math.Ln2
	sum := 1 + f*(1+f*(1.0/2+f*(1.0/6+f*(1.0/24+f*(1.0/120+f*(1.0/720+f/5040))))))
	return sum * math.Float64frombits(uint64(int64(whole)+1023)<<52)
}
