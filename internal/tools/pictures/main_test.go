package main

import (
	"bytes"
	"fmt"
	"image"
	_ "image/png"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assentdev/assent/internal/browser"
)

// TestMain is also the program that the tests photograph.
func TestMain(m *testing.M) {
	switch os.Getenv("PICTURES_TEST") {
	case "site":
		serveSite()
	case "silent":
		os.Exit(0)
	case "chatty":
		fmt.Println("Listening.")
		select {}
	default:
		os.Exit(m.Run())
	}
}

func serveSite() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("http://%s\nnow serving\n", l.Addr())
	panic(http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<!doctype html><html lang="en"><title>A page</title><meta name="viewport" content="width=device-width">
<style>:root { color-scheme: light dark } p { width: 600px; height: 2000px }</style><h1>%s</h1><p>Wide and tall</p>`, r.URL.Path)
	})))
}

func TestPicturesShowEachPathInEachView(t *testing.T) {
	needBrowser(t)
	t.Setenv("PICTURES_TEST", "site")
	folder := t.TempDir()
	var said strings.Builder
	if err := run(t.Context(), []string{"-out", folder, "/", "/orders?page=2", "--", os.Args[0]}, &said); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"index", "orders-page-2"} {
		dark := brightness(t, filepath.Join(folder, path+"-1280-dark.png"), 1280)
		if light := brightness(t, filepath.Join(folder, path+"-1280-light.png"), 1280); dark >= light {
			t.Errorf("%s: the dark picture has a corner of %d, the light one %d", path, dark, light)
		}
		brightness(t, filepath.Join(folder, path+"-375-dark.png"), 750)
		brightness(t, filepath.Join(folder, path+"-375-light.png"), 750)
	}
	if !strings.Contains(said.String(), `overflow: p "Wide and tall"`) {
		t.Errorf("what is wrong is not said:\n%s", &said)
	}
}

// needBrowser skips a test, or fails it, as the browser's own tests do.
func needBrowser(t *testing.T) {
	t.Helper()
	if _, err := browser.Find(); err != nil {
		browser.Start(t)
	}
}

// brightness checks the size of a picture and returns how bright a corner is.
func brightness(t *testing.T, file string, width int) uint32 {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds(); size.Dx() < width || size.Dy() < 2000 {
		t.Errorf("%s: a picture of %v", file, size)
	}
	r, g, b, _ := picture.At(1, 1).RGBA()
	return r + g + b
}

func TestAProgramThatSaysNoAddressIsStopped(t *testing.T) {
	for how, want := range map[string]string{"silent": "ended without saying", "chatty": `no address: "Listening."`} {
		t.Run(how, func(t *testing.T) {
			t.Setenv("PICTURES_TEST", how)
			err := run(t.Context(), []string{"--", os.Args[0]}, t.Output())
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestWithoutAnAddressOrACommandNothingRuns(t *testing.T) {
	for _, args := range [][]string{{"/"}, {"-url", "http://127.0.0.1:1", "--", "x"}} {
		if err := run(t.Context(), args, t.Output()); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
