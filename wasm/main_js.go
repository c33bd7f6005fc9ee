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
	debug.SetGCPercent(400) // the page holds 1 MB: what collecting takes is worth more than the 15 MB it leaves longer
	web.Register()
	web.Yield()
	app.RunWhenOnBrowser()
}
