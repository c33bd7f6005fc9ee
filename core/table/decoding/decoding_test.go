package decoding

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"hush/core/table"
)

// texts are words that an encoding can write.
var texts = map[string]string{
	"windows-1250": "Łódź, Dvořák, Győr", "windows-1251": "Москва, Київ", "windows-1253": "Αθήνα",
	"windows-1254": "İzmir, Iğdır", "windows-1255": "ירושלים", "windows-1256": "القاهرة",
	"windows-1257": "Rīga, Šiauliai", "windows-874": "กรุงเทพ", "iso-8859-2": "Łódź, Brno",
	"iso-8859-5": "Москва", "iso-8859-7": "Αθήνα", "iso-8859-15": "Besançon, 5 €, œuf",
	"koi8-r": "Москва", "koi8-u": "Київ", "ibm866": "Москва", "macintosh": "Zürich, œuf",
	"x-mac-cyrillic": "Москва", "shift_jis": "東京都、カナ ｶﾅ", "euc-jp": "大阪府、ひらがな",
	"iso-2022-jp": "名古屋市", "euc-kr": "서울, 부산", "gbk": "北京市，上海", "gb18030": "北京 😀 €",
	"big5": "臺北市，高雄",
}

// TestWeb: each encoding of the web has a decoder, which gives the same however the bytes are cut.
func TestWeb(t *testing.T) {
	for _, name := range table.Encodings() {
		if strings.HasPrefix(name, "utf-") {
			continue
		}
		whole := Web(name)
		if whole == nil {
			t.Errorf("%s has no decoder", name)
			continue
		}
		word, ok := texts[name]
		if !ok {
			word = "plain"
		}
		e, err := htmlindex.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		written, err := e.NewEncoder().Bytes([]byte(word))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := string(whole(written, true)); got != word {
			t.Errorf("%s: %q, want %q", name, got, word)
		}
		for size := 1; size < len(written); size++ {
			cut, got := Web(name), ""
			for from := 0; from < len(written); from += size {
				got += string(cut(written[from:min(from+size, len(written))], false))
			}
			if got += string(cut(nil, true)); got != word {
				t.Errorf("%s in pieces of %d: %q, want %q", name, size, got, word)
			}
		}
	}
	if Web("no such encoding") != nil {
		t.Error("there is a decoder of no encoding")
	}
}

// FuzzWeb: whatever the bytes, a decoder gives the same text at once and in pieces, and ends.
func FuzzWeb(f *testing.F) {
	f.Add(uint8(0), uint8(1), []byte("abc\x82\xa0\x81"))
	f.Add(uint8(30), uint8(3), []byte("\x1b$B$\"\x1b(B"))
	f.Add(uint8(36), uint8(2), []byte("\x81\x30\x81\x30\xff\x80"))
	names := table.Encodings()
	f.Fuzz(func(t *testing.T, which, size uint8, in []byte) {
		name := names[int(which)%len(names)]
		if strings.HasPrefix(name, "utf-") || len(in) > 1<<12 {
			return
		}
		want, got, cut := string(Web(name)(in, true)), "", Web(name)
		step := 1 + int(size)%16
		for from := 0; from < len(in); from += step {
			got += string(cut(in[from:min(from+step, len(in))], false))
		}
		if got += string(cut(nil, true)); got != want {
			t.Errorf("%s of %q in pieces of %d: %q, want %q", name, in, step, got, want)
		}
	})
}
