package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
)

// retailModel makes the calls of a task, one a message, and ends the
// conversation. It keeps what it is told of each call.
type retailModel struct {
	system string
	task   *retailTask

	mu   sync.Mutex
	told []string
}

var _ model.Model = (*retailModel)(nil)

// Generate implements model.Model.
func (m *retailModel) Generate(_ context.Context, req *model.Request, _ func(model.Delta)) (*model.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.read(req)
	if err != nil {
		return nil, fault.Wrap(err, fault.ModelFailed, "%v", err)
	}
	a := &model.Answer{Message: model.Message{Role: model.Assistant, Text: "Done."}, Finish: model.FinishStop, Model: "recording", Attempts: 1}
	if n < len(m.task.Calls) {
		c := m.task.Calls[n]
		a.Message = model.Message{Role: model.Assistant, Calls: []model.Call{{ID: callID(n), Name: c.Name, Args: string(c.Arguments)}}}
		a.Finish = model.FinishCalls
	}
	return a, nil
}

// read wants the conversation so far and one result more. It returns how many
// calls are answered.
func (m *retailModel) read(req *model.Request) (int, error) {
	n := len(m.told)
	if req.System != m.system {
		return 0, fmt.Errorf("the system text is not the policy")
	}
	if len(req.Messages) == 1 && n == 0 {
		return 0, nil
	}
	if want := 2*n + 3; len(req.Messages) != want || n == len(m.task.Calls) {
		return 0, fmt.Errorf("the model was sent %d messages, and had %d results", len(req.Messages), n)
	}
	last := req.Messages[2*n+2]
	if last.Role != model.ToolRole || last.CallID != callID(n) {
		return 0, fmt.Errorf("the last message is not the result of call %d", n+1)
	}
	m.told = append(m.told, last.Text)
	return n + 1, nil
}

func callID(n int) string { return fmt.Sprintf("call_%d", n+1) }

// results are what the model was told, by call.
func (m *retailModel) results() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.told
}
