package state_test

import (
	"testing"

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
