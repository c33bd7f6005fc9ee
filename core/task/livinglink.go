package task

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"io"
	"strings"

	"hush/core/ask"
	"hush/core/phrase"
)

// Limits of a link that holds a living table: programs cut longer addresses, and no link may unpack
// to more.
const (
	MostLivingLink = 8000 // characters
	mostUnpacked   = 1 << 17
)

// LivingLink packs the file of a living table into a link, with its rows in order and without the
// names of the data set and its source. It is empty where the table is too long for a link. All
// that it contains was released.
func LivingLink(r *Release, build string) string {
	made, is := r.Answer.Result.(*Joint)
	if !is {
		return ""
	}
	sorted, answer := *r, *made
	answer.Model = made.Model.Sorted()
	sorted.Answer.Result, sorted.Recipe.Data, sorted.Recipe.Source = &answer, "", ""
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		panic("task: internal error: " + err.Error())
	}
	text := sorted.JSON(build)
	if len(text) > mostUnpacked {
		return ""
	}
	_, _ = io.WriteString(w, text) // to memory
	_ = w.Close()
	if link := base64.RawURLEncoding.EncodeToString(packed.Bytes()); len(link) <= MostLivingLink {
		return link
	}
	return ""
}

// UnpackLiving returns the file in a link, and refuses a link that was cut or mistyped.
func UnpackLiving(link string) (string, error) {
	if len(link) > MostLivingLink {
		return "", ask.Refuse("link", phrase.Of("%d characters", len(link)),
			phrase.Of("at most %d characters: open the file instead", MostLivingLink))
	}
	packed, err := base64.RawURLEncoding.DecodeString(link)
	if err == nil {
		var text strings.Builder
		from := flate.NewReader(bytes.NewReader(packed))
		if _, err = io.Copy(&text, io.LimitReader(from, mostUnpacked+1)); err == nil &&
			text.Len() <= mostUnpacked {
			return text.String(), nil
		}
	}
	return "", ask.Refuse("link", phrase.Of("%d characters", len(link)),
		phrase.Of("the whole link, as “Copy the link” gave it"))
}
