package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Dict is a JSON object that keeps the order of its keys: people chose it.
type Dict[V any] []Entry[V]

// Entry is one key of a [Dict] with its value.
type Entry[V any] struct {
	Key   string
	Value V
}

// Find returns the value of a key, for reading and changing; nil if there is none.
func (d Dict[V]) Find(key string) *V {
	for i := range d {
		if d[i].Key == key {
			return &d[i].Value
		}
	}
	return nil
}

// MarshalJSON writes the keys in their order.
func (d Dict[V]) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, e := range d {
		key, err := json.Marshal(e.Key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(e.Value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, key...), ':'), value...)
	}
	return append(out, '}'), nil
}

// UnmarshalJSON reads an object strictly: a key given twice and a field that V
// does not have are errors that begin with the key.
func (d *Dict[V]) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return errors.New("not an object")
	}
	*d = Dict[V]{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return err
		}
		e := Entry[V]{Key: token.(string)} // in an object, tokens at this place are keys
		if err := dec.Decode(&e.Value); err != nil {
			return fmt.Errorf("%s: %w", e.Key, err)
		}
		if d.Find(e.Key) != nil {
			return fmt.Errorf("%s: given twice", e.Key)
		}
		*d = append(*d, e)
	}
	return nil
}
