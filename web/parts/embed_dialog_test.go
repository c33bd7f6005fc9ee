package parts

import (
	"strings"
	"testing"

	"hush/web/state/lesson"
)

// What an author copies holds no character that would end an attribute or begin markup.
func TestSnippetsAreMarkup(t *testing.T) {
	d := lesson.Demo{Task: `a"b<c>&d`, Epsilon: "1"}
	for _, text := range []string{d.Element("ADDRESS/", startVisible, "x < y & z"),
		d.Frame("ADDRESS/", `a "title"`)} {
		for _, wrong := range []string{`a"b`, "<c>", "x < y", `a "title"`, "& "} {
			if strings.Contains(text, wrong) {
				t.Errorf("%s contains %q", text, wrong)
			}
		}
	}
	d.Language = "pt-BR"
	if text := d.Element("ADDRESS/", startVisible, "x"); !strings.Contains(
		text, `<p lang="pt-BR">x</p>`) || strings.Contains(text, "lang=pt") {
		t.Errorf("the words of the element are in no language, or the demo is: %s", text)
	}
	if text := d.Frame("ADDRESS/", "x"); !strings.Contains(text, `&amp;lang=pt-BR"`) {
		t.Errorf("the frame speaks no language: %s", text)
	}
	if text := d.Element("ADDRESS/", startVisible, ""); !strings.Contains(
		text, `task="a&#34;b&lt;c&gt;&amp;d" epsilon="1" start="visible"`) {
		t.Error(text)
	}
}
