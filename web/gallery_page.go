//go:build gallery

package web

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/gallery"
	"hush/web/state/place"
)

// content is the view that the address names, every part of the page in every state among them.
func (p *Page) content() app.UI {
	if p.model.View == place.ViewGallery {
		return &gallery.Page{Address: p.model.Address, Browser: p.browser}
	}
	return p.place()
}
