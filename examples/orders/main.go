// Command orders is the smallest app of resources: one view that is an agent's
// tool, and one that shows the tools. It prints the latter as JSON, or serves
// both, to people and programs, with -addr localhost:8080.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/assentdev/assent/resource"
)

func main() {
	addr := flag.String("addr", "", "where to serve, such as localhost:8080; without it the view is printed")
	printed := flag.Bool("print", false, "print the view of the tools as JSON, and end")
	flag.Parse()
	app := resource.NewApp(nil, newOrders())
	var err error
	if *printed || *addr == "" {
		err = show(context.Background(), app, os.Stdout)
	} else {
		err = serve(app, *addr)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// show prints the view of the tools as a program gets it, indented.
func show(ctx context.Context, app *resource.App, w io.Writer) error {
	if err := app.Check(); err != nil {
		return err
	}
	res := app.RenderView(ctx, resource.ViewCall{Resource: "orders", View: "tools"})
	if err := res.Err(); err != nil {
		return err
	}
	var page bytes.Buffer
	if err := json.Indent(&page, res.JSON(), "", "  "); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, page.String())
	return err
}

func serve(app *resource.App, addr string) error {
	// Nobody signs in here, so only this machine is served.
	handler, err := app.Handler(&resource.HandlerOptions{Hosts: []string{"localhost", "127.0.0.1", "[::1]"}})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/orders/detail/7\n", listener.Addr())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}
