package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/model/scripted"
	"github.com/assentdev/assent/turn"
)

// runAll plays all scenarios, several at once, and reports in their order.
func runAll(ctx context.Context, o *options, s *set, list []*scenario, r *report) error {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	done := make([]*outcome, len(list))
	errs := make([]error, len(list))
	var wg sync.WaitGroup
	work := make(chan int)
	for range max(1, o.parallel) {
		wg.Go(func() {
			for i := range work {
				own, cancel := context.WithTimeout(ctx, o.wait)
				done[i], errs[i] = s.play(own, client, list[i], s.expect(list[i]))
				cancel()
			}
		})
	}
	for i := range list {
		work <- i
	}
	close(work)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, sc := range list {
		r.add(sc, done[i], errs[i])
	}
	return nil
}

// report counts what happened.
type report struct {
	out        io.Writer
	modes      map[assent.Mode]*tally  // of the recordings as they are
	kinds      map[string]*tally       // of those made of them
	texts      map[string]turn.Outcome // of calls that gave no result of their own
	mismatches int
}

// tally counts over scenarios of one kind.
type tally struct {
	scenarios, calls, asks, runs, mismatches int
	outcomes                                 map[turn.Outcome]int
}

// add counts one scenario, and prints what is wrong with it.
func (r *report) add(sc *scenario, o *outcome, err error) {
	t := r.tally(sc)
	t.scenarios++
	if o == nil {
		o = &outcome{expectation: &expectation{}, person: &person{}, ledger: &ledger{}}
	}
	t.calls += len(o.fates)
	t.asks += len(o.person.requests())
	t.runs += len(o.ledger.all())
	for _, e := range o.log {
		if b, ok := e.Body.(*turn.CallEnded); ok {
			t.outcomes[b.Outcome]++
			r.apart(o, b)
		}
	}
	if err != nil {
		o.complain("%v", err)
	}
	t.mismatches += len(o.wrong)
	r.mismatches += len(o.wrong)
	for _, w := range o.wrong {
		fmt.Fprintf(r.out, "MISMATCH %s: %s\n", sc, w)
	}
}

// apart wants two kinds of end never to be told in the same words (SPEC P9).
func (r *report) apart(o *outcome, b *turn.CallEnded) {
	if b.Outcome == turn.OK {
		return
	}
	if r.texts == nil {
		r.texts = map[string]turn.Outcome{}
	}
	if was, ok := r.texts[b.Text]; ok && was != b.Outcome {
		o.complain("%q is said of calls that ended as %s and as %s", b.Text, was, b.Outcome)
	}
	r.texts[b.Text] = b.Outcome
}

func (r *report) tally(sc *scenario) *tally {
	if r.modes == nil {
		r.modes, r.kinds = map[assent.Mode]*tally{}, map[string]*tally{}
	}
	fresh := &tally{outcomes: map[turn.Outcome]int{}}
	if sc.kind == "replay" {
		if r.modes[sc.mode] == nil {
			r.modes[sc.mode] = fresh
		}
		return r.modes[sc.mode]
	}
	if r.kinds[sc.kind] == nil {
		r.kinds[sc.kind] = fresh
	}
	return r.kinds[sc.kind]
}

// String names the scenario so that it can be found again.
func (sc *scenario) String() string {
	return fmt.Sprintf("%s, %s, mode %s", sc.name, sc.kind, sc.mode)
}

func (r *report) print(s *set, took time.Duration) {
	fmt.Fprintf(r.out, "tau %s: %d conversations, %d calls, %d conversations use a call id again; %d tools\n", s.name, len(s.convs), countCalls(s.convs), reusing(s.convs), len(s.tools))
	for _, mode := range []assent.Mode{assent.Auto, assent.Ask, assent.ReadOnly} {
		if t := r.modes[mode]; t != nil {
			fmt.Fprintf(r.out, "  %-30s %5d conversations %s\n", mode, t.scenarios, t)
		}
	}
	n := 0
	for _, kind := range slices.Sorted(maps.Keys(r.kinds)) {
		t := r.kinds[kind]
		n += t.scenarios
		fmt.Fprintf(r.out, "  %-30s %5d mutants %s\n", kind, t.scenarios, t)
	}
	fmt.Fprintf(r.out, "tau %s: %d mutants; %d mismatches; %.1f s\n", s.name, n, r.mismatches, took.Seconds())
}

func (t *tally) String() string {
	text := fmt.Sprintf("%5d calls %5d asked %5d ran;", t.calls, t.asks, t.runs)
	for _, o := range slices.Sorted(maps.Keys(t.outcomes)) {
		text += fmt.Sprintf(" %s %d", o, t.outcomes[o])
	}
	return text + fmt.Sprintf("; mismatches %d", t.mismatches)
}

func countCalls(convs []*scripted.Recording) (n int) {
	for _, c := range convs {
		for _, m := range c.Messages {
			n += len(m.Calls)
		}
	}
	return n
}

// reusing counts the conversations in which two calls have one id (SPEC S2).
func reusing(convs []*scripted.Recording) (n int) {
	for _, c := range convs {
		seen := map[string]bool{}
		again := false
		for _, m := range c.Messages {
			for _, call := range m.Calls {
				again = again || seen[call.ID]
				seen[call.ID] = true
			}
		}
		if again {
			n++
		}
	}
	return n
}

func convName(i int) string { return fmt.Sprintf("conversation %d", i+1) }
