package engine

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/web/say"
)

// FuzzDispatcher: whatever a client asks of an engine with a small file, it answers in JSON, and
// never by the fault of something that went wrong inside.
func FuzzDispatcher(f *testing.F) {
	names := slices.Sorted(maps.Keys(operations))
	recipe := `{"version":1,"task":"mean","table":{"encoding":"utf-8","delimiter":",",` +
		`"header":"yes","columns":2},"column":1,"domain":{"kind":"integer","lo":"0","hi":"99"},` +
		`"epsilon":"1"}`
	for i := range names {
		for _, request := range []string{"", "null", "{}", `"x"`, "[]", recipe,
			`{"recipe":` + recipe + `,"spent":[],"people":20,"draws":1,"epsilon":"1"}`} {
			f.Add(byte(i), request)
		}
	}
	f.Fuzz(func(t *testing.T, which byte, request string) {
		name := names[int(which)%len(names)]
		if name == "rows" && !json.Valid([]byte(request)) {
			return // a second of lessons for each that is valid
		}
		d := NewDispatcher(coin.NewSeeded(7), say.Language(), nil)
		d.Call("survey", []byte("{}"), nil)
		d.Write([]byte("age,town\n30,Graz\n41,Bern\n52,Graz\n"))
		d.Call("opened", nil, nil)
		d.Call("plan", []byte(recipe), nil)
		left := 20
		reply := d.Call(name, []byte(request), func(int64, int64) error {
			if left--; left < 0 {
				return ErrCancelled
			}
			return nil
		})
		var answer struct{ Fault *Fault }
		if err := json.Unmarshal(reply, &answer); err != nil {
			t.Fatalf("%s of %q: %v: %s", name, request, err, reply)
		}
		if answer.Fault != nil && answer.Fault.Code == Internal {
			t.Errorf("%s of %q: %+v", name, request, answer.Fault)
		}
	})
}
