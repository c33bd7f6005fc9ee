package proof

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/say"
)

// ThreatModel says who is trusted with what, what was tried against the page, and what it cannot
// stop. Each attack that it says is stopped has a test of its own.
type ThreatModel struct{ app.Compo }

// Render draws a table for each.
func (t *ThreatModel) Render() app.UI {
	return app.Section().Class("more").ID("threats").Aria("labelledby", "threats-title").Body(
		app.H2().ID("threats-title").
			Text(say.Text("What was attacked, and what cannot be stopped")),
		app.P().Text(
			say.Text("Proofs are about the answers. This is about the edges: the browser, "+
				"the server, and the files that come and go.")),
		table(say.Text("Whom you trust with what"),
			[]string{say.Text("Who"), say.Text("Trusted with"), say.Text("Not trusted with")},
			trusted()),
		table(say.Text("What was tried, what it did at first, and what holds"),
			[]string{say.Text("Attack"), say.Text("At first"), say.Text("What holds")},
			tried()),
		table(say.Text("What was promised and did not hold"),
			[]string{say.Text("Noticed"), say.Text("What broke"), say.Text("Which releases"),
				say.Text("What to do")}, broken()),
		app.P().Class("soft").Text(say.Text("How large it was, and how it was mended, is in "+
			"ADVISORIES.md of the source, in the folder .github.")),
		table(say.Text("What no page can stop"),
			[]string{say.Text("What"), say.Text("What you can do")}, unstopped()),
		table(say.Text("Known weaknesses"),
			[]string{say.Text("Known since"), say.Text("Weakness")}, weaknesses()),
	)
}

func table(caption string, header []string, rows [][]string) app.UI {
	return parts.DataTable(caption, header, rows, "", nil)
}

func trusted() [][]string {
	return [][]string{
		{say.Text("The owner of the file"), say.Text("The rows, and what they say before noise"),
			say.Text("Nothing is kept from the owner; a look without noise is noted for good")},
		{say.Text("People who read an answer"), say.Text("The answer and all that was typed into " +
			"the form"), say.Text("Any one person's data: the proofs are about this")},
		{say.Text("The server that Hush came from"), say.Text("The program: check it against " +
			"hashes.txt"), say.Text("The file, the question, the answer: it gets none of them")},
		{say.Text("The browser and its extensions"), say.Text("Everything: they see the page as " +
			"you do"), "–"},
		{say.Text("People who share the device"), say.Text("The ledger: fingerprints, names of " +
			"questions, losses, and frozen questions as they were asked"),
			say.Text("The rows: they are in memory only")},
		{say.Text("People who send a link, a question, a release or a ledger"),
			say.Text("What it asks"), say.Text("Its promise: that is worked out again")},
	}
}

func tried() [][]string {
	return [][]string{
		{
			say.Text("Search the browser's files for rows that were pasted"),
			say.Text("Pasted names were in the browser's session files, and came back with " +
				"Back"),
			say.Text("Nothing is found: the fields forbid it, and are emptied once read"),
		},
		{
			say.Text("Send rows away from the engine's worker, on a server without headers: " +
				"16 ways, in Chromium and Firefox"),
			say.Text("A socket of the worker reached another server while the page said that " +
				"nothing could leave"),
			say.Text("None can reach another server: the worker is under the page's policy, and " +
				"loses access to the network once it is loaded"),
		},
		{
			say.Text("Make requests that the counter does not see"),
			say.Text("Five requests of the worker left the counter as it was"),
			say.Text("Requests of the page, the engine, its helper and the service worker are " +
				"counted, as far as the browser reports them; sockets are removed"),
		},
		{
			say.Text("Reload past the offline switch"),
			say.Text("The request went out, and the page said nothing"),
			say.Text("The page says so, and does not start before you decide; its own files " +
				"came from the network"),
		},
		{
			say.Text("Read a filter's values from the browser's history"),
			say.Text("They were in the address before any release"),
			say.Text("They enter the address only when you ask for a link"),
		},
		{
			say.Text("Forge a release: its guarantee, its origin, its verdict"),
			say.Text("An invented guarantee was shown as checked"),
			say.Text("It is shown as unverified, and so is every copy; the guarantee is worked " +
				"out again, and differences are named"),
		},
		{
			say.Text("Send a link whose filter is about one person, or has thousands of " +
				"conditions"),
			say.Text("Its conditions were used before they were shown"),
			say.Text("Its conditions have bounds, and are shown before a file is open and where " +
				"they can be changed; a link asks nothing, spends nothing and holds no data"),
		},
		{
			say.Text("Name a download by a forged question"),
			say.Text("Any name was taken"),
			say.Text("Only the questions of the catalogue are opened"),
		},
		{
			say.Text("Ask the small server for links, dot-files, or without ever reading"),
			say.Text("It followed links, gave out dot-files, and waited for ever"),
			say.Text("Links and dot-files are not served; a connection that reads nothing for 20 " +
				"seconds is closed; at 256 connections, idle ones make room"),
		},
		{
			say.Text("Bring the same rows in another wrapping: packed, reordered, pasted"),
			say.Text("They counted as another data set, from which nothing had been spent"),
			say.Text("A second fingerprint, of the rows as a set, knows them again"),
		},
		{
			say.Text("Have one cell carry a word into the published question"),
			say.Text("A cell “unknown” became a missing word, one number with a decimal the " +
				"step"),
			say.Text("No single cell decides what is proposed"),
		},
		{
			say.Text("Have one cell change how many rows are published"),
			say.Text("A stray quote made 380 rows of 400, and a break in a name 401"),
			say.Text("Reading keeps the number; where it cannot, the page says so before you " +
				"confirm"),
		},
		{
			say.Text("Stall the page by an imported ledger"),
			say.Text("20 entries with losses of 65 536 digits took 6.5 seconds"),
			say.Text("Numbers and entries have bounds, and an import raises no limit unasked"),
		},
		{
			say.Text("Have a made-up table run a formula in a spreadsheet"),
			say.Text("Its cells were written as they were"),
			say.Text("Its cells are defused, as those of releases are"),
		},
		{
			say.Text("Change Hush's stored data, from another page of the same origin"),
			say.Text("The changed page was shown from then on, offline too"),
			say.Text("The service worker knows the hash of every file: it hands out no other, " +
				"and fetches the file again"),
		},
	}
}

// broken lists the guarantees that did not hold, newest first: .github/ADVISORIES.md in short.
func broken() [][]string {
	return [][]string{
		{
			"2026-11-29",
			say.Text("Errors of combinations, of contacts and of made-up data. Three stated " +
				"errors were too small where people are few or counts are whole"),
			say.Text("Those three questions, in sentence, caption or forecast"),
			say.Text("Read ± 2.97 as ± 3, and a typical error of few people as twice as large; " +
				"the privacy loss was right"),
		},
		{
			"2026-11-28",
			say.Text("Plans of large losses. The law that adds losses up left out weights " +
				"that round to 0, so a plan could be debited ε = 0"),
			say.Text("Plans with a δ whose ε add up to more than 355, by a build from " +
				"2026-11-25 on"),
			say.Text("Take the sum of the questions' ε as spent"),
		},
		{
			"2026-11-28",
			say.Text("Totals of pages with averaged answers. The total was the loss of the last " +
				"release of a chain"),
			say.Text("Pages with answers that have a δ and were made more exact several " +
				"times"),
			say.Text("Save the page again; checking it states the larger total"),
		},
		{
			"2026-11-28",
			say.Text("Plans with a large δ. The command drew a plan whose δ was 1/n or " +
				"more"),
			say.Text("Plans of the command with such a δ"),
			say.Text("Do not publish such a plan further"),
		},
		{
			"2026-11-28",
			say.Text("Answers made more exact with another file, in another limit, or in " +
				"two copies of a ledger"),
			say.Text("Answers with Laplace noise that a build from 2026-11-26 on made more " +
				"exact, if the second file differed from the first in any byte, a limit was " +
				"changed in between, or a ledger was copied"),
			say.Text("Add twice the ε of the first answer to the charge of the pair"),
		},
		{
			"2026-11-28",
			say.Text("Frozen questions. Names of columns could be exchanged after a look, " +
				"and with them the weights of tables"),
			say.Text("Releases of several tables with weights, made after a look at the " +
				"data"),
			say.Text("State that the weights were not fixed before the look"),
		},
		{
			"2026-11-28",
			say.Text("The ledger of the npm package. A link to it counted as a separate account, " +
				"and once its second file was gone, the entire limit was available again"),
			say.Text("Releases by the package in Node, if one ledger had two names or its " +
				"“.own” was lost"),
			say.Text("Add up what both names have spent"),
		},
		{
			"2026-11-28",
			say.Text("Counts made by a database. Cells that a collation treats as equal were one " +
				"group, and one identifier of a database could be several persons"),
			say.Text("Counts made from a database by a build from 2026-11-26 on, with such a " +
				"collation in DuckDB, or where persons are named by citext, decimal numbers, " +
				"intervals or such a collation"),
			say.Text("In the first case treat the release as unprotected; in the second " +
				"state k times its ε, for k spellings of one person"),
		},
		{
			"2026-11-28",
			say.Text("Checks of saved pages. A page whose text was changed, but not its " +
				"data, passed"),
			say.Text("Checks of pages as HTML by a build from 2026-11-26 on; no release " +
				"loses its guarantee"),
			say.Text("Check the page again, or its JSON"),
		},
		{
			"2026-11-28",
			say.Text("Criteria for made-up rows. They could be checked against earlier bins, and " +
				"the page said that the rows shown meet all of them"),
			say.Text("Made-up rows with criteria, by a build from 2026-11-26 on; their ε " +
				"and δ hold"),
			say.Text("Say that the rows passed a noisy check, and nothing of means where " +
				"bins were changed after the price was shown"),
		},
		{
			"2026-11-28",
			say.Text("Ranges of living tables. Quantiles were rounded inwards, means of binned " +
				"columns were means of the bins’ middles, and the most common value had a range " +
				"for that value alone"),
			say.Text("Sentences and tables copied from living tables by a build from " +
				"2026-11-26 on"),
			say.Text("Open the table again, and copy the sentence again: that costs nothing"),
		},
		{
			"2026-11-28",
			say.Text("The range of a spread in Main directions. It covered only the noise of the " +
				"spread, not the noise of the number of people and of the middle"),
			say.Text("All of Main directions, above all of few people"),
			say.Text("Ask again, or take the ends for less than they say"),
		},
		{
			"2026-11-28",
			say.Text("Errors in captions. The captions of cut-offs, contacts and made-up data, " +
				"and the sentence of several tables, printed a different error from the one they " +
				"named"),
			say.Text("Captions and sentences; the ranges in tables were right"),
			say.Text("Read the table’s ranges"),
		},
		{
			"2026-11-28",
			say.Text("Intervals of values. The page said that 95 of 100 releases give them, " +
				"which is wrong where many people share a value"),
			say.Text("No release: what was given holds"),
			say.Text("Nothing"),
		},
		{
			"2026-11-28",
			say.Text("Errors of rounded numbers. Percentages of histograms, and the large " +
				"figures of a page, were rounded after their errors had been worked out"),
			say.Text("Sentences of histograms that begin with “About”, and large figures " +
				"of saved pages"),
			say.Text("Take the range from the table"),
		},
		{
			"2026-11-25",
			say.Text("Groups found among people with several rows. Cells that differ only in " +
				"zero bytes at the end were several groups to the bound and one group to the " +
				"count, so a group of one person was found far more often than δ allows"),
			say.Text("Only those made by a build from 2026-11-25 on, before this was fixed, with " +
				"such cells in the file, and whose recipe has “group.find”, “use.groups” of 2 or " +
				"more, “use.rows” of 1, and the same “use.column” as “group.column”"),
			say.Text("Look for a zero byte in the file: without one the release holds. With one, " +
				"δ was up to e^(ε′·(g − 1)/g) times the stated δ, for g groups of a person and " +
				"the part ε′ that finding had. State that δ instead, or, if it is 1/n or more, " +
				"withdraw the release and ask again"),
		},
	}
}

func unstopped() [][]string {
	return [][]string{
		{say.Text("A modified program can send what it has read to another address, since a page " +
			"cannot prevent navigation, or encode it in the names of files that it requests from " +
			"its own server"),
			say.Text("Compare with hashes.txt, or build it yourself; then work offline")},
		{say.Text("Code inside the page itself can open a frame, whose WebRTC no policy of a " +
			"page closes"),
			say.Text("Use a browser without extensions, or a machine without a network")},
		{say.Text("Other pages of the same origin, such as those of one user on a shared host, " +
			"can read and change the ledger and remove the service worker. They can also reach " +
			"into a tab that they open, unless the host sends a header that keeps them out"),
			say.Text("Give Hush an origin of its own")},
		{say.Text("Extensions, and those who control the browser or the device"),
			say.Text("Use a profile without extensions")},
		{say.Text("People who measure how long a run takes"),
			say.Text("Do not run it where somebody untrusted can time it")},
		{say.Text("A file that was really changed counts as another data set, and a cleared " +
			"browser forgets the budget spent"), say.Text("Save the ledger as a file")},
		{say.Text("The browser checks for a new version on its own, even while Hush is offline"),
			say.Text("It sends nothing but the address of the page")},
	}
}

func weaknesses() [][]string {
	const noted = "2026-11-23"
	return [][]string{
		{noted, say.Text("On a reload past the offline switch the page's own files are asked for " +
			"before it can say so.")},
		{noted, say.Text("The counter starts with the page and trusts the browser's own report, " +
			"which leaves out some requests, such as the browser's own.")},
		{noted, say.Text(
			"The numbers and the sentence of an opened release are those of its file.")},
		{noted, say.Text("A frozen question is kept in the ledger and its export as it was " +
			"asked.")},
		{noted, say.Text("On a host that sends no headers only a script of ours keeps the page " +
			"out of the frames of other sites.")},
		{"2026-11-25", say.Text("Files of the previous version, kept for a page that is still " +
			"open, are identified by a hash of 64 bits only.")},
	}
}
