package web

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/say"
)

// languageField offers the languages of the bundle, where there is more than English. To choose one loads the page anew.
func languageField(b *browser) app.UI {
	all, current := b.languages()
	if len(all) < 2 {
		return absent()
	}
	var list []option
	for _, l := range all {
		list = append(list, option{l.Tag, l.Name})
	}
	return dataField("language", say.Text("Language"), current, list, say.Text("The page is loaded anew: take with you what you need before."), "", b.speak)
}
