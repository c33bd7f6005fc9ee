package say

import "testing"

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{5: "5 bytes", 1500: "1.5 kB", 2_500_000: "2.5 MB",
		3_000_000_000: "3.00 GB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}
