package web

import (
	"hush/core/message"
	"testing"
)

func TestEngineDeathIsTold(t *testing.T) {
	m, _ := asked(t)
	m.News("died", []byte(`{"reason":"out-of-memory"}`))
	if m.Engine != EngineDied {
		t.Error("not told")
	}
	m.News("restarted", []byte("null"))
	if m.Engine != EngineReady {
		t.Error("not back")
	}
}

func TestGroupedAndBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1\u202f000", -1234567: "−1\u202f234\u202f567"} {
		if got := message.Grouped(n); got != want {
			t.Errorf("message.Grouped(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{5: "5 bytes", 1500: "1.5 kB", 2_500_000: "2.5 MB", 3_000_000_000: "3.00 GB"} {
		if got := bytesText(n); got != want {
			t.Errorf("bytesText(%d) = %q, want %q", n, got, want)
		}
	}
}
