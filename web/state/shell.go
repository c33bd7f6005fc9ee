package state

import "hush/web/state/place"

// Shell is what surrounds the places: which one is shown, and how the engine, the network and this
// version of the page are.
type Shell struct {
	View     place.View
	Address  string // behind the #, as it was when the view was chosen
	NoPage   string // the page that the address names where there is none of that name
	Engine   EnginePhase
	Requests Requests
	Network  Network
	Offer    bool // a new version of the page waits to be asked for
	KeysOff  bool // single keys do nothing
}

// EnginePhase says how the engine is.
type EnginePhase int

const (
	EngineStarting EnginePhase = iota
	EngineReady
	EngineDied // and a fresh one is on its way
)

// Requests counts what the tab asked of the network.
type Requests struct {
	Own     int `json:"own"`
	Foreign int `json:"foreign"`
}

// Network is what stands between the page and the network, as static/offline.js sees it.
type Network struct {
	Able bool `json:"able"` // the service worker answers for the page
	Off  bool `json:"off"`  // it refuses every request on the page's order
	// a request that was made to see whether it does was refused
	Refused     bool `json:"refused"`
	Installable bool `json:"installable"` // the browser offers to install the page
	// the browser has promised not to evict what the page stored
	Kept bool `json:"kept"`
}

// DeclineUpdate puts the bar away. The new version comes when the last of its pages is closed.
func (m *Model) DeclineUpdate() {
	m.Offer = false
	m.update()
}
