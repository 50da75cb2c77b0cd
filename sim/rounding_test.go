package sim

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A result has the same bytes on every processor only if its arithmetic has.
// Where x*y + z stands, even in two statements, a compiler may fuse them and
// leave out the rounding between, which a conversion, float64(x*y) + z, forbids.
// And many functions of package math are other code on other processors.
//
// So a product of floats is converted, multiplied, divided or compared, and
// nothing is ever added to it; unless it is one by a power of two, which needs
// no rounding. It may stay in a variable or be returned as long as that holds
// for whatever becomes of it there.

// portableMath lists what may be used of package math: what is exact, or rounded
// right everywhere.
func portableMath() []string {
	return []string{
		"Abs", "Ceil", "Floor", "Frexp", "Inf", "IsInf", "IsNaN", "Ldexp", "NaN", "Sqrt", "Trunc",
		"Ln2", "Log2E", "MaxInt", "MaxInt32", "MaxInt64", "Pi", "Sqrt2",
	}
}

func TestArithmeticIsPortable(t *testing.T) {
	if testing.Short() {
		t.Skip("checks the types of half of the standard library")
	}
	imports := importer.ForCompiler(token.NewFileSet(), "source", nil)
	for _, folder := range []string{"../strategies", "."} {
		names, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		s := source{files: token.NewFileSet(), imports: imports}
		for _, name := range names {
			if !strings.HasSuffix(name, "_test.go") {
				s.parse(t, name, nil)
			}
		}
		for _, complaint := range s.unportable(t) {
			t.Error(complaint)
		}
	}
}

// What the check finds, and what it lets pass.
func TestUnportableArithmeticIsFound(t *testing.T) {
	tests := []struct {
		body string
		want string // "": it is portable
	}{
		{"return x*y + z", "x * y"},
		{"return z - (x * y)", "x * y"},
		{"return z + -(x*y)", "x * y"},
		{"return z + x*y/2", ""}, // nobody fuses a quotient
		{"return float64(x*y) + z", ""},
		{"return float64(x*y + z)", "x * y"},
		{"z += x * y; return z", "x * y"},
		{"z += float64(x * y); return z", ""},
		{"t := x * y; return t + z", "t"},
		{"t := float64(x * y); return t + z", ""},
		{"t := x * y; t += z; return t", "t"},
		{"t := x * y; u := min(t, 1); return z - u", "u"},
		{"x *= y; return x + z", "x"},
		{"x *= y; if x > z { return 1 }; return 2", ""},
		{"return g(x, y) + z", "g(x, y)"},
		{"return g(x, y) / z", ""},
		{"return g(x*y, z) / 2", "x * y"},
		{"s := []float64{0}; s[0] = x * y; return s[0]", "x * y"},
		{"return 2*x + z - y*0.25", ""}, // exact
		{"i := 3; return float64(2*i + i*i)", ""},
		{"const c = 3.0; return c*7 + x", ""},
		{"return math.Sqrt(x) + math.Log(y)", "math.Log"},
	}
	imports := importer.ForCompiler(token.NewFileSet(), "source", nil)
	for _, test := range tests {
		s := source{files: token.NewFileSet(), imports: imports}
		s.parse(t, "code.go", `package p
			import "math"
			func g(x, y float64) float64 { return x * y }
			func f(x, y, z float64) float64 { `+test.body+` }
			var _ = math.Pi`)
		got := s.unportable(t)
		if len(got) != min(1, len(test.want)) || len(got) == 1 && !strings.Contains(got[0], ": "+test.want+" ") {
			t.Errorf("%s: complaints %q, want one about %q", test.body, got, test.want)
		}
	}
}

// source is a package under the check.
type source struct {
	files   *token.FileSet
	imports types.Importer
	syntax  []*ast.File
	types.Info
	kept map[types.Object]bool // variables, and functions' results, that may be products not yet rounded
}

func (s *source) parse(t *testing.T, name string, text any) {
	t.Helper()
	file, err := parser.ParseFile(s.files, name, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	s.syntax = append(s.syntax, file)
}

// unportable lists what may give other bits on other processors.
func (s *source) unportable(t *testing.T) []string {
	t.Helper()
	s.Info = types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Defs:  map[*ast.Ident]types.Object{},
		Uses:  map[*ast.Ident]types.Object{},
	}
	config := types.Config{Importer: s.imports}
	if _, err := config.Check("source", s.files, s.syntax, &s.Info); err != nil {
		t.Fatal(err)
	}
	// Each pass may find more that is kept.
	s.kept = map[types.Object]bool{}
	for {
		before := len(s.kept)
		if complaints := s.pass(); len(s.kept) == before {
			return slices.Sorted(maps.Keys(complaints))
		}
	}
}

func (s *source) pass() map[string]bool {
	complaints := map[string]bool{}
	for _, file := range s.syntax {
		ast.PreorderStack(file, nil, func(n ast.Node, above []ast.Node) bool {
			if fault := s.fault(n, above); fault != "" {
				complaints[s.files.Position(n.Pos()).String()+": "+fault] = true
			}
			return true
		})
	}
	return complaints
}

// fault says what is wrong with a node; "": nothing.
func (s *source) fault(n ast.Node, above []ast.Node) string {
	const fusible = " may be fused with a sum; write float64(…)"
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.MUL_ASSIGN && s.rounds(n.Lhs[0], n.Lhs[0], n.Rhs[0]) && !s.keep(n.Lhs[0]) {
			return types.ExprString(n.Lhs[0]) + fusible
		}
	case *ast.SelectorExpr:
		if o := s.Uses[n.Sel]; o.Pkg() != nil && o.Pkg().Path() == "math" && !slices.Contains(portableMath(), o.Name()) {
			return fmt.Sprintf("math.%s is not the same everywhere", o.Name())
		}
	case ast.Expr:
		if s.unrounded(n) && !s.harmless(n, above) {
			return types.ExprString(n) + fusible
		}
	}
	return ""
}

// unrounded reports whether an expression is, or may stand for, a product not
// yet rounded.
func (s *source) unrounded(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BinaryExpr:
		return x.Op == token.MUL && s.rounds(x, x.X, x.Y)
	case *ast.Ident:
		variable, ok := s.Uses[x].(*types.Var)
		return ok && s.kept[variable]
	case *ast.CallExpr:
		name, ok := x.Fun.(*ast.Ident)
		return ok && s.kept[s.Uses[name]]
	}
	return false
}

// rounds reports whether a product is one of floats, and inexact.
func (s *source) rounds(product, x, y ast.Expr) bool {
	t := s.Types[product]
	basic, ok := t.Type.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsFloat != 0 && t.Value == nil && !s.powerOfTwo(x) && !s.powerOfTwo(y)
}

func (s *source) powerOfTwo(x ast.Expr) bool {
	value := s.Types[x].Value
	if value == nil {
		return false
	}
	f, _ := constant.Float64Val(value)
	fraction, _ := math.Frexp(math.Abs(f))
	return fraction == 0.5
}

// harmless reports whether an unrounded product is used only so that nothing is
// added to it, or else kept where that is looked after.
func (s *source) harmless(x ast.Node, above []ast.Node) bool {
	for i := len(above) - 1; i >= 0; i-- {
		switch user := above[i].(type) {
		case *ast.ParenExpr, *ast.UnaryExpr:
		case *ast.CallExpr:
			if f := s.Types[user.Fun]; !f.IsBuiltin() { // min and max
				return f.IsType()
			}
		case *ast.BinaryExpr:
			return user.Op != token.ADD && user.Op != token.SUB
		case *ast.AssignStmt:
			return s.assigned(x, user)
		case *ast.ReturnStmt:
			return s.returned(above)
		default:
			return false
		}
		x = above[i]
	}
	return false
}

// assigned reports whether an operand of an assignment is harmless.
func (s *source) assigned(x ast.Node, statement *ast.AssignStmt) bool {
	if statement.Tok == token.ADD_ASSIGN || statement.Tok == token.SUB_ASSIGN {
		return false
	}
	place := slices.IndexFunc(statement.Rhs, func(rhs ast.Expr) bool { return rhs == x })
	return place < 0 || statement.Tok != token.ASSIGN && statement.Tok != token.DEFINE || s.keep(statement.Lhs[place])
}

// keep marks a variable; it is false for what is none, and might be read as
// something else.
func (s *source) keep(x ast.Expr) bool {
	name, ok := x.(*ast.Ident)
	if ok {
		s.kept[s.ObjectOf(name)] = true
	}
	return ok
}

// returned marks the function that returns a product; it is false for one that
// is called from elsewhere.
func (s *source) returned(above []ast.Node) bool {
	for i := len(above) - 1; i >= 0; i-- {
		switch f := above[i].(type) {
		case *ast.FuncLit:
			return false
		case *ast.FuncDecl:
			s.kept[s.Defs[f.Name]] = true
			return !f.Name.IsExported() && f.Recv == nil
		}
	}
	return false
}
