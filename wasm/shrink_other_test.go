//go:build !js

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// program does what needs the linker's tables: it collects garbage under deep stacks and calls that reflect makes, panics and
// recovers, grows stacks, and at last says where it is.
const program = `package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
)

type node struct{ next *node; text string }

type adder struct{ by int }

func (a *adder) Add(n *int) int { runtime.GC(); return *n + a.by }

func deep(n int, last *node) int {
	if n == 0 {
		runtime.GC()
		return len(last.text)
	}
	return deep(n-1, &node{last, fmt.Sprint(n)}) + len(last.text)
}

func recovered(f func()) (message any) {
	defer func() { message = recover() }()
	f()
	return nil
}

func main() {
	fmt.Println(deep(20000, &node{text: "start"}))
	made := reflect.MakeFunc(reflect.TypeOf(func(*node) *node { return nil }), func(in []reflect.Value) []reflect.Value {
		runtime.GC()
		return []reflect.Value{reflect.ValueOf(&node{in[0].Interface().(*node), "made"})}
	}).Interface().(func(*node) *node)
	fmt.Println(made(&node{nil, "inner"}).next.text)
	five := 5
	fmt.Println(reflect.ValueOf(&adder{2}).MethodByName("Add").Interface().(func(*int) int)(&five))
	fmt.Println(recovered(func() { var m map[string]int; m["a"] = 1 }), recovered(func() { var n *node; n.next = nil }))
	var empty []int
	fmt.Println(recovered(func() { empty[len(os.Args)] = 1 }), errors.Is(recovered(func() { var err error = os.ErrExist; panic(err) }).(error), os.ErrExist))
	done := make(chan int)
	for i := range 50 {
		go func() { done <- deep(i*20, &node{text: "go"}) }()
	}
	sum := 0
	for range 50 {
		sum += <-done
	}
	fmt.Println(sum)
	at, _, _, _ := runtime.Caller(0)
	fmt.Println("in", runtime.FuncForPC(at).Name())
}
`

// built compiles the program for the browser.
func built(t *testing.T) []byte {
	t.Helper()
	dir := t.TempDir()
	source, out := filepath.Join(dir, "main.go"), filepath.Join(dir, "main.wasm")
	if err := os.WriteFile(source, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", out, source)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	binary, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// output runs a binary as Go does it.
func output(t *testing.T, binary []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.wasm")
	if err := os.WriteFile(file, binary, 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec"), file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return string(text)
}

func TestShrink(t *testing.T) {
	binary := built(t)
	want := output(t, binary)
	if !strings.HasSuffix(want, "in main.main\n") || !strings.Contains(want, "index out of range") {
		t.Fatalf("the program says\n%s", want)
	}
	for _, traces := range []bool{true, false} {
		small, err := shrink(binary, traces)
		if err != nil {
			t.Fatal(err)
		}
		if traces {
			same(t, binary, small)
		} else if want = strings.Replace(want, "in main.main", "in ", 1); bytes.Contains(small, []byte("main.deep")) {
			t.Error("names are kept")
		}
		if got := output(t, small); got != want {
			t.Errorf("with traces %v the program says\n%s\nwant\n%s", traces, got, want)
		}
		again, err := shrink(small, true)
		if err != nil || !bytes.Equal(again, small) {
			t.Errorf("shrunk twice it is another binary, %v", err)
		}
	}
}

// same checks that two binaries differ in nothing but how their data are cut.
func same(t *testing.T, a, b []byte) {
	t.Helper()
	of, ofB := sections(t, a), sections(t, b)
	for id, section := range of {
		if id != dataSection && !bytes.Equal(section, ofB[id]) {
			t.Errorf("section %d differs", id)
		}
	}
	before, err := readData(of[dataSection])
	if err != nil {
		t.Fatal(err)
	}
	after, err := readData(ofB[dataSection])
	if err != nil || !bytes.Equal(bytes.TrimRight(before, "\x00"), after) {
		t.Errorf("the memory differs, %v", err)
	}
	cutsBefore, cuts := (&reader{rest: of[dataSection]}).length(), (&reader{rest: ofB[dataSection]}).length()
	if cuts > cutsBefore/10 {
		t.Errorf("%d segments of data became %d", cutsBefore, cuts)
	}
}

func sections(t *testing.T, binary []byte) map[byte][]byte {
	t.Helper()
	r := reader{rest: binary[len(wasmHeader):]}
	found := map[byte][]byte{}
	for len(r.rest) > 0 {
		id := r.byte()
		found[id] = r.bytes(r.length())
	}
	if r.err != nil {
		t.Fatal(r.err)
	}
	return found
}

func TestShrinkRefuses(t *testing.T) {
	data := func(body string) []byte {
		return []byte(wasmHeader + string(appendBytes([]byte{dataSection}, []byte(body))))
	}
	for name, binary := range map[string][]byte{
		"no binary":           []byte("<html>"),
		"half a section":      []byte(wasmHeader + "\x0b\x05\x01"),
		"a passive segment":   data("\x01\x01\x02ab"),
		"a computed address":  data("\x01\x00\x23\x00\x0b\x02ab"),
		"an address too high": data("\x01\x00\x41\xff\xff\xff\xff\x7f\x0b\x02ab"),
		"no table":            data("\x01\x00\x41\x08\x0b\x02ab"),
		"half a table":        data("\x01\x00\x41\x08\x0b\x08" + tableWord),
	} {
		if _, err := shrink(binary, false); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
