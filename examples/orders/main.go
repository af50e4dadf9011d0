// Command orders is the smallest app of resources: one view that is an agent's
// tool, and one that shows the tools. It prints the latter as JSON.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/assentdev/assent/resource"
)

func main() {
	app := resource.NewApp(nil, newOrders())
	if err := show(context.Background(), app, os.Stdout); err != nil {
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
