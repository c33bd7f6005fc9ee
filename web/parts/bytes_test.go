package parts

import (
	"testing"

	"hush/core/message"
)

func TestGroupedAndBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1\u00a0000",
		-1234567: "−1\u00a0234\u00a0567"} {
		if got := message.Grouped(n); got != want {
			t.Errorf("message.Grouped(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{5: "5 bytes", 1500: "1.5 kB", 2_500_000: "2.5 MB",
		3_000_000_000: "3.00 GB"} {
		if got := BytesText(n); got != want {
			t.Errorf("bytesText(%d) = %q, want %q", n, got, want)
		}
	}
}
