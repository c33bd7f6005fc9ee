package shrink

import (
	"bytes"
	"compress/flate"
	"errors"
	"slices"
	"testing"
)

// calls is code of the function 0x4001 that calls another from that place, which is below 128.
func calls(place byte) []byte {
	return []byte{get, 1, i64Const, 0x80 | place, 0x80, 0x84, 0x80, 4, 0x37, 3, 0, i32Const, 0,
		call, 7}
}

func TestEven(t *testing.T) {
	// with a variable of 32 bits, so the next one has the number 2
	variables, more := []byte{1, 1, i32}, []byte{2, 1, i32, 1, i64}
	number := []byte{i64Const, 0x80, 0x80, 0x84, 0x80, 4, set, 2}
	split := func(place ...byte) []byte {
		return slices.Concat([]byte{get, 1, get, 2, i64Const}, place,
			[]byte{or64, 0x37, 3, 0, i32Const, 0, call, 7})
	}
	leave := []byte{ifThen, noResult, i32Const, 1, returnNow, end}
	other := bytes.Replace(calls(9), []byte{0x84, 0x80, 4}, []byte{0x88, 0x80, 4}, 1)
	for name, c := range map[string]struct{ before, want []byte }{
		"two calls": {
			slices.Concat(variables, calls(1), calls(0x42), []byte{end}),
			slices.Concat(more, number, split(1), split(0xc2, 0), []byte{end})},
		"one call": {
			slices.Concat(variables, calls(1), []byte{end}),
			slices.Concat(variables, calls(1), []byte{end})},
		"a return to another function": {
			slices.Concat(variables, calls(1), other, calls(2), []byte{end}),
			slices.Concat(more, number, split(1), other, split(2), []byte{end})},
		"jumps out of all blocks": {
			[]byte{0, block, noResult, block, noResult, branchIf, 1, branchIf, 0, end,
				branchIf, 0, end, i32Const, 1, end},
			slices.Concat([]byte{0, block, noResult, block, noResult}, leave,
				[]byte{branchIf, 0, end}, leave, []byte{end, i32Const, 1, end})},
		"jumps to what does not leave": {
			[]byte{0, block, noResult, branchIf, 0, end, block, noResult, loop, noResult,
				branchIf, 0, end, end, i32Const, 1, end},
			[]byte{0, block, noResult, branchIf, 0, end, block, noResult, loop, noResult,
				branchIf, 0, end, end, i32Const, 1, end}},
		"jumps to the begin of all": {
			[]byte{0, loop, noResult, branchIf, 0, end, i32Const, 1, end},
			[]byte{0, loop, noResult, branchIf, 0, end, i32Const, 1, end}},
		"leaves with something else": {
			[]byte{0, block, noResult, branchIf, 0, end, i32Const, 0, end},
			[]byte{0, block, noResult, branchIf, 0, end, i32Const, 0, end}},
		"on the stack": {
			[]byte{0, get, 1, widen, i64Const, 0xd8, 0, add64, cut, end},
			[]byte{0, get, 1, i32Const, 0xd8, 0, add, end}},
		"below the stack, and beyond 31 bits": {
			[]byte{0, get, 1, widen, i64Const, 0x58, add64, cut,
				widen, i64Const, 0x80, 0x80, 0x80, 0x80, 8, add64, cut, end},
			[]byte{0, get, 1, widen, i64Const, 0x58, add64, cut,
				widen, i64Const, 0x80, 0x80, 0x80, 0x80, 8, add64, cut, end}},
		"operands that look like instructions": {
			[]byte{0, jumpTable, 2, block, 0x80, 1, end, f64Const, 2, 2, 2, 2, 2, 2, 2, 2,
				f32Const, 3, 3, 3, 3, callPointer, 2, 0, prefix, 10, 0, 0, prefix, 11, 0,
				prefix, 7, vector, 0, 4, block, vector, 11, 4, loop, vector, 12, 2, 2, 2, 2,
				2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, vector, 14, vector, 21, block,
				vector, 0x80 | 213&0x7f, 1, memoryGrow, 0, end},
			[]byte{0, jumpTable, 2, block, 0x80, 1, end, f64Const, 2, 2, 2, 2, 2, 2, 2, 2,
				f32Const, 3, 3, 3, 3, callPointer, 2, 0, prefix, 10, 0, 0, prefix, 11, 0,
				prefix, 7, vector, 0, 4, block, vector, 11, 4, loop, vector, 12, 2, 2, 2, 2,
				2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, vector, 14, vector, 21, block,
				vector, 0x80 | 213&0x7f, 1, memoryGrow, 0, end}},
	} {
		f := readFunction(c.before)
		if f.err != nil {
			t.Errorf("%s: %v", name, f.err)
		} else if got := f.even(); !bytes.Equal(got, c.want) {
			t.Errorf("%s: %x became %x, want %x", name, c.before, got, c.want)
		}
	}
	for _, body := range [][]byte{{0, vector, 84, 0, 0, end}, {0, prefix, 8, 0, end},
		{0, 0x06, end}} {
		if f := readFunction(body); !errors.Is(f.err, ErrLayout) {
			t.Errorf("%x: %v, want ErrLayout", body, f.err)
		}
	}
}

// TestCodePacks: the idioms are still those of Go's compiler, and rewriting them is of use.
func TestCodePacks(t *testing.T) {
	binary := built(t)
	small, err := Binary(binary, true)
	if err != nil {
		t.Fatal(err)
	}
	packed := func(binary []byte) int {
		m, err := readModule(binary)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		w, _ := flate.NewWriter(&b, flate.BestCompression)
		w.Write(m.section(codeSection).body)
		w.Close()
		return b.Len()
	}
	was, is := packed(binary), packed(small)
	t.Logf("%d bytes of packed code became %d", was, is)
	if is > was*95/100 {
		t.Errorf("%d bytes of packed code became %d, want 5 %% less", was, is)
	}
}
