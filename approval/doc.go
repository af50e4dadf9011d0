// Package approval asks a person about one call and takes the answer.
//
// A [Request] says all there is to know about a call that asks. It is opened at
// a [Desk], which brings back one [Answer]: a [Broker] shows requests as cards
// and takes answers from any channel, [Blocking] asks a [Handler] that waits,
// [Several] asks at several desks, and [None] says no. An answer names a
// decision and never a call: what runs is the stored call, if its digest is
// still the one that was shown (SPEC P6).
//
// A [Card] is what every surface shows of a request. Its texts are safe to
// print: see package safetext. They come from one catalogue, and the wire
// carries their codes and parameters: see [Line].
//
// An approval that is given with a scope becomes a grant: see [GrantOf] and
// [Grants].
package approval
