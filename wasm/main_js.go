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
	// it is collected at rest (_goapp/frames.go), and seldom in the middle of something
	debug.SetGCPercent(400)
	web.Register()
	rest()
	app.RunWhenOnBrowser()
}

// rest lets the browser do what waits for it: what follows is another task of the page's thread. A
// timer of Go's would not do, which may be over before Go rests.
func rest() {
	rested := make(chan struct{})
	wake := js.FuncOf(func(js.Value, []js.Value) any {
		close(rested)
		return nil
	})
	js.Global().Call("setTimeout", wake)
	<-rested
	wake.Release()
}
