package state

// Requests counts what the tab asked of the network.
type Requests struct {
	Own     int `json:"own"`
	Foreign int `json:"foreign"`
}

// Network is what stands between the page and the network, as static/offline.js sees it.
type Network struct {
	Able        bool `json:"able"`        // the service worker answers for the page
	Off         bool `json:"off"`         // it is told to refuse every request
	Refused     bool `json:"refused"`     // a request that was made to see whether it does was refused
	Installable bool `json:"installable"` // the browser offers to install the page
	Kept        bool `json:"kept"`        // the browser has promised not to evict what the page stored
}
