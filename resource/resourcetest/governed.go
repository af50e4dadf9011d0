package resourcetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/assenttest"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/resource"
	"github.com/assentdev/assent/tool"
	"github.com/assentdev/assent/turn"
)

// governed is what became of a call that an agent made.
type governed struct {
	class    policy.Class
	category policy.Category
	outcome  turn.Outcome
	asked    int
	ran      bool
	err      error // of the run
}

func (g *governed) shown(text string) string {
	return fmt.Sprintf("class %v, outcome %s, category %q, %d questions, ran %v, and the model is told: %s", g.class, g.outcome, g.category, g.asked, g.ran, text)
}

// governed calls a tool through an agent in the kit's mode; the person approves.
func (k *Kit) governed(what, name, args string) *Call {
	k.tb.Helper()
	s := k.start(approval.Approve())
	defer s.agent.Close()
	return s.call(what, *k.mode, name, args)
}

// started is an agent of an app, with what it ran.
type started struct {
	tb     testing.TB
	agent  *assent.Agent
	person *assenttest.Person
	ran    bool
	err    error
}

func (k *Kit) start(answer approval.Answer) *started {
	k.tb.Helper()
	tools, err := k.app.Tools()
	if err != nil {
		k.tb.Fatal(err)
	}
	s := &started{tb: k.tb, person: assenttest.NewPerson().Answers("", answer)}
	for _, t := range tools {
		run := t.Run
		t.Run = func(ctx context.Context, args []byte) (tool.Result, error) {
			s.ran = true
			res, err := run(ctx, args)
			s.err = err
			return res, err
		}
	}
	s.agent, err = assent.Start(k.tb.Context(), assent.WithTools(tools...), assent.WithApprovals(s.person), assent.WithPrincipal(k.by.Principal, k.by.Groups...))
	if err != nil {
		k.tb.Fatal(err)
	}
	return s
}

func (s *started) info(name string) *assent.ToolInfo {
	s.tb.Helper()
	var names []string
	for _, i := range s.agent.Tools() {
		if i.Name == name {
			return &i
		}
		names = append(names, i.Name)
	}
	s.tb.Fatalf("there is no tool %s; there are %s", name, strings.Join(slices.Sorted(slices.Values(names)), ", "))
	return nil
}

func (s *started) call(what string, mode assent.Mode, name, args string) *Call {
	s.tb.Helper()
	g := &governed{class: s.info(name).Class}
	session, err := s.agent.StartSession(s.tb.Context(), mode)
	if err != nil {
		s.tb.Fatal(err)
	}
	s.ran, s.err = false, nil
	before := len(s.person.Asked())
	c := &Call{tb: s.tb, what: what + " in " + mode.String(), gov: g}
	for event, err := range session.Call(s.tb.Context(), name, []byte(args)).Events() {
		if err != nil {
			s.tb.Fatal(err)
		}
		switch e := event.(type) {
		case assent.CallDecided:
			g.class = e.Class
		case assent.CallEnded:
			g.outcome, g.category, c.text = e.Outcome, e.Category, e.Text
			c.res = resultOf(e, s.err)
		}
	}
	g.asked, g.ran, g.err = len(s.person.Asked())-before, s.ran, s.err
	return c
}

// resultOf is what can be told of the result of a governed call.
func resultOf(e assent.CallEnded, err error) resource.Result {
	var issues resource.Issues
	var told *resource.Error
	switch {
	case e.Structured != nil:
		return read(e.Structured)
	case errors.As(err, &issues):
		return resource.Result{Kind: resource.Rejected, Status: http.StatusUnprocessableEntity, Issues: issues}
	case errors.As(err, &told):
		return resource.Result{Kind: resource.Failure, Status: told.Status, Error: told}
	case err != nil:
		return resource.Result{Kind: resource.Failure, Status: http.StatusInternalServerError, Error: resource.Errorf(fault.CodeOf(err), "%s", fault.TextOf(err))}
	case e.Outcome == turn.Invalid:
		return resource.Result{Kind: resource.Rejected, Issues: invalid(e.Text)}
	}
	return resource.Result{}
}

func read(structured json.RawMessage) resource.Result {
	var r struct {
		Kind    resource.ResultKind
		Status  int
		Link    *resource.Address
		Records []resource.Record
		Data    json.RawMessage
	}
	if err := json.Unmarshal(structured, &r); err != nil {
		return resource.Result{}
	}
	res := resource.Result{Kind: r.Kind, Status: r.Status, Records: r.Records, Data: r.Data}
	if r.Link != nil {
		res.Link = &resource.LinkNode{To: *r.Link}
	}
	return res
}

// invalid reads the issues out of what a model is told of invalid arguments:
// "Error: Invalid arguments: /cents: must be … ; …".
func invalid(text string) (issues resource.Issues) {
	text = strings.TrimPrefix(text, "Error: Invalid arguments: ")
	for part := range strings.SplitSeq(text, "; ") {
		place, message, ok := strings.Cut(part, ": ")
		if !ok || !strings.HasPrefix(place, "/") {
			place, message = "", part
		}
		var path []string
		if place != "" {
			path = strings.Split(place[1:], "/")
		}
		issues = append(issues, resource.Issue{Path: path, Message: message})
	}
	return issues
}
