package meter

import (
	"fmt"
	"hash/fnv"
	"math/big"
	"reflect"
	"slices"

	"hush/core/coin"
)

// Violation is an assumption of a guarantee that does not hold on two neighbours.
type Violation struct {
	Event int    // how many events came before it
	Where string // the primitive, or "coins"
	What  string // "the input moved further than claimed"
	Have  string // in the replay
	Want  string // in the recording, or what was claimed
}

// String returns the violation in one line.
func (v Violation) String() string {
	return fmt.Sprintf("event %d, %s: %s: %s, want %s", v.Event, v.Where, v.What, v.Have, v.Want)
}

// The kinds of events.
const (
	drawn  = "draw"
	opened = "open"
	coins  = "coins"
	unlike = "rare"
)

// event is one step of a run: a draw of a primitive, the beginning of a composite, a draw outside
// of primitives, or the mark that what came before was rare.
type event struct {
	kind  string
	trace string // what is public of it
	spend *Spend
	input Input
	out   any
	err   error
}

// tape is a recording, or a replay that is compared with one.
type tape struct {
	seed       coin.Seed
	events     []event // of the recording
	replays    bool
	at         int                // of a replay: events compared
	ended      bool               // of a replay: by a rare event
	lost       bool               // of a replay: what is public differs
	signs      map[*Spend][2]bool // of series: whether something rose, and fell
	label      func(i int) string // of the next draw
	violations []Violation
	compared   []Drawn // of a replay
	entries    uint64  // of a person; 0: one
}

// inside separates the coins inside primitives from those outside, so that the latter stay the same
// when outcomes are forced.
const inside = 0x9e3779b97f4a7c15

func (t *tape) meter() *Meter {
	return &Meter{src: coin.NewSeeded(t.seed), inner: coin.NewSeeded(t.seed ^ inside), tape: t}
}

// Record returns a meter that writes down what a run draws. Its coins come from the seed.
func Record(seed coin.Seed) *Meter { return (&tape{seed: seed}).meter() }

// Replay returns a meter for the same run on a neighbour. Draws outside primitives fall as in the
// recording, and primitives have the outcomes of the recording; their inputs and everything public
// are compared. A recording may be replayed any number of times. For anything but a recording it
// returns nil.
func (m *Meter) Replay() *Meter {
	if m.tape == nil || m.tape.replays {
		return nil
	}
	return (&tape{seed: m.tape.seed, events: m.tape.events, replays: true,
		signs: map[*Spend][2]bool{}}).meter()
}

// Violations lists what a replay has found. Call it when the run is over: a run that ends before
// the recording does is a violation too.
func (m *Meter) Violations() []Violation {
	t := m.tape
	if t == nil {
		return nil
	}
	if t.replays && !t.ended && !t.lost && t.at < len(t.events) {
		t.trace("the run ends", "the end", t.events[t.at].trace)
	}
	return t.violations
}

// Ended reports whether a replay reached something that has a chance of at most δ. From there on
// nothing is claimed and nothing was compared: the released answers may then differ.
func (m *Meter) Ended() bool { return m.tape != nil && m.tape.ended }

// Events returns the number of events that a recording holds, or that a replay has compared.
func (m *Meter) Events() int {
	switch {
	case m.tape == nil:
		return 0
	case m.tape.replays:
		return m.tape.at
	}
	return len(m.tape.events)
}

// Inputs lists the draws of a recording, or those that a replay has compared, to be shown.
func (m *Meter) Inputs() []Drawn {
	var list []Drawn
	if m.tape == nil {
		return nil
	}
	if m.tape.replays {
		return m.tape.compared
	}
	for _, e := range m.tape.events {
		if e.kind == drawn {
			list = append(list, Drawn{e.spend, e.input, e.out, false})
		}
	}
	return list
}

// A Drawn entry is one draw of a primitive in a recording.
type Drawn struct {
	Spend *Spend
	Input Input
	Out   any
	Broke bool // of a replay: the input moved further than claimed
}

// next returns the event of the recording that the replay has reached; false means that nothing is
// compared.
func (t *tape) next(kind, trace string) (event, bool) {
	if t.ended || t.lost {
		return event{}, false
	}
	if t.at == len(t.events) {
		t.trace("the run goes on", trace, "the end")
		return event{}, false
	}
	e := t.events[t.at]
	if e.kind != kind || e.trace != trace {
		t.trace("what is drawn differs", trace, e.trace)
		return event{}, false
	}
	if t.at++; t.at < len(t.events) && t.events[t.at].kind == unlike {
		t.end(t.events[t.at].spend)
	}
	return e, true
}

func (t *tape) violate(where, what, have, want string) {
	t.violations = append(t.violations, Violation{t.at, where, what, have, want})
}

// trace notes that something public differs, after which nothing can be compared.
func (t *tape) trace(what, have, want string) {
	t.lost = true
	t.violate("trace", what, have, want)
}

// end ends a replay at an outcome that only s's δ allows.
func (t *tape) end(s *Spend) {
	t.ended = true
	if s.Loss.Delta().Sign() == 0 {
		t.violate(string(s.Name), "the outcome is impossible on the neighbour", "chance 0",
			"a δ above 0")
	}
}

func (t *tape) rare(s *Spend) {
	switch {
	case !t.replays:
		t.events = append(t.events, event{kind: unlike, trace: unlike, spend: s})
	case !t.ended && !t.lost:
		t.end(s)
	}
}

func (t *tape) open(s *Spend) { t.public(event{kind: opened, trace: opened + " " + s.text()}) }

// direct notes a draw outside of primitives.
func (t *tape) direct(law string, parameter func() string) {
	t.public(event{kind: coins, trace: law + " " + parameter()})
}

func (t *tape) public(e event) {
	if t.replays {
		t.next(e.kind, e.trace)
		return
	}
	t.events = append(t.events, e)
}

// text returns everything public about a Spend.
func (s *Spend) text() string {
	return fmt.Sprintf("%s (%s) %+v", string(s.Name), text(s.Loss), s.Claim)
}

// taped is [tape.draw] for outcomes of one type.
func taped[T any](m *Meter, s *Spend, in Input, draw func(coin.Source) (T, error),
	move func(out T, place func(int) (int, bool)) (T, bool)) (T, error) {
	o := outcomes{
		draw: func(src coin.Source) (any, error) { return draw(src) },
		have: func(out any) bool { _, ok := out.(T); return ok || out == nil },
	}
	if move != nil {
		o.move = func(out any, place func(int) (int, bool)) (any, bool) {
			was, _ := out.(T)
			return move(was, place)
		}
	}
	out, err := m.tape.draw(m, s, in, o)
	result, _ := out.(T)
	return result, err
}

// outcomes says how the outcomes of one draw are made.
type outcomes struct {
	draw func(coin.Source) (any, error)
	have func(out any) bool // whether an outcome is of their type
	move func(out any, place func(int) (int, bool)) (any, bool)
}

// draw records a draw, or compares its input and returns the outcome of the recording.
func (t *tape) draw(m *Meter, s *Spend, in Input, o outcomes) (any, error) {
	if t.label != nil {
		in.Labels = make([]string, len(in.Values))
		for i := range in.Labels {
			in.Labels[i] = t.label(i)
		}
		t.label = nil
	}
	trace := drawn + " " + s.text() + " " + in.Public
	if !t.replays {
		out, err := o.draw(m.coins(s))
		in.Values = slices.Clone(in.Values)
		t.events = append(t.events, event{drawn, trace, s, in, clone(out), err})
		return out, err
	}
	was, ok := t.next(drawn, trace)
	if !ok {
		return o.draw(m.coins(s))
	}
	before := len(t.violations)
	t.compare(s, was.input, in)
	in.Values = slices.Clone(in.Values)
	t.compared = append(t.compared, Drawn{s, in, was.out, len(t.violations) > before})
	if !o.have(was.out) {
		out, err := o.draw(m.coins(s))
		t.trace("the outcome differs in kind", fmt.Sprintf("%T", out), fmt.Sprintf("%T", was.out))
		return out, err
	}
	out := clone(was.out)
	if was.err == nil && o.move != nil {
		moved, possible := o.move(out, places(was.input, in))
		if !possible {
			t.end(s)
			return o.draw(m.coins(s))
		}
		out = moved
	}
	m.add(s)
	return out, was.err
}

// places returns, for a candidate of the recording, its index in an input.
func places(was, is Input) func(int) (int, bool) {
	if len(was.Labels) == 0 {
		return func(i int) (int, bool) { return i, i < len(is.Values) }
	}
	at := make(map[string]int, len(is.Labels))
	for i, label := range is.Labels {
		at[label] = i
	}
	return func(i int) (int, bool) {
		if i < 0 || i >= len(was.Labels) {
			return i, false
		}
		place, ok := at[was.Labels[i]]
		return place, ok
	}
}

// clone copies a slice: the primitive that drew it may write to it.
func clone(out any) any {
	switch v := out.(type) {
	case []int64:
		return slices.Clone(v)
	case *big.Int:
		if v == nil {
			return v
		}
		return new(big.Int).Set(v)
	}
	v := reflect.ValueOf(out)
	if v.Kind() != reflect.Slice || v.IsNil() {
		return out
	}
	same := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(same, v)
	return same.Interface()
}

// digest returns a short text for groups, the same for groups that are equal in both runs.
func digest(g coin.Groups) string {
	hash := fnv.New64a()
	for i := range g.Len() {
		score, m, many := g.Group(i)
		fmt.Fprintln(hash, score, m, many)
	}
	return fmt.Sprintf("%d groups %x ", g.Len(), hash.Sum64())
}
