package shrink

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// program does what needs the linker's tables: it collects garbage under deep stacks and calls that
// reflect makes, panics and recovers, grows stacks, and at last says where it is.
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
	if flags := os.Getenv("BROWSER_GOFLAGS"); flags != "" { // as build.sh makes the product
		build.Env = append(build.Env, "GOFLAGS="+flags)
	}
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
	text, err := exec.Command(
		filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec"), file).
		CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return string(text)
}

func TestBinary(t *testing.T) {
	binary := built(t)
	want := output(t, binary)
	if !strings.HasSuffix(want, "in main.main\n") || !strings.Contains(want, "index out of range") {
		t.Fatalf("the program says\n%s", want)
	}
	for _, traces := range []bool{true, false} {
		small, err := Binary(binary, traces)
		if err != nil {
			t.Fatal(err)
		}
		if traces {
			same(t, binary, small)
		} else if want = strings.Replace(want, "in main.main", "in ", 1); bytes.Contains(
			small, []byte("main.deep")) {
			t.Error("names are kept")
		}
		if got := output(t, small); got != want {
			t.Errorf("with traces %v the program says\n%s\nwant\n%s", traces, got, want)
		}
		if m, err := readModule(small); err != nil || m.section(startSection) == nil {
			t.Errorf("no table is made at the start (%v): has the linker's layout changed?", err)
		}
		if !bytes.Equal(compiled(t, small), compiled(t, binary)) {
			t.Error("a function of the compiler's is another")
		}
		again, err := Binary(small, true)
		if err != nil || !bytes.Equal(again, small) {
			t.Errorf("shrunk twice it is another binary, %v", err)
		}
	}
}

// compiled are the bodies of the functions that the compiler made: all but shrink's own, the last,
// which starts before the program.
func compiled(t *testing.T, binary []byte) []byte {
	t.Helper()
	m, err := readModule(binary)
	if err != nil {
		t.Fatal(err)
	}
	r := reader{rest: m.section(codeSection).body}
	count := r.length()
	if m.section(startSection) != nil {
		count--
	}
	from := r.rest
	for range count {
		r.bytes(r.length())
	}
	if r.err != nil || count == 0 {
		t.Fatal(count, r.err)
	}
	return from[:len(from)-len(r.rest)]
}

// same checks that two binaries start with the same memory, the second from far fewer segments and
// with fewer bytes of data.
func same(t *testing.T, a, b []byte) {
	t.Helper()
	dir := t.TempDir()
	before, after, script := filepath.Join(dir, "a.wasm"), filepath.Join(dir, "b.wasm"),
		filepath.Join(dir, "same.mjs")
	for file, text := range map[string][]byte{before: a, after: b, script: []byte(startsAlike)} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := exec.Command("node", script, before, after).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, text)
	}
	data := func(binary []byte) (segments, bytes int) {
		m, err := readModule(binary)
		if err != nil {
			t.Fatal(err)
		}
		body := m.section(dataSection).body
		return (&reader{rest: body}).length(), len(body)
	}
	was, wasBytes := data(a)
	is, isBytes := data(b)
	t.Logf("%d segments and %d bytes of data became %d and %d", was, wasBytes, is, isBytes)
	if is > was/10 || isBytes > wasBytes*8/10 {
		t.Errorf("%d segments and %d bytes of data became %d and %d", was, wasBytes, is, isBytes)
	}
}

// startsAlike instantiates two binaries without running them.
const startsAlike = `import { readFileSync } from "node:fs";
const memories = process.argv.slice(2).map((file) => {
  const module = new WebAssembly.Module(readFileSync(file));
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => {};
  return Buffer.from(new WebAssembly.Instance(module, imports).exports.mem.buffer);
});
if (!memories[0].equals(memories[1])) throw new Error("the memories differ");
if (!memories[0].includes("main.deep")) throw new Error("the memories are empty");
`

func TestBinaryRefuses(t *testing.T) {
	data := func(body string) []byte {
		return []byte(header + string(appendBytes([]byte{dataSection}, []byte(body))))
	}
	for name, c := range map[string]struct {
		binary []byte
		layout bool // is unknown, and else it is no binary
	}{
		"no binary":           {[]byte("<html>"), false},
		"half a section":      {[]byte(header + "\x0b\x05\x01"), false},
		"a passive segment":   {data("\x01\x01\x02ab"), true},
		"a computed address":  {data("\x01\x00\x23\x00\x0b\x02ab"), true},
		"an address too high": {data("\x01\x00\x41\xff\xff\xff\xff\x7f\x0b\x02ab"), true},
		"no table":            {data("\x01\x00\x41\x08\x0b\x02ab"), true},
		"half a table":        {data("\x01\x00\x41\x08\x0b\x08" + tableWord), true},
	} {
		if _, err := Binary(c.binary, false); err == nil || errors.Is(err, ErrLayout) != c.layout {
			t.Errorf("%s: %v, want ErrLayout: %v", name, err, c.layout)
		}
	}
}
