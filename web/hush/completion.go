package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"hush/core/task"
)

var completionCommand = &command{name: "completion", args: "SHELL", least: 1, most: 1,
	what: "writes what completes command lines in bash, zsh or fish"}

// shells write what a shell sources.
var shells = map[string]func(io.Writer){"bash": bash, "zsh": zsh, "fish": fish}

func init() { // its table of words is made of the table that it stands in
	completionCommand.words = []string{"bash", "fish", "zsh"}
	for _, t := range task.Catalogue() {
		askCommand.words = append(askCommand.words, t.ID)
	}
	completionCommand.run = func(c *call) error {
		write, known := shells[c.args[0]]
		if !known {
			return fail(exitUsage, "there is no completion for %q: name one of %s", c.args[0],
				strings.Join(completionCommand.words, ", "))
		}
		write(c.out)
		return nil
	}
}

// options are the flags of a command, as they are typed.
func (c *command) options() (list []*flag.Flag) {
	c.call(context.Background(), io.Discard, io.Discard).flags.VisitAll(
		func(f *flag.Flag) { list = append(list, f) })
	return list
}

func (c *command) optionNames() (names []string) {
	for _, f := range c.options() {
		names = append(names, "-"+f.Name)
	}
	return names
}

func names() (all []string) {
	for _, c := range commands {
		all = append(all, c.name)
	}
	return all
}

func bash(w io.Writer) {
	fmt.Fprint(w, `_hush() {
  local word=${COMP_WORDS[COMP_CWORD]} words=
  if [ "$COMP_CWORD" = 1 ]; then
    words='`, strings.Join(names(), " "), `'
  else
    case ${COMP_WORDS[1]} in
`)
	for _, c := range commands {
		words := slices.Concat(c.optionNames(), c.words)
		fmt.Fprintf(w, "    %s) words='%s' ;;\n", c.name, strings.Join(words, " "))
	}
	fmt.Fprint(w, `    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [ "$COMP_CWORD" != 1 ]; then COMPREPLY+=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _hush hush
`)
}

func zsh(w io.Writer) {
	fmt.Fprint(w, "#compdef hush\nif (( CURRENT == 2 )); then\n  local -a known=(\n")
	for _, c := range commands {
		fmt.Fprintf(w, "    '%s:%s'\n", c.name, c.what)
	}
	fmt.Fprint(w, "  )\n  _describe command known\nelse\n  case $words[2] in\n")
	for _, c := range commands {
		words := slices.Concat(c.optionNames(), c.words)
		fmt.Fprintf(w, "  %s) compadd -- %s ;;\n", c.name, strings.Join(words, " "))
	}
	fmt.Fprint(w, "  esac\n  _files\nfi\n")
}

func fish(w io.Writer) {
	for _, c := range commands {
		fmt.Fprintf(w, "complete -c hush -n __fish_use_subcommand -f -a %s -d '%s'\n",
			c.name, c.what)
		seen := "'__fish_seen_subcommand_from " + c.name + "'"
		for _, f := range c.options() {
			fmt.Fprintf(w, "complete -c hush -n %s -o %s -d '%s'\n", seen, f.Name,
				strings.NewReplacer("'", "", "`", "").Replace(f.Usage))
		}
		if len(c.words) > 0 {
			fmt.Fprintf(w, "complete -c hush -n %s -f -a '%s'\n", seen,
				strings.Join(c.words, " "))
		}
	}
}
