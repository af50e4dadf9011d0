// Command schematic is a small application whose tools an agent may use.
//
// It makes one call without a model:
//
//	schematic rename_net '{"net":"N$7","name":"V3V3"}'
//
// or asks a model at any OpenAI-compatible server, whose key, if it needs one,
// is in OPENAI_API_KEY:
//
//	schematic -url http://localhost:11434/v1 -model qwen3 'What is on page 2?'
//
// Either way the same rules hold: reads run, all else asks here first. Without
// arguments it lists its tools.
package main

import (
	"bufio"
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/assentdev/assent"
	"github.com/assentdev/assent/approval"
	"github.com/assentdev/assent/examples/schematic/viewer"
	"github.com/assentdev/assent/model/openai"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "schematic:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	url := flag.String("url", "", "the base URL of an OpenAI-compatible server")
	name := flag.String("model", "", "the model's name there; without one, the arguments are a tool and its JSON")
	mode := assent.Ask
	flag.TextVar(&mode, "mode", mode, "off, read_only, ask or auto")
	flag.Parse()
	v := viewer.Open()
	opts := []assent.Option{
		assent.WithTools(v.Tools()...),
		assent.WithApprovalFunc(ask(bufio.NewReader(os.Stdin))),
		assent.WithInstructions("You help with the open schematic. Use the tools."),
	}
	if *name != "" {
		m, err := openai.New(openai.Options{BaseURL: *url, Key: os.Getenv("OPENAI_API_KEY"), Model: *name})
		if err != nil {
			return err
		}
		opts = append(opts, assent.WithModel(m))
	}
	agent, err := assent.New(opts...)
	if err != nil {
		return err
	}
	defer agent.Close()
	if err := agent.Start(ctx); err != nil {
		return err
	}
	if flag.NArg() == 0 {
		list(agent, mode)
		return nil
	}
	session, err := agent.StartSession(ctx, mode)
	if err != nil {
		return err
	}

	turn := session.Call(ctx, flag.Arg(0), []byte(flag.Arg(1)))
	if *name != "" {
		turn = session.Send(ctx, strings.Join(flag.Args(), " "))
	}
	result, err := turn.Wait()
	if err != nil {
		return err
	}
	fmt.Println(result.Text)
	return nil
}

// list shows the tools and what becomes of a call in a mode.
func list(agent *assent.Agent, mode assent.Mode) {
	fmt.Printf("%-15s %-12s in mode %s\n", "tool", "class", mode)
	for _, t := range agent.Tools() {
		fmt.Printf("%-15s %-12s %s\n", t.Name, t.Class, t.Verdicts[mode])
	}
	fmt.Println("\nTry: schematic rename_net '{\"net\":\"N$7\",\"name\":\"V3V3\"}'")
}

// ask shows a call and takes a word for an answer. A card's texts are made to be
// printed as they are.
func ask(in *bufio.Reader) approval.Func {
	return func(_ context.Context, r approval.Request) (approval.Answer, error) {
		card := approval.NewCard(r)
		fmt.Printf("%s (%s)\n  %s %s\n", card.Title, card.ClassText.Text, card.Tool, card.JSON)
		if card.Preview != nil {
			fmt.Println(" ", card.Preview.Summary)
			for _, c := range card.Preview.Changes {
				fmt.Printf("  %s: %s → %s\n", c.Label, side(c.Before), side(c.After))
			}
		}
		fmt.Print("Write yes to let it run: ")
		line, err := in.ReadString('\n')
		if err != nil {
			return approval.Answer{}, err
		}
		if strings.TrimSpace(line) == "yes" {
			return approval.Approve(), nil
		}
		return approval.Deny("the user said no"), nil
	}
}

func side(v *approval.Value) string {
	if v == nil {
		return "nothing"
	}
	return cmp.Or(v.String(), `""`)
}
