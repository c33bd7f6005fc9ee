package texts_test

import (
	"testing"

	"hush/core/message/texts"
)

// TestTexts: every text of the sources can be translated, and each format has its arguments.
func TestTexts(t *testing.T) {
	l, faults, err := texts.Read("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		t.Error(f)
	}
	if len(l.Messages) < 1000 {
		t.Errorf("%d messages only", len(l.Messages))
	}
}
