// Package assenttest has what the tests of an application with an agent need:
// among it a model server that says and breaks what a test wants.
package assenttest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
)

// ModelServerOptions says how a ModelServer speaks. Nil and zero: it lists one
// model named "test", streams text in the pieces that the model emits, and
// arguments in one piece.
type ModelServerOptions struct {
	// Models are the names that /v1/models lists. Requests may name any.
	Models []string
	// TextPiece is the size of a piece of text in characters. Zero: as the model
	// emits it.
	TextPiece int
	// ArgsPiece is the size of a piece of argument text in bytes; a character is
	// never split. Zero: all in one piece.
	ArgsPiece int
	// Discard keeps no requests: for benchmarks.
	Discard bool
}

// ModelServer is a real HTTP server on loopback that speaks chat completions,
// streamed and not, and answers from a model. It is safe for concurrent use.
type ModelServer struct {
	// URL is what a client takes as its base URL. It ends in /v1.
	URL string

	model model.Model
	o     ModelServerOptions
	http  *httptest.Server

	mu       sync.Mutex
	faults   []ModelFault
	requests []ModelRequest
}

// ModelRequest is a request that a ModelServer got.
type ModelRequest struct {
	Header http.Header
	Body   []byte
}

// NewModelServer starts a server that answers from m. It is closed when tb's
// test ends; with a nil tb, by Close.
func NewModelServer(tb testing.TB, m model.Model, o *ModelServerOptions) *ModelServer {
	s := &ModelServer{model: m}
	if o != nil {
		s.o = *o
	}
	if s.o.Models == nil {
		s.o.Models = []string{"test"}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", s.list)
	mux.HandleFunc("POST /v1/chat/completions", s.complete)
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL + "/v1"
	if tb != nil {
		tb.Cleanup(s.Close)
	}
	return s
}

// Close ends open answers and stops the server. It returns when no request is served.
func (s *ModelServer) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Fail makes the next requests fail, one fault each, in order; a zero fault
// lets one request pass. Then requests are answered again.
func (s *ModelServer) Fail(faults ...ModelFault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, faults...)
}

// Requests returns the completions that were asked for so far, oldest first.
func (s *ModelServer) Requests() []ModelRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]ModelRequest(nil), s.requests...)
}

// arrived keeps a request and returns what is to go wrong with it.
func (s *ModelServer) arrived(r ModelRequest) ModelFault {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.o.Discard {
		s.requests = append(s.requests, r)
	}
	if len(s.faults) == 0 {
		return ModelFault{}
	}
	f := s.faults[0]
	s.faults = s.faults[1:]
	return f
}

func (s *ModelServer) list(w http.ResponseWriter, _ *http.Request) {
	type entry struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Created int64  `json:"created"`
		Owner   string `json:"owned_by"`
	}
	out := struct {
		Object string  `json:"object"`
		Data   []entry `json:"data"`
	}{Object: "list"}
	for _, name := range s.o.Models {
		out.Data = append(out.Data, entry{name, "model", 0, "assent"})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out)
}

func (s *ModelServer) complete(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	f := s.arrived(ModelRequest{r.Header.Clone(), body})
	if f.Status != 0 {
		f.refuse(w)
		return
	}
	q, err := readChat(body)
	if err != nil {
		refuse(w, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}
	out := newWire(w, r, q, s.o, f)
	if !q.Stream {
		s.whole(r.Context(), out, q)
		return
	}
	answer, err := s.model.Generate(r.Context(), q.request(), out.delta)
	if err != nil {
		out.fail(err)
		return
	}
	out.finish(answer)
}

func (s *ModelServer) whole(ctx context.Context, out *wire, q *chat) {
	answer, err := s.model.Generate(ctx, q.request(), nil)
	if err != nil {
		out.fail(err)
		return
	}
	out.whole(answer)
}

func refuse(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(errorBody(kind, message))
}

func errorBody(kind, message string) any {
	return map[string]any{"error": map[string]any{"message": message, "type": kind, "code": nil, "param": nil}}
}

// chat is a request as it comes over the wire.
type chat struct {
	Model         string        `json:"model"`
	Stream        bool          `json:"stream"`
	StreamOptions *streamOption `json:"stream_options"`
	Messages      []chatMessage `json:"messages"`
	Tools         []chatTool    `json:"tools"`
}

type streamOption struct {
	IncludeUsage bool `json:"include_usage"`
}

type chatTool struct {
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

func readChat(body []byte) (*chat, error) {
	var q chat
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, err
	}
	if len(q.Messages) == 0 {
		return nil, fault.New(fault.BadArguments, "messages is empty")
	}
	return &q, nil
}

func (q *chat) request() *model.Request {
	req := &model.Request{}
	var system []string
	for _, m := range q.Messages {
		if m.Role == "system" || m.Role == "developer" {
			system = append(system, m.text())
			continue
		}
		req.Messages = append(req.Messages, m.message())
	}
	req.System = strings.Join(system, "\n\n")
	var tools []model.Tool
	for _, t := range q.Tools {
		tools = append(tools, model.Tool{Name: t.Function.Name, Description: t.Function.Description, Input: t.Function.Parameters})
	}
	req.Tools = model.NewTools(tools)
	return req
}
