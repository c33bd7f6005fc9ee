package parts

import (
	"fmt"

	"hush/web/say"
)

// BytesText writes a file size: "12.3 MB".
func BytesText(n int64) string {
	const mega = 1_000_000
	switch {
	case n < 1000:
		return say.Format("%d bytes", n)
	case n < mega:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	case n < 1000*mega:
		return fmt.Sprintf("%.1f MB", float64(n)/mega)
	}
	return fmt.Sprintf("%.2f GB", float64(n)/(1000*mega))
}
