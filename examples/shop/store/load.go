package store

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
)

//go:embed data
var own embed.FS

// Own returns the shop's own small data: invented people, orders and products.
func Own() fs.FS {
	files, err := fs.Sub(own, "data")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return files
}

// Load reads users.json, products.json and orders.json, each an object by id,
// into the store. It is strict: a field that nobody knows, an id that is not
// its key, an amount of half a cent or what a Put function refuses is an error
// that names file and record. Give it a transaction: half a shop is worse than none.
func Load(ctx context.Context, db DB, files fs.FS) error {
	if err := each(files, "users.json", func(id string, u *User) error {
		u.ID = id
		return PutUser(ctx, db, u)
	}); err != nil {
		return err
	}
	if err := each(files, "products.json", func(id string, p *Product) error {
		if p.ID != id {
			return fmt.Errorf("has the id %q", p.ID)
		}
		return PutProduct(ctx, db, p)
	}); err != nil {
		return err
	}
	return each(files, "orders.json", func(id string, o *Order) error {
		if o.ID != id {
			return fmt.Errorf("has the id %q", o.ID)
		}
		return PutOrder(ctx, db, o)
	})
}

// each reads an object by id and hands out its values in their order.
func each[V any](files fs.FS, name string, use func(id string, v *V) error) error {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return fmt.Errorf("load %w", err)
	}
	var all Dict[V]
	if err := json.Unmarshal(data, &all); err != nil {
		return fmt.Errorf("load %s: %w", name, err)
	}
	for i := range all {
		if err := use(all[i].Key, &all[i].Value); err != nil {
			return fmt.Errorf("load %s: %s: %w", name, all[i].Key, err)
		}
	}
	return nil
}
