package ask

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"hush/core/domain"
)

// memory caches results that are slow to compute and depend on public parameters only, keyed by
// those parameters.
type memory map[string]any

const maxRemembered = 100

// Remember returns make(from), and computes it only once. The key is the maker, a function of the
// package level, and all that from holds, so nothing else can decide the result.
func Remember[P, T any](q *Query, from P, make func(P) (T, error)) (T, error) {
	var key strings.Builder
	fmt.Fprintf(&key, "%x %T ", reflect.ValueOf(make).Pointer(), make)
	writeWhole(&key, reflect.ValueOf(&from).Elem())
	if known, ok := q.memory[key.String()]; ok {
		return known.(T), nil
	}
	made, err := make(from)
	if err == nil && q.memory != nil {
		if len(q.memory) >= maxRemembered {
			clear(q.memory)
		}
		q.memory[key.String()] = made
	}
	return made, err
}

// writeWhole writes a value with everything that it points to, unexported fields included.
// Different values have different texts. A domain is written as its Spec, which is an exported
// field.
func writeWhole(w *strings.Builder, v reflect.Value) {
	list := func(length int, at func(i int) reflect.Value) {
		w.WriteString(strconv.Itoa(length) + "[")
		for i := range length {
			writeWhole(w, at(i))
			w.WriteByte(' ')
		}
		w.WriteByte(']')
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			w.WriteString("nil")
			return
		}
		if v.CanInterface() {
			if d, is := v.Interface().(domain.Domain); is { // made of its Spec; it holds functions
				writeWhole(w, reflect.ValueOf(d.Spec()))
				return
			}
		}
		if v.Kind() == reflect.Interface {
			w.WriteString(v.Elem().Type().String())
		}
		w.WriteByte('&')
		writeWhole(w, v.Elem())
	case reflect.Struct:
		list(v.NumField(), v.Field)
	case reflect.Slice, reflect.Array:
		list(v.Len(), v.Index)
	case reflect.Map:
		var entries []string
		for key, value := range v.Seq2() {
			var entry strings.Builder
			writeWhole(&entry, key)
			entry.WriteByte(':')
			writeWhole(&entry, value)
			entries = append(entries, entry.String())
		}
		slices.Sort(entries)
		fmt.Fprintf(w, "%q", entries)
	case reflect.String:
		w.WriteString(strconv.Quote(v.String()))
	case reflect.Bool:
		w.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Float64, reflect.Float32:
		w.WriteString(strconv.FormatUint(math.Float64bits(v.Float()), 16))
	default:
		switch {
		case v.CanInt():
			w.WriteString(strconv.FormatInt(v.Int(), 10))
		case v.CanUint():
			w.WriteString(strconv.FormatUint(v.Uint(), 10))
		default:
			panic("ask: internal error: a result is remembered by a " + v.Type().String())
		}
	}
}
