package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assentdev/assent/fault"
)

// Each of these runs in a transaction as well as on a pool. Looking for one
// thing that is not there is fault.NotFound.

// GetUser returns a user.
func GetUser(ctx context.Context, db DB, id string) (*User, error) {
	return one[User](ctx, db, "user not found", "SELECT id, doc FROM users WHERE id = ?", id)
}

// UserByEmail returns the first user with an e-mail, in whatever case.
func UserByEmail(ctx context.Context, db DB, email string) (*User, error) {
	return one[User](ctx, db, "user not found",
		"SELECT id, doc FROM users WHERE email = ? ORDER BY rowid LIMIT 1", strings.ToLower(email))
}

// UserByNameZip returns the first user with a name, in whatever case, and exactly that zip code.
func UserByNameZip(ctx context.Context, db DB, first, last, zip string) (*User, error) {
	return one[User](ctx, db, "user not found",
		"SELECT id, doc FROM users WHERE first = ? AND last = ? AND zip = ? ORDER BY rowid LIMIT 1",
		strings.ToLower(first), strings.ToLower(last), zip)
}

// GetOrder returns an order.
func GetOrder(ctx context.Context, db DB, id string) (*Order, error) {
	return one[Order](ctx, db, "order not found", "SELECT id, doc FROM orders WHERE id = ?", id)
}

// GetProduct returns a product.
func GetProduct(ctx context.Context, db DB, id string) (*Product, error) {
	return one[Product](ctx, db, "product not found", "SELECT id, doc FROM products WHERE id = ?", id)
}

// FindItem returns the product that has a variant with an item id, and the variant.
func FindItem(ctx context.Context, db DB, itemID string) (*Product, *Variant, error) {
	p, err := one[Product](ctx, db, "item not found", `SELECT id, doc FROM products
		WHERE EXISTS (SELECT 1 FROM json_each(doc, '$.variants') WHERE key = ?) LIMIT 1`, itemID)
	if err != nil {
		return nil, nil, err
	}
	return p, p.Variants.Find(itemID), nil
}

// Products returns all products by name.
func Products(ctx context.Context, db DB) ([]*Product, error) {
	return list[Product](ctx, db, "SELECT id, doc FROM products ORDER BY name, rowid")
}

// CatalogOf returns the products of an order's items, as [Order.ModifyItems] and
// [Order.Exchange] want them. A product that the shop no longer has is not in it.
func CatalogOf(ctx context.Context, db DB, o *Order) (Catalog, error) {
	ids := []string{}
	for _, item := range o.Items {
		ids = append(ids, item.ProductID)
	}
	found, err := list[Product](ctx, db, "SELECT id, doc FROM products WHERE id IN (SELECT value FROM json_each(?))", array(ids))
	products := Catalog{}
	for _, p := range found {
		products[p.ID] = p
	}
	return products, err
}

// OrdersOf returns the orders of a user, oldest first.
func OrdersOf(ctx context.Context, db DB, userID string) ([]*Order, error) {
	return list[Order](ctx, db, "SELECT id, doc FROM orders WHERE user_id = ? ORDER BY rowid", userID)
}

// LatestOrders returns at most limit orders, newest first.
func LatestOrders(ctx context.Context, db DB, limit int) ([]*Order, error) {
	return list[Order](ctx, db, "SELECT id, doc FROM orders ORDER BY rowid DESC LIMIT ?", max(limit, 0))
}

// FindUsers returns at most limit users, oldest first, in whose name, e-mail or
// id each word of the query occurs, in whatever case. An empty query finds all.
func FindUsers(ctx context.Context, db DB, query string, limit int) ([]*User, error) {
	return list[User](ctx, db, `SELECT id, doc FROM users
		WHERE NOT EXISTS (SELECT 1 FROM json_each(?)
			WHERE instr(first || ' ' || last || ' ' || email || ' ' || lower(users.id), value) = 0)
		ORDER BY rowid LIMIT ?`, array(strings.Fields(strings.ToLower(query))), max(limit, 0))
}

// FindOrders is FindUsers for orders. A word may be in the number of the order,
// in the name or e-mail of its user or in the name of a product.
func FindOrders(ctx context.Context, db DB, query string, limit int) ([]*Order, error) {
	return list[Order](ctx, db, `SELECT o.id, o.doc FROM orders o JOIN users u ON u.id = o.user_id
		WHERE NOT EXISTS (SELECT 1 FROM json_each(?)
			WHERE instr(lower(o.id) || ' ' || u.first || ' ' || u.last || ' ' || u.email || ' ' || o.items, value) = 0)
		ORDER BY o.rowid LIMIT ?`, array(strings.Fields(strings.ToLower(query))), max(limit, 0))
}

// PutUser adds a user or replaces the one with the same id. It refuses
// (fault.BadArguments) payment methods that the rules would stumble over: those
// under another id than their own, gift cards without a balance or without
// gift_card in their id, and others with either.
func PutUser(ctx context.Context, db DB, u *User) error {
	for _, e := range u.PaymentMethods {
		m, gift := e.Value, e.Value.Source == "gift_card"
		if m.ID != e.Key || gift != IsGiftCard(m.ID) || gift != (m.Balance != nil) {
			return fault.New(fault.BadArguments, "%s: id, source and balance do not agree", e.Key)
		}
	}
	return put(ctx, db, u.ID, u, `INSERT INTO users (id, doc, email, first, last, zip) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
		ON CONFLICT (id) DO UPDATE SET doc = ?2, email = ?3, first = ?4, last = ?5, zip = ?6`,
		strings.ToLower(u.Email), strings.ToLower(u.Name.First), strings.ToLower(u.Name.Last), u.Address.Zip)
}

// PutOrder adds an order or replaces the one with the same id. Its user must be there.
func PutOrder(ctx context.Context, db DB, o *Order) error {
	names := []string{}
	for _, item := range o.Items {
		names = append(names, strings.ToLower(item.Name))
	}
	return put(ctx, db, o.ID, o, `INSERT INTO orders (id, doc, user_id, items) VALUES (?1, ?2, ?3, ?4)
		ON CONFLICT (id) DO UPDATE SET doc = ?2, user_id = ?3, items = ?4`, o.UserID, strings.Join(names, "\n"))
}

// PutProduct adds a product or replaces the one with the same id. It refuses
// (fault.BadArguments) a variant under another id than its own.
func PutProduct(ctx context.Context, db DB, p *Product) error {
	for _, e := range p.Variants {
		if e.Value.ItemID != e.Key {
			return fault.New(fault.BadArguments, "%s: has the id %q", e.Key, e.Value.ItemID)
		}
	}
	return put(ctx, db, p.ID, p, `INSERT INTO products (id, doc, name) VALUES (?1, ?2, ?3)
		ON CONFLICT (id) DO UPDATE SET doc = ?2, name = ?3`, p.Name)
}

// one returns the first row of a query; the text says what there is not.
func one[V any](ctx context.Context, db DB, none, query string, args ...any) (*V, error) {
	found, err := list[V](ctx, db, query, args...)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, &fault.Error{Code: fault.NotFound, Text: none}
	}
	return found[0], nil
}

// list reads rows of id and document.
func list[V any](ctx context.Context, db DB, query string, args ...any) ([]*V, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read the store: %w", err)
	}
	defer rows.Close()
	var found []*V
	for rows.Next() {
		v, err := scan[V](rows.Scan)
		if err != nil {
			return nil, fmt.Errorf("read the store: %w", err)
		}
		found = append(found, v)
	}
	return found, rows.Err()
}

func scan[V any](columns func(...any) error) (*V, error) {
	var id string
	var doc []byte
	if err := columns(&id, &doc); err != nil {
		return nil, err
	}
	v := new(V)
	if u, ok := any(v).(*User); ok {
		u.ID = id
	}
	return v, json.Unmarshal(doc, v)
}

// put runs a statement with id, document and what else it wants.
func put(ctx context.Context, db DB, id string, v any, query string, columns ...any) error {
	doc, err := json.Marshal(v)
	if err == nil {
		_, err = db.ExecContext(ctx, query, append([]any{id, string(doc)}, columns...)...)
	}
	if err != nil {
		return fmt.Errorf("write %s to the store: %w", id, err)
	}
	return nil
}

// array writes words as one parameter. SQLite reads it with json_each.
func array(words []string) string {
	text, _ := json.Marshal(words) // strings always have a JSON form
	return string(text)
}
