package scenario

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Bounds of a file, far beyond what people write. The YAML parser takes time
// with the square of the keys, so a hostile file would cost minutes without them.
const (
	mostBytes   = 256 << 10
	mostTokens  = 20_000 // words, brackets, colons, dashes
	mostNesting = 20
	mostItems   = 2_000
)

// readYAML returns the one document of a file; nil if there is none, which the
// file then says.
func readYAML(file *FileError, data []byte) ast.Node {
	if at, ok := unreadable(data); ok {
		file.add(at, "this is no text in UTF-8")
		return nil
	}
	if len(data) > mostBytes {
		file.add(nil, "the file has %d bytes; a scenario has at most %d", len(data), mostBytes)
		return nil
	}
	docs, err := documents(file, string(data))
	switch {
	case err != nil:
		file.add(syntaxError(err))
	case len(file.Problems) > 0:
	case len(docs) == 0:
		file.add(nil, "the file is empty; stagger scenarios herd prints one to start from")
	case len(docs) > 1:
		file.add(startOf(docs[1]), "%s", secondDocument)
	default:
		return docs[0]
	}
	return nil
}

// documents parses a text. A panic of the YAML library, which odd input can
// cause, becomes an error here and nowhere else.
func documents(file *FileError, text string) (docs []ast.Node, err error) {
	defer func() {
		if recover() != nil {
			docs, err = nil, errors.New("not readable as YAML")
		}
	}()
	tokens := lexer.Tokenize(text)
	if excessive(file, tokens) {
		return nil, nil
	}
	parsed, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, err
	}
	for _, doc := range parsed.Docs {
		if doc.Body != nil {
			docs = append(docs, doc.Body)
		}
	}
	return docs, nil
}

// unreadable finds the first byte that no text file has.
func unreadable(data []byte) (*token.Position, bool) {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 || r < ' ' && !strings.ContainsRune("\t\n\r", r) || r == 0x7f {
			begin := bytes.LastIndexByte(data[:i], '\n') + 1
			return &token.Position{
				Line:   1 + bytes.Count(data[:i], []byte("\n")),
				Column: 1 + utf8.RuneCount(data[begin:i]),
			}, true
		}
		i += size
	}
	return nil, false
}

const secondDocument = "a second document begins; a file holds one scenario"

// excessive reports a file that is longer or deeper than a scenario can be, or
// is several.
func excessive(file *FileError, tokens token.Tokens) bool {
	if len(tokens) > mostTokens {
		file.add(tokens[mostTokens].Position, "the file goes on beyond %d words and signs; no scenario is so long", mostTokens)
		return true
	}
	open, dashes, line, documents := 0, 0, 0, 0
	for _, t := range tokens {
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			open++
		case token.SequenceEndType, token.MappingEndType:
			open--
		case token.SequenceEntryType:
			if t.Position.Line != line {
				dashes, line = 0, t.Position.Line
			}
			dashes++
		case token.DocumentHeaderType:
			if documents++; documents > 1 {
				file.add(t.Position, "%s", secondDocument)
				return true
			}
		default:
		}
		if open > mostNesting || dashes > mostNesting {
			file.add(t.Position, "lists and mappings are nested more than %d deep", mostNesting)
			return true
		}
	}
	return false
}

// syntaxError returns where and how the YAML parser failed, in words for those
// who do not know its grammar.
func syntaxError(err error) (*token.Position, string, any) {
	var syntax yaml.Error
	if !errors.As(err, &syntax) || syntax.GetToken() == nil {
		return nil, "%v", err
	}
	text := syntax.GetMessage()
	switch {
	case strings.HasPrefix(text, "found character '\t'"), strings.HasPrefix(text, "found a tab"):
		text = "a tab cannot indent a line; use spaces"
	case strings.HasPrefix(text, "mapping value is not allowed"):
		text = `a ": " cannot stand here; if it belongs to a text, put the text in quotes`
	case strings.HasPrefix(text, "non-map value"):
		text = `a key and a ":" are missing here`
	case strings.HasPrefix(text, "sequence end token ']' not found"):
		text = `a "[" is never closed`
	case strings.HasPrefix(text, "could not find end character of"):
		text = "a quotation mark is never closed"
	case strings.HasPrefix(text, "could not find flow map"):
		text = `a "{" is never closed, or has something else than key: value in it`
	}
	return syntax.GetToken().Position, "%s", text
}

// startOf returns where a node begins.
func startOf(node ast.Node) *token.Position {
	switch n := node.(type) {
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return startOf(n.Values[0])
		}
	case *ast.MappingValueNode:
		return startOf(n.Key)
	}
	if t := node.GetToken(); t != nil {
		return t.Position
	}
	return nil
}

// pairsOf returns the pairs of a mapping; one pair alone is a node of its own.
func pairsOf(node ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := node.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

// scalarOfNode returns what a node that is no list and no mapping says.
func scalarOfNode(node ast.Node) (string, error) {
	switch n := node.(type) {
	case *ast.StringNode:
		return n.Value, nil
	case *ast.LiteralNode:
		return n.Value.Value, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return node.GetToken().Value, nil
	case *ast.NullNode:
		return "", errors.New("has no value")
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		return "", errForeign
	}
	return "", errors.New("must be a single value, not a list or a mapping")
}

// quotedNode reports whether a node is text in quotes.
func quotedNode(node ast.Node) bool {
	t := node.GetToken()
	return t != nil && (t.Type == token.SingleQuoteType || t.Type == token.DoubleQuoteType)
}

// errForeign is about what YAML has and scenarios do not need.
var errForeign = errors.New("anchors, aliases, tags and merges are not for scenarios")
