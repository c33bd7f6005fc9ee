package state

import "hush/web/state/place"

// Shell is what surrounds the places: which one is shown, and the state of the engine, the network
// and this version of the page.
type Shell struct {
	View     place.View
	Address  string // behind the #, as it was when the view was chosen
	NoPage   string // the name in the address, if there is no such page
	Engine   EnginePhase
	Requests Requests
	Network  Network
	Offer    bool // a new version of the page is available
	KeysOff  bool // single keys do nothing
}

// EnginePhase is the state of the engine.
type EnginePhase int

const (
	EngineStarting EnginePhase = iota
	EngineReady
	EngineDied // and a fresh one is starting
)

// Requests counts the tab's network requests.
type Requests struct {
	Own     int `json:"own"`
	Foreign int `json:"foreign"`
}

// Network is what stands between the page and the network, according to static/offline.js.
type Network struct {
	Able bool `json:"able"` // the service worker answers for the page
	Off  bool `json:"off"`  // it refuses every request on the page's order
	// a request that was made to test that was refused
	Refused     bool `json:"refused"`
	Installable bool `json:"installable"` // the browser offers to install the page
	// the browser has promised not to evict what the page stored
	Kept bool `json:"kept"`
}

// DeclineUpdate hides the bar. The new version takes over when the last of its pages is closed.
func (m *Model) DeclineUpdate() {
	m.Offer = false
	m.update()
}
