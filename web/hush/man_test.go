package main

import (
	"slices"
	"strings"
	"testing"
)

// TestManual: the manual page has every command with all of its flags and every exit code, and
// nothing that man would take for a request of its own.
func TestManual(t *testing.T) {
	code, page, said := hush(t, "man")
	if code != exitDone {
		t.Fatalf("code %d, %s", code, said)
	}
	for _, c := range commands {
		_, section, found := strings.Cut(page, ".B hush "+c.name+"\n")
		section, _, _ = strings.Cut(section, ".SH")
		if !found {
			t.Errorf("%s is missing", c.name)
		}
		for _, f := range c.options() {
			if !strings.Contains(section, "\n.B \\-"+roff(f.Name)+"\n") {
				t.Errorf("%s has no -%s", c.name, f.Name)
			}
		}
	}
	requests := []string{".TH", ".SH", ".B", ".PP", ".TP", ".nf", ".fi"}
	for line := range strings.Lines(page) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") &&
			!slices.Contains(requests, word) {
			t.Errorf("man reads a request in %q", line)
		}
	}
	for line := range strings.Lines(exitCodes) {
		if number, _, is := strings.Cut(strings.TrimSpace(line), " "); is && number != "Exit" &&
			!strings.Contains(page, "\n  "+number+" ") {
			t.Errorf("exit code %s is missing", number)
		}
	}
}
