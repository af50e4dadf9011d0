package engine_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/assentdev/assent/engine"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// A tool that only a device can run is known by its descriptor. The device claims
// the call that the engine decided, runs it, and sends what came of it.
func ExampleEngine_Claim() {
	d := &tool.Descriptor{Name: "beep", Description: "Beeps.", Source: tool.Source{Kind: policy.Host}, Class: policy.Write, Input: json.RawMessage(`{"type":"object"}`)}
	set, err := tool.NewSet([]*tool.Tool{d.Remote()})
	if err != nil {
		fmt.Println(err)
		return
	}
	box, _ := engine.NewToolbox(set)
	p, _ := policy.Compile(&policy.Document{Version: "1"})
	e, err := engine.New(engine.Options{Journal: journal.NewMemory(), Governor: engine.Fixed(p), Tools: box})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	session, _ := e.Create(engine.Who{}, policy.Auto)
	_ = e.Do(session, turn.Direct{Wire: "beep"})

	offers, _ := e.Offers(session)
	o := offers.Calls[0]
	c, err := e.Claim(session, o.Call, o.Digest, "kitchen")
	fmt.Println(c.Tool, string(c.Args), "attempt", c.Attempt, err)
	_, err = e.Claim(session, o.Call, o.Digest, "hall")
	fmt.Println("hall is told:", err != nil)

	err = e.Return(session, turn.Finished{Call: c.Call, Attempt: c.Attempt, Text: "beeped", Device: "kitchen"})
	text, _ := e.Result(context.Background(), session, c.Call)
	fmt.Println(text, err)
	// Output:
	// beep {} attempt 1 <nil>
	// hall is told: true
	// beeped <nil>
}
