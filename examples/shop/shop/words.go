package shop

import (
	"strings"

	"github.com/assentdev/assent/examples/shop/store"
	"github.com/assentdev/assent/fault"
	"github.com/assentdev/assent/resource"
	"github.com/assentdev/assent/resource/sqldata"
)

// named makes the record of one thing; what is not there has none.
func named[V any](record func(*V) resource.Record) func(v *V, err error) (*resource.Record, error) {
	return func(v *V, err error) (*resource.Record, error) {
		if fault.CodeOf(err) == fault.NotFound {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		r := record(v)
		return &r, nil
	}
}

func (d *desk) orderRecord(o *store.Order) resource.Record {
	return resource.Record{Value: o.ID, Label: itemNames(o), Description: o.Status, Link: d.order.Link(Key{o.ID}, o.ID)}
}

func itemRecord(id, name string, opts store.Dict[string], price store.Money) resource.Record {
	return resource.Record{Value: id, Label: name + " (" + options(opts) + ")", Description: price.String()}
}

// matching keeps the records in which each word of a query occurs.
func matching(all []resource.Record, query string) (some []resource.Record) {
next:
	for _, r := range all {
		for _, word := range strings.Fields(strings.ToLower(query)) {
			if !strings.Contains(strings.ToLower(r.Value+" "+r.Label), word) {
				continue next
			}
		}
		some = append(some, r)
	}
	return some
}

func itemNames(o *store.Order) string {
	var names []string
	for _, it := range o.Items {
		names = append(names, it.Name)
	}
	return strings.Join(names, ", ")
}

func itemLine(it store.Item) string {
	return it.Name + " (" + options(it.Options) + ") " + it.Price.String()
}

func (s *step) itemLines(ids []string) string {
	var lines []string
	for _, id := range ids {
		for _, it := range s.was.Items {
			if it.ItemID == id {
				lines = append(lines, itemLine(it))
				break
			}
		}
	}
	return strings.Join(lines, "; ")
}

// variants names what is sent in the place of something.
func variants(c *resource.Context, ids []string) (string, error) {
	var lines []string
	for _, id := range ids {
		p, v, err := store.FindItem(c, sqldata.From(c), id)
		if err != nil {
			return "", err
		}
		lines = append(lines, itemLine(store.Item{Name: p.Name, Price: v.Price, Options: v.Options}))
	}
	return strings.Join(lines, "; "), nil
}

func (s *step) worth(ids []string) (sum store.Money) {
	for _, id := range ids {
		for _, it := range s.was.Items {
			if it.ItemID == id {
				sum += it.Price
				break
			}
		}
	}
	return sum
}

func methodOf(u *store.User, id string) string {
	if m := u.PaymentMethods.Find(id); m != nil {
		return method(*m)
	}
	return id
}

func total(o *store.Order) (sum store.Money) {
	for _, it := range o.Items {
		sum += it.Price
	}
	return sum
}
