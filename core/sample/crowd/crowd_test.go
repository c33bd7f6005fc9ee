package crowd

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"testing"
)

// TestSamePeople: the made-up people are the same each time, and each call returns its own copy.
func TestSamePeople(t *testing.T) {
	for _, draw := range []func() any{
		func() any { return TwoHills(50, 64).People() },
		func() any { return Unrelated(50).People() },
		func() any { return Related(50).People() },
		func() any { return Commuters(50, 60).People() },
		func() any { return ThreeGroups(50, 20).People() },
	} {
		if first, again := draw(), draw(); !reflect.DeepEqual(first, again) {
			t.Errorf("%v, then %v", first, again)
		}
	}
	hills := TwoHills(50, 64)
	hills.People()[0] = 63
	if hills.People()[0] == 63 {
		t.Error("made-up people were changed from outside")
	}
	if got := (MadeUp[[]uint64]{}).People(); got != nil {
		t.Errorf("the zero value has %v", got)
	}
}

// TestOnlyNumbersGoIn: no function that makes up people takes anything but numbers, so that no data
// can be handed to it.
func TestOnlyNumbersGoIn(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "crowd.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	makers := 0
	for _, d := range file.Decls {
		f, is := d.(*ast.FuncDecl)
		if !is || f.Recv != nil || !f.Name.IsExported() {
			continue
		}
		makers++
		for _, p := range f.Type.Params.List {
			kind, is := p.Type.(*ast.Ident)
			if !is || !slices.Contains([]string{"int", "int64", "uint64"}, kind.Name) {
				t.Errorf("%s takes what is no number", f.Name.Name)
			}
		}
	}
	if makers < 5 {
		t.Errorf("only %d ways to make up people were read", makers)
	}
}
