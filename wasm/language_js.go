package main

import (
	"syscall/js"

	"hush/core/message"
	"hush/web/say"
)

// speak loads the language that static/language.js or static/engine.js chose, before anything is
// said. Without translations in the bundle there is nothing to load. A file that cannot be read
// leaves the page in English.
func speak() {
	chosen := js.Global().Get("hushLanguage")
	if !chosen.Truthy() {
		return
	}
	file := make(chan string)
	take := js.FuncOf(func(_ js.Value, args []js.Value) any {
		file <- args[0].String()
		return nil
	})
	chosen.Get("messages").Call("then", take)
	text := <-file
	take.Release()
	l, err := message.Read([]byte(text))
	if err != nil {
		return
	}
	rules := js.Global().Get("Intl").Get("PluralRules").New(l.Tag)
	say.Use(l.With(func(n int64) string { return rules.Call("select", float64(n)).String() }))
}
