package ask

import (
	"bytes"
	"io"

	"hush/core/phrase"
	"hush/core/table"
)

// Load opens a file and reads the columns of a question, exactly as Recipe.Table says, so that Plan
// can price the question and Run can answer it. The file is read twice, each time from its start.
// Load refuses with *param.Error a recipe that does not fit the file, and a file that is not plain
// text: the readers of other files run in a browser.
func (s *Session[C]) Load(file io.ReadSeeker, r Recipe) error {
	if r.Table.Format != "" {
		return Refuse("format", r.Table.Format, phrase.Of("plain text: save part %d of the file "+
			"as CSV, and take “format” and “part” out of the recipe", r.Table.Part))
	}
	if _, err := s.Open(file, r.Table); err != nil {
		return err
	}
	return s.Read(file, r)
}

// Open surveys a file from its start with the given options, and proposes values for all that they
// leave open. Its result is for the owner of the file: options that the owner has confirmed belong
// in the Table of a recipe.
func (s *Session[C]) Open(file io.ReadSeeker, options table.Options) (*Opened, error) {
	survey, err := s.Survey(options)
	if err != nil {
		return nil, err
	}
	if err := readFrom(file, survey); err != nil {
		s.opened = nil
		return nil, err
	}
	return s.Opened()
}

// Read reads the columns of a question from the start of the opened file, unless they are held.
func (s *Session[C]) Read(file io.ReadSeeker, r Recipe) error {
	encode, err := s.Encode(r)
	if err != nil || encode == nil {
		return err
	}
	return readFrom(file, encode)
}

// ReadAll feeds a whole file to a pass.
func ReadAll(pass table.Pass, file []byte) error { return readFrom(bytes.NewReader(file), pass) }

// readFrom feeds a file, from its start to its end, to a pass.
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
