package engine

import (
	"strings"

	"hush/core/phrase"
	"hush/web/say"
)

// said lists the messages of the scripts around the engine (static/hush.js, engine.js, answers.js,
// fault.js, ledger.js, page.js, source.js), in English: they are for programs too. A place holds
// another of them, or what the browser adds.
var said = []phrase.Key{
	"a living table lies on the site that this program comes from, and this one does not",
	"an internal error of the engine",
	"another tab draws the rest of this plan",
	"it does not answer",
	"no file is open",
	"no room is left for it",
	"it was asked in another version of this page, which may read the file in another way",
	"it was asked of another data set, or in another browser, or together with other questions",
	"it was made more exact before",
	"it was asked of a file with other bytes, which may hold other numbers",
	"its ledger was restored, joined with another, or given another limit since",
	"no more cases are labelled: the owner has looked at the true answers of this data set and " +
		"might choose cases by them",
	"the browser gave no randomness, so the engine stopped and was restarted",
	"the browser refuses to keep answers (%s)",
	"the browser refuses to store the ledger (%s)",
	"the engine could not be started (%s)",
	"the engine ended unexpectedly and was restarted",
	"the engine met a defect of its own and was restarted",
	"the engine ran out of memory and was restarted. Nothing of the file was lost; it may be too " +
		"large for this browser",
	"the engine ran out of stack and was restarted",
	"the engine was closed",
	"the engine was stopped and restarted",
	"the figures could not be read (%s)",
	"the reader of this kind of file could not be started. Open the file again",
	"the price of this plan cannot be that of its questions: nothing was debited, and nothing " +
		"may be drawn",
	"the settings of this browser forbid it",
	"the transaction was aborted",
	"this browser lacks the vector instructions of WebAssembly",
	"the file can no longer be read: it was moved or changed. Choose it again",
	"the file is not the one that was opened before. Open it again",
	"the file is too large: at most 16 MB are read here",
	"the living table could not be loaded: its address is another, or there is no network",
	"the ledger has lost entries of this data set, so the budget spent is not known",
	"this page is not served over HTTPS",
	"this answer cannot be made more exact for the difference alone: %s",
	"this plan was made of another data set. Open the file that it was made of",
	"this plan was drawn in another browser, or its draws are over: nothing more of it can be " +
		"drawn",
	"this browser made no picture of the chart",
	"this file is too large to be a ledger",
	"this ledger file contradicts the ledger of this browser: the release %s is another one " +
		"here. Nothing was taken from it",
	"the true answers of this data set are not shown: that has to be chosen first",
}

// Said translates a script's message into the reader's language; any other text stays unchanged.
func Said(text string) string {
	for _, k := range said {
		before, after, _ := strings.Cut(string(k), "%s")
		if text == string(k) {
			return say.Text(k)
		}
		if len(text) > len(before)+len(after) && strings.HasPrefix(text, before) &&
			strings.HasSuffix(text, after) && strings.Contains(string(k), "%s") {
			return say.Format(k, Said(text[len(before):len(text)-len(after)]))
		}
	}
	return text
}
