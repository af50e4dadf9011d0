// Package scripted has models that are none: a Script answers to keywords, for
// demonstrations without a key, and a Recording replays a conversation that was
// had, for tests.
//
// Both answer the same request with the same message, hold no state between
// requests, and are safe for concurrent use.
package scripted

import (
	"context"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/assentdev/assent/model"
)

// Pace says how text streams. The zero Pace streams pieces of about 12
// characters without waiting.
type Pace struct {
	// Piece is how many characters a piece has at least; it goes on to the end of
	// its word. Zero: 12. Negative: all in one piece.
	Piece int
	// Wait is the time before each piece.
	Wait time.Duration
}

// stream emits the text in pieces. It ends early with ctx's error.
func (p Pace) stream(ctx context.Context, text string, emit func(model.Delta)) error {
	for text != "" {
		if err := p.pause(ctx); err != nil {
			return err
		}
		n := p.next(text)
		if emit != nil {
			emit(model.Delta{Text: text[:n]})
		}
		text = text[n:]
	}
	return ctx.Err()
}

// next returns the length of the next piece of a text that is not empty.
func (p Pace) next(text string) int {
	size := p.Piece
	switch {
	case size < 0:
		return len(text)
	case size == 0:
		size = 12
	}
	count, end := 0, 0
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		if end += n; count+1 >= size && unicode.IsSpace(r) {
			break
		}
		count++
		if count >= 4*size { // text without spaces
			break
		}
	}
	return end
}

func (p Pace) pause(ctx context.Context) error {
	if p.Wait <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(p.Wait)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// answer streams a message and returns it.
func (p Pace) answer(ctx context.Context, m model.Message, name string, emit func(model.Delta)) (*model.Answer, error) {
	if err := p.stream(ctx, m.Text, emit); err != nil {
		return nil, err
	}
	finish := model.FinishStop
	if len(m.Calls) > 0 {
		finish = model.FinishCalls
	}
	return &model.Answer{Message: m, Finish: finish, Model: name, Attempts: 1}, nil
}
