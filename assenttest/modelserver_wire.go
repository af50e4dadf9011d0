package assenttest

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
)

// wire writes one answer. It stops the handler by a panic with
// http.ErrAbortHandler where the connection is to break: only that breaks it.
type wire struct {
	w       http.ResponseWriter
	flush   func() error
	ctx     context.Context
	q       *chat
	o       ModelServerOptions
	f       ModelFault
	buf     []byte
	begun   bool
	sent    string // text so far
	events  int
	written int
}

func newWire(w http.ResponseWriter, r *http.Request, q *chat, o ModelServerOptions, f ModelFault) *wire {
	return &wire{w: w, flush: http.NewResponseController(w).Flush, ctx: r.Context(), q: q, o: o, f: f}
}

// delta sends a piece of text while the model still generates. What it took back
// cannot be taken back on the wire, so the connection breaks.
func (c *wire) delta(d model.Delta) {
	if d.Reset {
		panic(http.ErrAbortHandler)
	}
	c.sent += d.Text
	c.text(d.Text)
}

func (c *wire) text(s string) {
	c.begin()
	for s != "" {
		n := len(s)
		if c.o.TextPiece > 0 {
			n = prefix(s, c.o.TextPiece, func(int) int { return 1 })
		}
		c.chunk(`{"content":`, quote(s[:n]), `}`, "")
		s = s[n:]
	}
}

// prefix returns the length of the longest prefix of whole characters that
// weigh at most limit together, and at least one character.
func prefix(s string, limit int, weigh func(size int) int) int {
	end, weight := 0, 0
	for end < len(s) {
		_, size := utf8.DecodeRuneInString(s[end:])
		if weight += weigh(size); weight > limit && end > 0 {
			break
		}
		end += size
	}
	return end
}

// begin sends the first event once.
func (c *wire) begin() {
	if c.begun {
		return
	}
	c.begun = true
	c.w.Header().Set("Content-Type", "text/event-stream")
	c.w.Header().Set("Cache-Control", "no-store")
	c.chunk(`{"role":"assistant","content":null}`, nil, "", "")
}

// finish sends what the model did not emit, and the end.
func (c *wire) finish(a *model.Answer) {
	if len(c.sent) < len(a.Message.Text) {
		c.text(a.Message.Text[len(c.sent):])
	}
	c.begin()
	for i, call := range a.Message.Calls {
		c.call(i, call, a.Message.Calls[0].ID)
	}
	if !c.f.NoFinish {
		c.chunk(`{}`, nil, "", finishWord(a.Finish))
	}
	if o := c.q.StreamOptions; o != nil && o.IncludeUsage && !c.f.NoUsage {
		usage, _ := json.Marshal(usageOf(a.Usage)) // numbers in maps: cannot fail
		c.event([]byte(c.open() + `"choices":[],"usage":` + string(usage) + `}`))
	}
	if !c.f.NoDone {
		c.event([]byte("[DONE]"))
	}
}

// call sends a call: its name, then its arguments in pieces.
func (c *wire) call(i int, call model.Call, firstID string) {
	if c.f.SameIndex {
		i = 0
	}
	if c.f.SameIDs {
		call.ID = firstID
	}
	head := `{"tool_calls":[{`
	if !c.f.NoIndex {
		head += `"index":` + strconv.Itoa(i) + `,`
	}
	first := head
	if !c.f.NoIDs {
		first += `"id":` + string(quote(call.ID)) + `,`
	}
	first += `"type":"function","function":{"name":` + string(quote(call.Name)) + `,"arguments":`
	if c.f.WholeCalls {
		c.chunk(first, quote(call.Args), `}}]}`, "")
		return
	}
	c.chunk(first, []byte(`""`), `}}]}`, "")
	for s := call.Args; s != ""; {
		n := len(s)
		if c.o.ArgsPiece > 0 {
			n = prefix(s, c.o.ArgsPiece, func(size int) int { return size })
		}
		c.chunk(head+`"function":{"arguments":`, quote(s[:n]), `}}]}`, "")
		s = s[n:]
	}
}

func (c *wire) open() string {
	return `{"id":"chatcmpl-test","object":"chat.completion.chunk","created":0,"model":` + string(quote(c.q.Model)) + `,`
}

// chunk sends an event with one choice.
func (c *wire) chunk(head string, value []byte, tail, finish string) {
	b := append(c.buf[:0], c.open()...)
	b = append(b, `"choices":[{"index":0,"delta":`...)
	b = append(append(append(b, head...), value...), tail...)
	b = append(b, `,"finish_reason":`...)
	if finish == "" {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendQuote(b, finish)
	}
	c.buf = append(b, "}]}"...)
	c.event(c.buf)
}

// event sends one event and flushes it: a piece that waits in a buffer is a
// piece that nobody sees.
func (c *wire) event(data []byte) {
	if c.f.Drip > 0 {
		c.wait(c.f.Drip)
	}
	if c.f.Comments {
		c.write([]byte(": keep-alive\n\n"))
	}
	if c.f.ErrorAfter > 0 && c.events == c.f.ErrorAfter {
		data = []byte(c.f.ErrorObject)
		if len(data) == 0 {
			data, _ = json.Marshal(errorBody("server_error", "this stream was made to fail"))
		}
	}
	c.events++
	c.write([]byte("data: "))
	c.write(data)
	c.write([]byte("\n\n"))
	_ = c.flush()
	if c.f.ErrorAfter > 0 && c.events > c.f.ErrorAfter {
		panic(http.ErrAbortHandler)
	}
}

func (c *wire) wait(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-c.ctx.Done():
		panic(http.ErrAbortHandler)
	}
}

func (c *wire) write(b []byte) {
	left := c.f.CutAfter - c.written
	if c.f.CutAfter > 0 && left <= len(b) {
		_, _ = c.w.Write(b[:left])
		_ = c.flush()
		panic(http.ErrAbortHandler)
	}
	n, err := c.w.Write(b)
	c.written += n
	if err != nil { // the client is gone
		panic(http.ErrAbortHandler)
	}
}

// whole sends the answer as one JSON text.
func (c *wire) whole(a *model.Answer) {
	c.w.Header().Set("Content-Type", "application/json")
	body, err := json.Marshal(map[string]any{
		"id": "chatcmpl-test", "object": "chat.completion", "created": 0, "model": c.q.Model,
		"choices": []any{map[string]any{"index": 0, "message": assistant(a.Message), "finish_reason": finishWord(a.Finish)}},
		"usage":   usageOf(a.Usage),
	})
	if err != nil {
		refuse(c.w, http.StatusInternalServerError, "server_error", err.Error())
		return
	}
	if c.f.Drip > 0 {
		c.wait(c.f.Drip)
	}
	c.write(body)
}

// fail says that the model gave no answer. Nothing is gained by asking again.
func (c *wire) fail(err error) {
	if c.ctx.Err() != nil {
		panic(http.ErrAbortHandler)
	}
	if !c.begun {
		refuse(c.w, http.StatusBadRequest, "invalid_request_error", fault.TextOf(err))
		return
	}
	data, _ := json.Marshal(errorBody("invalid_request_error", fault.TextOf(err))) // strings: cannot fail
	c.event(data)
}
