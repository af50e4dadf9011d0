package store_test

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assentdev/assent/examples/shop/store"
	"github.com/assentdev/assent/fault"
)

func TestMoneyIsReadToTheCent(t *testing.T) {
	for text, want := range map[string]store.Money{
		"536.65": 53665, "51": 5100, "0.05": 5, "-71.59": -7159, "0": 0, "-0.0": 0, "46.60": 4660, "1e2": 10000, "1.5E-1": 15,
		"0.04999999999999716":   5, // what binary floats make of 5 cents
		"7.105427357601002e-15": 0, // and of nothing
		"1638.6499999999999":    163865,
		"92233720368547758.07":  math.MaxInt64,
		"-92233720368547758.08": math.MinInt64,
		"0.01000000000999":      1, // within a millionth of a cent
	} {
		if got, err := store.ParseMoney(text); err != nil || got != want {
			t.Errorf("%s is %d, %v, want %d", text, got, err, want)
		}
	}
}

func TestWhatIsNoAmountIsRefused(t *testing.T) {
	for _, text := range []string{"", "-", "01", ".5", "5.", "+1", "1,000", "0x10", "NaN", "1/2", "1_000", `"5"`, "null", " 1", "1\n",
		"0.005", "0.0100001", "92233720368547758.08", "1e400", "1e9999999999", strings.Repeat("9", 1000)} {
		if got, err := store.ParseMoney(text); fault.CodeOf(err) != fault.BadArguments {
			t.Errorf("%q is %d, %v", text, got, err)
		}
	}
}

func TestMoneyIsShownInDollars(t *testing.T) {
	for cents, want := range map[store.Money]string{
		0: "$0.00", 5: "$0.05", -7159: "-$71.59", 123456: "$1,234.56", 100000000: "$1,000,000.00", 99999: "$999.99",
		math.MinInt64: "-$92,233,720,368,547,758.08",
	} {
		if got := cents.String(); got != want {
			t.Errorf("%d is shown as %s, want %s", cents, got, want)
		}
	}
}

func TestEveryAmountIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := store.Money(rapid.Int64().Draw(t, "cents"))
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got store.Money
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Fatalf("%d is written as %s and read as %d, %v", want, text, got, err)
		}
		if _, places, _ := strings.Cut(string(text), "."); len(places) > 2 || strings.HasSuffix(places, "0") {
			t.Fatalf("%d is written as %s", want, text)
		}
	})
}

// What is read differs from the text by a millionth of a cent at most.
func FuzzParseMoney(f *testing.F) {
	for _, text := range []string{"536.65", "0.04999999999999716", "-1e-3", "1e999", "00", "0.0050"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := store.ParseMoney(text)
		if err != nil {
			return
		}
		exact, ok := new(big.Rat).SetString(text)
		if !ok || !json.Valid([]byte(text)) {
			t.Fatalf("%q was read as %d", text, got)
		}
		off := exact.Sub(exact, big.NewRat(int64(got), 100))
		if off.Abs(off).Cmp(big.NewRat(1, 100_000_000)) > 0 {
			t.Errorf("%q was read as %s", text, got)
		}
	})
}
