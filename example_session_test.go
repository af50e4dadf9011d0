package assent_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/engine/journal"
	"github.com/assentdev/assent/manifest"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

// renamed is a tool that writes, for the examples.
func renamed() *assent.Tool {
	return assent.Define("rename", "Renames the document.",
		func(_ context.Context, in rename) (string, error) { return "renamed to " + in.To, nil },
		&assent.ToolOptions[rename]{Class: assent.Write})
}

// An approval for the session is listed, and can be taken back.
func ExampleSession_Grants() {
	s, end := began(assent.Ask, assent.WithTools(renamed()),
		assent.WithApprovalFunc(func(_ context.Context, r approval.Request) (approval.Answer, error) {
			fmt.Println("asked about", string(r.Args))
			return approval.ApproveForSession(), nil
		}))
	defer end()
	call(s, "rename", `{"to":"a"}`)
	call(s, "rename", `{"to":"b"}`)
	for _, grant := range s.Grants() {
		fmt.Println(approval.GrantLine(grant).Text)
		if err := s.Revoke(grant.ID); err != nil {
			panic(err)
		}
	}
	call(s, "rename", `{"to":"c"}`)
	// Output:
	// asked about {"to":"a"}
	// renamed to a
	// renamed to b
	// `rename` in this session, any arguments
	// asked about {"to":"c"}
	// renamed to c
}

// The application ends while a tool runs. When it starts again, nobody knows
// whether the mail was sent: a person says so.
func ExampleSession_Settle() {
	sends := make(chan struct{})
	send := assent.Define("send", "Sends a mail.", func(ctx context.Context, _ struct{}) (string, error) {
		close(sends)
		<-ctx.Done()
		time.Sleep(50 * time.Millisecond) // longer than the agent waits for it
		return "", ctx.Err()
	}, &assent.ToolOptions[struct{}]{Class: assent.Write})
	log := journal.NewMemory()
	defer log.Close()

	s, end := began(assent.Auto, assent.WithTools(send), assent.WithJournal(log), assent.WithGrace(time.Millisecond))
	s.Call(context.Background(), "send", nil)
	<-sends
	end()

	agent, err := assent.Start(context.Background(), assent.WithTools(send), assent.WithJournal(log), assent.WithDesk(approval.NewBroker(nil)))
	if err != nil {
		panic(err)
	}
	defer agent.Close()
	again, err := agent.OpenSession(s.ID())
	if err != nil {
		panic(err)
	}
	turn, err := again.Resume(context.Background())
	if err != nil {
		panic(err)
	}
	for _, lost := range again.Unknown() {
		fmt.Println("what became of", lost.Tool)
		if err := again.Settle(lost.ID, assent.Happened, "ada"); err != nil {
			panic(err)
		}
	}
	result, err := turn.Wait()
	fmt.Println(result.Calls[0].Text, err)
	// Output:
	// what became of send
	// A person says that this call had its effect. Its result was lost. <nil>
}

// A limit narrows the mode that the user chose.
func ExampleSession_EffectiveMode() {
	doc := &policy.Document{Limits: []policy.Limit{{ID: "interns", Groups: []string{"interns"}, Max: policy.ReadOnly}}}
	s, end := began(assent.Auto, assent.WithTools(renamed()), assent.WithPolicy(doc), assent.WithPrincipal("ben", "interns"))
	defer end()
	mode, limit := s.EffectiveMode()
	fmt.Println(s.Mode(), "is", mode, "by", limit)
	// Output:
	// auto is read_only by interns
}

func ExampleAgent_Tools() {
	undeclared := assent.Define("sync", "Nobody said what this does.",
		func(context.Context, struct{}) (string, error) { return "", nil }, nil)
	agent, err := assent.Start(context.Background(), assent.WithTools(renamed(), undeclared))
	if err != nil {
		panic(err)
	}
	defer agent.Close()
	for _, t := range agent.Tools() {
		fmt.Println(t.Name, t.Class, "in auto:", t.Verdicts[assent.Auto])
	}
	// Output:
	// rename write in auto: run
	// sync unknown in auto: ask
}

// A source adds tools once the profile is known.
func ExampleWithToolSource() {
	plugins := assent.ToolSourceFunc(func(_ context.Context, sc assent.SourceContext) ([]*assent.Tool, error) {
		if sc.Profile.Slug != "editor" {
			return nil, nil
		}
		return []*assent.Tool{renamed()}, nil
	})
	authority, err := assent.Local(assent.Profile{Slug: "editor"}, nil)
	if err != nil {
		panic(err)
	}
	s, end := began(assent.Auto, assent.WithToolSource(plugins), assent.WithAuthority(authority))
	defer end()
	call(s, "rename", `{"to":"final"}`)
	// Output:
	// renamed to final
}

// A tool knows its call: the id serves as an idempotency key, and people see
// how far it is.
func ExampleCallFrom() {
	upload := assent.Define("upload", "Uploads the document.", func(ctx context.Context, _ struct{}) (string, error) {
		c := assent.CallFrom(ctx)
		c.Progress("half of it")
		return fmt.Sprintf("%s as %s, attempt %d, has an id: %t", c.Tool, c.Class, c.Attempt, c.ID != ""), nil
	}, &assent.ToolOptions[struct{}]{Class: assent.Write})
	s, end := began(assent.Auto, assent.WithTools(upload))
	defer end()
	for ev, err := range s.Call(context.Background(), "upload", nil).Events() {
		if err != nil {
			panic(err)
		}
		switch ev := ev.(type) {
		case assent.CallProgress:
			fmt.Println(ev.Text)
		case assent.CallEnded:
			fmt.Println(ev.Text)
		}
	}
	// Output:
	// half of it
	// upload as write, attempt 1, has an id: true
}

// A result has a text for the model, and may have JSON for programs.
func ExampleCallEnded() {
	find := assent.Define("find", "Finds orders.", func(context.Context, struct{}) (tool.Result, error) {
		return tool.Result{Text: "2 orders: A1, A2", Structured: []byte(`{"orders": ["A1", "A2"]}`)}, nil
	}, &assent.ToolOptions[struct{}]{Class: assent.Read})
	s, end := began(assent.Ask, assent.WithTools(find))
	defer end()
	result, err := s.Call(context.Background(), "find", nil).Wait()
	if err != nil {
		panic(err)
	}
	ended := result.Calls[0]
	fmt.Println(ended.Text)
	fmt.Println(string(ended.Structured))
	// Output:
	// 2 orders: A1, A2
	// {"orders":["A1","A2"]}
}

// The tool asks about what it cannot judge, also where the mode would not.
func ExampleToolOptions_confirm() {
	tool := assent.Define("rename", "Renames.", func(context.Context, rename) (string, error) { return "renamed", nil },
		&assent.ToolOptions[rename]{
			Class:   assent.Write,
			Confirm: func(_ context.Context, in rename) (bool, error) { return strings.Contains(in.To, "final"), nil },
		})
	s, end := began(assent.Auto, assent.WithTools(tool), assent.WithApprovalFunc(func(_ context.Context, r approval.Request) (approval.Answer, error) {
		fmt.Println("asked about", string(r.Args))
		return approval.Approve(), nil
	}))
	defer end()
	call(s, "rename", `{"to":"draft"}`)
	call(s, "rename", `{"to":"final"}`)
	// Output:
	// renamed
	// asked about {"to":"final"}
	// renamed
}

// server is an authority: it is told what the application brings, and says what
// becomes of it.
type server struct {
	doc      *policy.Document
	compiled *policy.Policy
}

func (s *server) Profile(context.Context) (assent.Profile, error) {
	return assent.Profile{Slug: "editor"}, nil
}

func (s *server) Policy() *policy.Policy { return s.compiled }

func (s *server) Report(_ context.Context, m *manifest.Manifest) (manifest.Answer, error) {
	return manifest.Review(m, s.doc.Contract, nil, nil), nil
}

// The answer to the manifest says which tools wait for an administrator. A tool
// that waits is not offered.
func ExampleAgent_Review() {
	doc := &policy.Document{Contract: &policy.Contract{Entries: []policy.Entry{{Tool: "sync", Class: policy.Write}}}}
	compiled, err := policy.Compile(doc)
	if err != nil {
		panic(err)
	}
	agent, err := assent.Start(context.Background(), assent.WithTools(renamed()),
		assent.WithApp(assent.App{Name: "editor", Version: "2.1"}), assent.WithAuthority(&server{doc, compiled}))
	if err != nil {
		panic(err)
	}
	defer agent.Close()
	for _, v := range agent.Review().Tools {
		fmt.Println(v.Tool, v.State, v.Reason)
	}
	fmt.Println("missing:", agent.Review().Removed)
	// Output:
	// rename waiting not_listed
	// missing: [sync]
}
