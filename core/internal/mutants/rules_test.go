package mutants

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A spot is an expression or a statement that rules change.
type spot struct {
	order    int    // in the file: one around others comes before them
	number   int    // of its switch
	file     string // below core, or beginning with web/
	line     int
	from, to int    // its bytes in the file
	kind     string // the type of an expression; "" for a statement
	text     string
	changes  []change
}

// A change is what a rule puts in place of a spot.
type change struct{ rule, text string }

// spots finds what the rules change in one file of a package.
type spots struct {
	*typed
	file  *ast.File
	text  string
	name  string
	list  []*spot
	stack []ast.Node // the nodes around the one that is looked at, the file first
}

func (s *spots) at(pos token.Pos) int { return s.set.Position(pos).Offset }

// of is the text of a node.
func (s *spots) of(n ast.Node) string { return s.text[s.at(n.Pos()):s.at(n.End())] }

// find looks at every node of the file, but for constants and types.
func (s *spots) find() []*spot {
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			s.stack = s.stack[:len(s.stack)-1]
			return true
		case *ast.GenDecl:
			if n.Tok != token.VAR {
				return false
			}
		case *ast.CommClause, *ast.ArrayType, *ast.FuncType, *ast.StructType, *ast.MapType,
			*ast.InterfaceType:
			return false
		case ast.Expr:
			s.expression(n)
		case ast.Stmt:
			s.statement(n)
		}
		s.stack = append(s.stack, n)
		return true
	})
	return s.list
}

// add keeps the changes of a node that are not the text that stands there.
func (s *spots) add(n ast.Node, kind string, changes []change) {
	one := &spot{order: len(s.list), file: s.name, line: s.set.Position(n.Pos()).Line,
		from: s.at(n.Pos()), to: s.at(n.End()), kind: kind, text: s.of(n)}
	seen := map[string]bool{one.text: true}
	for _, c := range changes {
		if !seen[c.text] {
			seen[c.text] = true
			one.changes = append(one.changes, c)
		}
	}
	if len(one.changes) > 0 {
		s.list = append(s.list, one)
	}
}

// parent is the node around the one that is looked at, without parentheses.
func (s *spots) parent() ast.Node {
	for i := len(s.stack) - 1; ; i-- {
		if _, is := s.stack[i].(*ast.ParenExpr); !is {
			return s.stack[i]
		}
	}
}

// A place is how an expression stands in its parent.
type place int

const (
	fixed   place = iota // it is no value, or has to stay as it is
	operand              // of an operator, a statement, an index or a chain of calls
	value                // an argument, a result, a bound, or what is assigned
	ongoing              // the condition of for
)

func (s *spots) place(e ast.Expr) place {
	in := func(list ...ast.Expr) bool {
		return slices.ContainsFunc(list, func(x ast.Expr) bool {
			return x != nil && ast.Unparen(x) == e
		})
	}
	of := func(is bool, p place) place {
		if is {
			return p
		}
		return fixed
	}
	switch p := s.parent().(type) {
	case *ast.ForStmt:
		return ongoing
	case *ast.IfStmt, *ast.CaseClause, *ast.SwitchStmt, *ast.BinaryExpr:
		return operand
	case *ast.IndexExpr:
		return of(in(p.Index), operand)
	case *ast.UnaryExpr:
		return of(p.Op != token.AND && p.Op != token.ARROW, operand)
	case *ast.SelectorExpr:
		_, call := e.(*ast.CallExpr)
		return of(call && in(p.X), operand)
	case *ast.AssignStmt:
		return of(in(p.Rhs...) && len(p.Lhs) == len(p.Rhs), value)
	case *ast.ValueSpec:
		return of(in(p.Values...) && len(p.Names) == len(p.Values), value)
	case *ast.CallExpr:
		return of(in(p.Args...), value)
	case *ast.CompositeLit:
		return of(in(p.Elts...), value)
	case *ast.KeyValueExpr:
		return of(in(p.Value), value)
	case *ast.SliceExpr:
		return of(!in(p.X), value)
	case *ast.RangeStmt:
		return of(in(p.X), value)
	case *ast.ReturnStmt:
		return value
	}
	return fixed
}

// expression adds the changes of an expression that compile.
func (s *spots) expression(e ast.Expr) {
	tv, place := s.info.Types[e], s.place(e)
	if place == fixed || !tv.IsValue() || tv.IsNil() {
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return
	case *ast.CompositeLit:
		if e.Type == nil {
			return // it stands in another one
		}
	}
	if p, is := s.parent().(ast.Expr); is && s.info.Types[p].Value != nil {
		return // a constant changes as a whole
	}
	tv.Type = types.Default(tv.Type)
	kind := types.TypeString(tv.Type, s.local)
	if known, err := s.check(e.Pos(), "*new("+kind+")"); err != nil ||
		!types.Identical(known.Type, tv.Type) {
		return // the type has no name here
	}
	s.add(e, kind, slices.DeleteFunc(s.changes(e, tv, place, kind), func(c change) bool {
		return !s.fits(e.Pos(), c.text, tv.Type, kind)
	}))
}

// local is the name of a package in the file.
func (s *spots) local(p *types.Package) string {
	if p == s.pkg {
		return ""
	}
	return p.Name()
}

// check is the type of a text at a place.
func (s *spots) check(pos token.Pos, text string) (tv types.TypeAndValue, err error) {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return tv, err
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	err = types.CheckExpr(s.set, s.pkg, pos, e, info)
	return info.Types[e], err
}

// fits is whether a text compiles as a value of the type.
func (s *spots) fits(pos token.Pos, text string, want types.Type, kind string) bool {
	tv, err := s.check(pos, text)
	if err != nil || !tv.IsValue() || !types.AssignableTo(tv.Type, want) {
		return false
	}
	if tv.Value != nil { // it may be beyond the type
		_, err = s.check(pos, "("+kind+")("+text+")")
	}
	return err == nil
}

var (
	boundaries = map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS,
		token.GTR: token.GEQ, token.GEQ: token.GTR}
	// the other way than the boundary goes
	further = map[token.Token]string{token.LSS: " - 1", token.LEQ: " + 1", token.GTR: " + 1",
		token.GEQ: " - 1"}
	negations = map[token.Token]token.Token{token.LSS: token.GEQ, token.LEQ: token.GTR,
		token.GTR: token.LEQ, token.GEQ: token.LSS, token.EQL: token.NEQ, token.NEQ: token.EQL}
	opposites = map[token.Token]token.Token{token.ADD: token.SUB, token.SUB: token.ADD,
		token.MUL: token.QUO, token.QUO: token.MUL, token.SHL: token.SHR, token.SHR: token.SHL,
		token.LAND: token.LOR, token.LOR: token.LAND, token.AND: token.OR, token.OR: token.AND}
	siblings = func() *strings.Replacer {
		var pairs []string
		for _, pair := range [][2]string{{"Up", "Down"}, {"up", "down"}, {"Floor", "Ceil"},
			{"floor", "ceil"}, {"Min", "Max"}, {"min", "max"}, {"Add", "Sub"}, {"Mul", "Quo"},
			{"Lsh", "Rsh"}, {"Low", "High"}, {"low", "high"}, {"lo", "hi"}, {"Num", "Denom"},
			{"AtMost", "AtLeast"}} {
			pairs = append(pairs, pair[0], pair[1], pair[1], pair[0])
		}
		return strings.NewReplacer(pairs...)
	}()
)

// changes are what the rules make of an expression, whether it compiles or not.
func (s *spots) changes(e ast.Expr, tv types.TypeAndValue, place place, kind string) []change {
	var list []change
	text := s.of(e)
	add := func(rule string, texts ...string) {
		for _, text := range texts {
			list = append(list, change{rule, text})
		}
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		left, right := s.of(e.X), s.of(e.Y)
		if op, is := boundaries[e.Op]; is {
			add("boundary", left+" "+op.String()+" "+right)
			if b, is := s.info.TypeOf(e.Y).Underlying().(*types.Basic); is &&
				b.Info()&types.IsInteger != 0 {
				add("boundary", left+" "+e.Op.String()+" "+right+further[e.Op])
			}
		}
		if op, is := opposites[e.Op]; is {
			add("opposite", left+" "+op.String()+" "+right)
		}
		if op, is := negations[e.Op]; is {
			add("negated", left+" "+op.String()+" "+right)
		} else {
			add("part", left, right)
		}
	case *ast.Ident:
		add("sibling", siblings.Replace(text))
	case *ast.SelectorExpr:
		add("sibling", s.of(e.X)+"."+siblings.Replace(e.Sel.Name))
	case *ast.CallExpr:
		list = append(list, s.calls(e)...)
	}
	basic, _ := tv.Type.Underlying().(*types.Basic)
	is := func(info types.BasicInfo) bool { return basic != nil && basic.Info()&info != 0 }
	_, record := tv.Type.Underlying().(*types.Struct)
	literal, _ := e.(*ast.BasicLit)
	switch {
	case s.passes(e):
		return []change{{"constant", "false"}}
	case is(types.IsBoolean):
		if not, is := e.(*ast.UnaryExpr); is {
			add("negated", s.of(not.X))
		} else if tv.Value == nil {
			add("negated", "!("+text+")")
		}
		if add("constant", "false"); place != ongoing {
			add("constant", "true")
		}
	case literal != nil && is(types.IsInteger):
		n, _ := constant.Uint64Val(tv.Value)
		add("off by one", fmt.Sprint(n+1), fmt.Sprint(int64(n)-1))
		add("constant", "0", "1")
		add("scaled", fmt.Sprint(2*n), fmt.Sprint(n/2))
	case place != value && tv.Value == nil:
	case is(types.IsNumeric):
		add("off by one", text+" + 1", text+" - 1")
		add("constant", "0", "1")
		add("scaled", "2 * ("+text+")", "("+text+") / 2")
	case kind == "*big.Rat":
		add("constant", "new(big.Rat)", "big.NewRat(1, 1)")
		add("scaled", "new(big.Rat).Mul("+text+", big.NewRat(2, 1))",
			"new(big.Rat).Mul("+text+", big.NewRat(1, 2))")
	case kind == "*big.Int":
		add("off by one", "new(big.Int).Add("+text+", big.NewInt(1))",
			"new(big.Int).Sub("+text+", big.NewInt(1))")
		add("constant", "new(big.Int)", "big.NewInt(1)")
		add("scaled", "new(big.Int).Lsh("+text+", 1)", "new(big.Int).Rsh("+text+", 1)")
	case record:
		add("constant", kind+"{}")
	}
	return list
}

// passes is whether an expression asks for an error, which may be passed over.
func (s *spots) passes(e ast.Expr) bool {
	x, is := e.(*ast.BinaryExpr)
	return is && x.Op == token.NEQ && s.info.Types[x.Y].IsNil() &&
		s.info.TypeOf(x.X).String() == "error"
}

// calls are the changes of a call.
func (s *spots) calls(call *ast.CallExpr) (list []change) {
	args := s.text[s.at(call.Fun.End()):s.at(call.End())]
	switch f := call.Fun.(type) {
	case *ast.Ident:
		list = append(list, change{"sibling", siblings.Replace(f.Name) + args})
	case *ast.SelectorExpr:
		list = append(list, change{"sibling", s.of(f.X) + "." + siblings.Replace(f.Sel.Name) +
			args})
		if s.info.Selections[f] != nil {
			list = append(list, change{"call", s.of(f.X)})
		}
	}
	fun := s.of(call.Fun) + "("
	var texts []string
	for _, arg := range call.Args {
		texts = append(texts, s.of(arg))
		list = append(list, change{"call", s.of(arg)})
	}
	for i := range texts {
		list = append(list, change{"argument", fun +
			strings.Join(slices.Delete(slices.Clone(texts), i, i+1), ", ") + ")"})
		if i > 0 {
			swapped := slices.Clone(texts)
			swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
			list = append(list, change{"argument", fun + strings.Join(swapped, ", ") + ")"})
		}
	}
	return list
}

// statement adds what is left of a statement that is left out, or whose assignment has one part
// less. One without a condition, or with a return on each way, would leave its function without.
func (s *spots) statement(n ast.Stmt) {
	switch s.stack[len(s.stack)-1].(type) {
	case *ast.BlockStmt, *ast.CaseClause:
	default:
		return
	}
	changes := []change{{"statement", ""}}
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			return
		}
		for i := range n.Lhs {
			if len(n.Lhs) == 1 || len(n.Lhs) != len(n.Rhs) {
				break
			}
			var left, right []string
			for j := range n.Lhs {
				if j != i {
					left, right = append(left, s.of(n.Lhs[j])), append(right, s.of(n.Rhs[j]))
				}
			}
			changes = append(changes, change{"statement", strings.Join(left, ", ") + " = " +
				strings.Join(right, ", ")})
		}
	case *ast.BranchStmt:
		if n.Tok == token.GOTO || n.Tok == token.FALLTHROUGH {
			return
		}
	case *ast.ExprStmt:
		call, is := n.X.(*ast.CallExpr)
		if !is || s.of(call.Fun) == "panic" {
			return
		}
		chained := "" // the calls before the last one
		if f, is := call.Fun.(*ast.SelectorExpr); is {
			if before, is := f.X.(*ast.CallExpr); is && s.info.Types[before.Fun].IsValue() {
				chained = s.of(before)
			}
		}
		for _, c := range s.calls(call) {
			if _, err := s.check(n.Pos(), c.text); err == nil &&
				(c.rule != "call" || c.text == chained) {
				changes = append(changes, c)
			}
		}
	case *ast.ForStmt:
		if n.Cond == nil {
			return
		}
	case *ast.IncDecStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt, *ast.RangeStmt:
	default:
		return
	}
	s.add(n, "", changes)
}
