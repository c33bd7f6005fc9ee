package main

import (
	"bytes"
	"fmt"
	"strings"

	"hush/core/verify"
	"hush/web/report"
)

var checkCommand = &command{name: "check", args: "RELEASE", least: 1, most: 1, run: check,
	what: "checks a release or a publication without its data"}

// check reports which claims of a release hold. It does not check signatures: that takes a browser.
func check(c *call) error {
	text, err := readFile(c.args[0])
	if err != nil {
		return err
	}
	found := verify.Signed(nil, text, "", nil, report.Rewrite)
	if found.About == "" && !c.json && bytes.HasPrefix(text, []byte("PK")) {
		return fail(exitUnread, "%s is a document, a workbook or an archive, which is not "+
			"checked: name the release that it was made of, or the page, a file of HTML",
			c.args[0])
	}
	if found.About == "" && !c.json {
		return fail(exitUnread, "%s is no release and no publication: name a file that Hush "+
			"wrote. hush look shows what it is", c.args[0])
	}
	if c.json {
		if err := writeJSON(c, found); err != nil {
			return err
		}
	} else {
		c.report(found)
	}
	switch {
	case found.About == "":
		return fail(exitUnread, "%s is no release and no publication: name a file that Hush "+
			"wrote", c.args[0])
	case found.Count(verify.Fails) > 0:
		return fail(exitFailed, "%s does not hold", c.args[0])
	case found.Shown == verify.Cannot:
		return fail(exitUnseen, "the data in %s hold, but not all that a reader sees was "+
			"compared with them", c.args[0])
	}
	return nil
}

func (c *call) report(found verify.Report) {
	printf(c.out, "%s\n%s\nSHA-256 %s\n\n", found.About, found.Loss, found.Fingerprint)
	for _, k := range found.Checks {
		printf(c.out, "%-6s  %s\n        %s\n", k.Status, k.Title, k.Detail)
		for _, f := range k.Faults {
			printf(c.out, "        line %d, column %d%s: %s %s %s\n", f.Line, f.Column,
				strings.TrimSuffix(", "+f.Path, ", "), f.Says, f.Law, f.Means)
		}
	}
	fmt.Fprintln(c.out, "\nWhat no file can show:")
	for _, k := range found.Unknowable {
		printf(c.out, "  %s\n", k.Title)
	}
}
