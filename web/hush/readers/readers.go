package readers

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"hush/core/table"
)

// Kind returns the kind of a file: one of table.Formats, or empty if it is read as text. Its bytes
// decide, never its name.
func Kind(f *os.File) (string, error) {
	head, err := readHead(f)
	if err != nil {
		return "", err
	}
	begins := func(text string) bool { return bytes.HasPrefix(head, []byte(text)) }
	switch {
	case begins("PK\x03\x04"):
		return table.Zip, nil
	case begins("\x28\xb5\x2f\xfd"),
		len(head) > 3 && string(head[1:4]) == "\x2a\x4d\x18" && head[0]>>4 == 5:
		return table.Zstd, nil
	case begins("PAR1"):
		return table.Parquet, nil
	case begins("\x1f\x8b"):
		unpacked, err := gzip.NewReader(io.NewSectionReader(f, 0, 1<<16))
		if err != nil {
			return "", nil // core/table reports what is wrong with it
		}
		head = make([]byte, 4096)
		n, _ := io.ReadFull(unpacked, head)
		head = head[:n]
	}
	if isJSON(head) {
		return table.JSON, nil
	}
	return "", nil
}

func readHead(f *os.File) ([]byte, error) {
	head := make([]byte, 4096)
	n, err := f.ReadAt(head, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return head[:n], err
}

// Options returns the options that are certain for a table in a file of a kind, whatever a recipe
// says.
func Options(f *os.File, kind string) (o table.Options, err error) {
	o, err = options(f, kind)
	o.Format, o.Part = kind, 1
	return o, err
}

func options(f *os.File, kind string) (o table.Options, err error) {
	defer damaged(kind, &err)
	size, err := sizeOf(f)
	if err != nil {
		return o, err
	}
	switch kind {
	case table.Parquet:
		_, _, err := openParquet(f, size)
		return table.Options{Header: table.Yes}, err
	case table.JSON:
		text, err := jsonText(f, size, func(int64) {})
		if err != nil {
			return o, err
		}
		o, err = jsonOptions(kind, text)
		return o, unpacked(kind, err)
	case table.Zstd:
		text, end, err := unpack(f, size, func(int64) {})
		if err != nil {
			return o, err
		}
		defer end()
		head := make([]byte, 4096)
		n, _ := io.ReadFull(text, head)
		if !isJSON(head[:n]) {
			return o, nil
		}
		found, err := jsonOptions(kind, io.MultiReader(bytes.NewReader(head[:n]), text))
		if err != nil {
			return o, nil // it is read unchanged
		}
		return found, nil
	}
	return o, noReader(kind)
}

// unpacked words an error: an error of a stream says that the file is damaged.
func unpacked(kind string, err error) error {
	var unread *table.UnreadError
	if err == nil || errors.As(err, &unread) || errors.Is(err, os.ErrClosed) {
		return err
	}
	return refuse(kind, "damaged", table.UnreadAt{})
}

// noReader refuses a kind that only the page reads.
func noReader(kind string) error {
	return errors.New(string(table.FormatName(kind)) + "s are read by the page alone: save the " +
		"table as CSV, or name another file")
}

// Text passes on the text of a file of a kind, piece by piece: for a table, CSV. told receives the
// number of bytes of the file read. Its errors are *table.UnreadError, those of the disk, and
// take's.
func Text(f *os.File, kind string, o table.Options, told func(int64),
	take func([]byte) error) (err error) {
	var taken error // an error of take is no damage to the file
	give := func(piece []byte) error {
		taken = take(piece)
		return taken
	}
	defer func() {
		if taken != nil {
			err = taken
		}
	}()
	size, err := sizeOf(f)
	if err != nil {
		return err
	}
	switch kind {
	case table.Parquet:
		return parquetTable(f, size, told, &rows{take: give})
	case table.JSON:
		text, err := jsonText(f, size, told)
		if err != nil {
			return err
		}
		return unpacked(kind, jsonTable(kind, text, o, &rows{take: give}))
	case table.Zstd:
		text, end, err := unpack(f, size, told)
		if err != nil {
			return err
		}
		defer end()
		if o.Keys != "" {
			return unpacked(kind, jsonTable(kind, text, o, &rows{take: give}))
		}
		piece := make([]byte, 1<<20)
		for {
			n, err := text.Read(piece)
			if n > 0 {
				if err := give(piece[:n]); err != nil {
					return err
				}
			}
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return unpacked(kind, err)
			}
		}
	}
	return noReader(kind)
}

func sizeOf(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// watched reports how many bytes were read.
type watched struct {
	io.Reader
	told func(int64)
	done int64
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.Reader.Read(b)
	w.done += int64(n)
	w.told(w.done)
	return n, err
}

// jsonText returns the text of a file of JSON, packed with gzip or not.
func jsonText(f *os.File, size int64, told func(int64)) (io.Reader, error) {
	head, err := readHead(f)
	if err != nil {
		return nil, err
	}
	all := &watched{Reader: io.NewSectionReader(f, 0, size), told: told}
	if bytes.HasPrefix(head, []byte("\x1f\x8b")) {
		text, err := gzip.NewReader(all)
		return text, unpacked(table.JSON, err)
	}
	return all, nil
}

// window is the farthest that a frame may look back, zstd's own default.
const window = 128 << 20

// unpack returns the content of a file packed with Zstandard.
func unpack(f *os.File, size int64, told func(int64)) (text io.Reader, end func(), err error) {
	d, err := zstd.NewReader(&watched{Reader: io.NewSectionReader(f, 0, size), told: told},
		zstd.WithDecoderMaxWindow(window), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, nil, unpacked(table.Zstd, err)
	}
	return d, d.Close, nil
}
