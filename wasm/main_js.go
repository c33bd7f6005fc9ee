package main

import (
	"runtime/debug"
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/coin"
	"hush/web"
)

func main() {
	speak()
	if js.Global().Get("document").IsUndefined() {
		newWorker(coin.NewCrypto()).serve()
		return
	}
	debug.SetGCPercent(150) // each collection is part of some task: small ones, and yet not one for each view
	web.Register()
	web.Yield()
	app.RunWhenOnBrowser()
}
