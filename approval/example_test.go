package approval_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/tool"
)

func ExampleBlocking() {
	handler := approval.Func(func(ctx context.Context, r approval.Request) (approval.Answer, error) {
		if r.Tool.Name == "cancel_order" {
			return approval.ApproveForSession(), nil
		}
		return approval.Deny("only orders"), nil
	})
	desk := approval.Blocking(handler, &approval.BlockingOptions{By: "rita", Via: "terminal"})

	r := approval.Request{ID: "ap_1", Tool: approval.Tool{Name: "delete_customer"}, Allowed: approval.Choices(nil, false)}
	answered := make(chan struct{})
	desk.Open(r, func(a approval.Answer, by approval.Decided, err error) {
		fmt.Println(a.State(), a.Reason, by.By, by.Via, err)
		close(answered)
	})
	<-answered
	fmt.Println(desk.Shutdown(context.Background()))
	// Output:
	// denied only orders rita terminal <nil>
	// <nil>
}

func ExampleBroker() {
	broker := approval.NewBroker(nil)
	request := approval.Request{
		ID: "ap_1", Digest: "sha256:4f5c", Allowed: approval.Choices(nil, false),
		Tool: approval.Tool{Name: "cancel_order", Title: "Cancel order A-1001"},
		Args: approval.Exact(`{"id":"A-1001"}`),
	}
	broker.Open(request, func(a approval.Answer, by approval.Decided, err error) {
		fmt.Println(a.State(), "by", by.By, err)
	})
	for _, item := range broker.List() {
		card := approval.NewCard(*item.Request)
		fmt.Println(card.Title, "?")
		err := broker.Answer(
			approval.Response{Ref: card.Ref, Answer: approval.Deny("not today")},
			approval.Decided{By: "rita", Via: "console"})
		fmt.Println(err)
	}
	// Output:
	// Cancel order A-1001 ?
	// denied by rita <nil>
	// <nil>
}

func ExampleNewCard() {
	card := approval.NewCard(approval.Request{
		ID: "ap_1", Digest: "sha256:4f5c", Mode: policy.Ask,
		Tool: approval.Tool{
			Name: "cancel_order", Title: "Cancel order A-1001",
			Source: tool.Source{Kind: policy.Host},
		},
		Class:   approval.Class{Declared: policy.Write, Contract: policy.Destructive, Effective: policy.Destructive},
		Args:    approval.Exact(`{"id":"A-1001","note":"42\u202efdp"}`),
		Allowed: approval.Choices(approval.Scopes(policy.ScopeExact), false),
	})
	fmt.Println(card.Title, "-", card.Tool, "from", card.Source.Text)
	fmt.Println(card.ClassText.Text)
	for _, row := range card.Rows {
		fmt.Printf("  %s: %s\n", row.Name, row.Value.Head)
	}
	for _, w := range card.Warnings {
		fmt.Println("!", w.Text)
	}
	for _, o := range card.Options {
		fmt.Printf("[%s] ", o.Label.Text)
	}
	// Output:
	// Cancel order A-1001 - cancel_order from this application
	// Destructive: cannot easily be changed back, or sends something away
	//   id: A-1001
	//   note: 42\u202Efdp
	// ! 1 hidden character, shown as an escape, in note
	// ! 1 character that turns the direction of text, in note
	// [Allow once] [Allow these arguments again] [Deny]
}

func ExampleGrantOf() {
	r := approval.Request{
		ID: "ap_1", Call: "ca_1", Allowed: approval.Choices(approval.Scopes(policy.ScopeSession), false), Scopes: approval.Scopes(policy.ScopeSession),
		Tool:  approval.Tool{Name: "cancel_order", Source: tool.Source{Kind: policy.Host}, Pin: "sha256:01"},
		Class: approval.Class{Effective: policy.Write},
	}
	grant, ok, err := approval.GrantOf("gr_1", r, approval.ApproveForSession(), approval.Decided{By: "rita"}, nil)
	fmt.Println(ok, err)
	fmt.Println(approval.GrantLine(grant).Text)

	next := policy.Facts{Tool: policy.Tool{Kind: policy.Host, Name: "cancel_order", Pin: "sha256:01", Class: policy.Write}, Args: []byte(`{"id":"A-2"}`)}
	grants := approval.Grants{}.With(grant)
	_, covered := grants.Covering(&next, policy.Write)
	fmt.Println("the next call is covered:", covered)

	grants, _ = grants.Without("gr_1") // revoked
	_, covered = grants.Covering(&next, policy.Write)
	fmt.Println("after revoking:", covered)
	// Output:
	// true <nil>
	// `cancel_order` in this session, any arguments
	// the next call is covered: true
	// after revoking: false
}

func ExampleNone() {
	desk := approval.None(func(text string) { fmt.Println("notice:", text[:37]) })
	desk.Open(approval.Request{ID: "ap_1"}, func(a approval.Answer, _ approval.Decided, _ error) {
		fmt.Println(a.State(), "because", a.Reason)
	})
	// Output:
	// notice: A call asked for approval and was dec
	// denied because no approval handler is set
}

func ExampleValidate() {
	r := approval.Request{ID: "ap_1", Allowed: approval.Choices(nil, false)} // nothing may be remembered
	fmt.Println(approval.Validate(r, approval.Approve()))
	fmt.Println(approval.Validate(r, approval.ApproveForSession()))
	fmt.Println(approval.Validate(r, approval.Answer{Approved: true, Args: approval.Exact(`{}`)}))
	// Output:
	// <nil>
	// bad_answer: the choice "approve_session" is not offered for approval "ap_1"
	// bad_answer: an answer with changed arguments approves nothing: leave approved out
}

func ExampleBroker_AnswerAll() {
	broker := approval.NewBroker(nil)
	for id, class := range map[string]policy.Class{"ap_1": policy.Write, "ap_2": policy.Destructive} {
		broker.Open(approval.Request{
			ID: id, Digest: "sha256:" + id, Args: approval.Exact(`{}`), Allowed: approval.Choices(nil, false),
			Class: approval.Class{Effective: class},
		}, func(approval.Answer, approval.Decided, error) { fmt.Println(id, "is answered") })
	}
	listed := []approval.Ref{{ID: "ap_1", Digest: "sha256:ap_1"}, {ID: "ap_2", Digest: "sha256:ap_2"}}
	left, err := broker.AnswerAll(approval.Approve(), listed, approval.Decided{By: "rita", Via: "panel"})
	fmt.Println("left open:", left, err)
	// Output:
	// ap_1 is answered
	// left open: [ap_2] <nil>
}

func ExampleBroker_Watch() {
	broker := approval.NewBroker(nil)
	broker.Open(approval.Request{ID: "ap_1"}, func(approval.Answer, approval.Decided, error) {})
	for e := range broker.Watch(context.Background(), 0) {
		switch {
		case e.Reset:
			fmt.Println("begin with an empty list")
		case e.Item.Open:
			fmt.Println("show", e.Item.Request.ID)
			broker.Close("ap_1", approval.Expired, "")
		default:
			fmt.Println("fold", e.Item.Request.ID+":", approval.EndLine(e.Item).Text)
			return // Seq goes to the next Watch
		}
	}
	// Output:
	// begin with an empty list
	// show ap_1
	// fold ap_1: expired: nobody answered in time
}

func ExampleOpen() {
	r := approval.Request{
		Class: approval.Class{Effective: policy.Destructive},
		Args:  approval.Exact(`{"to":"all","body":"` + strings.Repeat("Dear customer, ", 100) + `bye"}`),
	}
	fmt.Println("to be opened first:", approval.MustOpen(r))
	rows, err := approval.Open(r, "/body")
	fmt.Println(len(rows), len(rows[0].Value.Head), err)
	// Output:
	// to be opened first: [/body]
	// 1 1503 <nil>
}

func ExampleEnglish() {
	text, ok := approval.English("more.items", map[string]string{"n": "12"})
	fmt.Println(text, ok)
	// Output: 12 items not shown true
}
