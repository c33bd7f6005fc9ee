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
	what: "writes what completes command lines in bash, zsh or fish: commands, flags, questions, " +
		"dialects, and columns, for which it reads the header row of the file on the line"}

// ofWords lists the flags whose values complete knows.
var ofWords = []string{"by", "person", "where", "with", "dialect"}

// shells write the scripts that shells source.
var shells = map[string]func(io.Writer){"bash": bash, "zsh": zsh, "fish": fish}

func init() { // its table of words is made from the table that contains it
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

// options returns the flags of a command as they are typed.
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

// quoted writes a text as one word of zsh and of fish.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func bash(w io.Writer) {
	fmt.Fprint(w, `_hush() {
  local word=${COMP_WORDS[COMP_CWORD]} words= line
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    words='`, strings.Join(names(), " "), `'
  else
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
      "${COMP_WORDS[0]}" complete $((COMP_CWORD - 1)) "${COMP_WORDS[@]:1}" 2>/dev/null)
    if [ ${#COMPREPLY[@]} -gt 0 ]; then
      case ${COMPREPLY[0]} in *=) compopt -o nospace 2>/dev/null ;; esac
      return
    fi
    case ${COMP_WORDS[1]} in
`)
	for _, c := range commands {
		words := slices.Concat(c.optionNames(), c.words)
		fmt.Fprintf(w, "    %s) words='%s' ;;\n", c.name, strings.Join(words, " "))
	}
	fmt.Fprint(w, `    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [ "$COMP_CWORD" != 1 ]; then
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _hush hush
`)
}

func zsh(w io.Writer) {
	fmt.Fprint(w, `#compdef hush
local found
if (( CURRENT == 2 )); then
  local -a known=(
`)
	for _, c := range commands {
		fmt.Fprintf(w, "    %s\n", quoted(c.name+":"+c.what))
	}
	fmt.Fprint(w, `  )
  _describe command known
elif found=$(${(Q)words[1]} complete $((CURRENT - 2)) "${(@Q)words[2,-1]}" 2>/dev/null) &&
  [[ -n $found ]]; then
  if [[ $found == *= ]]; then
    compadd -S '' -- "${(@f)found}"
  else
    compadd -- "${(@f)found}"
  fi
else
  case $words[2] in
`)
	for _, c := range commands {
		words := slices.Concat(c.optionNames(), c.words)
		fmt.Fprintf(w, "  %s) compadd -- %s ;;\n", c.name, strings.Join(words, " "))
	}
	fmt.Fprint(w, "  esac\n  _files\nfi\n")
}

func fish(w io.Writer) {
	// fish shows nothing after the cursor: a file has to stand before it.
	fmt.Fprint(w, `function __hush_words
  set -l before (commandline -opc)
  $before[1] complete (math (count $before) - 1) $before[2..-1] (commandline -ct) 2>/dev/null
end
`)
	for _, c := range commands {
		fmt.Fprintf(w, "complete -c hush -n __fish_use_subcommand -f -a %s -d %s\n",
			c.name, quoted(c.what))
		seen := "'__fish_seen_subcommand_from " + c.name + "'"
		for _, f := range c.options() {
			value := " -r" // a file, as far as is known
			switch {
			case isSwitch(f):
				value = ""
			case slices.Contains(ofWords, f.Name):
				value = " -x -a '(__hush_words)'"
			}
			fmt.Fprintf(w, "complete -c hush -n %s -o %s%s -d %s\n", seen, f.Name, value,
				quoted(strings.ReplaceAll(f.Usage, "`", "")))
		}
		if c == askCommand || c == describeCommand {
			fmt.Fprintf(w, "complete -c hush -n %s -a '(__hush_words)'\n", seen)
		}
		if len(c.words) > 0 {
			alone := " -f" // no file may stand here
			if c == askCommand {
				alone = ""
			}
			fmt.Fprintf(w, "complete -c hush -n %s%s -a '%s'\n", seen, alone,
				strings.Join(c.words, " "))
		}
	}
}
