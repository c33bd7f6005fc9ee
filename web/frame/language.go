package frame

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/say"
)

// languageField offers the languages of the bundle, where there are several. Choosing one reloads
// the page.
func languageField(b *parts.Browser) (field app.UI, several bool) {
	all, current := b.Languages()
	if len(all) < 2 {
		return parts.Absent(), false
	}
	var list []parts.Option
	for _, l := range all {
		list = append(list, parts.Option{Value: l.Tag, Text: l.Name})
	}
	return parts.DataField("language", say.Text("Language"), current, list,
		say.Text("The page will reload: save what you need first."), "", b.Speak), true
}
