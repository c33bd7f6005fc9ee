package readers

import (
	"encoding/hex"
	"math"
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// teller appends the text of a value of a Parquet column: exact, whatever its kind, as in
// static/readers/values.part.mjs.
type teller func(out []byte, v parquet.Value) []byte

// tellerOf returns the teller for a column's type; nil if its values are not single texts or
// numbers.
func tellerOf(e format.SchemaElement) teller {
	const whole32, whole64 = format.Int32, format.Int64
	bytesOf := e.Type.V == format.ByteArray || e.Type.V == format.FixedLenByteArray
	converted, hasConverted := e.ConvertedType.Get()
	is := func(c deprecated.ConvertedType) bool { return hasConverted && converted == c }
	logical := e.LogicalType.Value

	switch { // these two decide alone
	case is(deprecated.TimeMillis) || is(deprecated.TimeMicros):
		logical = &format.TimeType{IsAdjustedToUTC: true, Unit: unitOf(is(deprecated.TimeMillis))}
	case is(deprecated.TimestampMillis) || is(deprecated.TimestampMicros):
		zoned := true
		if t, stated := logical.(*format.TimestampType); logical != nil {
			zoned = stated && t.IsAdjustedToUTC
		}
		logical = &format.TimestampType{IsAdjustedToUTC: zoned,
			Unit: unitOf(is(deprecated.TimestampMillis))}
	}
	unsigned := hasConverted && converted >= deprecated.Uint8 && converted <= deprecated.Uint64
	scale := e.Scale.V
	switch t := logical.(type) {
	case *format.BsonType, *format.VariantType, *format.GeometryType, *format.GeographyType:
		if e.Type.V == format.ByteArray {
			return nil
		}
	case *format.DateType:
		if e.Type.V == whole32 {
			return day
		}
	case *format.TimeType:
		if e.Type.V == whole32 || e.Type.V == whole64 {
			return timeOf(perSecond(t.Unit))
		}
	case *format.TimestampType:
		if e.Type.V == whole64 {
			return momentOf(perSecond(t.Unit), map[bool]string{true: "Z"}[t.IsAdjustedToUTC])
		}
	case *format.DecimalType:
		if e.Type.V == whole32 || e.Type.V == whole64 || bytesOf {
			return decimalOf(int(t.Scale))
		}
	case *format.IntType:
		unsigned = unsigned || !t.IsSigned
	case *format.Float16Type:
		if e.Type.V == format.FixedLenByteArray {
			return half
		}
	case *format.UUIDType:
		if e.Type.V == format.FixedLenByteArray {
			return uuid
		}
	case nil:
		switch {
		case is(deprecated.Bson) && e.Type.V == format.ByteArray,
			is(deprecated.Interval) && e.Type.V == format.FixedLenByteArray:
			return nil
		case is(deprecated.Date) && e.Type.V == whole32:
			return day
		case is(deprecated.Decimal) && (e.Type.V == whole32 || e.Type.V == whole64 || bytesOf):
			return decimalOf(int(scale))
		}
	}
	return plainTeller(e, unsigned)
}

// plainTeller returns the teller for the type of a column's bytes alone.
func plainTeller(e format.SchemaElement, unsigned bool) teller {
	switch e.Type.V {
	case format.Boolean:
		return func(out []byte, v parquet.Value) []byte {
			return strconv.AppendBool(out, v.Boolean())
		}
	case format.Int32:
		if unsigned {
			return func(out []byte, v parquet.Value) []byte {
				return strconv.AppendUint(out, uint64(v.Uint32()), 10)
			}
		}
		return func(out []byte, v parquet.Value) []byte {
			return strconv.AppendInt(out, int64(v.Int32()), 10)
		}
	case format.Int64:
		if unsigned {
			return func(out []byte, v parquet.Value) []byte {
				return strconv.AppendUint(out, v.Uint64(), 10)
			}
		}
		return func(out []byte, v parquet.Value) []byte {
			return strconv.AppendInt(out, v.Int64(), 10)
		}
	case format.Int96:
		return ancient
	case format.Float:
		return func(out []byte, v parquet.Value) []byte { return single(out, v.Float()) }
	case format.Double:
		return func(out []byte, v parquet.Value) []byte { return number(out, v.Double()) }
	case format.ByteArray:
		return text
	case format.FixedLenByteArray:
		if e.TypeLength.V > 0 {
			return func(out []byte, v parquet.Value) []byte {
				return hex.AppendEncode(out, v.ByteArray())
			}
		}
	}
	return nil
}

func unitOf(millis bool) format.TimeUnit {
	if millis {
		return format.TimeUnit{Value: &format.MilliSeconds{}}
	}
	return format.TimeUnit{Value: &format.MicroSeconds{}}
}

// perSecond is the number of units in a second.
func perSecond(u format.TimeUnit) int64 {
	if u.Value == nil {
		return 1000
	}
	return int64(time.Second / u.Value.Duration())
}

// integer returns a whole number of 32 or 64 bits.
func integer(v parquet.Value) int64 {
	if v.Kind() == parquet.Int32 {
		return int64(v.Int32())
	}
	return v.Int64()
}

// farthest is the last day that the page can name, counted from 1970.
const farthest = 100_000_000

func day(out []byte, v parquet.Value) []byte { return date(out, integer(v)) }

// date appends a day, counted from 1970-01-01, in ISO 8601; nothing for a day that the page cannot
// name.
func date(out []byte, day int64) []byte {
	if day > farthest || day < -farthest {
		return out
	}
	t := time.Unix(day*86_400, 0).UTC()
	switch year := t.Year(); {
	case year < 0:
		out = append(padded(append(out, '-'), int64(-year), 6), '-')
	case year > 9999:
		out = append(padded(append(out, '+'), int64(year), 6), '-')
	default:
		out = append(padded(out, int64(year), 4), '-')
	}
	return padded(append(padded(out, int64(t.Month()), 2), '-'), int64(t.Day()), 2)
}

// padded appends a number with at least the given number of digits.
func padded(out []byte, n int64, digits int) []byte {
	for most := int64(math.Pow10(digits - 1)); n < most && most > 1; most /= 10 {
		out = append(out, '0')
	}
	return strconv.AppendInt(out, n, 10)
}

func timeOf(perSecond int64) teller {
	return func(out []byte, v parquet.Value) []byte { return clock(out, integer(v), perSecond) }
}

// clock appends a time of day, with the digits that it needs; perSecond is the number of its units
// in a second.
func clock(out []byte, ticks, perSecond int64) []byte {
	seconds, part := floorDiv(ticks, perSecond)
	hours, _ := floorDiv(seconds, 3600)
	minutes, _ := floorDiv(seconds, 60)
	out = append(padded(out, hours, 2), ':')
	out = append(padded(out, minutes%60, 2), ':')
	out = padded(out, seconds%60, 2)
	if part == 0 {
		return out
	}
	out = append(out, '.')
	out = padded(out, part, int(math.Round(math.Log10(float64(perSecond)))))
	for out[len(out)-1] == '0' {
		out = out[:len(out)-1]
	}
	return out
}

func floorDiv(a, b int64) (q, rest int64) {
	if q, rest = a/b, a%b; rest < 0 {
		q, rest = q-1, rest+b
	}
	return q, rest
}

// momentOf returns a teller for moments, counted from 1970.
func momentOf(perSecond int64, zone string) teller {
	return func(out []byte, v parquet.Value) []byte {
		return moment(out, integer(v), perSecond, zone)
	}
}

func moment(out []byte, ticks, perSecond int64, zone string) []byte {
	day, rest := floorDiv(ticks, 86_400*perSecond)
	out = append(date(out, day), 'T')
	return append(clock(out, rest, perSecond), zone...)
}

// ancient appends a moment of 96 bits: nanoseconds of a Julian day.
func ancient(out []byte, v parquet.Value) []byte {
	n := v.Int96()
	day := int64(int32(n[2] - 2_440_588))
	nanos := int64(uint64(n[1])<<32 | uint64(n[0]))
	const perDay = 86_400 * int64(time.Second)
	more, rest := floorDiv(nanos, perDay)
	if nanos < 0 { // the page takes it for an unsigned number
		high, low := new(big.Int).QuoRem(new(big.Int).SetUint64(uint64(nanos)),
			big.NewInt(perDay), new(big.Int))
		more, rest = high.Int64(), low.Int64()
	}
	out = append(date(out, day+more), 'T')
	return clock(out, rest, int64(time.Second))
}

// decimalOf returns a teller for whole numbers divided by a power of ten.
func decimalOf(scale int) teller {
	return func(out []byte, v parquet.Value) []byte {
		var n big.Int
		switch v.Kind() {
		case parquet.Int32, parquet.Int64:
			n.SetInt64(integer(v))
		default:
			b := v.ByteArray()
			if len(b) > 64 {
				return out
			}
			if n.SetBytes(b); len(b) > 0 && b[0] > 0x7f {
				n.Sub(&n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
			}
		}
		if n.Sign() < 0 {
			out = append(out, '-')
			n.Neg(&n)
		}
		digits := n.String()
		for len(digits) <= scale {
			digits = "0" + digits
		}
		out = append(out, digits[:len(digits)-scale]...)
		if scale > 0 {
			out = append(append(out, '.'), digits[len(digits)-scale:]...)
		}
		return out
	}
}

func uuid(out []byte, v parquet.Value) []byte {
	digits := hex.EncodeToString(v.ByteArray())
	if len(digits) < 20 {
		return append(out, digits...)
	}
	for i, cut := range []int{0, 8, 12, 16, 20} {
		end := []int{8, 12, 16, 20, len(digits)}[i]
		if i > 0 {
			out = append(out, '-')
		}
		out = append(out, digits[cut:end]...)
	}
	return out
}

// half appends a number of 16 bits (IEEE 754 binary16), the lowest byte first.
func half(out []byte, v parquet.Value) []byte {
	b := v.ByteArray()
	if len(b) != 2 {
		return out
	}
	exponent, part := int(b[1]>>2&0x1f), int(b[1]&3)<<8|int(b[0])
	var x float64
	switch exponent {
	case 0:
		x = math.Ldexp(float64(part), -24)
	case 31:
		if x = math.Inf(1); part > 0 {
			x = math.NaN()
		}
	default:
		x = math.Ldexp(float64(1024+part), exponent-25)
	}
	if b[1] > 0x7f {
		x = -x
	}
	return number(out, x)
}

// number appends a number with the fewest digits that identify it, as JavaScript writes it; NaN
// appends nothing.
func number(out []byte, x float64) []byte {
	switch {
	case math.IsNaN(x):
		return out
	case math.IsInf(x, 1):
		return append(out, "Infinity"...)
	case math.IsInf(x, -1):
		return append(out, "-Infinity"...)
	case x == 0:
		return append(out, '0')
	}
	if a := math.Abs(x); a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(out, x, 'f', -1, 64)
	}
	text := strconv.AppendFloat(nil, x, 'e', -1, 64)
	sign := len(text) - 1 // an exponent has no leading zero
	for text[sign] != 'e' {
		sign--
	}
	out = append(out, text[:sign+2]...)
	digits := text[sign+2:]
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	return append(out, digits...)
}

// single appends the shortest text, with at least six digits before zeros, that reads as the same
// number of 32 bits.
func single(out []byte, value float32) []byte {
	x := float64(value)
	if x == math.Trunc(x) || math.IsInf(x, 0) || math.IsNaN(x) {
		return number(out, x)
	}
	for digits := 6; ; digits++ {
		near, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
		if err == nil && (float32(near) == value || digits == 9) {
			return number(out, near)
		}
	}
}

// text appends a text; invalid UTF-8 is read as the Encoding Standard prescribes: one U+FFFD for
// the longest part that could begin a character.
func text(out []byte, v parquet.Value) []byte {
	b := v.ByteArray()
	if utf8.Valid(b) {
		return append(out, b...)
	}
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			n = cut(b)
			out = append(out, "\ufffd"...)
		} else {
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	return out
}

// cut returns the number of bytes at the start of b that begin an incomplete character; at least
// one.
func cut(b []byte) int {
	for n := min(len(b), 3); n > 1; n-- {
		for _, rest := range []string{"\x80", "\xbf", "\x80\x80", "\xbf\xbf"} {
			if r, size := utf8.DecodeRuneInString(string(b[:n]) + rest); r != utf8.RuneError &&
				size == n+len(rest) {
				return n
			}
		}
	}
	return 1
}
