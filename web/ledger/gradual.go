package ledger

import "hush/web/parts"

// gradual is Gradual under a name that go-app takes for no prop where it is embedded.
type gradual = parts.Gradual
