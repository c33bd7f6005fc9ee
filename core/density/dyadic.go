package density

import (
	"math"
	"math/big"
	"sort"

	"hush/core/coin"
	"hush/core/domain"
)

// node is a node of the dyadic tree over the codes: the codes from first on that share their
// leading depth bits, which are codes[from:to]. Depth −1 is the node above the root, for everybody:
// its children are the root and the persons without a value.
type node struct {
	first    *big.Int
	depth    int
	from, to int
}

// dyadic scores nodes by the distance between their number of codes and A's value, either capped
// (F2) or plain (F1). Proof: merr.md, Theorem 1, Capped and Intervals; lazy.md, Parts.
type dyadic struct {
	codes  domain.Sorted
	a      *approximation
	capped bool
}

// end returns the first code after a node.
func (d *dyadic) end(v node) *big.Int {
	end := new(big.Int).Lsh(oneInt, uint(d.codes.Bits()-v.depth))
	return end.Add(end, v.first)
}

// off returns the difference between A and the number of codes of a node, and that number.
func (d *dyadic) off(v node) int64 {
	if v.depth < 0 {
		v.depth = 0 // everybody: off by nothing itself, and as far as the root at its children
	}
	return absolute(int64(v.to-v.from) - d.weight(v))
}

// weight returns the number of persons that A gives a node.
func (d *dyadic) weight(v node) int64 {
	if d.a.short == nil || !v.first.IsUint64() {
		return d.a.before(d.end(v)) - d.a.before(v.first)
	}
	first := v.first.Uint64()
	end := d.a.value[len(d.a.value)-1]
	if last := first + (1<<(d.codes.Bits()-v.depth) - 1); last < math.MaxUint64 {
		end = d.a.beforeShort(last + 1)
	}
	return end - d.a.beforeShort(first)
}

// score returns |D(v)| or, capped, min(c(v), max(|D(v)|, |D(left child)|, |D(right child)|)).
func (d *dyadic) score(v node) int64 { return d.one(v).at }

func (d *dyadic) children(v node) (left, right node) {
	middle := domain.Split(d.codes, v.from, v.to, v.depth)
	left = node{v.first, v.depth + 1, v.from, middle}
	right = node{d.end(left), v.depth + 1, middle, v.to}
	return left, right
}

// at returns the node of code i at a depth, which has only codes of [from, to).
func (d *dyadic) at(i, depth, from, to int) node {
	first, _ := domain.Leaves(d.codes, i, depth)
	from = sort.Search(i-from, func(k int) bool { return d.codes.Lcp(from+k, i) >= depth }) + from
	to = i + 1 + sort.Search(to-i-1, func(k int) bool { return d.codes.Lcp(i, i+1+k) < depth })
	return node{first, depth, from, to}
}

func (d *dyadic) root() node { return node{new(big.Int), 0, 0, d.codes.Len()} }

// everybody is the candidate above the root.
func (d *dyadic) everybody() part[node] {
	v := d.root()
	v.depth = -1
	return d.one(v)
}

// candidates returns, if capped, everybody and the nodes that have codes, and otherwise all nodes.
func (d *dyadic) candidates() []part[node] {
	var parts []part[node]
	if d.capped {
		parts = append(parts, d.everybody())
		if d.codes.Len() > 0 {
			parts = append(parts, newBelow(d, 0, d.codes.Len(), 0))
		}
		return parts
	}
	for depth := range d.codes.Bits() + 1 {
		parts = append(parts, newLevel(d, d.root(), depth))
	}
	return parts
}

// single is one node.
type single struct {
	*dyadic
	node        node
	left, right node // its children, which have a part in its score where it is capped
	at          int64
}

func (d *dyadic) one(v node) *single {
	s := &single{dyadic: d, node: v}
	if s.halved() {
		s.left, s.right = d.children(v)
	}
	s.again()
	return s
}

// halved reports whether the children count.
func (s *single) halved() bool {
	return s.capped && s.node.depth >= 0 && s.node.depth < s.codes.Bits()
}

// again reads A again.
func (s *single) again() {
	s.at = s.off(s.node)
	if s.halved() {
		s.at = max(s.at, s.off(s.left), s.off(s.right))
	}
	if s.capped && s.node.depth >= 0 {
		s.at = min(s.at, int64(s.node.to-s.node.from))
	}
}

func (s *single) bounds() (upper, least, best int64)     { return s.at, s.at, s.at }
func (s *single) tickets() *big.Int                      { return oneInt }
func (s *single) logTickets() float64                    { return 0 }
func (s *single) pick(coin.Source) (node, int64, uint64) { return s.node, s.at, 1 }
func (s *single) split() []part[node]                    { return nil }

// below is all nodes from a depth down that have some of codes[from:to], each with as many tickets
// as it has codes. No capped score exceeds the number of codes.
type below struct {
	*dyadic
	from, to, depth int
	log             float64 // of its tickets
	parts           []part[node]
}

func newBelow(d *dyadic, from, to, depth int) *below {
	return &below{dyadic: d, from: from, to: to, depth: depth,
		log: math.Log(float64(to-from) * float64(d.codes.Bits()+1-depth))}
}

func (b *below) bounds() (upper, least, best int64) { return int64(b.to - b.from), 0, 0 }
func (b *below) logTickets() float64                { return b.log }

func (b *below) tickets() *big.Int {
	many := big.NewInt(int64(b.to - b.from))
	return many.Mul(many, big.NewInt(int64(b.codes.Bits()+1-b.depth)))
}

func (b *below) pick(src coin.Source) (node, int64, uint64) {
	i := b.from + int(src.Uniform(uint64(b.to-b.from)))
	v := b.at(i, b.depth+int(src.Uniform(uint64(b.codes.Bits()+1-b.depth))), b.from, b.to)
	return v, b.score(v), uint64(v.to - v.from)
}

// split splits off the nodes that have all the codes, and the parts below the last of them. The
// parts are the same in every round: the codes do not change, only A.
func (b *below) split() []part[node] {
	if b.parts != nil {
		reread(b.parts)
		return b.parts
	}
	shared := b.codes.Lcp(b.from, b.to-1)
	if b.depth < shared {
		b.parts = append(b.parts, newChain(b.dyadic, b.from, b.to, b.depth, shared-1))
	}
	last := b.one(b.at(b.from, shared, b.from, b.to))
	b.parts = append(b.parts, last)
	if shared < b.codes.Bits() {
		b.parts = append(b.parts, newBelow(b.dyadic, last.left.from, last.left.to, shared+1),
			newBelow(b.dyadic, last.right.from, last.right.to, shared+1))
	}
	return b.parts
}

// chain is the nodes from one depth to another that have the same codes and one child with codes
// each.
type chain struct {
	*dyadic
	from, to, high, low int // high ≤ low
	top                 *single
	last                node // below the lowest
	upper, least        int64
	log                 float64 // of its tickets
	halves              []part[node]
}

func newChain(d *dyadic, from, to, high, low int) *chain {
	c := &chain{dyadic: d, from: from, to: to, high: high, low: low,
		top: d.one(d.at(from, high, from, to)), last: d.at(from, low+1, from, to),
		log: math.Log(float64(low - high + 1))}
	c.bound()
	return c
}

// bound reads A. Further down A falls and the count stays. The other child has no code, and A gives
// it what the node loses.
func (c *chain) bound() {
	count := int64(c.to - c.from)
	highest, lowest := c.weight(c.top.node), c.weight(c.last)
	c.upper = min(count, max(absolute(count-highest), absolute(count-lowest), highest-lowest))
	c.least = 0
	if count <= lowest || count >= highest {
		c.least = min(count, absolute(count-lowest), absolute(count-highest))
	}
}

// again reads A again.
func (c *chain) again() {
	c.top.again()
	c.bound()
}

func (c *chain) bounds() (upper, least, best int64) { return c.upper, c.least, c.top.at }
func (c *chain) tickets() *big.Int                  { return big.NewInt(int64(c.low - c.high + 1)) }
func (c *chain) logTickets() float64                { return c.log }

func (c *chain) pick(src coin.Source) (node, int64, uint64) {
	v := c.at(c.from, c.high+int(src.Uniform(uint64(c.low-c.high+1))), c.from, c.to)
	return v, c.score(v), 1
}

func (c *chain) split() []part[node] {
	switch middle := (c.high + c.low) / 2; {
	case c.halves != nil:
		reread(c.halves)
	case c.high == c.low:
		c.halves = []part[node]{c.top}
	default:
		c.halves = []part[node]{newChain(c.dyadic, c.from, c.to, c.high, middle),
			newChain(c.dyadic, c.from, c.to, middle+1, c.low)}
	}
	return c.halves
}

// level is all nodes of one depth below a node, with or without codes.
type level struct {
	*dyadic
	above node
	depth int
	upper int64
	many  *big.Int
}

func newLevel(d *dyadic, above node, depth int) *level {
	l := &level{dyadic: d, above: above, depth: depth,
		many: new(big.Int).Lsh(oneInt, uint(depth-above.depth))}
	count, weight := int64(above.to-above.from), d.weight(above)
	switch {
	case depth == above.depth:
		l.upper = absolute(count - weight)
	case d.a.straight(above.first, d.end(above)):
		// On a straight line A says the same of all nodes, up to rounding.
		if down := depth - above.depth; down < 63 {
			weight >>= down
		} else {
			weight = 0
		}
		l.upper = max(count, weight+1)
	default:
		l.upper = max(count, weight)
	}
	return l
}

func (l *level) bounds() (upper, least, best int64) {
	if l.depth == l.above.depth {
		return l.upper, l.upper, l.upper
	}
	return l.upper, 0, 0
}

func (l *level) tickets() *big.Int   { return l.many }
func (l *level) logTickets() float64 { return logInt(l.many) }

func (l *level) pick(src coin.Source) (node, int64, uint64) {
	v := l.above
	first := src.UniformBig(l.many)
	v.first = first.Add(first.Lsh(first, uint(l.codes.Bits()-l.depth)), v.first)
	v.depth = l.depth
	v.from, _ = l.codes.Rank(v.first)
	v.to, _ = l.codes.Rank(l.end(v))
	return v, l.score(v), 1
}

func (l *level) split() []part[node] {
	if l.depth == l.above.depth {
		return nil
	}
	left, right := l.children(l.above)
	return []part[node]{newLevel(l.dyadic, left, l.depth), newLevel(l.dyadic, right, l.depth)}
}
