package assenttest_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/assentdev/assent/assenttest"
)

// In a test, pass t in place of nil: the server then closes by itself.
func ExampleNewModelServer() {
	server := assenttest.NewModelServer(nil, assenttest.Answers(assenttest.Say("hello")), nil)
	defer server.Close()
	server.Fail(assenttest.ModelFault{Status: http.StatusTooManyRequests}) // the first request only

	for range 2 {
		res, err := http.Post(server.URL+"/chat/completions", "application/json", strings.NewReader(`{"model":"test","messages":[{"role":"user","content":"hi"}]}`))
		if err != nil {
			fmt.Println(err)
			return
		}
		body, _ := io.ReadAll(res.Body)
		res.Body.Close()
		fmt.Println(res.StatusCode, strings.Contains(string(body), `"content":"hello"`))
	}
	fmt.Println(len(server.Requests()), "requests")
	// Output:
	// 429 false
	// 200 true
	// 2 requests
}
