package assenttest

import (
	"context"
	"sync"

	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
)

// Answers returns a model that gives these answers one after another, whatever
// it is asked. An empty Finish becomes FinishCalls where the message has calls,
// else FinishStop; an empty Role becomes Assistant. Behind the last answer it
// fails with code fault.ModelFailed. It is safe for concurrent use.
func Answers(answers ...model.Answer) model.Model {
	return &answerer{left: answers, all: len(answers)}
}

// Say is an answer of text only.
func Say(text string) model.Answer {
	return model.Answer{Message: model.Message{Role: model.Assistant, Text: text}}
}

// Ask is an answer that calls tools.
func Ask(calls ...model.Call) model.Answer {
	return model.Answer{Message: model.Message{Role: model.Assistant, Calls: calls}}
}

type answerer struct {
	mu   sync.Mutex
	left []model.Answer
	all  int
}

func (m *answerer) Generate(ctx context.Context, _ *model.Request, emit func(model.Delta)) (*model.Answer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	a, ok := m.take()
	if !ok {
		return nil, fault.New(fault.ModelFailed, "the test's model was asked more than the %d times it has answers for", m.all)
	}
	if a.Finish == "" {
		a.Finish = model.FinishStop
		if len(a.Message.Calls) > 0 {
			a.Finish = model.FinishCalls
		}
	}
	a.Message.Role = model.Assistant
	a.Attempts = 1
	if emit != nil && a.Message.Text != "" {
		emit(model.Delta{Text: a.Message.Text})
	}
	return &a, nil
}

func (m *answerer) take() (model.Answer, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.left) == 0 {
		return model.Answer{}, false
	}
	a := m.left[0]
	m.left = m.left[1:]
	return a, true
}
