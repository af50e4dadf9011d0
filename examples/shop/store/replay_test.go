package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/assentdev/assent/examples/shop/store"
	"github.com/assentdev/assent/examples/shop/store/sum"
	"github.com/assentdev/assent/fault"
)

// TestTheRecordedTasksComeToTheSameEnd replays tasks that the original tools
// ran, each on a fresh copy of the shop, and compares every result and all
// that changed in the end.
func TestTheRecordedTasksComeToTheSameEnd(t *testing.T) {
	dir := retail(t)
	shop := open(t, os.DirFS(dir))
	before := documents(t, shop)
	tasks, calls := readTasks(t, dir), 0
	for _, task := range tasks {
		name := fmt.Sprint("task ", task.Number)
		file := filepath.Join(t.TempDir(), "copy.db")
		fresh, err := shop.Copy(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		for i, call := range task.Calls {
			calls++
			if got := run(t.Context(), fresh, call.Name, call.Arguments); !same(got, call.Result) {
				t.Errorf("%s, call %d %s %s\n got %s\nwant %s", name, i, call.Name, call.Arguments, got, call.Result)
			}
		}
		compare(t, name, before, documents(t, fresh), task.Changed.Orders, task.Changed.Users)
		if err := fresh.Close(); err != nil {
			t.Error(err)
		}
		os.Remove(file) // rather than hundreds of them at the end
	}
	t.Logf("%d tasks, %d calls", len(tasks), calls)
}

type task struct {
	Number int `json:"task"`
	Calls  []struct {
		Name      string
		Arguments json.RawMessage
		Result    string
	}
	Changed struct{ Orders, Users map[string]json.RawMessage }
}

func readTasks(t *testing.T, dir string) (tasks []task) {
	data, err := os.ReadFile(filepath.Join(dir, "tasks.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var next task
		if err := json.Unmarshal(line, &next); err != nil {
			t.Fatal(err)
		}
		tasks = append(tasks, next)
	}
	return tasks
}

// retail returns the folder of the recorded tasks, which is not in the repository.
func retail(t testing.TB) string {
	root := os.Getenv("ASSENT_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	dir := filepath.Join(root, "tau-retail")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no recorded tasks in %s: set ASSENT_DATA", dir)
	}
	return dir
}

// arguments are those of all the tools together.
type arguments struct {
	OrderID         string   `json:"order_id"`
	UserID          string   `json:"user_id"`
	ProductID       string   `json:"product_id"`
	ItemIDs         []string `json:"item_ids"`
	NewItemIDs      []string `json:"new_item_ids"`
	PaymentMethodID string   `json:"payment_method_id"`
	Reason          string
	Email           string
	FirstName       string `json:"first_name"`
	LastName        string `json:"last_name"`
	Expression      string
	store.Address
}

// run does what one of the original tools does and returns its result text.
func run(ctx context.Context, s *store.Store, name string, raw []byte) string {
	var a arguments
	if err := json.Unmarshal(raw, &a); err != nil {
		return err.Error()
	}
	result, err := use(ctx, s, name, a)
	if err != nil {
		return "Error: " + fault.TextOf(err)
	}
	if text, ok := result.(string); ok {
		return text
	}
	text, err := json.Marshal(result)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func use(ctx context.Context, s *store.Store, name string, a arguments) (any, error) {
	switch name {
	case "think":
		return "", nil
	case "transfer_to_human_agents":
		return "Transfer successful", nil
	case "calculate":
		return sum.Of(a.Expression)
	case "find_user_id_by_email":
		return idOf(store.UserByEmail(ctx, s.Read, a.Email))
	case "find_user_id_by_name_zip":
		return idOf(store.UserByNameZip(ctx, s.Read, a.FirstName, a.LastName, a.Zip))
	case "get_user_details":
		return store.GetUser(ctx, s.Read, a.UserID)
	case "get_order_details":
		return store.GetOrder(ctx, s.Read, a.OrderID)
	case "get_product_details":
		return store.GetProduct(ctx, s.Read, a.ProductID)
	case "list_all_product_types":
		types := map[string]string{}
		products, err := store.Products(ctx, s.Read)
		for _, p := range products {
			types[p.Name] = p.ID
		}
		return types, err
	case "modify_user_address":
		u, err := store.GetUser(ctx, s.Read, a.UserID)
		if err != nil {
			return nil, err
		}
		u.SetAddress(a.Address)
		return u, store.PutUser(ctx, s.Write, u)
	}
	return change(ctx, s, a.OrderID, func(o *store.Order, u *store.User, products store.Catalog) error {
		swap := store.Swap{Items: a.ItemIDs, NewItems: a.NewItemIDs, Payment: a.PaymentMethodID}
		switch name {
		case "cancel_pending_order":
			return o.Cancel(u, a.Reason)
		case "modify_pending_order_address":
			return o.SetAddress(a.Address)
		case "modify_pending_order_payment":
			return o.SetPayment(u, a.PaymentMethodID)
		case "modify_pending_order_items":
			return o.ModifyItems(u, products, swap)
		case "exchange_delivered_order_items":
			return o.Exchange(u, products, swap)
		case "return_delivered_order_items":
			return o.Return(u, a.ItemIDs, a.PaymentMethodID)
		}
		return fmt.Errorf("no tool %s", name)
	})
}

func idOf(u *store.User, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return u.ID, nil
}

// change runs a rule on an order and stores what became of it, in one transaction.
func change(ctx context.Context, s *store.Store, id string, rule func(*store.Order, *store.User, store.Catalog) error) (*store.Order, error) {
	tx, err := s.Write.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	o, err := store.GetOrder(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	u, err := store.GetUser(ctx, tx, o.UserID)
	if err != nil {
		return nil, err
	}
	products, err := store.CatalogOf(ctx, tx, o)
	if err != nil {
		return nil, err
	}
	if err := rule(o, u, products); err != nil {
		return nil, err
	}
	if err := store.PutOrder(ctx, tx, o); err != nil {
		return nil, err
	}
	if err := store.PutUser(ctx, tx, u); err != nil {
		return nil, err
	}
	return o, tx.Commit()
}

// documents returns every order and user as it is stored.
func documents(t *testing.T, s *store.Store) map[string]string {
	rows, err := s.Read.QueryContext(t.Context(), "SELECT id, doc FROM users UNION ALL SELECT id, doc FROM orders")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := map[string]string{}
	for rows.Next() {
		var id, doc string
		if err := rows.Scan(&id, &doc); err != nil {
			t.Fatal(err)
		}
		all[id] = doc
	}
	return all
}

// compare wants exactly those documents changed that should have, and so.
func compare(t *testing.T, name string, before, after map[string]string, changed ...map[string]json.RawMessage) {
	want := map[string]json.RawMessage{}
	for _, docs := range changed {
		for id, doc := range docs {
			want[id] = doc
		}
	}
	for id, doc := range after {
		should, ok := want[id]
		switch {
		case !ok && doc != before[id]:
			t.Errorf("%s: %s changed", name, id)
		case ok && !same(doc, string(should)):
			t.Errorf("%s: %s is\n%s, want\n%s", name, id, doc, should)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%s: %d documents, want %d", name, len(after), len(before))
	}
}

// same compares JSON values, numbers to far less than a cent: the original adds
// binary floats. What is not JSON is compared as text.
func same(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return a == b
	}
	return reflect.DeepEqual(rounded(x), rounded(y))
}

func rounded(v any) any {
	switch v := v.(type) {
	case float64:
		return math.Round(v*1e6) + 0 // no negative zero
	case []any:
		for i := range v {
			v[i] = rounded(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = rounded(v[key])
		}
	}
	return v
}
