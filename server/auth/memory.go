package auth

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/assentdev/assent/fault"
)

// Memory returns rows that end with the process, for tests.
func Memory() Rows { return &memory{keys: map[string]*kept{}} }

type memory struct {
	mu   sync.Mutex
	keys map[string]*kept // by id
}

type kept struct {
	Key
	hash Hash
}

// copied returns a key that shares nothing with the one that is kept.
func (k Key) copied() Key {
	k.Groups, k.Agents = slices.Clone(k.Groups), slices.Clone(k.Agents)
	return k
}

func (m *memory) Insert(_ context.Context, k Key, h Hash) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.insert(k, h)
}

func (m *memory) insert(k Key, h Hash) error {
	for id, other := range m.keys {
		if id == k.ID || other.hash == h {
			return conflict(k.ID)
		}
	}
	m.keys[k.ID] = &kept{k.copied(), h}
	return nil
}

func conflict(id string) error {
	return fault.New(fault.Conflict, "There is an API key %q already.", id)
}

func (m *memory) InsertFirst(_ context.Context, k Key, h Hash) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, other := range m.keys {
		if other.Tenant == k.Tenant && other.Roles&Administrator != 0 {
			return false, nil
		}
	}
	return true, m.insert(k, h)
}

func (m *memory) ByHash(_ context.Context, h Hash) (Key, Hash, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range m.keys {
		if k.hash == h {
			return k.copied(), k.hash, nil
		}
	}
	return Key{}, Hash{}, notFound("")
}

// find returns the key that is kept; the caller holds the lock.
func (m *memory) find(tenant, id string) (*kept, error) {
	if k := m.keys[id]; k != nil && k.Tenant == tenant {
		return k, nil
	}
	return nil, notFound(id)
}

func (m *memory) Find(_ context.Context, tenant, id string) (Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, err := m.find(tenant, id)
	if err != nil {
		return Key{}, err
	}
	return k.copied(), nil
}

func (m *memory) List(_ context.Context, tenant string, q Query) (list []Key, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range m.keys {
		if k.Tenant == tenant && q.takes(&k.Key) {
			list = append(list, k.copied())
		}
	}
	slices.SortFunc(list, func(a, b Key) int { return strings.Compare(b.ID, a.ID) })
	return list[:min(len(list), q.Most())], nil
}

func (q *Query) takes(k *Key) bool {
	return (q.Principal == "" || q.Principal == k.Principal) && k.Roles&q.Roles == q.Roles && (q.After == "" || k.ID < q.After)
}

func (m *memory) Revoke(_ context.Context, tenant, id string, at int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, err := m.find(tenant, id)
	if err == nil && k.Revoked == 0 {
		k.Revoked = at
	}
	return err
}

func (m *memory) Used(_ context.Context, tenant, id string, at int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k, err := m.find(tenant, id); err == nil && at-k.Used >= UsedEvery.Milliseconds() {
		k.Used = at
	}
	return nil
}
