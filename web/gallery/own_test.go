package gallery

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
)

// A lesson about somebody's own file has nothing that an author could copy: what it shows is not
// private.
func TestOwnFileIsNotEmbedded(t *testing.T) {
	seen := map[bool]int{}
	for _, s := range Specimens() {
		if html := app.HTMLString(s.Draw(nil)); s.Part == "Learn" &&
			strings.Contains(html, "learn-draw") {
			own := strings.Contains(html, string(parts.NotPrivate[:40]))
			if seen[own]++; strings.Contains(html, "hush-demo") == own {
				t.Errorf("%s: of one's own file: %v, can be embedded: %v", s.State, own, !own)
			}
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("the gallery shows %v lessons, want both kinds", seen)
	}
}
