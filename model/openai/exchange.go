package openai

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/assentdev/assent/model"
)

const (
	// maxAnswer bounds what is read of one answer, in bytes on the wire.
	maxAnswer = 64 << 20
	// maxRefusal bounds what is read of an answer that is an HTTP error.
	maxRefusal = 64 << 10
	// afterFinish is how long a server may be silent once the message is whole:
	// the count of tokens may follow, and some servers never end their stream.
	afterFinish = 5 * time.Second
	// linger is how long the end of the body may take after the end of the
	// stream. Only a body that was read to its end leaves the connection usable.
	linger = 200 * time.Millisecond
)

var (
	errSilent  = errors.New("the server was silent for too long")
	errCut     = errors.New("the stream ended before the answer did")
	errTooLong = errors.New("the answer is larger than 64 MiB")
)

// exchange is one call of Generate: its attempts and what they emitted.
type exchange struct {
	m       *Model
	req     *model.Request
	emit    func(model.Delta)
	sent    int  // requests
	emitted bool // since the last reset
	bodies  [2][]byte
}

// piece hands a piece of text on.
func (x *exchange) piece(s string) {
	if x.emit != nil {
		x.emitted = true
		x.emit(model.Delta{Text: s})
	}
}

// reset makes the pieces of the attempt before void.
func (x *exchange) reset() {
	if x.emitted {
		x.emit(model.Delta{Reset: true})
		x.emitted = false
	}
}

// try makes one attempt. Its context ends when the server is silent for too long.
func (x *exchange) try(ctx context.Context) (*model.Answer, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	idle := time.AfterFunc(x.m.idle, func() { cancel(errSilent) })
	defer idle.Stop()

	res, err := x.post(ctx)
	if err == nil {
		defer res.Body.Close()
		body := &watched{ReadCloser: res.Body, idle: idle, every: x.m.idle, left: maxAnswer}
		res.Body = body
		var answer *model.Answer
		if answer, err = x.read(res, body); err == nil {
			return answer, nil
		}
	}
	if context.Cause(ctx) == errSilent {
		err = errSilent
	}
	return nil, err
}

// post sends the request. A server that does not know stream_options is asked
// at once without it, and from then on; it then counts no tokens.
func (x *exchange) post(ctx context.Context) (*http.Response, error) {
	usage := !x.m.plainUsage.Load()
	res, err := x.send(ctx, usage)
	if usage && refusesUsage(err) {
		x.m.plainUsage.Store(true)
		return x.send(ctx, false)
	}
	return res, err
}

func (x *exchange) send(ctx context.Context, usage bool) (*http.Response, error) {
	body := &x.bodies[0]
	if usage {
		body = &x.bodies[1]
	}
	if *body == nil {
		var err error
		if *body, err = x.m.body(x.req, usage); err != nil {
			return nil, err
		}
	}
	x.sent++
	var res *http.Response
	if err := x.m.client.Post(ctx, "chat/completions", *body, &res); err != nil {
		return nil, refusal(res, err, x.m.key)
	}
	return res, nil
}

// read reads the answer from a stream, or from the one JSON text of a server
// that does not stream.
func (x *exchange) read(res *http.Response, body *watched) (*model.Answer, error) {
	a := &assembler{x: x}
	if t, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); t == "application/json" {
		data, err := io.ReadAll(res.Body)
		if err != nil {
			return nil, err
		}
		if err := a.event(data); err != nil {
			return nil, err
		}
		return a.answer(true)
	}
	events := ssestream.NewDecoder(res)
	for events.Next() {
		data := events.Event().Data
		if bytes.HasPrefix(data, []byte("[DONE]")) {
			body.drain()
			return a.answer(true)
		}
		if err := a.event(data); err != nil {
			return nil, err
		}
		if a.finish != "" {
			body.within(min(afterFinish, x.m.idle))
		}
	}
	answer, err := a.answer(false)
	if err != nil && events.Err() != nil {
		err = events.Err()
	}
	return answer, err
}

// watched is a body that puts the idle timer off with each read and ends at a
// size that no answer has.
type watched struct {
	io.ReadCloser
	idle  *time.Timer
	every time.Duration // 0: no longer
	left  int64
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if w.left -= int64(n); w.left < 0 {
		return n, errTooLong
	}
	if n > 0 && w.every > 0 {
		w.idle.Reset(w.every)
	}
	return n, err
}

// within makes d what the server may be silent for from now on.
func (w *watched) within(d time.Duration) {
	if w.every != d {
		w.every = d
		w.idle.Reset(d)
	}
}

// drain reads what is left, for a short while.
func (w *watched) drain() {
	w.every = 0
	w.idle.Reset(linger)
	_, _ = io.Copy(io.Discard, w)
}

// shortErrors bounds the body of an HTTP error, which the client reads whole.
func shortErrors(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	res, err := next(req)
	if err == nil && res.StatusCode >= 400 {
		res.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(res.Body, maxRefusal), res.Body}
	}
	return res, err
}
