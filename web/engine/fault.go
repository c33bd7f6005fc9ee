package engine

import (
	"errors"

	"hush/core/ask"
	"hush/core/message"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/table"
)

// ErrCancelled is returned by step to end a run that the client gave up.
var ErrCancelled error = phrase.Fault("engine: cancelled")

// fault turns an error of core into a message in a language. Core's error texts depend on public
// facts only.
func fault(language *message.Language, err error) *Fault {
	f := &Fault{Code: codeOf(err), Message: language.Error(err)}
	var (
		refused *param.Error
		nothing *ask.NothingError
	)
	if errors.As(err, &nothing) { // for people, who know their question
		f.Message = language.Error(nothing)
	}
	if errors.As(err, &refused) {
		f.Package, f.Field, f.Value, f.Want = refused.Package, refused.Field,
			language.Phrase(refused.Value), language.Phrase(refused.Want)
	}
	return f
}

func codeOf(err error) Code {
	var (
		refused *param.Error
		over    *OverLimitError
		said    *NotAgreedError
		ledger  *LedgerFileError
		damaged *table.DamagedError
		unread  *table.UnreadError
		memory  *table.MemoryError
		nothing *ask.NothingError
	)
	switch {
	case errors.As(err, &refused):
		return Refused
	case errors.As(err, &nothing):
		return FoundNothing
	case errors.As(err, &over):
		return OverLimit
	case errors.As(err, &said):
		return NotAgreed
	case errors.Is(err, ErrLookedAt):
		return LookedAt
	case errors.Is(err, ErrOtherPrice):
		return PlanClosed
	case errors.As(err, &ledger):
		return BadLedger
	case errors.As(err, &damaged), errors.As(err, &unread):
		return Unreadable
	case errors.As(err, &memory):
		return TooLarge
	case errors.Is(err, ErrCancelled):
		return Cancelled
	case errors.Is(err, ask.ErrNotOpened):
		return NoFile
	case errors.Is(err, ask.ErrNotRead):
		return NotRead
	case errors.Is(err, ask.ErrChanged):
		return FileChanged
	case errors.Is(err, ask.ErrEnded):
		return Ended
	}
	return Failed
}
