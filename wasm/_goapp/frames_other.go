//go:build !js

package app

// Start is go-app's, which a server needs no better.
func (e *engineX) Start(framerate int) { e.startWhole(framerate) }
