package verify

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"hush/core/phrase"
)

// deepest is the largest depth of values in a file.
const deepest = 64

// leaf is a number, a text, true, false, null, or an empty object or list, as it stands in a file.
type leaf struct {
	text string // as JSON
	at   int    // its first byte
}

// tree is a JSON file by the paths of its values: "plan.loss.epsilon", "answer.bins[3].count".
type tree struct {
	text   []byte
	leaves map[string]leaf
	order  []string       // of the leaves
	inner  map[string]int // the first byte of each object and list
	start  int            // the first byte of all
}

// fault is the reason why a text is not JSON with a single meaning.
type fault struct {
	at  int
	why phrase.Phrase
}

// scanAt reads a part of a file that begins at a byte.
func scanAt(text []byte, from, to int) (*tree, *fault) {
	t, wrong := scan(text[from:to])
	if wrong != nil {
		wrong.at += from
		return nil, wrong
	}
	for path, l := range t.leaves {
		l.at += from
		t.leaves[path] = l
	}
	for path := range t.inner {
		t.inner[path] += from
	}
	t.start = from
	return t, nil
}

// scan reads a whole file. A name that occurs twice in an object is a fault: programs differ in
// which of the two they take.
func scan(text []byte) (*tree, *fault) {
	t := &tree{text: text, leaves: map[string]leaf{}, inner: map[string]int{}}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	s := &scanner{tree: t, decoder: d}
	if f := s.value("", 0); f != nil {
		return nil, f
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, &fault{int(d.InputOffset()), phrase.Of("something follows its end")}
	}
	return t, nil
}

type scanner struct {
	*tree
	decoder *json.Decoder
}

// next returns the position of the next token.
func (s *scanner) next() int {
	at := int(s.decoder.InputOffset())
	for at < len(s.text) && strings.IndexByte(" \t\r\n,:", s.text[at]) >= 0 {
		at++
	}
	return at
}

func (s *scanner) value(path string, depth int) *fault {
	at := s.next()
	token, err := s.decoder.Token()
	if err != nil {
		return &fault{min(int(s.decoder.InputOffset()), len(s.text)),
			phrase.Of("it is no JSON from here on")}
	}
	if depth > deepest {
		return &fault{at, phrase.Of("its values lie too deep in each other")}
	}
	open, is := token.(json.Delim)
	if !is {
		s.leaf(path, at)
		return nil
	}
	s.inner[path] = at
	names := map[string]bool{}
	for i := 0; s.decoder.More(); i++ {
		place := path + "[" + strconv.Itoa(i) + "]"
		if open == '{' {
			at := s.next()
			token, err := s.decoder.Token()
			name, is := token.(string)
			if err != nil || !is {
				return &fault{at, phrase.Of("it is no JSON from here on")}
			}
			if names[name] {
				return &fault{at, phrase.Of("the name “%s” appears twice in one object", name)}
			}
			names[name] = true
			place = join(path, name)
		}
		if f := s.value(place, depth+1); f != nil {
			return f
		}
	}
	if _, err := s.decoder.Token(); err != nil {
		return &fault{min(int(s.decoder.InputOffset()), len(s.text)),
			phrase.Of("it is no JSON from here on")}
	}
	if text := s.text[at:s.decoder.InputOffset()]; len(bytes.TrimSpace(text[1:len(text)-1])) == 0 {
		s.leaf(path, at)
	}
	return nil
}

func (s *scanner) leaf(path string, at int) {
	s.leaves[path] = leaf{string(s.text[at:s.decoder.InputOffset()]), at}
	s.order = append(s.order, path)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// within reports whether a path is a place or lies inside it.
func within(path, place string) bool {
	rest, is := strings.CutPrefix(path, place)
	return is && (rest == "" || place == "" || rest[0] == '.' || rest[0] == '[')
}

// has reports whether there is something at a place.
func (t *tree) has(place string) bool {
	_, leaf := t.leaves[place]
	_, inner := t.inner[place]
	return leaf || inner
}

// offset returns the position of a place, or else of the nearest one that contains it.
func (t *tree) offset(place string) int {
	for {
		if l, is := t.leaves[place]; is {
			return l.at
		}
		if at, is := t.inner[place]; is {
			return at
		}
		cut := strings.LastIndexAny(place, ".[")
		if cut < 0 {
			return t.start
		}
		place = place[:cut]
	}
}

// position converts a byte of a text to a line and a character in it, both from 1.
func position(text []byte, at int) (line, column int) {
	before := text[:min(at, len(text))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, len([]rune(string(before[start:]))) + 1
}

// Line is a line of a file; Hit marks the line that is meant.
type Line struct {
	Number int    `json:"number"`
	Text   string `json:"text"`
	Hit    bool   `json:"hit,omitempty"`
}

// longestLine is the largest number of characters shown of a line.
const longestLine = 160

// around returns the line of a byte, the one before and the one after.
func around(text []byte, at int) (list []Line) {
	number, _ := position(text, at)
	start := bytes.LastIndexByte(text[:min(at, len(text))], '\n') + 1
	if start > 0 {
		before := bytes.LastIndexByte(text[:start-1], '\n') + 1
		list = append(list, Line{number - 1, shown(text[before : start-1]), false})
	}
	for hit := true; start < len(text) && len(list) < 3; hit = false {
		line, rest, more := bytes.Cut(text[start:], []byte("\n"))
		if before := at - start; hit && before > longestLine { // all data of a page is one line
			list = append(list[:0], Line{number, "…" + shown(line[before-longestLine/2:]), true})
			break
		}
		list = append(list, Line{number, shown(line), hit})
		if !more || !hit {
			break
		}
		number, start = number+1, len(text)-len(rest)
	}
	return list
}

// shown returns the start of a line, without bytes that are no text.
func shown(line []byte) string {
	text := []rune(strings.ToValidUTF8(string(line[:min(len(line), 4*longestLine)]), "\ufffd"))
	if len(text) > longestLine {
		return string(text[:longestLine]) + "…"
	}
	return strings.TrimSuffix(string(text), "\r")
}
