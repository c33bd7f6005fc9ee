package coin

// powers holds enclosures of r^(−k) for one base, so that any r^(−k) is a product of at most eight
// of them: baby steps within a byte of k, giant steps from byte to byte. Levels are computed when
// first needed.
type powers struct {
	base    Base
	squares []interval      // squares[j] encloses r^(−2^j) to about powerBits − 128 bits
	levels  [8]*[256]bounds // levels[i][d] encloses r^(−d·256^i)
}

// powerBits is the precision of the squares. The power held in the base and the exponent each cost
// up to 64 bits (the relative error of r^(−k) is k times that of 1/r), so 64 exact bits and 64 to
// spare remain.
const powerBits = 256

func newPowers(r Base) *powers {
	return &powers{base: r, squares: []interval{r.inverse(1, powerBits)}}
}

// inverse encloses r^(−k) with numbers of prec bits.
func (r Base) inverse(k uint64, prec uint) interval {
	if r.fraction == nil {
		return quotient(bigOne, bigOne, prec)
	}
	return quotient(r.fraction.den, r.fraction.num, prec).pow(r.power, prec).pow(k, prec)
}

// bounds encloses r^(−k).
func (p *powers) bounds(k uint64) bounds {
	result := p.level(0)[k&255]
	for i := 1; k > 255; i++ {
		if k >>= 8; k&255 != 0 {
			result = result.times(p.level(i)[k&255])
		}
	}
	return result
}

// upper returns the upper end of bounds(k).
func (p *powers) upper(k uint64) dyadic {
	result := p.level(0)[k&255].hi
	for i := 1; k > 255; i++ {
		if k >>= 8; k&255 != 0 {
			result = mulUp(result, p.level(i)[k&255].hi)
		}
	}
	return result
}

// binary encloses r^(−2^j), 0 ≤ j < 64.
func (p *powers) binary(j int) bounds { return p.level(j / 8)[1<<(j%8)] }

func (p *powers) level(i int) *[256]bounds {
	if p.levels[i] == nil {
		p.levels[i] = p.build(i)
	}
	return p.levels[i]
}

// build makes each entry from the one without its highest bit, so an entry is a product of at most
// eight squares.
func (p *powers) build(i int) *[256]bounds {
	table := &[256]bounds{unit}
	for bit := 0; bit < 8; bit++ {
		for len(p.squares) <= 8*i+bit {
			last := p.squares[len(p.squares)-1]
			p.squares = append(p.squares, last.times(last, powerBits))
		}
		square := p.squares[8*i+bit].bounds()
		for d := 1 << bit; d < 2<<bit; d++ {
			table[d] = table[d-1<<bit].times(square)
		}
	}
	return table
}

// tables remembers the powers of the bases used recently. A mechanism uses one or two.
type tables struct{ recent []*powers }

const maxTables = 16

// of returns the table of r, and moves it to the front.
func (t *tables) of(r Base) *powers {
	for i, p := range t.recent {
		if p.base.same(r) {
			copy(t.recent[1:], t.recent[:i])
			t.recent[0] = p
			return p
		}
	}
	if len(t.recent) < maxTables {
		t.recent = append(t.recent, nil)
	}
	copy(t.recent[1:], t.recent)
	t.recent[0] = newPowers(r)
	return t.recent[0]
}
