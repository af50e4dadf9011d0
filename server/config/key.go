package config

import (
	"os"
	"strings"

	"github.com/assentdev/assent/fault"
)

const maxKey = 16 << 10

// Key reads the provider's key, from the environment or from its file, each
// time: a new key needs no new configuration. It is "" for a provider without
// one. A relative key_file begins at the folder of the configuration. The error
// has code fault.BadConfig, and neither the key nor its file in its text.
func (p *Provider) Key() (string, error) {
	key := ""
	switch {
	case p.KeyEnv != "":
		key = os.Getenv(p.KeyEnv)
	case p.KeyFile != "":
		data, err := readFile(beside(p.file, p.KeyFile), maxKey)
		if err != nil {
			return "", fault.Wrap(err, fault.BadConfig, "provider %s: the file of the key %s", p.Name, whyUnread(err))
		}
		key = string(data)
	default:
		return "", nil
	}
	key = strings.TrimSpace(key)
	if key == "" || len(key) > maxKey || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", fault.New(fault.BadConfig, "provider %s: there is no key, or one with characters that none has: look at what key_env or key_file names", p.Name)
	}
	return key, nil
}
