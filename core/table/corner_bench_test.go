package table

import (
	"bytes"
	"strings"
	"testing"
)

// slowCorners are files of nothing but what breaks the way of clean rows.
var slowCorners = []struct{ name, unit string }{
	{"newlines", "\n"}, {"CRLFs", "\r\n"}, {"CRs", "\r"}, {"CR rows", "12,34,some words\r"},
	{"a quote opens each row", "\"some,words,12,34\n"},
	{"a quote opens each field", "\"some,\"words,\"12,\"34\n"},
	{"quotes alone", "\""}, {"a quote in each line", "\"\n"},
	{"quotes in fields", "so\"me,wo\"rds,12,34\n"}, {"stray quotes", "\"so\"me\",\"wo\"rds\",12\n"},
	{"CRs in fields", "so\rme,wo\rds,12,34\n"},
}

// cornerBytes is large, for the look at a file's head takes some 25 ms whatever is behind it.
const cornerBytes = 8 * benchBytes

func BenchmarkCorner(b *testing.B) {
	for _, c := range slowCorners {
		file := bytes.Repeat([]byte(c.unit), cornerBytes/len(c.unit))
		b.Run(strings.ReplaceAll(c.name, " ", "-"), func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			for b.Loop() {
				s, err := NewSurvey(Options{})
				if err != nil {
					b.Fatal(err)
				}
				inChunks(b, s, file)
			}
		})
	}
}
