//go:build !gallery

package web

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// content draws the view that the address names. The gallery is not shipped: it takes up a fiftieth
// of the program.
func (p *Page) content() app.UI { return p.place() }
