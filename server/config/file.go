package config

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/assentdev/assent"
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
