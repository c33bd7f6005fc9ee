package finding

import (
	"encoding/json"
	"testing"

	"hush/web/webtest"
)

// TestProofCharts compares the pictures of three findings: within the claim, beyond it, and without
// end.
func TestProofCharts(t *testing.T) {
	for _, c := range []struct{ id, bug string }{{"count", ""}, {"stable-choice", "always"},
		{"exponential", "named"}} {
		m, _ := webtest.Proving(t, "/prove/"+c.id+"?bug="+c.bug)
		for name, option := range map[string]json.RawMessage{
			"laws": Laws(m.Proof.Finding), "ratios": Ratios(m.Proof.Finding),
			"need": Need(m.Proof.Finding),
		} {
			webtest.Golden(t, "chart-proof-"+c.id+"-"+name+".json", webtest.Indent(t, option))
		}
	}
}
