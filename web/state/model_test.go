package state_test

import (
	"testing"

	"hush/core/message"
	"hush/web/state"
	"hush/web/webtest"
)

func TestEngineDeathIsTold(t *testing.T) {
	m, _ := webtest.Asked(t)
	m.News("died", []byte(`{"reason":"out-of-memory"}`))
	if m.Engine != state.EngineDied {
		t.Error("not told")
	}
	m.News("restarted", []byte("null"))
	if m.Engine != state.EngineReady {
		t.Error("not back")
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1\u00a0000",
		-1234567: "−1\u00a0234\u00a0567"} {
		if got := message.Grouped(n); got != want {
			t.Errorf("message.Grouped(%d) = %q, want %q", n, got, want)
		}
	}
}
