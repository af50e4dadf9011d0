package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// served runs the program with a free port while use runs, and ends it as Ctrl-C
// does.
func served(t *testing.T, args []string, use func(base, about string)) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, append([]string{"-addr", "127.0.0.1:0"}, args...), strings.NewReader(""), w, io.Discard)
		w.Close()
	}()
	lines := bufio.NewScanner(r)
	var first [2]string
	for i := range first {
		if !lines.Scan() {
			t.Fatalf("the program ended at once: %v", <-ended)
		}
		first[i] = lines.Text()
	}
	use(first[0], first[1])
	stop()
	if err := <-ended; err != nil {
		t.Errorf("the program ended with %v", err)
	}
}

// ask sends a request and returns the status and the body of its answer.
func ask(t *testing.T, r *http.Request) (int, string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func get(t *testing.T, url string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html")
	return r
}

func TestTheFirstLineIsWhereThePagesAre(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	served(t, []string{"-as", "ann"}, func(base, about string) {
		if !strings.HasPrefix(base, "http://127.0.0.1:") || !strings.HasSuffix(base, "/") || !strings.Contains(about, "for ann.") {
			t.Errorf("it says %q, %q", base, about)
		}
		status, page := ask(t, get(t, base))
		if status != http.StatusOK || !strings.Contains(page, "#W1090177") || !strings.Contains(page, "ann") {
			t.Errorf("status %d:\n%s", status, page)
		}
	})
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestOnlyNamesOfThisMachineAreServed(t *testing.T) {
	served(t, nil, func(base, _ string) {
		r := get(t, base)
		r.Host = "shop.example"
		if status, page := ask(t, r); status != http.StatusMisdirectedRequest {
			t.Errorf("status %d:\n%s", status, page)
		}
	})
}

func TestAShopInAFileIsKeptAndNotLoadedAgain(t *testing.T) {
	db := filepath.Join(t.TempDir(), "shop.db")
	const order = "orders/detail/%23W1090177"
	served(t, []string{"-db", db}, func(base, _ string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"orders/cancel/%23W1090177", strings.NewReader(`{"reason":"no longer needed"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		if status, body := ask(t, r); status != http.StatusOK {
			t.Fatalf("status %d: %s", status, body)
		}
	})
	served(t, []string{"-db", db, "-data", "not looked at"}, func(base, _ string) {
		if status, page := ask(t, get(t, base+order)); status != http.StatusOK || !strings.Contains(page, "cancelled") {
			t.Errorf("status %d:\n%s", status, page)
		}
	})
}

// Half a shop is not kept: the next start with good data loads all of it.
func TestDataWithAMistakeLeavesTheFileEmpty(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"users.json": "{}", "products.json": "{}", "orders.json": `{"#W1": {"order_id": "#W2"}}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	db := filepath.Join(dir, "shop.db")
	err := run(t.Context(), []string{"-db", db, "-data", dir}, strings.NewReader(""), io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "orders.json: #W1") {
		t.Fatalf("error %v", err)
	}
	served(t, []string{"-db", db}, func(base, _ string) {
		if _, page := ask(t, get(t, base)); !strings.Contains(page, "#W1090177") {
			t.Errorf("not loaded:\n%s", page)
		}
	})
}
