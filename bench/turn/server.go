package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
)

// answer is what every turn ends with.
var answer = strings.Repeat("some words of text ", 20)

// server streams a tool call in 7 events where the last message is no tool
// result, and the answer in 22 events where it is one. A question that begins
// with "Earlier" is answered at once.
func server() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("http://%s/v1\n", ln.Addr())
	call, text, short := callEvents(), textEvents(), []string{event(`{"role":"assistant","content":"An earlier answer of some length, as they are."}`, ""), event(`{}`, "stop")}
	_ = http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		events := call
		switch last := lastMessage(body); {
		case bytes.Contains(last, []byte(`"role":"tool"`)):
			events = text
		case bytes.Contains(last, []byte(`Earlier`)):
			events = short
		}
		flush := w.(http.Flusher)
		for _, e := range events {
			if _, err := io.WriteString(w, e); err != nil {
				return
			}
			flush.Flush()
		}
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	}))
}

// lastMessage is the end of the messages of a request, from its last role on,
// wherever the request has its tools.
func lastMessage(body []byte) []byte {
	i := bytes.LastIndex(body, []byte(`"role":"`))
	if j := bytes.LastIndexByte(body[:max(0, i)], '{'); j >= 0 {
		return body[j:]
	}
	return body
}

func event(delta, finish string) string {
	reason := "null"
	if finish != "" {
		reason = `"` + finish + `"`
	}
	return `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"mock","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + reason + "}]}\n\n"
}

func callEvents() []string {
	events := []string{event(`{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"read_page","arguments":""}}]}`, "")}
	for _, part := range []string{`{\"`, `page`, `\":`, ` 12`, `}`} {
		events = append(events, event(`{"tool_calls":[{"index":0,"function":{"arguments":"`+part+`"}}]}`, ""))
	}
	return append(events, event(`{}`, "tool_calls"))
}

func textEvents() []string {
	events := []string{event(`{"role":"assistant","content":""}`, "")}
	for range 20 {
		events = append(events, event(`{"content":"some words of text "}`, ""))
	}
	return append(events, event(`{}`, "stop"))
}
