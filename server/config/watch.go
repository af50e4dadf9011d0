package config

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"slices"
	"time"

	"github.com/assentdev/assent/policy"
)

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
		w.judge(data, back)
	}
}

// judge takes a new text or refuses it.
func (w *watcher) judge(data []byte, back bool) {
	opt := besides(w.path)
	read := opt.ReadFile
	all := newSummer(data)
	w.names, w.pending = nil, sum{}
	opt.ReadFile = func(name string) ([]byte, error) {
		content, err := read(name)
		w.names = append(w.names, name)
		all.add(name, content, err)
		return content, err
	}
	c, err := Parse(w.path, data, opt)
	w.taken = all.sum() // of what was read: a file that changed meanwhile is seen by the next look
	old := w.Config()
	if err != nil {
		w.tell(old, err)
		return
	}
	w.good = c
	w.now.Store(c)
	if c.Version != old.Version || back {
		w.tell(c, nil)
	}
}

// sum covers the text and the files that the last text named.
func (w *watcher) sum(data []byte) sum {
	all := newSummer(data)
	read := besides(w.path).ReadFile
	for _, name := range w.names {
		content, err := read(name)
		all.add(name, content, err)
	}
	return all.sum()
}

// summer sums up a text and the files that it names, in their order.
type summer struct{ hash hash.Hash }

func newSummer(data []byte) *summer {
	s := &summer{sha256.New()}
	s.part(data)
	return s
}

func (s *summer) add(name string, content []byte, err error) {
	if err != nil {
		content = []byte("\x00" + whyUnread(err)) // no file that is taken has this byte
	}
	s.part([]byte(name))
	s.part(content)
}

func (s *summer) part(data []byte) {
	s.hash.Write(binary.BigEndian.AppendUint64(nil, uint64(len(data))))
	s.hash.Write(data)
}

func (s *summer) sum() (out sum) {
	s.hash.Sum(out[:0])
	return out
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
