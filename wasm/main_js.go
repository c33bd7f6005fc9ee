package main

import (
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
	web.Register()
	web.Yield()
	app.RunWhenOnBrowser()
}
