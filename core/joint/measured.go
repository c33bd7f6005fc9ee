package joint

import (
	"strconv"

	"hush/core/phrase"
)

// Measured holds a release of [Pairs]. Its fields travel as JSON.
type Measured struct {
	Sizes   []int   `json:"sizes"`   // how many places each column has
	Persons int     `json:"persons"` // n, which is public
	Tables  []Table `json:"tables"`
	// Singles are the tables of each column alone; none: they were not counted.
	Singles []Single `json:"singles,omitempty"`
}

// Single is the noisy table of one column.
type Single struct {
	StdDev float64 `json:"stdDev"`
	Counts []int64 `json:"counts"`
}

// Table is the noisy table of two columns.
type Table struct {
	Columns [2]int  `json:"columns"`
	StdDev  float64 `json:"stdDev"` // standard deviation of the noise on each count
	Counts  []int64 `json:"counts"` // the place in the second column changes fastest
}

// Check refuses tables that Pairs could not have released.
func (m *Measured) Check() error {
	var of [][2]int
	for _, t := range m.Tables {
		of = append(of, t.Columns)
	}
	if _, err := checkPairs(m.Sizes, append([][2]int{}, of...)); err != nil {
		return err
	}
	if m.Persons < 1 {
		return refuse("persons", strconv.Itoa(m.Persons), "at least 1")
	}
	for _, t := range m.Tables {
		if err := checkCounts(t.Counts, t.StdDev, m.cells(t)); err != nil {
			return err
		}
	}
	if m.Singles != nil && len(m.Singles) != len(m.Sizes) {
		return refuse("singles", phrase.Of("%d tables of one column", len(m.Singles)),
			"none, or one for each of %d columns", len(m.Sizes))
	}
	for i, t := range m.Singles {
		if err := checkCounts(t.Counts, t.StdDev, m.Sizes[i]); err != nil {
			return err
		}
	}
	return nil
}

// checkCounts refuses a table that does not have this many cells.
func checkCounts(counts []int64, stdDev float64, cells int) error {
	if len(counts) != cells || !(stdDev > 0 && stdDev < 1e18) {
		return refuse("counts", phrase.Of("%d counts", len(counts)),
			"a count for each of %d cells, with noise", cells)
	}
	return nil
}

func (m *Measured) cells(t Table) int { return m.Sizes[t.Columns[0]] * m.Sizes[t.Columns[1]] }

// singles returns the parts of the persons in the places of each column: means of its own table and
// of the sums of the tables of pairs that have it, weighted by the inverse of their variances, at
// least 0 and 1 in total.
func (m *Measured) singles() [][]float64 {
	parts := make([][]float64, len(m.Sizes))
	for i, size := range m.Sizes {
		sums, weights := make([]float64, size), 0.0
		for _, t := range m.Tables {
			if t.Columns[0] != i && t.Columns[1] != i {
				continue
			}
			a, b := m.Sizes[t.Columns[0]], m.Sizes[t.Columns[1]]
			weight := float64(size) / (t.StdDev * t.StdDev * float64(a*b))
			weights += weight
			for cell, count := range t.Counts {
				place := cell % b
				if t.Columns[0] == i {
					place = cell / b
				}
				sums[place] += weight * float64(count)
			}
		}
		if m.Singles != nil {
			weight := 1 / (m.Singles[i].StdDev * m.Singles[i].StdDev)
			weights += weight
			for place, count := range m.Singles[i].Counts {
				sums[place] += weight * float64(count)
			}
		}
		if weights == 0 { // in no table: nothing is known about it
			weights = 1
		}
		for place := range sums {
			sums[place] /= weights * float64(m.Persons)
		}
		parts[i] = toShares(sums, leastShare/float64(m.Persons))
	}
	return parts
}

// leastShare is the least number of persons assumed in a place: noise rules out no place.
const leastShare = 0.5

// toShares returns the nearest list of shares, each of at least least: the same amount is
// subtracted from all that stay above it.
func toShares(values []float64, least float64) []float64 {
	least = min(least, 1/(2*float64(len(values))))
	low, high := -1.0, 1.0
	for _, x := range values {
		low, high = min(low, x-1), max(high, x)
	}
	shares := make([]float64, len(values))
	for range 100 {
		mid, sum := (low+high)/2, 0.0
		for i, x := range values {
			shares[i] = max(x-mid, least)
			sum += shares[i]
		}
		if sum > 1 {
			low = mid
		} else {
			high = mid
		}
	}
	sum := 0.0
	for _, x := range shares {
		sum += x
	}
	for i := range shares {
		shares[i] /= sum
	}
	return shares
}
