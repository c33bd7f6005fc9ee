package message_test

import (
	"encoding/json"
	"testing"

	"hush/core/message"
)

// FuzzRead: a file of a language, whatever it holds, is refused or says something for every text,
// and is the same when it was written and read again.
func FuzzRead(f *testing.F) {
	catalogue := &message.Language{Tag: "en", Name: "English",
		Messages: map[message.Key]message.Message{
			"Cancel":   {Text: "Cancel"},
			"%s of %s": {Text: "%s of %s", Format: true},
			"%d files": {Plural: map[string]string{"one": "one file", "other": "%d files"},
				Format: true},
		}}
	for _, seed := range []string{"", "{}", "null", `{"language":"pl","name":"Polski"}`,
		`{"language":"pl","name":"Polski","messages":{"Cancel":{"text":"Anuluj"}}}`,
		`{"language":"ar","direction":"rtl","messages":{"%s of %s":{"text":"%[2]s ← %[1]s"}}}`,
		`{"messages":{"%d files":{"plural":{"few":"%d pliki","other":"%d plików"}}}}`,
		`{"messages":{"%s of %s":{"text":"%!(99999999999)d %*d %[0]s"},"%d files":{"plural":{}}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		l, err := message.Read(file)
		if err != nil {
			if l != nil {
				t.Errorf("%q: a language beside the error %v", file, err)
			}
			return
		}
		said := l.Text("Cancel") + l.Format("%s of %s", "a", 2) + l.Count(3, "one file",
			"%d files", 3) + l.With(polish).Count(5, "one file", "%d files", 5)
		l.Spoken()
		fits := message.Check(catalogue, l)
		written, err := json.Marshal(l)
		if err != nil {
			t.Fatalf("%q: %v", file, err)
		}
		again, err := message.Read(written)
		if err != nil {
			t.Fatalf("%q: %v", written, err)
		}
		if (message.Check(catalogue, again) == nil) != (fits == nil) ||
			again.Text("Cancel")+again.Format("%s of %s", "a", 2)+again.Count(3, "one file",
				"%d files", 3)+again.With(polish).Count(5, "one file", "%d files", 5) != said {
			t.Errorf("%q is another language when read again", file)
		}
	})
}
