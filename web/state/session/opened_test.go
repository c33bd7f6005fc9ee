package session_test

import (
	"strings"
	"testing"

	"hush/web/exhibit"
	"hush/web/state"
	"hush/web/state/release"
)

// TestOpenedReleases: what an opened file promises is worked out from its question, and what it
// says otherwise is named; a true one is opened without a doubt.
func TestOpenedReleases(t *testing.T) {
	file := exhibit.SavedCombinations()
	r := func(pairs ...string) string {
		changed := strings.NewReplacer(pairs...).Replace(file)
		if changed == file && len(pairs) > 0 {
			t.Fatalf("%q is not in the file", pairs[0])
		}
		return changed
	}
	for name, c := range map[string]struct {
		text   string
		doubts []string // a part of each
	}{
		"as it was saved": {file, nil},
		"seeded": {r(`"origin": "crypto"`, `"origin": "seeded"`),
			[]string{"drawn from a seed"}},
		"of nowhere": {r(`"origin": "crypto"`, `"origin": "hardware"`),
			[]string{"from “hardware”"}},
		"a guarantee of one's own": {r(`"exact": "ε = `, `"exact": "ε = 0.000`),
			[]string{"states the guarantee as “ε = 0.000"}},
		"other neighbours": {r(`"neighbours": "One row`, `"neighbours": "A hundred rows`),
			[]string{"that it protects “A hundred rows"}},
		"another algorithm": {r(`"algorithm": "`, `"algorithm": "magic `),
			[]string{"names the algorithm “magic "}},
		"a question of nothing": {r(`"role": "attribute"`, `"role": "nobody"`),
			[]string{"cannot be worked out from its question"}},
	} {
		m := state.NewModel()
		m.Start(exhibit.Still{}, exhibit.Still{}, func() {})
		m.Answer.Open(c.text)
		if m.Answer.Phase != release.Done {
			t.Errorf("%s: not opened: %s", name, m.Answer.NotOpened)
			continue
		}
		if len(m.Answer.Doubts) != len(c.doubts) {
			t.Errorf("%s: doubts %q, want %d", name, m.Answer.Doubts, len(c.doubts))
			continue
		}
		for i, want := range c.doubts {
			if !strings.Contains(m.Answer.Doubts[i], want) {
				t.Errorf("%s: the doubt is %q, want %q", name, m.Answer.Doubts[i], want)
			}
		}
		plan := m.Answer.Result.Plan
		for _, forged := range []string{"0.000", "hundred rows", "magic"} {
			if strings.Contains(plan.Guarantee.Exact+plan.Guarantee.Neighbours+plan.Algorithm,
				forged) {
				t.Errorf("%s: the page shows what the file says: %+v", name, plan)
			}
		}
		if m.Answer.Result.Verdict != nil || !m.Answer.Result.Unverified {
			t.Errorf("%s: the file's own verdict stands", name)
		}
	}
}

// TestOpenedTaskIsKnown: the name of a question becomes the name of files, so it is one of ours.
func TestOpenedTaskIsKnown(t *testing.T) {
	for _, name := range []string{"../../evil", "", "CONJUNCTIONS", "a.html#"} {
		m := state.NewModel()
		m.Start(exhibit.Still{}, exhibit.Still{}, func() {})
		m.Answer.Open(strings.Replace(exhibit.SavedCombinations(), `"task": "conjunctions"`,
			`"task": "`+name+`"`, 1))
		if m.Answer.Phase == release.Done ||
			!strings.Contains(m.Answer.NotOpened, "there is no task") {
			t.Errorf("%q: %q", name, m.Answer.NotOpened)
		}
	}
}
