package main

import (
	"bytes"
	"fmt"
)

// binaryName is the name of the binary's file. Its kernels process 16 bytes at a time, which
// browsers support since Chrome 91, Firefox 89 and Safari 16.4. The page and the worker that holds
// the file check for that before they load it, and say what is missing.
const binaryName = "app.wasm"

// engineScript starts the binary in the worker.
const engineScript = "engine.js"

// vectors is true in a browser that takes the smallest module with a vector in it.
const vectors = "WebAssembly.validate(Uint8Array.of(0,97,115,109,1,0,0,0,1,5,1,96,0,1,123," +
	"3,2,1,0,10,10,1,8,0,65,0,253,15,253,98,11))"

// withVectors completes a script that asks VECTORS.
func withVectors(script []byte) ([]byte, error) {
	const asked = "VECTORS"
	if bytes.Count(script, []byte(asked)) != 1 {
		return nil, fmt.Errorf("the script of the worker does not say %s once", asked)
	}
	return bytes.Replace(script, []byte(asked), []byte(vectors), 1), nil
}
