package density

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPeakIsCovered: cells of all sizes and peaks are ascending, within the domain, of the lengths
// that are promised, and few.
func TestPeakIsCovered(t *testing.T) {
	for size := int64(1); size < 70; size++ {
		for peak := range size {
			for shift := range uint(4) {
				last, starts := int64(0), []int64{0}
				for _, b := range around(big.NewInt(size), big.NewInt(peak), shift) {
					if b.Int64() <= last || b.Int64() >= size {
						t.Fatalf("size %d, peak %d: cell at %v behind %d", size, peak, b, last)
					}
					last = b.Int64()
					starts = append(starts, last)
				}
				for i, first := range starts {
					end := size
					if i+1 < len(starts) {
						end = starts[i+1]
					}
					away := first - peak
					if first < peak {
						away = peak - end
					}
					if most := max(away>>shift, 1); end-first > most {
						t.Fatalf("size %d, peak %d, growth 2^-%d: cell %d to %d is longer than %d",
							size, peak, shift, first, end, most)
					}
				}
			}
		}
	}
	huge := new(big.Int).Lsh(big.NewInt(1), 64)
	if n := len(around(huge, big.NewInt(0), 3)); n > 64*8*2 {
		t.Errorf("%d cells of 2^64 values", n)
	}
}

// TestPeakIsNear: a density that peaks in the named cell is within a quarter of the growth of one
// that is flat on the cells, in total variation; a density that peaks elsewhere is not.
func TestPeakIsNear(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const size = 400
	worst := 0.0
	for run := range 300 {
		peak := int64(random.IntN(size))
		p, sum := make([]float64, size), 0.0
		for i := range p {
			p[i] = math.Pow(random.Float64(), 1+float64(run%9)*3)
		}
		slices.Sort(p[:peak])
		slices.Sort(p[peak:])
		slices.Reverse(p[peak:])
		p[peak] = slices.Max(p)
		for _, x := range p {
			sum += x
		}
		for shift := range uint(5) {
			g := math.Ldexp(1, -int(shift))
			if off := flattened(p, peak, shift) / sum; off > g/4+1e-12 {
				t.Fatalf("run %d: off by %g, more than %g/4", run, off, g)
			} else {
				worst = max(worst, off/(g/4))
			}
		}
	}
	if worst < .2 {
		t.Errorf("at most %g of the bound is reached: too easy data", worst)
	}
	tooth := make([]float64, size)
	for i := range tooth {
		tooth[i] = float64(i % 2)
	}
	if off := flattened(tooth, 0, 3) / (size / 2); off <= 1./32 {
		t.Errorf("teeth are off by %g only", off)
	}
}

// flattened is half the L1 distance of a density from its means in the cells.
func flattened(p []float64, peak int64, shift uint) (off float64) {
	starts := []int{0}
	for _, b := range around(big.NewInt(int64(len(p))), big.NewInt(peak), shift) {
		starts = append(starts, int(b.Int64()))
	}
	starts = append(starts, len(p))
	for i, first := range starts[:len(starts)-1] {
		cell, mean := p[first:starts[i+1]], 0.0
		for _, x := range cell {
			mean += x / float64(len(cell))
		}
		for _, x := range cell {
			off += math.Abs(x-mean) / 2
		}
	}
	return off
}

// TestPeakRests: on public facts, and refuses what is none of the domain.
func TestPeakRests(t *testing.T) {
	p := PeakParams{Epsilon: epsilon("1"), Size: big.NewInt(1_000_000), Persons: 1000}
	few, coarse, err := Peak(p)
	if err != nil {
		t.Fatal(err)
	}
	p.Persons = 1_000_000
	many, fine, err := Peak(p)
	if err != nil {
		t.Fatal(err)
	}
	if len(few) >= len(many) || coarse <= fine {
		t.Errorf("%d cells for few persons, %d for many", len(few), len(many))
	}
	p.Peak = p.Size
	if _, _, err := Peak(p); err == nil { // H: histogram.md peak
		t.Error("a peak beyond the domain is taken")
	}
}
