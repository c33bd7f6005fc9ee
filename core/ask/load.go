package ask

import (
	"bytes"
	"io"

	"hush/core/phrase"
	"hush/core/table"
)

// Load opens a file and reads of it what a question asks about, exactly as Recipe.Table says, so
// that Plan can price the question and Run can answer it. The file is read twice, each time from
// its start. A recipe that does not fit the file is refused with *param.Error, as is one for a file
// that is no plain text: its readers run in a browser.
func (s *Session[C]) Load(file io.ReadSeeker, r Recipe) error {
	if r.Table.Format != "" {
		return Refuse("format", r.Table.Format, phrase.Of("plain text: save part %d of the file "+
			"as CSV, and take “format” and “part” out of the recipe", r.Table.Part))
	}
	survey, err := s.Survey(r.Table)
	if err != nil {
		return err
	}
	if err := readFrom(file, survey); err != nil {
		s.opened = nil
		return err
	}
	encode, err := s.Encode(r)
	if err != nil {
		return err
	}
	return readFrom(file, encode)
}

// ReadAll feeds a pass with a whole file.
func ReadAll(pass table.Pass, file []byte) error { return readFrom(bytes.NewReader(file), pass) }

// readFrom feeds a pass with a file from its start to its end.
func readFrom(file io.ReadSeeker, pass table.Pass) error {
	_, err := file.Seek(0, io.SeekStart)
	for chunk := make([]byte, 1<<20); err == nil; {
		var n int
		n, err = file.Read(chunk)
		if fault := pass.Write(chunk[:n]); fault != nil {
			err = fault
		}
	}
	if end := pass.Close(); err == io.EOF {
		err = end
	}
	return err
}
