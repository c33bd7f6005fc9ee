//go:build browser

package browsertest

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestCheckARelease: a release that one browser saved is opened by another that has never seen its
// data, without a network: all of it holds. With one number changed it does not, and the page
// names the line.
func TestCheckARelease(t *testing.T) {
	s := serveBundle(t)
	p := open(t, s.url)
	p.released(t)
	text := string(p.download(func() { p.export(exportButtons["JSON"]) }).data)
	p.tick("sign", true)
	signed := string(p.download(func() { p.export(exportButtons["JSON"]) }).data)
	if strings.Contains(text, "signature") || !strings.Contains(signed, "signature") {
		t.Errorf("a JSON that is signed: %s", signed)
	}

	reviewed := p.download(func() { p.export("#export-review") })
	archive, err := zip.NewReader(bytes.NewReader(reviewed.data), int64(len(reviewed.data)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range archive.File {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "nist-sp-800-226.md registry.yaml codebook.csv "+
		"codebook-ddi.json trade-off.csv" {
		t.Errorf("the reviewer's package has %s", got)
	}

	other := open(t, s.url) // a profile of its own
	other.installed()
	goTo(other, "Proof")
	other.click("link", "Check a release")
	other.waitText("Drop a release here")
	other.axe()
	other.pictures("check-empty")
	s.stop()
	other.expect("ERR_CONNECTION_REFUSED")
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	other.upload("#check-file", write("visits.json", text))
	other.waitText("All that can be checked holds.")
	other.waitText("What no file can prove")
	other.waitText("Every number follows from the draw")
	other.waitText("That nothing else was released")
	other.axe()
	other.pictures("check-holds")

	at := strings.Index(text, `"count": `) + len(`"count": `)
	changed := text[:at] + "9" + text[at:]
	line := strings.Count(text[:at], "\n") + 1
	other.upload("#check-file", write("changed.json", changed))
	other.waitText("lines do not hold.")
	var lines []string
	other.eval(`[...document.querySelectorAll(".lines .hit i")].map((i) => i.textContent)`, &lines)
	found := false
	for _, l := range lines {
		found = found || l == strconv.Itoa(line)
	}
	if !found {
		t.Errorf("the page names lines %v, and %d was changed", lines, line)
	}
	other.axe()
	other.theme("dark")
	other.axeOf("dark", "color-contrast")
	other.theme("light")
	other.pictures("check-fails")
	var fingerprint string
	other.eval(`document.querySelector("#check-fingerprint-help").textContent`, &fingerprint)
	other.fill("textbox", "Fingerprint on the publisher’s page", "0000 0000 0000 0000")
	other.waitText("It is another file.")
	fingerprint = strings.TrimSuffix(strings.TrimPrefix(fingerprint, "This file has "), ".")
	other.fill("textbox", "Fingerprint on the publisher’s page", fingerprint)
	other.waitText("It is this file.")

	other.upload("#check-file", write("signed.json", signed))
	other.waitText("It is signed")
	other.waitText("does not know the key from elsewhere it proves nothing")
	other.waitText("All that can be checked holds.")
	forged := strings.Replace(signed, `"unit"`, `"Unit"`, 1)
	if forged == signed {
		forged = strings.Replace(signed, `"label": "age"`, `"label": "Age"`, 1)
	}
	other.upload("#check-file", write("forged.json", forged))
	other.waitText("The signature is not of these bytes.")

	other.upload("#check-file", write("page.html", "<p>no release</p>"))
	other.waitText("Fails")
	other.waitText("it is no JSON from here on")
	other.upload("#check-file", write("large.json", strings.Repeat(" ", 17_000_000)))
	other.waitText("at most 16 MB")
}
