package engine

import (
	"encoding/json"
	"fmt"
	"testing"

	"hush/core/audit"
	"hush/core/prove"
	"hush/web/say"
)

// A demonstration needs no file, comes back whole, and leaves what is open as it is.
func TestProve(t *testing.T) {
	h := newHost(t, ages())
	d, _ := prove.Find("count")
	var f prove.Finding
	h.must("prove", d.Usual(), &f)
	if want, err := prove.Run(say.Language(), d.Usual(), nil); err != nil ||
		encoded(t, f) != encoded(t, want) || f.Verdict != audit.Holds {
		t.Errorf("%+v (%v), want %+v", f, err, want)
	}
	opened := h.open()
	h.must("prove", d.Usual(), &f)
	var plan struct{ People int64 }
	if h.must("plan", question(opened), &plan); plan.People != 200 {
		t.Errorf("%d people after a demonstration, want 200", plan.People)
	}
}

func TestProveIsRefusedAndCancelled(t *testing.T) {
	h := newHost(t, nil)
	d, _ := prove.Find("count")
	wrong := d.Usual()
	wrong.Persons = 1000
	if f := h.ask("prove", wrong, nil); f == nil || f.Code != Refused || f.Field != "persons" ||
		f.Package != "prove" {
		t.Errorf("1000 persons: %+v", f)
	}
	reply := h.d.Call("prove", []byte(encoded(t, d.Usual())), func(int64, int64) error {
		return fmt.Errorf("test: %w", ErrCancelled)
	})
	if f := h.read(reply, nil); f == nil || f.Code != Cancelled {
		t.Errorf("cancelled: %+v", f)
	}
	var f prove.Finding
	h.must("prove", d.Usual(), &f) // the dispatcher is still of use
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
