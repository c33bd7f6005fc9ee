package table

import (
	"bytes"
	"runtime"
	"testing"

	"hush/core/domain"
)

// Constant memory for the bytes: reading 64 MB takes what the codes need and little more, whatever
// is allocated and freed on the way.
func TestMemoryOfStreams(t *testing.T) {
	line := []byte(
		"123456,31,some text that nobody asked for,\"and more of \"\"it\"\"\",2024-01-01,7\n")
	chunk := bytes.Repeat(line, 1<<20/len(line))
	rows := int64(64 * (len(chunk) / len(line)))
	allocated := func(run func()) int64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		run()
		runtime.ReadMemStats(&after)
		return int64(after.TotalAlloc - before.TotalAlloc)
	}
	const most = 4 << 20
	var e *Encode
	got := allocated(func() {
		var err error
		o := plainCSV(6)
		o.Header = No
		e, err = NewEncode(
			EncodeParams{
				Options: o, Rows: rows,
				Columns: []Wanted{{2, ages}, {1, domain.Spec{Kind: domain.Integer}}}})
		if err != nil {
			t.Fatal(err)
		}
		for range 64 {
			if err := e.Write(chunk); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	})
	codes := e.codeBytes()
	if e.Result().N != rows || codes != rows*9+(rows+63)/64*8 {
		t.Errorf("%d rows in %d bytes", e.Result().N, codes)
	}
	if got > codes+most {
		t.Errorf("encoding allocated %d bytes for %d bytes of codes", got, codes)
	}
	got = allocated(func() {
		s, err := NewSurvey(Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range 64 {
			if err := s.Write(chunk); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	})
	if got > 3*most {
		t.Errorf("the survey allocated %d bytes", got)
	}
}

// A pass that is given up frees its coroutine.
func TestGivingUp(t *testing.T) {
	before := runtime.NumGoroutine()
	file := gzipped(t, people)
	for range 50 {
		s, err := NewSurvey(
			Options{Compression: Gzip, Encoding: UTF8, Delimiter: ";", Header: Yes, Columns: 3})
		if err != nil {
			t.Fatal(err)
		}
		s.begin(false)
		if err := s.Write(file[:20]); err != nil {
			t.Fatal(err)
		}
		s.Close() // cut off: an error
	}
	if after := runtime.NumGoroutine(); after > before+5 {
		t.Errorf("%d goroutines more", after-before)
	}
}
