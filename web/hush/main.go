// Command hush asks questions of people's data outside of a browser: with the page's recipes, noise
// laws and rules of the ledger. ./build.sh tool makes it; the README has a walk through it.
//
// A command is a file here and a line of the table below. Nothing is drawn without -spend.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"hush/core/phrase"
	"hush/core/task"
	"hush/web/engine"
)

// commands lists everything that the program can do, in the order of its help.
var commands = []*command{lookCommand, describeCommand, questionsCommand, askCommand,
	planCommand, checkCommand, topUpCommand, rowsCommand, sqlCommand, ledgerCommand,
	completionCommand, manCommand}

// command is one thing that the program does.
type command struct {
	name  string
	args  string // as its usage shows them: "RECIPE FILE"
	what  string // in one line
	least int    // how many arguments, at least and at most
	most  int
	flags func(*call) // declares its own flags; nil: it has none
	run   func(*call) error
	words []string // what its first argument may be, if that is one of a list
}

// call is one use of a command.
type call struct {
	ctx      context.Context // ends when the user interrupts
	command  *command
	flags    *flag.FlagSet
	args     []string
	out, err io.Writer

	json bool // everything written to out is JSON
	csv  bool
	rows string // how many are made up
	// the file to which they are written; empty: none
	output string
	// the ε of a top-up
	epsilon string
	target
	on // a database, in place of a file
	spending
	printed
	words words // a question asked without a recipe
}

// The exit codes, which scripts rely on.
const (
	exitDone        = 0
	exitFailed      = 1   // also: a check found that a release does not hold
	exitUsage       = 2   // the command line is wrong
	exitRefused     = 3   // by the limit, by the ledger, or for a claim that is not agreed to
	exitUnread      = 4   // a file or a recipe cannot be read, or does not fit the other
	exitBusy        = 5   // another run holds the ledger
	exitNothing     = 6   // a search was paid for and found nothing good enough
	exitUnseen      = 7   // the data hold, and not all that a reader sees was compared with them
	exitInterrupted = 130 // as in shells
)

const exitCodes = `Exit codes:
  0    done
  1    failed; of check: the release does not hold
  2    the command line is wrong
  3    refused: by the limit, by the ledger, or for a claim that is not agreed to
  4    a file or a recipe cannot be read, or does not fit the other
  5    another run holds the ledger
  6    a search was paid for and found nothing good enough
  7    of check: the data hold, but not all that a reader sees was compared with them
  130  interrupted
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run carries out one command line and returns the exit code.
func run(ctx context.Context, args []string, out, errors io.Writer) int {
	if len(args) == 0 {
		usage(errors)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		usage(out)
		return exitDone
	case "version", "-version", "--version":
		return version(out, errors)
	case "complete": // for shells alone
		return complete(ctx, args[1:], out)
	}
	for _, c := range commands {
		if c.name == args[0] {
			return c.start(ctx, args[1:], out, errors)
		}
	}
	if task.Known(args[0]) {
		printf(errors, "hush: %s is a question: hush ask %s\n", args[0], strings.Join(args, " "))
		return exitUsage
	}
	printf(errors, "hush: there is no command %q%s\n", phrase.Short(args[0]),
		near(args[0], names(), "hush help lists them"))
	return exitUsage
}

// version states which program this is: its own hash, on which the ledger and bug reports rely.
func version(out, errors io.Writer) int {
	own, err := build()
	if err != nil {
		fmt.Fprintf(errors, "hush version: %v\n", err)
		return exitFailed
	}
	fmt.Fprintf(out, "hush, build %s, %s\n", own[:16], runtime.Version())
	return exitDone
}

func usage(w io.Writer) {
	fmt.Fprint(w, "Usage: hush COMMAND [FLAGS] ARGUMENTS; hush COMMAND -h lists its flags\n\n")
	for _, c := range commands {
		printf(w, "  %s %s\n      %s\n", c.name, c.args, c.what)
	}
	fmt.Fprint(w, "\nNothing is drawn without -spend.\n\n", exitCodes)
}

// start reads the command line and runs the command.
func (c *command) start(ctx context.Context, args []string, out, errs io.Writer) int {
	use := c.call(ctx, out, errs)
	if err := use.parse(args); errors.Is(err, flag.ErrHelp) {
		use.usage()
		return exitDone
	} else if err != nil {
		printf(errs, "hush %s: %s\n", c.name, brief(c.misused(err)))
		return exitUsage
	}
	if n := len(use.args); n < c.least || n > c.most {
		wanted := "takes the arguments " + c.args
		if c.args == "" {
			wanted = "takes no arguments"
		}
		printf(errs, "hush %s: it %s; got %d\n", c.name, wanted, n)
		return exitUsage
	}
	err := c.run(use)
	if err == nil {
		return exitDone
	}
	if text := err.Error(); text != "" {
		printf(errs, "hush %s: %s\n", c.name, brief(text))
	}
	return codeOf(err)
}

// call prepares a use of the command, with its flags.
func (c *command) call(ctx context.Context, out, errs io.Writer) *call {
	use := &call{ctx: ctx, command: c, out: out, err: errs,
		flags: flag.NewFlagSet("hush "+c.name, flag.ContinueOnError)}
	use.flags.SetOutput(io.Discard) // start says what is wrong with them
	use.flags.BoolVar(&use.json, "json", false, "write JSON, for programs")
	if c.flags != nil {
		c.flags(use)
	}
	use.flags.Usage = func() {}
	return use
}

// usage lists the flags.
func (c *call) usage() {
	printf(c.err, "Usage: hush %s [FLAGS] %s\n%s.\n\n", c.command.name, c.command.args,
		c.command.what)
	c.flags.SetOutput(c.err)
	c.flags.PrintDefaults()
	fmt.Fprint(c.err, "\n", exitCodes)
}

// misused words an error of the flags.
func (c *command) misused(err error) string {
	lists := "hush " + c.name + " -h lists them"
	if name, is := strings.CutPrefix(err.Error(), "flag needs an argument: "); is {
		return name + " takes a value, which is missing; " + lists
	}
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: ")
	if !unknown {
		return err.Error() + "; " + lists
	}
	name = "-" + strings.TrimLeft(name, "-")
	return "there is no flag " + name + near(name, c.optionNames(), lists)
}

// parse accepts flags anywhere, even after arguments; everything after "--" is an argument.
func (c *call) parse(args []string) error {
	for {
		if err := c.flags.Parse(args); err != nil {
			return err
		}
		rest := c.flags.Args()
		if len(rest) == 0 {
			return nil
		}
		if taken := len(args) - len(rest); taken > 0 && args[taken-1] == "--" {
			c.args = append(c.args, rest...)
			return nil
		}
		c.args, args = append(c.args, rest[0]), rest[1:]
	}
}

// failure is an error with the exit code with which it ends the program.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// fail returns an error with an exit code. A long text that it quotes (%q) is shortened.
func fail(code int, format string, values ...any) error {
	for i, verb := range strings.Split(strings.ReplaceAll(format, "%%", ""), "%")[1:] {
		if text, is := values[i].(string); is && strings.HasPrefix(verb, "q") {
			values[i] = phrase.Short(text)
		}
	}
	return &failure{code, fmt.Errorf(format, values...)}
}

// codeOf returns the exit code of an error.
func codeOf(err error) int {
	var (
		coded *failure
		fault *engineError
	)
	switch {
	case errors.As(err, &coded):
		return coded.code
	case errors.Is(err, context.Canceled), errors.Is(err, engine.ErrCancelled):
		return exitInterrupted
	case errors.As(err, &fault):
		switch fault.Code {
		case engine.Refused, engine.Unreadable, engine.BadLedger, engine.OtherFile:
			return exitUnread
		case engine.OverLimit, engine.LookedAt, engine.NotAgreed, engine.PlanClosed,
			engine.NoTopUp:
			return exitRefused
		case engine.FoundNothing:
			return exitNothing
		case engine.Cancelled:
			return exitInterrupted
		}
	}
	return exitFailed
}
