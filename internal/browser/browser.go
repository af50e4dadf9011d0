// Package browser shows tests and pictures a page as people meet it: in a
// headless Chromium, with real keys and clicks, at a width of choice.
//
// A page reaches servers on this machine only. Every step waits for what it
// caused, such as the page that a button leads to, and never sleeps. A step
// that takes longer than ten seconds fails the test.
package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/chromedp/chromedp"
)

const (
	patience      = 10 * time.Second // for one step of a page
	startPatience = 30 * time.Second // for the process, on a busy machine
)

// T is what a Browser needs of a test. *testing.T and *testing.B have it, and
// a program can have its own, in which Skipf and Fatalf must not return.
type T interface {
	Helper()
	Cleanup(f func())
	Skipf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Browser is a running Chromium. Its pages may be used in parallel.
type Browser struct {
	ctx context.Context // chromedp's, as long as the process lives
}

// Start starts a Chromium with a profile of its own, which ends and is removed
// when the test ends. Where none is installed the test is skipped, or fails if
// the environment says CI=true.
func Start(t T) *Browser {
	t.Helper()
	path, err := Find()
	if err != nil {
		refuse := t.Skipf
		if os.Getenv("CI") == "true" || os.Getenv(variable) != "" {
			refuse = t.Fatalf
		}
		refuse("browser: %v", err)
	}
	home, err := os.MkdirTemp("", "assent-browser")
	if err != nil {
		t.Fatalf("browser: %v", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	ctx, err := start(t, path, home)
	if err != nil {
		t.Fatalf("browser: start %s: %v", path, err)
	}
	return &Browser{ctx: ctx}
}

// start runs Chromium until the test ends. The life of the process is that of
// the context of its first call, so a timer ends a start that takes too long.
func start(t T, path, home string) (context.Context, error) {
	all, free := chromedp.NewExecAllocator(context.Background(), flags(path, home)...)
	t.Cleanup(free)
	ctx, cancel := chromedp.NewContext(all)
	t.Cleanup(func() { stop(ctx, cancel) })
	timer := time.AfterFunc(startPatience, cancel)
	err := chromedp.Do(ctx)
	if !timer.Stop() {
		return nil, fmt.Errorf("not within %s: %w", startPatience, err)
	}
	return ctx, err
}

// stop asks Chromium to end, so that no process of it is left to write into
// folders being removed, and kills it if it does not.
func stop(ctx context.Context, cancel func()) {
	limited, done := context.WithTimeout(ctx, patience)
	defer done()
	_ = chromedp.Cancel(limited)
	cancel()
}

// flags are the command line. Names of hosts other than this machine's do not
// resolve, and nothing is read from or left in the user's home.
func flags(path, home string) []chromedp.ExecAllocatorOption {
	own := map[string]any{
		"no-proxy-server":          true,
		"host-resolver-rules":      "MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]",
		"disable-component-update": true,
		"disable-gpu":              true,
		"lang":                     "en",
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.Env("HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home, "TMPDIR="+home, "TZ=UTC"))
	for name, value := range own {
		opts = append(opts, chromedp.Flag(name, value))
	}
	if os.Getuid() == 0 {
		opts = append(opts, chromedp.NoSandbox)
	}
	return opts
}

// variable names a Chromium by its path.
const variable = "ASSENT_CHROMIUM"

// Find returns the path of the Chromium that Start runs: the one that
// ASSENT_CHROMIUM names, else chromium, chromium-browser or google-chrome of PATH.
func Find() (string, error) {
	if name := os.Getenv(variable); name != "" {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", fmt.Errorf("%s: %w", variable, err)
		}
		return path, nil
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium is installed: scripts/chromium installs one, or set " + variable)
}
