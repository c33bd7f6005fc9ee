package privacy

import (
	"encoding/json"
	"errors"
	"math/big"
	"testing"

	"hush/core/param"
)

func TestLossJSON(t *testing.T) {
	tenth, _ := ParseEpsilon("0.1")
	small, _ := ParseDelta("1e-6")
	rho, _ := ParseRho("1/3")
	odds, err := LossFromOdds(big.NewRat(3, 2), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		loss Loss
		want string // empty: whatever it is, it reads back the same
	}{
		{"none", Loss{}, `{"epsilon":"0","delta":"0"}`},
		{"pure", PureLoss(tenth), `{"epsilon":"1/10","delta":"0"}`},
		{"approximate", ApproximateLoss(tenth, small), `{"epsilon":"1/10","delta":"1/1000000"}`},
		{"concentrated", ConcentratedLoss(rho), `{"delta":"0","rho":"1/3"}`},
		{"no privacy", NoPrivacy(), `{"epsilon":"0","delta":"1"}`},
		{"odds", odds, ""},
		{"sum", odds.Plus(odds), ""},
		{"mixed sum", PureLoss(tenth).Plus(ConcentratedLoss(rho)), ""},
		{"table", PureLoss(tenth).WithRho(big.NewRat(1, 512)),
			`{"epsilon":"1/10","delta":"0","rho":"1/512"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := json.Marshal(c.loss)
			if err != nil {
				t.Fatal(err)
			}
			if c.want != "" && string(text) != c.want {
				t.Errorf("wrote %s, want %s", text, c.want)
			}
			var back Loss
			if err := json.Unmarshal(text, &back); err != nil {
				t.Fatal(err)
			}
			if again, _ := json.Marshal(back); string(again) != string(text) {
				t.Errorf("%s came back as %s", text, again)
			}
			if back.Exact() != c.loss.Exact() || !c.loss.AtMost(back) ||
				c.want != "" && !back.AtMost(c.loss) {
				t.Errorf("%s came back as another loss: %s", c.loss.Exact(), back.Exact())
			}
		})
	}
}

func TestLossJSONRefuses(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"delta":"0"}`, `{"epsilon":"-1"}`, `{"epsilon":"x"}`, `{"epsilon":"1/0"}`,
		`{"epsilon":"1","odds":"1/2"}`, `{"epsilon":"1","delta":"-1/2"}`,
	} {
		loss := NoPrivacy()
		var refused *param.Error
		if err := json.Unmarshal([]byte(text), &loss); !errors.As(err, &refused) {
			t.Errorf("%s: error %v, want *param.Error", text, err)
		}
		if loss.Protects() {
			t.Errorf("%s: the loss changed though it was refused", text)
		}
	}
}
