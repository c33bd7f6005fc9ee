package svg

import "strings"

// Tokens are the colours of a report, those of the page's style sheet, for the light and the dark
// theme.
var Tokens = []struct{ Name, Light, Dark string }{
	{"--paper", "#f7f5f0", "#12171d"},
	{"--card", "#fffefb", "#1a2129"},
	{"--sunk", "#f0ede5", "#222a33"},
	{"--ink", "#1b2430", "#ebe8e1"},
	{"--ink-soft", "#4d5765", "#aab3bc"},
	{"--line", "#e0dbcf", "#2e3741"},
	{"--accent", "#0d655c", "#6fd0bf"},
	{"--accent-wash", "#e3f0ec", "#17332f"},
	{"--warn", "#855000", "#f0b869"},
	{"--warn-wash", "#faedd6", "#35290f"},
}

// tokenOf names a light colour by its token, so that the dark theme has another; other colours
// stay.
func tokenOf(colour string) string {
	for _, t := range Tokens {
		if strings.EqualFold(colour, t.Light) {
			return "var(" + t.Name + ")"
		}
	}
	return colour
}
