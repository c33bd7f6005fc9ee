package table

import (
	"compress/gzip"
	"io"
	"iter"
)

// gunzip turns gzip into its content, chunk by chunk, without threads or pipes: the standard reader
// runs as a coroutine (iter.Pull) that hands back control whenever it needs more bytes or has some
// ready.
type gunzip struct {
	in    []byte // not yet consumed by the reader
	ended bool   // no more will come
	next  func() (gunzipped, bool)
	stop  func()
}

// gunzipped is one hand-back of control: with a piece of content, with an error, or with neither if
// more bytes are needed.
type gunzipped struct {
	out []byte
	err error
}

func newGunzip() *gunzip {
	g := &gunzip{}
	g.next, g.stop = iter.Pull(g.run)
	return g
}

// convert passes the content that the chunk completes to emit. final says that the file ends here.
func (g *gunzip) convert(chunk []byte, final bool, emit func([]byte) error) error {
	g.in, g.ended = chunk, final
	for {
		piece, more := g.next()
		switch {
		case !more:
			return nil
		case piece.err != nil:
			return piece.err
		case piece.out == nil:
			return nil
		}
		if err := emit(piece.out); err != nil {
			return err
		}
	}
}

// close frees the coroutine.
func (g *gunzip) close() { g.stop() }

func (g *gunzip) run(yield func(gunzipped) bool) {
	src := &pushed{g: g, yield: yield}
	zr, err := gzip.NewReader(src)
	buf := make([]byte, 256<<10)
	for err == nil {
		var n int
		n, err = zr.Read(buf)
		if n > 0 && !yield(gunzipped{out: buf[:n]}) {
			return
		}
	}
	if err != io.EOF && !src.stopped {
		yield(gunzipped{err: err})
	}
}

// pushed is the reader's view of the bytes pushed in: it asks for more by handing back control.
type pushed struct {
	g       *gunzip
	yield   func(gunzipped) bool
	stopped bool
}

func (p *pushed) wait() error {
	for len(p.g.in) == 0 {
		if p.g.ended {
			return io.EOF
		}
		if p.stopped || !p.yield(gunzipped{}) {
			p.stopped = true
			return io.ErrClosedPipe
		}
	}
	return nil
}

func (p *pushed) Read(b []byte) (int, error) {
	if err := p.wait(); err != nil {
		return 0, err
	}
	n := copy(b, p.g.in)
	p.g.in = p.g.in[n:]
	return n, nil
}

// ReadByte keeps the decompressor from wrapping us in a buffer of its own.
func (p *pushed) ReadByte() (byte, error) {
	if err := p.wait(); err != nil {
		return 0, err
	}
	c := p.g.in[0]
	p.g.in = p.g.in[1:]
	return c, nil
}
