package stage_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/internal/tui/ink"
	"github.com/assentdev/assent/internal/tui/stage"
	"github.com/assentdev/assent/model/scripted"
)

func play(scenes ...stage.Scene) stage.Play {
	return stage.Play{Title: "A play.", About: "It is about nothing.", Script: scripted.Definition{Otherwise: "Yes: {{.User}}"}, By: "ann", Scenes: scenes}
}

func TestAPlayIsPlayedToItsEnd(t *testing.T) {
	var out strings.Builder
	done := false
	err := stage.Run(t.Context(), stage.Options{Out: &out, Mode: assent.Ask}, play(
		stage.Scene{Heading: "First.", Line: "one"},
		stage.Scene{Before: func() error { done = strings.Contains(out.String(), "Yes: one"); return nil }, Line: "two"},
	))
	if err != nil || !done || !strings.HasSuffix(out.String(), "\n\nyou> two\nscript:\n  Yes: two\n") {
		t.Errorf("error %v, something came too early: %v\n%s", err, !done, out.String())
	}
}

func TestWhatFailsBetweenScenesEndsThePlay(t *testing.T) {
	var out strings.Builder
	bad := errors.New("the desk is on fire")
	err := stage.Run(t.Context(), stage.Options{Out: &out, Mode: assent.Ask}, play(
		stage.Scene{Before: func() error { return bad }, Line: "one"},
		stage.Scene{Line: "two"},
	))
	if !errors.Is(err, bad) || strings.Contains(out.String(), "you>") {
		t.Errorf("error %v\n%s", err, out.String())
	}
}

func TestTheFirstLinesFitTheWidth(t *testing.T) {
	var out strings.Builder
	if err := stage.Run(t.Context(), stage.Options{Out: &out, Mode: assent.ReadOnly, Ink: ink.Ink{Width: 30}}, play()); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if len(strings.TrimSuffix(line, "\n")) > 30 {
			t.Errorf("too wide: %q", line)
		}
	}
	if text := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(text, "The model is a script") || !strings.Contains(text, "The mode is read_only.") {
		t.Errorf("it does not say what it is:\n%s", out.String())
	}
}
