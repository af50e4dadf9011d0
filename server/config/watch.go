package config

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/policy"
)

// lookEvery is how often a file is looked at. It is read each time: the time of
// a change is too coarse, and a copy can keep it.
const lookEvery = time.Second

// File follows a file: it has the newest configuration that was good. It is safe
// for concurrent use.
type File struct {
	path string
	now  atomic.Pointer[Config]
}

// Open loads a file, as Load does, to follow it. Call Watch to see its changes.
func Open(path string) (*File, error) {
	f := &File{path: path}
	c, err := Load(path)
	if err != nil {
		return nil, err
	}
	f.now.Store(c)
	return f, nil
}

// Config returns the newest good configuration.
func (f *File) Config() *Config { return f.now.Load() }

// Path returns the path that the file was opened with.
func (f *File) Path() string { return f.path }

// Authority is [Authority] for the agent as the file has it at each moment: a
// new policy counts at the next claim (SPEC C6). While the file has no such agent
// its policy is nil, and nothing of it runs.
func (f *File) Authority(tenant, slug string) assent.Authority {
	return authority(func() *Agent { return f.Config().Agent(tenant, slug) })
}

// Watch looks at the file and those that it names each second until ctx ends,
// and returns ctx's error. What is new counts as a whole once it has been the
// same for two looks, so that a file that is being written is not taken for a
// short one; then onChange is called with the new configuration and nil.
//
// A new text that is refused changes nothing: onChange is called once with the
// old configuration and the error. So it is where the file cannot be read; 24
// hours later the contracts count as unreadable, and no tools of applications
// are left (SPEC D6). That the file can be read again is told too.
//
// onChange is called from this goroutine only, and not for a change that leaves
// the version as it was. Call Watch once for each File.
func (f *File) Watch(ctx context.Context, onChange func(*Config, error)) error {
	w := newWatcher(f, onChange, time.Now())
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			w.look(time.Now())
		}
	}
}

// Watch opens a file, calls onChange with its configuration, and then watches it
// as File.Watch does. A file that cannot be loaded at first is an error at once.
func Watch(ctx context.Context, path string, onChange func(*Config, error)) error {
	f, err := Open(path)
	if err != nil {
		return err
	}
	onChange(f.Config(), nil)
	return f.Watch(ctx, onChange)
}

// watcher is what one Watch remembers.
type watcher struct {
	*File
	tell    func(*Config, error)
	good    *Config   // the last that was read and good
	read    time.Time // when the file could last be read
	names   []string  // the files that the last text named
	taken   sum       // of what was last judged
	pending sum       // of what was seen once
	gone    bool      // it cannot be read, and that was told
}

type sum [sha256.Size]byte

func newWatcher(f *File, tell func(*Config, error), now time.Time) *watcher {
	return &watcher{File: f, tell: tell, good: f.Config(), read: now}
}

// look judges what the file has now.
func (w *watcher) look(now time.Time) {
	data, err := readFile(w.path, maxFile)
	if err != nil {
		w.missing(unread(w.path, err), now)
		return
	}
	back := w.gone
	w.gone, w.read = false, now
	switch s := w.sum(data); {
	case s == w.taken && !back:
	case s != w.pending:
		w.pending = s
		w.gone = back // not yet judged
	default:
		w.judge(data, s, back)
	}
}

// judge takes a new text or refuses it.
func (w *watcher) judge(data []byte, s sum, back bool) {
	opt := besides(w.path)
	inner := opt.ReadFile
	w.names = w.names[:0]
	opt.ReadFile = func(name string) ([]byte, error) {
		w.names = append(w.names, name)
		return inner(name)
	}
	c, err := Parse(w.path, data, opt)
	w.taken, w.pending = w.sum(data), sum{} // with the files that it names now
	switch old := w.Config(); {
	case err != nil:
		w.tell(old, err)
	case c.Version != old.Version || back:
		w.good = c
		w.now.Store(c)
		w.tell(c, nil)
	default:
		w.good = c
		w.now.Store(c)
	}
}

// sum covers the text and the files that the last text named.
func (w *watcher) sum(data []byte) (s sum) {
	h := sha256.New()
	add := func(data []byte) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(data))))
		h.Write(data)
	}
	add(data)
	for _, name := range w.names {
		content, err := readFile(beside(w.path, name), max(maxInstructions, maxScript))
		if err != nil {
			content = []byte("\x00" + whyUnread(err))
		}
		add([]byte(name))
		add(content)
	}
	h.Sum(s[:0])
	return s
}

// missing keeps the last good configuration, and after a day its contracts no more.
func (w *watcher) missing(err error, now time.Time) {
	w.pending = sum{}
	if !w.gone {
		w.gone = true
		w.tell(w.Config(), err)
	}
	stale := policy.LastGood(nil, w.read, now) != nil
	if !stale || w.Config() != w.good {
		return
	}
	c, failed := w.good.withoutContracts()
	if failed != nil {
		w.tell(w.Config(), errors.Join(err, failed))
		return
	}
	w.now.Store(c)
	w.tell(c, err)
}

// withoutContracts returns a copy in which every contract is unreadable.
func (c *Config) withoutContracts() (*Config, error) {
	out := *c
	out.Tenants = nil
	for _, t := range c.Tenants {
		list := make([]*Agent, 0, len(t.Agents))
		for _, a := range t.Agents {
			held, d := *a, *a.Document
			d.Version, d.Contract = "", &policy.Contract{Unreadable: true}
			d.Rules, d.Limits = slices.Clone(d.Rules), slices.Clone(d.Limits) // they are sorted in place
			if err := held.govern(&d); err != nil {
				return nil, err
			}
			list = append(list, &held)
		}
		out.Tenants = append(out.Tenants, Tenant{t.Name, list})
	}
	out.Version = out.digest()
	return &out, nil
}
