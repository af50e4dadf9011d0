package assent

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/assentdev/assent/engine"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/model"
	"github.com/assentdev/assent/policy"
	"github.com/assentdev/assent/turn"
)

// Session is one conversation. It is a name for what the journal holds, so it
// costs nothing to keep, and is safe for concurrent use.
type Session struct {
	agent *Agent
	id    string
}

// StartSession starts a session. Its mode is Ask, or what the application's and
// the profile's default make stricter; naming one is the user's choice (SPEC C4),
// and only the first one named counts. Errors: fault.BadConfig before Start,
// fault.Unwritable where the journal refuses.
func (a *Agent) StartSession(_ context.Context, mode ...Mode) (*Session, error) {
	e, err := a.live()
	if err != nil {
		return nil, err
	}
	m := a.defaultMode()
	if len(mode) > 0 {
		m = mode[0]
	}
	id, err := e.Create(engine.Who{Principal: a.c.principal, Groups: a.c.groups}, m)
	if err != nil {
		return nil, err
	}
	return &Session{agent: a, id: id}, nil
}

func (a *Agent) defaultMode() Mode {
	m := Ask
	for _, d := range []*Mode{a.c.mode, a.profile.DefaultMode} {
		if d != nil {
			m = policy.Narrower(m, *d)
		}
	}
	return m
}

// OpenSession takes up a session of the journal. An id that it does not have is
// fault.NotFound.
func (a *Agent) OpenSession(id string) (*Session, error) {
	if _, err := a.live(); err != nil {
		return nil, err
	}
	s := &Session{agent: a, id: id}
	return s, s.view(func(*turn.Session) {})
}

// Sessions returns the ids of all sessions in the journal.
func (a *Agent) Sessions(ctx context.Context) ([]string, error) {
	e, err := a.live()
	if err != nil {
		return nil, err
	}
	return e.Sessions(ctx)
}

// ID returns the session's id.
func (s *Session) ID() string { return s.id }

func (s *Session) view(read func(*turn.Session)) error { return s.agent.engine.View(s.id, read) }

// Mode returns the mode that the user chose, or the one the session started in;
// see [Session.EffectiveMode] for what limits make of it. It is Off where the
// journal cannot be read.
func (s *Session) Mode() (m Mode) {
	_ = s.view(func(t *turn.Session) { m = t.Mode })
	return m
}

// SetMode sets the mode from the next turn on. A narrower one also counts at
// once, for every call that does not run yet (SPEC C6). It fails only where the
// journal does.
func (s *Session) SetMode(m Mode) error {
	return s.agent.engine.Do(s.id, turn.SetMode{Mode: m, By: s.agent.c.principal})
}

// EffectiveMode returns the mode that turns run in: the chosen one narrowed by
// every limit, and which limit narrows it, if one does (SPEC C5).
func (s *Session) EffectiveMode() (m Mode, why string) {
	return s.agent.c.authority.Policy().Effective(s.Mode(), s.agent.profile.Slug, s.agent.c.groups)
}

// Grants lists the approvals that are remembered: in this session, and those of
// the user that hold in every session until a date (SPEC P3).
func (s *Session) Grants() (list []policy.Grant) {
	_ = s.view(func(t *turn.Session) { list = slices.Clone(t.Grants) })
	users, err := s.agent.engine.UserGrants(s.agent.c.principal)
	if err != nil {
		s.agent.c.log.Error("the grants of the user cannot be read", "err", err)
	}
	return append(list, users...)
}

// Revoke ends a grant at once. An unknown one is fault.NotFound.
func (s *Session) Revoke(grant string) error {
	by := s.agent.c.principal
	err := s.agent.engine.Do(s.id, turn.Revoke{Grant: grant, By: by})
	if fault.CodeOf(err) != fault.NotFound {
		return err
	}
	return s.agent.engine.RevokeUserGrant(by, grant, by)
}

// Messages returns a copy of the conversation as the model sees it, without the
// instructions; empty before the first turn.
func (s *Session) Messages() (list []model.Message) {
	_ = s.view(func(t *turn.Session) { list = slices.Clone(t.Messages) })
	return list
}

// Send begins a turn with the user's message. An open turn is superseded, or the
// message refused: see [WithRefusedMessages]. When ctx ends, the turn is stopped.
//
// The turn is never nil. What kept it from beginning is the error that its
// Events and its Wait give.
func (s *Session) Send(ctx context.Context, text string) *Turn {
	return s.begin(ctx, turn.Say{Text: text}, true)
}

// Retry asks the model again with what the conversation holds, for instance
// after the model failed. Results that calls have already given stay. With a turn
// open it is fault.Busy, which the turn's Events and Wait give.
func (s *Session) Retry(ctx context.Context) *Turn { return s.begin(ctx, turn.Retry{}, false) }

// Call makes one call without a model, as a client that has its own would:
// through the same check, decision, approval and log. args is JSON text; empty
// stands for {}. A call that is refused or fails is a result and no error. With a
// turn open it is fault.Busy.
func (s *Session) Call(ctx context.Context, tool string, args []byte) *Turn {
	return s.begin(ctx, turn.Direct{Wire: tool, Args: string(args)}, false)
}

// Undo takes a call back, by its id: see [Session.Undoable]. Undoing is itself a
// governed call; it is refused if the thing has changed since (SPEC T4). A call
// that left nothing to undo is fault.CannotUndo.
func (s *Session) Undo(ctx context.Context, call string) *Turn {
	return s.begin(ctx, turn.TakeBack{Call: call}, false)
}

// UndoableCall is a call that can be taken back.
type UndoableCall struct {
	ID    string    // for [Session.Undo]
	Tool  string    // by the name that the model called
	Title string    // of that call, for people
	At    time.Time // when it ended, in UTC
}

// Undoable lists the calls that can be taken back, newest first.
func (s *Session) Undoable() (list []UndoableCall) {
	_ = s.view(func(t *turn.Session) {
		for _, u := range slices.Backward(t.Undo) {
			list = append(list, UndoableCall{ID: u.Call, Tool: u.Wire, Title: u.Title, At: time.UnixMilli(u.At).UTC()})
		}
	})
	return list
}

func (s *Session) begin(ctx context.Context, in turn.Input, supersede bool) *Turn {
	t := &Turn{session: s, ctx: ctx}
	switch in.(type) {
	case turn.Direct, turn.TakeBack:
		t.direct = true
	}
	e := s.agent.engine
	for {
		t.id, t.w, t.err = e.Begin(s.id, in)
		if !supersede || s.agent.c.refuse || fault.CodeOf(t.err) != fault.Busy {
			break
		}
		if t.err = e.Stop(ctx, s.id, turn.Stop{End: turn.BySupersede, By: s.agent.c.principal}); t.err != nil {
			break
		}
	}
	if t.err == nil {
		t.unhook = context.AfterFunc(ctx, func() { _ = e.Do(s.id, t.stop()) })
	}
	return t
}

// Stop ends the open turn: open questions close, running tools are cancelled,
// and every call gets a result (SPEC P12). It waits until the turn has ended or
// ctx ends. Without an open turn it does nothing.
func (s *Session) Stop(ctx context.Context) error {
	return s.agent.engine.Stop(ctx, s.id, turn.Stop{By: s.agent.c.principal})
}

// Choice is a person's word on a call whose outcome nobody knows.
type Choice = turn.Choice

// The choices for a call whose outcome is unknown (SPEC S2).
const (
	Happened = turn.Happened
	RunAgain = turn.RunAgain
	GiveUp   = turn.GiveUp
)

// UnknownCall is a call that was started and whose outcome was lost.
type UnknownCall struct {
	ID   string          // for [Session.Settle]
	Tool string          // by the name that the model called
	Args json.RawMessage // canonical
}

// Unknown lists the calls of the open turn whose outcome a person must settle.
// The same questions stand at the desk, as requests whose Lost is set.
func (s *Session) Unknown() (list []UnknownCall) {
	_ = s.view(func(t *turn.Session) {
		for _, c := range doubtful(t) {
			list = append(list, UnknownCall{ID: c.ID, Tool: c.Wire, Args: slices.Clone(c.Args)})
		}
	})
	return list
}

func doubtful(t *turn.Session) (calls []*turn.Call) {
	if t.Turn.Open() {
		for _, c := range t.Turn.Calls {
			if c.State == turn.Doubtful {
				calls = append(calls, c)
			}
		}
	}
	return calls
}

// Settle says what became of a call whose outcome is unknown: that it happened,
// that it is to run again, or that it is left. by names the person. A call that
// does not wait for that is fault.NotFound, another word fault.BadAnswer.
func (s *Session) Settle(call string, choice Choice, by string) error {
	id := ""
	err := s.view(func(t *turn.Session) {
		for _, c := range doubtful(t) {
			if c.ID == call {
				id = c.Approval
			}
		}
	})
	if err == nil && id == "" {
		err = fault.New(fault.NotFound, "call %s does not wait to be settled", call)
	}
	if err != nil {
		return err
	}
	return s.agent.engine.Do(s.id, turn.Answer{Approval: id, Choice: choice, By: by})
}

// Resume follows a turn that is open already, for instance one that the journal
// held when the agent started. Without an open turn it is fault.NotFound.
func (s *Session) Resume(ctx context.Context) (*Turn, error) {
	t := &Turn{session: s, ctx: ctx}
	t.id, t.w, t.err = s.agent.engine.Follow(s.id)
	if t.err == nil {
		t.err = s.view(t.catchUp)
	}
	return t, t.err
}

// catchUp learns what the events before told of the turn.
func (t *Turn) catchUp(s *turn.Session) {
	if s.Turn.ID != t.id {
		return // it has ended meanwhile
	}
	t.direct = s.Turn.Kind == turn.ByCall || s.Turn.Kind == turn.ByUndo
	for _, c := range s.Turn.Calls {
		t.name(c.ID, c.Wire)
	}
}
