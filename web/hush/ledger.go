package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hush/web/engine"
	"hush/web/hush/ledger"
)

var ledgerCommand = &command{name: "ledger", args: "[VERB …]", least: 0, most: 4,
	flags: func(c *call) {
		inLedger(c)
		c.flags.BoolVar(&c.csv, "csv", false, "of answer: write it as a table, CSV")
	},
	words: []string{"list", "export", "import", "limit", "answer"}, run: onLedger,
	what: "lists what was spent; export; import FILE; limit DATASET EPSILON [DELTA]; " +
		"answer RELEASE [NUMBER]"}

// onLedger looks at the ledger, or changes it.
func onLedger(c *call) error {
	verb, args := "list", c.args
	if len(args) > 0 {
		verb, args = args[0], args[1:]
	}
	do, known := map[string]struct {
		least, most int
		writes      bool
		do          func(*call, *ledger.Ledger, []string) error
	}{
		"list":   {0, 0, false, list},
		"export": {0, 0, false, export},
		"import": {1, 1, true, merge},
		"limit":  {2, 3, true, setLimit},
		"answer": {1, 2, false, answer},
	}[verb]
	if !known || len(args) < do.least || len(args) > do.most {
		if !known {
			return fail(exitUsage, "there is no verb %q%s", verb, near(verb, c.command.words,
				"hush ledger -h lists them"))
		}
		return fail(exitUsage, "%s does not take %d arguments: hush ledger %s", verb, len(args),
			c.command.what)
	}
	l, err := c.openLedger(do.writes)
	if err != nil {
		return err
	}
	defer l.Close()
	return do.do(c, l, args)
}

// list shows all accounts.
func list(c *call, l *ledger.Ledger, _ []string) error {
	if c.json {
		all := []engine.Account{}
		for _, a := range l.Accounts() {
			account, err := l.Spending(a).Account()
			if err != nil {
				return err
			}
			all = append(all, account)
		}
		return writeJSON(c, all)
	}
	for _, a := range l.Accounts() {
		d := &desk{ledger: l, account: a}
		printf(c.out, "%s\n  %s\n", a.Fingerprint[:16], d.budget())
		for _, e := range a.Entries {
			state := ""
			if e.Questions() > 0 && e.Open() {
				state = ", paid for and not seen yet: ask again, at no cost"
			}
			printf(c.out, "  %s  %s  %s, %s%s\n", e.Time, e.ID, named(e), e.Loss, state)
			if e.Query != "" {
				printf(c.out, "    counted by the query with the SHA-256 %s\n", e.Query)
			}
		}
	}
	return nil
}

// named describes what an entry paid for: "mean of age", "plan of 2 questions: mean of age, count
// of age".
func named(e *ledger.Entry) string {
	if e.Fixed == nil {
		return strings.TrimSuffix(e.Task+" of "+e.Column, " of ")
	}
	var list []string
	for _, r := range e.Fixed.Questions {
		list = append(list, strings.TrimSuffix(r.Task+" of "+r.Label, " of "))
	}
	return fmt.Sprintf("plan of %d questions: %s", len(list), strings.Join(list, ", "))
}

func export(c *call, l *ledger.Ledger, _ []string) error {
	text, err := l.Export()
	if err == nil {
		_, err = fmt.Fprint(c.out, text)
	}
	return err
}

// merge adds the contents of a ledger file.
func merge(c *call, l *ledger.Ledger, args []string) error {
	text, err := readFile(args[0])
	if err != nil {
		return err
	}
	sum, err := l.Merge(string(text))
	var unread *engine.LedgerFileError
	switch {
	case errors.As(err, &unread):
		return fail(exitUnread, "%s: %w", args[0], err)
	case err != nil:
		return fail(exitRefused, "%s: %w", args[0], err)
	case c.json:
		return writeJSON(c, sum)
	}
	printf(c.out, "%d data sets: %d releases were new, %d known. %d data sets are named by "+
		"another device; of %d a higher limit was not taken; %d set a δ aside and do no more.\n",
		sum.DataSets, sum.Added, sum.Known, sum.Elsewhere, sum.Above, sum.Ended)
	return nil
}

// setLimit sets the limit of the data set whose fingerprint has this beginning.
func setLimit(c *call, l *ledger.Ledger, args []string) error {
	var found []*ledger.Account
	for _, a := range l.Accounts() {
		if strings.HasPrefix(a.Fingerprint, args[0]) {
			found = append(found, a)
		}
	}
	if len(found) != 1 {
		return fail(exitUsage, "%d data sets have a fingerprint that begins with %q: name one, "+
			"as hush ledger lists them", len(found), args[0])
	}
	var to *engine.Limit
	if args[1] != "none" {
		to = &engine.Limit{Epsilon: args[1]}
		if len(args) > 2 {
			to.Delta = args[2]
		}
	}
	if err := l.SetLimit(found[0], to); err != nil {
		return &failure{exitUsage, err}
	}
	if c.json {
		return writeJSON(c, found[0].Limit)
	}
	d := &desk{ledger: l, account: found[0]}
	printf(c.out, "%s\n", d.budget())
	return nil
}

// answer writes a release that was drawn before.
func answer(c *call, l *ledger.Ledger, args []string) error {
	_, e, err := l.Entry(args[0])
	if err != nil {
		return &failure{exitUsage, err}
	}
	number := 1
	if len(args) > 1 {
		if number, err = strconv.Atoi(args[1]); err != nil {
			return fail(exitUsage, "%q is not the number of a question of a plan", args[1])
		}
	}
	text, found, err := l.Answer(e, number)
	switch {
	case err != nil:
		return err
	case !found:
		return fail(exitFailed, "no answer %d of %s is kept here", number, e.ID)
	case !c.csv:
		return c.tell(text)
	}
	r, err := releaseOf(text)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(c.out, r.CSV())
	return err
}
