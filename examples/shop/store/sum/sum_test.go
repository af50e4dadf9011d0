package sum_test

import (
	"testing"

	"github.com/assentdev/assent/examples/shop/store/sum"
	"github.com/assentdev/assent/fault"
)

// What the original's calculator answers, as measured with it.
func TestASumComesToWhatTheOriginalSays(t *testing.T) {
	for expression, want := range map[string]string{
		"3131.1 + 4777.75 + 367.38": "8276.23", "135.24 - 153.23": "-17.99", "164.28": "164.28",
		"2+2": "4.0", "1/3": "0.33", "2.675": "2.67", "0.125": "0.12", "1.005": "1.0", " ( 2 ) ": "2.0", ".5+5.": "5.5",
		"2*(3-4)/5": "-0.4", "2--3": "5.0", "+-+3": "-3.0", "2*-3": "-6.0", "8-4-2": "2.0", "8/4/2": "1.0",
		"7//2": "3.0", "-7//2": "-4.0", "1.5//.4": "3.0", "2**3": "8.0", "2**3**2": "512.0", "-2**2": "-4.0", "2 ** -1": "0.5",
		"00": "0.0", "00.5": "0.5", "5-5.0": "0.0", "((((1))))": "1.0",
	} {
		if got, err := sum.Of(expression); err != nil || got != want {
			t.Errorf("%s is %s, %v, want %s", expression, got, err, want)
		}
	}
}

func TestWhatIsNoSumIsRefused(t *testing.T) {
	for expression, want := range map[string]string{
		"1e5": "invalid characters in expression", "x": "invalid characters in expression", "1\n": "invalid characters in expression",
		"": "invalid syntax", "1 2": "invalid syntax", "1+": "invalid syntax", "(1": "invalid syntax", "1)": "invalid syntax", "()": "invalid syntax",
		"1..2": "invalid syntax", "1.2.3": "invalid syntax", "007": "invalid syntax", "2(3)": "invalid syntax", "*3": "invalid syntax", "-": "invalid syntax",
		"5 .": "invalid syntax", "2* *3": "invalid syntax", "1/0": "division by zero", "1//0.0": "division by zero",
		"9**999": "the result is no number that can be shown", "0**-1": "the result is no number that can be shown", "(-8)**.5": "the result is no number that can be shown",
	} {
		if got, err := sum.Of(expression); fault.CodeOf(err) != fault.BadArguments || fault.TextOf(err) != want {
			t.Errorf("%q is %q, %v, want %s", expression, got, err, want)
		}
	}
}

func FuzzOf(f *testing.F) {
	for _, expression := range []string{"1+2*3", "-(2.5//.4)**2", "((((", "1 2", "9**99"} {
		f.Add(expression)
	}
	f.Fuzz(func(t *testing.T, expression string) {
		got, err := sum.Of(expression)
		if err != nil {
			return
		}
		if again, err := sum.Of(got); err != nil || again != got {
			t.Errorf("%q is %q, and that is %q, %v", expression, got, again, err)
		}
	})
}
