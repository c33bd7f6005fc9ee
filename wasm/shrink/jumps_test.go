package shrink

import (
	"bytes"
	"slices"
	"testing"
)

// pieces is a function of three pieces, with that code in each.
func pieces(one, two, three []byte) []byte {
	return slices.Concat([]byte{0, loop, noResult, block, noResult, block, noResult, block,
		noResult, get, 0, jumpTable, 3, 0, 1, 1, 2, end}, one, []byte{end}, two, []byte{end},
		three, []byte{end, i32Const, 0, end})
}

// goTo is a jump to the place of that number, with so many blocks to the loop.
func goTo(number, depth byte) []byte { return []byte{i32Const, number, set, 0, jump, depth} }

func TestDirect(t *testing.T) {
	under := func(condition, then []byte) []byte {
		return slices.Concat(condition, []byte{ifThen, noResult}, then, []byte{end})
	}
	yes, nothing := []byte{get, 1}, []byte{0x01}
	pointer := []byte{set, 0, i32Const, 0, get, 0, callPointer, 1, 0}
	for name, c := range map[string]struct{ before, want []byte }{
		"forward": {
			pieces(goTo(3, 2), goTo(3, 1), nil),
			pieces([]byte{jump, 1}, []byte{jump, 0}, nil)},
		"a number that shares its piece": {
			pieces(goTo(2, 2), nil, nil),
			pieces([]byte{jump, 0}, nil, nil)},
		"back, and to its own begin": {
			pieces(nil, goTo(0, 1), goTo(3, 0)),
			pieces(nil, goTo(0, 1), goTo(3, 0))},
		"under a condition": {
			pieces(under(yes, goTo(3, 3)), nil, nil),
			pieces(slices.Concat(yes, []byte{branchIf, 1}), nil, nil)},
		"back under a condition": {
			pieces(nil, under(yes, goTo(0, 2)), nil),
			pieces(nil, under(yes, goTo(0, 2)), nil)},
		"with more under the condition": {
			pieces(under(yes, slices.Concat(nothing, goTo(3, 3))), nil, nil),
			pieces(under(yes, slices.Concat(nothing, []byte{jump, 2})), nil, nil)},
		"more after it under the condition": {
			pieces(under(yes, slices.Concat(goTo(3, 3), nothing)), nil, nil),
			pieces(under(yes, slices.Concat([]byte{jump, 2}, nothing)), nil, nil)},
		"in a block of its own": {
			pieces(slices.Concat([]byte{block, noResult}, goTo(3, 3), []byte{end}), nil, nil),
			pieces([]byte{block, noResult, jump, 2, end}, nil, nil)},
		"to what is not the loop": {
			pieces(goTo(3, 1), nil, nil),
			pieces(goTo(3, 1), nil, nil)},
		"a number that the table does not have": {
			pieces(goTo(9, 2), nil, nil),
			pieces(goTo(9, 2), nil, nil)},
		"beside a call through a pointer": {
			pieces(slices.Concat(pointer, goTo(3, 2)), nil, nil),
			pieces(slices.Concat(pointer, []byte{jump, 1}), nil, nil)},
		"beside a jump back without a number": {
			pieces(goTo(3, 2), []byte{jump, 1}, nil),
			pieces(goTo(3, 2), []byte{jump, 1}, nil)},
		"beside a jump back under a condition, without a number": {
			pieces(goTo(3, 2), slices.Concat(yes, []byte{branchIf, 1}), nil),
			pieces(goTo(3, 2), slices.Concat(yes, []byte{branchIf, 1}), nil)},
		"where the number is read": {
			pieces(slices.Concat([]byte{get, 0}, goTo(3, 2)), nil, nil),
			pieces(slices.Concat([]byte{get, 0}, goTo(3, 2)), nil, nil)},
		"where the number is kept": {
			pieces(slices.Concat([]byte{tee, 0}, goTo(3, 2)), nil, nil),
			pieces(slices.Concat([]byte{tee, 0}, goTo(3, 2)), nil, nil)},
		"another variable": {
			pieces([]byte{i32Const, 3, set, 1, jump, 2}, nil, nil),
			pieces([]byte{i32Const, 3, set, 1, jump, 2}, nil, nil)},
		"without a loop": {
			[]byte{0, block, noResult, get, 0, jumpTable, 1, 0, 0, end, end},
			[]byte{0, block, noResult, get, 0, jumpTable, 1, 0, 0, end, end}},
		"two tables": {
			slices.Concat(pieces(goTo(3, 2), nil, nil), pieces(nil, nil, nil)[1:]),
			slices.Concat(pieces(goTo(3, 2), nil, nil), pieces(nil, nil, nil)[1:])},
	} {
		f := readFunction(c.before)
		if f.err != nil {
			t.Errorf("%s: %v", name, f.err)
			continue
		}
		got := append([]byte{0}, bytes.Join(f.code.direct(), nil)...)
		if !bytes.Equal(got, c.want) {
			t.Errorf("%s: %x became %x, want %x", name, c.before, got, c.want)
		}
	}
}
