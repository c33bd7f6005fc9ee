package main

import (
	"fmt"
	"strings"
)

var manCommand = &command{name: "man", what: "writes the manual page: hush man | man -l -"}

func init() { // as in completion.go
	manCommand.run = func(c *call) error {
		_, err := fmt.Fprint(c.out, manual())
		return err
	}
}

// manual returns the manual page in man's format, with the text of each command's help.
func manual() string {
	var b strings.Builder
	line := func(format string, texts ...any) {
		for i, text := range texts {
			texts[i] = roff(text.(string))
		}
		fmt.Fprintf(&b, format+"\n", texts...)
	}
	line(".TH HUSH 1\n.SH NAME\nhush \\- questions of people's data, answered with differential " +
		"privacy\n.SH SYNOPSIS\n.B hush\nCOMMAND [FLAGS] ARGUMENTS\n.SH DESCRIPTION\nNothing is " +
		"drawn without \\-spend. The ledger is debited before a draw, on the disk.")
	for _, c := range commands {
		line(".SH %s\n.B hush %s\n[FLAGS] %s\n.PP\n%s.", strings.ToUpper(c.name), c.name, c.args,
			strings.ToUpper(c.what[:1])+c.what[1:])
		for _, f := range c.options() {
			line(".TP\n.B \\-%s\n%s", f.Name, f.Usage)
		}
	}
	_, codes, _ := strings.Cut(exitCodes, "\n")
	line(".SH EXIT STATUS\n.nf\n%s.fi", codes)
	return b.String()
}

// roff writes a text such that man shows it unchanged.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\\`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
