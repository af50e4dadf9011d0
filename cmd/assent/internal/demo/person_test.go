package demo_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/assentdev/assent/cmd/assent/internal/demo"
	"github.com/assentdev/assent/internal/tui/keys"
	"github.com/assentdev/assent/internal/tui/stage"
	"github.com/assentdev/assent/policy"
)

// screen keeps what was written.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
	seen int
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

// news returns what was written since it was called last.
func (s *screen) news() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.text.String()[s.seen:]
	s.seen = s.text.Len()
	return text
}

// person sits at the demo.
type person struct {
	t      *testing.T
	keys   *io.PipeWriter
	screen *screen
}

// press sends keys in one piece, as a terminal does, and returns what the screen
// then shows anew.
func (p *person) press(text string) string {
	p.t.Helper()
	if _, err := p.keys.Write([]byte(text)); err != nil {
		p.t.Fatalf("press %q: %v", text, err)
	}
	synctest.Wait()
	return p.screen.news()
}

// one sends keys one by one.
func (p *person) one(text string) (shown string) {
	p.t.Helper()
	for _, r := range text {
		shown += p.press(string(r))
	}
	return shown
}

// sit holds a conversation with the demo, in which time passes only where a test
// waits for it. Leaving is the end of the keys.
func sit(t *testing.T, o stage.Options, talk func(p *person)) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		p := &person{t: t, keys: w, screen: &screen{}}
		o.Out, o.Keys, o.Mode = p.screen, keys.NewSource(r), policy.Ask
		done := make(chan error, 1)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { done <- demo.Run(ctx, o) }()
		synctest.Wait()
		talk(p)
		w.Close()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
		o.Keys.Close()
	})
}

// has fails unless text holds all parts.
func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("the screen does not show %q:\n%s", part, text)
		}
	}
}

func hasNot(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("the screen shows %q:\n%s", part, text)
		}
	}
}
