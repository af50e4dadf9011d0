package auth

import (
	"strings"

	"github.com/assentdev/assent/fault"
)

// Roles is a set of roles (SPEC V4). None includes another: an administrator
// decides no approvals without being an approver. The zero value is none.
type Roles uint8

// The roles.
const (
	User          Roles = 1 << iota // talks to agents and answers for the own sessions
	Approver                        // answers for sessions of others, where a rule says so
	Auditor                         // reads the log of the tenant
	Administrator                   // changes policy, agents and keys
)

var roleWords = []string{"user", "approver", "auditor", "administrator"}

// Words returns the roles' words in the order of the constants.
func (r Roles) Words() []string {
	var words []string
	for i, word := range roleWords {
		if r&(1<<i) != 0 {
			words = append(words, word)
		}
	}
	return words
}

// String returns the words with spaces between them; "" for none.
func (r Roles) String() string { return strings.Join(r.Words(), " ") }

// ParseRoles reads words. One that is no role is an error with code
// fault.BadConfig, and then there are no roles.
func ParseRoles(words ...string) (r Roles, err error) {
	for _, word := range words {
		bit := role(word)
		if bit == 0 {
			return 0, fault.New(fault.BadConfig, "unknown role %q: write user, approver, auditor or administrator", word)
		}
		r |= bit
	}
	return r, nil
}

// readRoles reads what a database has: a word that a later release wrote is no
// role here.
func readRoles(text string) (r Roles) {
	for _, word := range strings.Fields(text) {
		r |= role(word)
	}
	return r
}

// known leaves out what is no role.
func (r Roles) known() Roles { return r & (User | Approver | Auditor | Administrator) }

func role(word string) Roles {
	for i, known := range roleWords {
		if known == word {
			return 1 << i
		}
	}
	return 0
}
