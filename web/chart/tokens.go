package chart

import "strings"

// Tokens are the colours of a report, those of the page's style sheet, for daylight and for the
// dark.
var Tokens = []struct{ Name, Light, Dark string }{
	{"--paper", "#f7f5f0", "#12171d"},
	{"--card", "#fffefb", "#1a2129"},
	{"--sunk", "#efece4", "#0e1217"},
	{"--ink", "#1b2430", "#e9e6df"},
	{"--ink-soft", "#4d5765", "#a9b1ba"},
	{"--line", "#d9d4c7", "#303943"},
	{"--accent", "#0d655c", "#6fd0bf"},
	{"--accent-wash", "#dfeeea", "#17332f"},
	{"--warn", "#8a4b00", "#f0b869"},
	{"--warn-wash", "#fbeeda", "#33270f"},
}

// tokenOf names a daylight colour by its token, so that the dark has another; other colours stay.
func tokenOf(colour string) string {
	for _, t := range Tokens {
		if strings.EqualFold(colour, t.Light) {
			return "var(" + t.Name + ")"
		}
	}
	return colour
}
