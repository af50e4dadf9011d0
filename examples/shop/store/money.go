package store

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/assentdev/assent/fault"
)

// Money is an amount in cents. Its JSON form is a decimal number of dollars
// with at most two places: 536.65, 51, -0.05.
type Money int64

// number is a JSON number that is short enough to be worth reading.
var number = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,3})?$`)

// ParseMoney reads a JSON number of dollars exactly. What is within a millionth
// of a cent of a whole cent is that cent, since amounts added as binary floats
// look like 0.04999999999999716. Anything between two cents, too large for
// Money or no number is fault.BadArguments.
func ParseMoney(text string) (Money, error) {
	if !number.MatchString(text) {
		return 0, fault.New(fault.BadArguments, "%.40q is no amount of money", text)
	}
	cents, _ := new(big.Rat).SetString(text)
	cents.Mul(cents, big.NewRat(100, 1))
	near := nearest(cents)
	off := cents.Sub(cents, new(big.Rat).SetInt(near))
	if off.Abs(off).Cmp(big.NewRat(1, 1_000_000)) > 0 || !near.IsInt64() {
		return 0, fault.New(fault.BadArguments, "%.40q is no amount of whole cents", text)
	}
	return Money(near.Int64()), nil
}

// nearest returns the integer that is nearest to r.
func nearest(r *big.Rat) *big.Int {
	r = new(big.Rat).Add(r, big.NewRat(1, 2))
	return new(big.Int).Div(r.Num(), r.Denom()) // rounds down: the denominator is positive
}

// UnmarshalJSON reads what [ParseMoney] reads.
func (m *Money) UnmarshalJSON(data []byte) (err error) {
	*m, err = ParseMoney(string(data))
	return err
}

// MarshalJSON writes no more places than there are.
func (m Money) MarshalJSON() ([]byte, error) {
	sign, dollars, cents := m.parts()
	text := sign + strconv.FormatUint(dollars, 10)
	if cents > 0 {
		text += strings.TrimRight(fmt.Sprintf(".%02d", cents), "0")
	}
	return []byte(text), nil
}

// String returns the amount for people: "$1,234.56", "-$71.59".
func (m Money) String() string {
	sign, dollars, cents := m.parts()
	text := strconv.FormatUint(dollars, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return fmt.Sprintf("%s$%s.%02d", sign, text, cents)
}

func (m Money) parts() (sign string, dollars, cents uint64) {
	size := uint64(m)
	if m < 0 {
		sign, size = "-", -size
	}
	return sign, size / 100, size % 100
}
