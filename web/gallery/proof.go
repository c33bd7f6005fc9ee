package gallery

import (
	"math"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/audit"
	"hush/core/prove"
	"hush/core/verify"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/parts"
	"hush/web/proof"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/claim"
)

// exhibitFinding returns a finding such as the engine might make.
func exhibitFinding(changes ...func(*prove.Finding)) *prove.Finding {
	log := func(x float64) *float64 { y := math.Log(x); return &y }
	f := &prove.Finding{
		Verdict: audit.Holds, DataSets: 5, Pairs: 8, Odds: "3/2", Found: "3/2", Delta: "0",
		Lost: "0", Epsilon: math.Log(1.5), Needed: math.Log(1.5),
		Sentence: "Holds. Whoever is replaced, no outcome becomes more than 3/2 times as likely: " +
			"the largest ratio over all 8 pairs of neighbours is 3/2.",
		From: []int{audit.None, audit.None, audit.None, audit.None},
		To:   []int{audit.None, audit.None, audit.None, 0},
		Outcomes: []prove.Outcome{
			{Label: "≤ 0", P: "3/5", Q: "2/5", Ratio: "3/2", First: 0.6, Second: 0.4, Log: log(1.5),
				Within: true, Reverse: true},
			{Label: "1", P: "2/15", Q: "1/5", Ratio: "2/3", First: 2.0 / 15, Second: 0.2,
				Log: log(2.0 / 3), Within: true, Reverse: true},
			{Label: "≥ 2", P: "4/15", Q: "2/5", Ratio: "2/3", First: 4.0 / 15, Second: 0.4,
				Log: log(2.0 / 3), Within: true, Reverse: true},
		},
		Curve: []prove.Point{{Epsilon: 0, There: 0.2, Back: 0.2},
			{Epsilon: 0.2, There: 0.11, Back: 0.11}, {Epsilon: 0.41, There: 0, Back: 0},
			{Epsilon: 0.65, There: 0, Back: 0}},
		Replay: &prove.Replay{Holds: true, Sentence: say.Text("Holds. Both runs make the same " +
			"draws, no input moves further than its noise allows for, and all draws together " +
			"cost no more than the claim."),
			Draws: []prove.Draw{{Name: say.Text("discrete Laplace noise"), First: "0", Second: "1",
				Moved: "+1", May: "1 in all", Holds: true}}},
	}
	for _, change := range changes {
		change(f)
	}
	return f
}

// impossible returns a finding with outcomes that only one of the two data sets can have.
func impossible(f *prove.Finding) {
	f.Verdict, f.Found, f.Lost, f.Needed = audit.Violated, "none", "4/15", 0
	f.Sentence = "Fails: the outcome “≥ 2” has probability 4/15 for the first data set and is " +
		"impossible for the second. Whoever sees it knows which of the two it was."
	f.Outcomes[2].Q, f.Outcomes[2].Second, f.Outcomes[2].Ratio, f.Outcomes[2].Log,
		f.Outcomes[2].Within = "0", 0, "none", nil, false
	f.Outcomes[0].P, f.Outcomes[0].First, f.Outcomes[0].Ratio, f.Outcomes[0].Log,
		f.Outcomes[0].Reverse = "0", 0, "0", nil, false
	f.Replay = &prove.Replay{Draws: []prove.Draw{{Name: say.Text("discrete Laplace noise"),
		First:  "0, 2",
		Second: "1, 1", Moved: "+1, −1", May: "1 in all"}},
		Sentence: say.Text("Fails: an input moves further than its noise was made for.")}
	f.Curve = []prove.Point{{Epsilon: 0, There: 0.4, Back: 0.6},
		{Epsilon: 0.65, There: 0.27, Back: 0.4}}
}

// proofSpecimens shows the page that proves claims, in each phase and with each verdict.
func proofSpecimens() []Specimen {
	d, _ := prove.Find("count")
	usual, holds := d.Usual(), exhibitFinding()
	chosen, planted := usual, usual
	planted.Bug, chosen.From, chosen.To = "zero", holds.From, holds.To
	undecided := exhibitFinding(func(f *prove.Finding) {
		f.Verdict, f.Sentence, f.Cut = audit.Undecided,
			say.Text("Undecided: too much of the noise was not followed."), exhibit.ManyWays
		f.Delta, f.Lost = "1/16777216", "≈ 5.960464e-08"
	})
	var states []variant
	for _, s := range []struct {
		name string
		claim.Proof
	}{
		{"a claim that holds", claim.Proof{Request: usual, Phase: claim.ProofDone, Finding: holds}},
		{"a mistake that is caught",
			claim.Proof{Request: planted, Phase: claim.ProofDone,
				Finding: exhibitFinding(impossible)}},
		{"a pair that was chosen",
			claim.Proof{Request: chosen, Phase: claim.ProofDone, Finding: holds}},
		{"noise that was not followed",
			claim.Proof{Request: usual, Phase: claim.ProofDone, Finding: undecided}},
		{"being computed",
			claim.Proof{Request: usual, Phase: claim.ProofRunning,
				Progress: engine.Progress{Phase: "computing", Done: 3000, Total: 11880}}},
		{"cancelled",
			claim.Proof{Request: usual, Phase: claim.ProofFailed,
				Failure: &engine.Fault{Code: engine.Cancelled}}},
		{"refused", claim.Proof{Request: usual, Phase: claim.ProofFailed,
			Failure: &engine.Fault{Code: engine.Refused, Message: exhibit.ManyWays, Want: "less"},
			Notice:  exhibit.ManyWays}},
	} {
		states = append(states, variant{s.name, func(m *state.Model) { m.Proof = s.Proof }})
	}
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		return &proof.Page{Proof: &m.Proof, Browser: b}
	}, states)
}

// evidenceSpecimens shows the page of figures.
func evidenceSpecimens() []Specimen {
	line := audit.Line{Name: "Laplace", DataSets: 1287, Pairs: 35640, Odds: "≈ 608.0096",
		Delta: "≈ 0.106645", Found: "≈ 1.009596",
		Lost: "≈ 0.0003867823 … ≈ 0.0004046234", Worst: "∅ ∅ ∅ ∅ 5 → ∅ ∅ ∅ ∅ ∅",
		Verdict: audit.Holds}
	long, broken := line, line
	long.Name = exhibit.LongName
	broken.Name, broken.Found, broken.Verdict = "Laplace with half the noise", "none",
		audit.Violated
	read := []audit.Record{
		{Package: "mechanism", About: "holds the private mechanisms.",
			Claims: []audit.Line{line, long}, Planted: []audit.Line{broken}},
		{Package: "threshold", About: exhibit.ManyWays, Claims: []audit.Line{line},
			Intervals: [][]string{
				{"typical value, proven", "1000", "0.1", "226", "59", "", "100.0"},
				{"typical value, measured", "1000", "0.1", "108", "84", "0.48", "99.8"}}},
	}
	var states []variant
	for _, s := range []struct {
		name string
		claim.Evidence
	}{
		{"being read", claim.Evidence{}},
		{"read", claim.Evidence{Phase: claim.EvidenceRead, Records: read}},
		{"not to be read",
			claim.Evidence{Phase: claim.EvidenceFailed,
				Failure: &engine.Fault{Message: "the figures could not be read (404)"}}},
	} {
		states = append(states, variant{s.name, func(m *state.Model) { m.Evidence = s.Evidence }})
	}
	return exhibits(func(m *state.Model, _ *parts.Browser) app.UI {
		return &proof.EvidencePage{Evidence: &m.Evidence}
	}, states)
}

// checkSpecimens shows the page that checks a release: one that holds, and one in which a number
// was changed.
func checkSpecimens() []Specimen {
	saved := exhibit.Saved(say.Language(), "histogram")
	body, _, _ := ask.Checksum(saved)
	report := func(text string) *verify.Report {
		r := verify.File(say.Language(), []byte(text), "")
		return &r
	}
	done := func(r *verify.Report) claim.Check {
		return claim.Check{Phase: claim.CheckDone, Name: exhibit.LongName + ".json", Size: 41000,
			Report: r, Wanted: "5be2 c410 9a7e 03d1"}
	}
	var states []variant
	for _, s := range []struct {
		name string
		claim.Check
	}{
		{"no file yet", claim.Check{}},
		{"being checked", claim.Check{Phase: claim.CheckRunning}},
		{"all holds", done(report(saved))},
		{"a line that fails", done(report(ask.WithChecksum(
			strings.Replace(body, `"allError": `, `"allError": 1`, 1))))},
		{"no release", done(report("<html>"))},
		{"too large", claim.Check{Phase: claim.CheckFailed, Failure: &engine.Fault{
			Code:    engine.Refused,
			Message: engine.Said("the file is too large: at most 16 MB are read here")}}},
	} {
		states = append(states, variant{s.name, func(m *state.Model) { m.Check = s.Check }})
	}
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		return &proof.CheckPage{Check: &m.Check, Browser: b}
	}, states)
}
