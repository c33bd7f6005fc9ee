//go:build gallery

package web

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/gallery"
	"hush/web/state/place"
)

// content draws the view that the address names; the gallery, with every part of the page in every
// state, is one of them.
func (p *Page) content() app.UI {
	if p.model.View == place.ViewGallery {
		return &gallery.Page{Address: p.model.Address, Browser: p.browser}
	}
	return p.place()
}
