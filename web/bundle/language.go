package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"hush/core/message"
	"hush/core/message/texts"
	"hush/core/phrase"
)

// The translations' folder in the bundle, the script that chooses one, and the template of the part
// that it shares with the script of other sites.
const (
	messagesFolder = "messages"
	languageScript = "language.js"
	speechTemplate = "speech.js"
)

// translations reads the files of messages, one for each language, and refuses one that does not
// fit the catalogue of the sources.
func (in inputs) translations() (files, error) {
	found, err := filepath.Glob(filepath.Join(in.static, "messages", "*.json"))
	if err != nil || len(found) == 0 && in.texts == "" {
		return nil, err
	}
	english, _, err := texts.Read(filepath.Dir(in.core))
	if err != nil {
		return nil, err
	}
	if in.texts != "" {
		var text bytes.Buffer
		if err := texts.Write(&text, english); err != nil {
			return nil, err
		}
		if err := os.WriteFile(in.texts, text.Bytes(), 0o644); err != nil {
			return nil, err
		}
	}
	all := files{}
	for _, name := range found {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		l, err := message.Read(text)
		if err == nil {
			err = message.Check(english, l)
		}
		if base := filepath.Base(name); err == nil && base != l.Tag+".json" {
			err = fmt.Errorf("its language is %q, want the name of the file, %s", l.Tag, base)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[path.Join(messagesFolder, filepath.Base(name))] = text
	}
	return all, nil
}

// loneTexts lists the texts that scripts say where they may load nothing: static/alone.js instead
// of a page, static/past.js before one, static/embed.js in pages of other sites.
var loneTexts = []phrase.Key{
	"Hush handles data about people, so it does not start inside another page.",
	"Open Hush in a tab of its own",
	"This page came past the offline switch",
	"You switched Hush offline, but this page came from the network instead of this browser's " +
		"storage. It has not started, and has requested nothing but its own files.",
	"Load it from this browser",
	"Go on with the network",
	"Run this demo",
	"Hush demo: %s",
	"Living table",
	"Loading the demo…",
	"The demo could not be loaded.",
}

// speech fills in the template of the part that language.js and embed.js share: the languages of
// the bundle, and the texts of scripts that may load nothing. It is empty where there is only
// English.
func speech(parts files, template []byte) ([]byte, error) {
	type spoken struct {
		Direction string                `json:"direction,omitempty"`
		Texts     map[phrase.Key]string `json:"texts"`
	}
	all := map[string]spoken{}
	for _, tag := range spokenTags(parts) {
		l, err := message.Read(parts[messagesFolder+"/"+tag+".json"])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", tag, err)
		}
		texts := map[phrase.Key]string{}
		for _, k := range loneTexts {
			if said := l.Messages[k].Text; said != "" {
				texts[k] = said
			}
		}
		all[tag] = spoken{l.Direction, texts}
	}
	if len(all) == 0 {
		return nil, nil
	}
	languages, err := json.Marshal(all)
	return bytes.Replace(template, []byte("LANGUAGES"), languages, 1), err
}

// withSpeech returns a script preceded by the speech, which no script around it sees.
func withSpeech(script, speech []byte) []byte {
	return slices.Concat([]byte("{\n"), speech, []byte("\n"), script, []byte("}\n"))
}

// spokenTags lists the languages of the bundle other than English.
func spokenTags(parts files) (tags []string) {
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if path.Dir(name) == messagesFolder {
			tags = append(tags, strings.TrimSuffix(path.Base(name), ".json"))
		}
	}
	return tags
}

// chooser returns the element that chooses one of the languages; it is empty where there is only
// English.
func chooser(parts files, version string) string {
	if parts[languageScript] == nil {
		return ""
	}
	return `<script src="` + resolver(version).Resolve("/web/"+languageScript) + `"></script>`
}
