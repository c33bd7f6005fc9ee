// Package svg is a chart as it leaves the page: a picture that refers to nothing else.
package svg

import (
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
)

// Picture is a chart as SVG, rebuilt from the chart library's drawing, in the form that leaves the
// page: only shapes and texts, no style, no script, no reference except to its own clipping paths
// and gradients, and always the same text for the same chart.
type Picture struct {
	namespace string // SVG's, as the library wrote it
	parts     []part
}

// part is a start tag, an end tag (attributes nil, ends true) or a text.
type part struct {
	name  string // the element's; empty: a text
	text  string
	attrs []attr
	ends  bool
}

type attr struct{ name, value string }

// Elements and attributes that a picture may contain, and attributes that the library writes for
// its own use.
var (
	pictureElements = strings.Fields(
		"svg g defs clipPath linearGradient stop path rect circle ellipse line polyline polygon " +
			"text tspan")
	pictureAttrs = strings.Fields("width height viewBox x y x1 y1 x2 y2 cx cy r rx ry dx dy d " +
		"points transform fill fill-opacity fill-rule stroke stroke-width stroke-opacity " +
		"stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset " +
		"opacity paint-order text-anchor dominant-baseline font-size font-family font-weight " +
		"font-style gradientUnits offset stop-color stop-opacity")
	droppedAttrs = strings.Fields(
		"class style pointer-events xmlns:xlink xml:space version baseProfile")
)

// New parses the picture that the chart library has drawn. It accepts what the library writes and
// refuses everything else.
func New(svg string) (*Picture, error) {
	p, open := &Picture{}, []string{}
	ids := identifiers{names: map[string]string{}, defined: map[string]bool{}}
	for rest := strings.TrimSpace(svg); rest != ""; {
		if rest[0] != '<' {
			end := strings.IndexByte(rest, '<')
			if end < 0 || len(open) == 0 {
				return nil, refused("a text outside")
			}
			if text := unescape.Replace(rest[:end]); strings.TrimSpace(text) != "" {
				p.parts = append(p.parts, part{text: text})
			}
			rest = rest[end:]
			continue
		}
		end := strings.IndexByte(rest, '>') // the library writes > in values as &gt;
		if end < 0 {
			return nil, refused("an open tag")
		}
		inside := rest[1:end]
		rest = rest[end+1:]
		name, list, _ := strings.Cut(inside, " ")
		if name == "style" { // for the mouse
			_, after, found := strings.Cut(rest, "</style>")
			if !found {
				return nil, refused("a style without an end")
			}
			rest = after
			continue
		}
		if closed, is := strings.CutPrefix(inside, "/"); is {
			if len(open) == 0 || open[len(open)-1] != closed {
				return nil, refused("the end of " + closed)
			}
			open = open[:len(open)-1]
			p.parts = append(p.parts, part{name: closed, ends: true})
			if len(open) == 0 && rest != "" {
				return nil, refused("something after its end")
			}
			continue
		}
		if !slices.Contains(pictureElements, name) || (name == "svg") != (len(p.parts) == 0) {
			return nil, refused("the element " + name)
		}
		attrs, err := p.attributes(name, list, &ids)
		if err != nil {
			return nil, err
		}
		open = append(open, name)
		p.parts = append(p.parts, part{name: name, attrs: attrs})
	}
	if len(open) > 0 || len(p.parts) == 0 {
		return nil, refused("no end")
	}
	for _, id := range ids.painted {
		if !ids.defined[id] {
			return nil, refused("a colour of something else: " + id)
		}
	}
	return p, nil
}

// unescape reverses what the library does to texts.
var unescape = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#34;", `"`, "&#39;",
	"'", "&amp;", "&")

// refused is an error that a broken build shows.
func refused(what string) error { return fmt.Errorf("web: the chart's picture holds %q", what) }

// identifiers names the parts of a picture to which others refer. The library numbers them
// throughout the page's life; here they start at 1.
type identifiers struct {
	names   map[string]string // by the library's name
	defined map[string]bool   // gradients, by ours
	painted []string          // gradients that a shape is filled with
	clips   int
}

// of returns our identifier for one of the library's.
func (n *identifiers) of(theirs, kind string) string {
	if n.names[theirs] == "" {
		number := len(n.names) - n.clips + 1
		if kind == "clip" {
			n.clips++
			number = n.clips
		}
		n.names[theirs] = fmt.Sprintf("%s%d", kind, number)
	}
	return n.names[theirs]
}

// referred returns the part of the same picture that a reference names, or nothing if it is no such
// reference.
func referred(value string) string {
	id, is := strings.CutPrefix(value, "url(#")
	id, ends := strings.CutSuffix(id, ")")
	if !is || !ends || !isPlain(id) || strings.ContainsAny(id, "()# ") {
		return ""
	}
	return id
}

// attributes reads name="value" pairs of an element. A style becomes the attributes that it stands
// for.
func (p *Picture) attributes(element, list string, ids *identifiers) ([]attr, error) {
	var attrs []attr
	for list = strings.TrimSpace(list); list != ""; list = strings.TrimSpace(list) {
		name, rest, ok := strings.Cut(list, `="`)
		value, after, ends := strings.Cut(rest, `"`)
		if !ok || !ends {
			return nil, refused("the attributes " + list)
		}
		list, value = after, unescape.Replace(value)
		switch {
		case name == "xmlns" && len(p.parts) == 0:
			p.namespace = value
		case name == "id" && element == "linearGradient":
			id := ids.of(value, "paint")
			ids.defined[id] = true
			attrs = append(attrs, attr{name, id})
		case name == "id" || name == "clip-path":
			value = strings.TrimSuffix(strings.TrimPrefix(value, "url(#"), ")")
			attrs = append(attrs, attr{name, ids.of(value, "clip")})
		case (name == "fill" || name == "stroke") && referred(value) != "":
			id := ids.of(referred(value), "paint")
			ids.painted = append(ids.painted, id)
			attrs = append(attrs, attr{name, "url(#" + id + ")"})
		case name == "style":
			for _, rule := range strings.Split(value, ";") {
				property, set, _ := strings.Cut(rule, ":")
				if strings.HasPrefix(property, "font-") &&
					slices.Contains(pictureAttrs, property) && isPlain(set) {
					attrs = append(attrs, attr{property, set})
				}
			}
		case slices.Contains(pictureAttrs, name):
			if !isPlain(value) {
				return nil, refused(name + "=" + value)
			}
			attrs = append(attrs, attr{name, value})
		case !slices.Contains(droppedAttrs, name) && !strings.HasPrefix(name, "ecmeta_"):
			return nil, refused("the attribute " + name)
		}
	}
	return attrs, nil
}

// isPlain reports whether a value cannot refer to anything: numbers, names, colours, paths,
// transformations.
func isPlain(value string) bool {
	for _, c := range value {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') &&
			!strings.ContainsRune(" .,+-()%#", c) {
			return false
		}
	}
	return !strings.Contains(strings.ToLower(value), "url")
}

// SVG returns the picture as a document of its own.
func (p *Picture) SVG() string {
	return p.write(` xmlns="`+html.EscapeString(p.namespace)+`"`, "", func(colour string) string {
		return colour
	}) + "\n"
}

// Inline returns the picture for use inside a page whose style defines the tokens: it takes on
// their colours. label says what it shows, and prefix precedes the names of its own parts, which
// must differ from those of any other picture of the page.
func (p *Picture) Inline(label, prefix string) string {
	return p.write(` role="img" aria-label="`+html.EscapeString(label)+`"`, prefix, tokenOf)
}

// Text is a text of a picture, with its position in points.
type Text struct {
	Text string
	X, Y float64
}

// Texts returns the picture's texts, in their order.
func (p *Picture) Texts() (list []Text) {
	var in []part
	for _, t := range p.parts {
		switch {
		case t.name == "":
			x, y := place(in)
			list = append(list, Text{t.text, x, y})
		case t.ends:
			in = in[:len(in)-1]
		default:
			in = append(in, t)
		}
	}
	return list
}

// place returns the translation that nested elements apply to their content.
func place(in []part) (x, y float64) {
	for _, t := range in {
		for _, a := range t.attrs {
			rest, is := strings.CutPrefix(a.value, "translate(")
			if a.name != "transform" || !is {
				continue
			}
			moved := strings.FieldsFunc(rest, func(c rune) bool {
				return c == ' ' || c == ',' ||
					c == ')'
			})
			if len(moved) > 1 {
				dx, _ := strconv.ParseFloat(moved[0], 64)
				dy, _ := strconv.ParseFloat(moved[1], 64)
				x, y = x+dx, y+dy
			}
		}
	}
	return x, y
}

// Width is the width of the picture in points, or 0 if it is not stated.
func (p *Picture) Width() int { return p.size("width") }

// Height is the height of the picture in points, or 0 if it is not stated.
func (p *Picture) Height() int { return p.size("height") }

func (p *Picture) size(name string) int {
	for _, a := range p.parts[0].attrs {
		if size, err := strconv.ParseFloat(a.value, 64); a.name == name && err == nil &&
			size > 0 && size < 1e5 {
			return int(size)
		}
	}
	return 0
}

func (p *Picture) write(root, prefix string, colour func(string) string) string {
	var b strings.Builder
	for i, t := range p.parts {
		switch {
		case t.name == "":
			b.WriteString(html.EscapeString(t.text))
		case t.ends:
			b.WriteString("</" + t.name + ">")
		default:
			b.WriteString("<" + t.name)
			if i == 0 {
				b.WriteString(root)
			}
			for _, a := range t.attrs {
				switch a.name {
				case "fill", "stroke", "stop-color":
					if id := referred(a.value); id != "" {
						a.value = "url(#" + prefix + id + ")"
					}
					a.value = colour(a.value)
				case "clip-path":
					a.value = "url(#" + prefix + a.value + ")"
				case "id":
					a.value = prefix + a.value
				}
				b.WriteString(" " + a.name + `="` + html.EscapeString(a.value) + `"`)
			}
			b.WriteString(">")
		}
	}
	return b.String()
}
