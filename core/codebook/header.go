package codebook

import (
	"slices"
	"strings"
	"unicode"
)

// Headers are matched on whole words: "page" is not "age", and "discount" is not "count".

// wordsOf splits a header at anything other than a letter, and where a capital begins a word, into
// words in small letters: "avgRating_2024" gives avg, rating. The percent sign is a word.
func wordsOf(header string) (words []string) {
	runes := []rune(header)
	start := -1
	end := func(i int) {
		if start >= 0 {
			words = append(words, strings.ToLower(string(runes[start:i])))
		}
		start = -1
	}
	for i, r := range runes {
		if r == '%' {
			end(i)
			words = append(words, "%")
			continue
		}
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			end(i)
			continue
		}
		if start >= 0 && unicode.IsUpper(r) {
			// "numPages" and "HTTPServer": a capital behind a small letter, or before one.
			small := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if small || unicode.IsLower(runes[i-1]) {
				end(i)
			}
		}
		if start < 0 {
			start = i
		}
	}
	end(len(runes))
	return words
}

// says reports whether the words of a phrase occur in words, one after another.
func says(words []string, phrase string) bool {
	wanted := strings.Fields(phrase)
	for i := 0; len(wanted) > 0 && i+len(wanted) <= len(words); i++ {
		if slices.Equal(words[i:i+len(wanted)], wanted) {
			return true
		}
	}
	return false
}

// saysAny reports whether one of the phrases occurs in words; phrases are separated by commas.
func saysAny(words []string, phrases string) bool {
	for phrase := range strings.SplitSeq(phrases, ",") {
		if says(words, phrase) {
			return true
		}
	}
	return false
}

// units are found by words that mean them anywhere in a header.
var units = map[string]string{
	"kg": "kg", "kgs": "kg", "kilogram": "kg", "kilograms": "kg",
	"mg": "mg", "lb": "lb", "lbs": "lb", "pounds": "lb", "grams": "g",
	"cm": "cm", "mm": "mm", "km": "km", "inch": "in", "inches": "in", "feet": "ft",
	"kwh": "kWh", "mwh": "MWh", "mmhg": "mmHg", "bpm": "bpm", "ml": "ml", "kmh": "km/h",
	"celsius": "°C", "fahrenheit": "°F", "degc": "°C", "degf": "°F",
	"percent": "%", "pct": "%", "%": "%",
	"eur": "EUR", "euro": "EUR", "euros": "EUR", "usd": "USD", "gbp": "GBP", "chf": "CHF",
	"cad": "CAD", "aud": "AUD", "nzd": "NZD", "jpy": "JPY", "cny": "CNY", "krw": "KRW",
	"inr": "INR", "brl": "BRL", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "czk": "CZK",
	"pln": "PLN", "huf": "HUF", "mxn": "MXN", "zar": "ZAR",
}

// lastUnits mean a unit as the last word of a header, or in brackets: "age_years".
var lastUnits = map[string]string{
	"years": "years", "yrs": "years", "yr": "years", "jahre": "Jahre", "ans": "ans",
	"months": "months", "weeks": "weeks", "days": "days", "hours": "hours", "hrs": "hours",
	"minutes": "min", "mins": "min", "seconds": "s", "secs": "s", "sec": "s",
	"msec": "ms", "ms": "ms", "pages": "pages", "stars": "stars", "dollars": "USD",
}

// signs mean a unit in brackets, or as a separate word between spaces; a letter elsewhere is not
// enough: "temp_min" is no minute.
var signs = map[string]string{
	"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "°c": "°C", "°f": "°F", "°": "°",
	"m²": "m²", "m2": "m²", "m³": "m³", "m3": "m³", "kg/m²": "kg/m²", "kg/m2": "kg/m²",
	"km/h": "km/h", "mg/dl": "mg/dl", "mmol/l": "mmol/l", "m/s": "m/s",
	"‰": "‰", "us$": "USD",
}

// letters mean a unit in brackets, and as a last word if the convention has that unit.
var letters = map[string]string{
	"m": "m", "g": "g", "s": "s", "h": "h", "l": "l", "c": "°C", "f": "°F", "in": "in", "ft": "ft",
	"min": "min", "y": "years",
}

// UnitOf returns the unit that a header names, or "": "kg" for weight_kg, "EUR" for "price (EUR)".
// It is a suggestion: the header is public, and the owner decides on the unit.
func UnitOf(header string) string {
	if unit, clear := unitOf(header); clear {
		return unit
	}
	return ""
}

// unitOf returns the unit, and whether the header names it clearly. A last letter does not: it
// counts only where the convention has such a unit, as in height_m.
func unitOf(header string) (unit string, clear bool) {
	if inside, ok := bracketed(header); ok {
		inside = strings.ToLower(strings.TrimSpace(inside))
		inside = strings.TrimSpace(strings.TrimPrefix(inside, "in "))
		for _, list := range []map[string]string{signs, units, lastUnits, letters} {
			if unit := list[inside]; unit != "" {
				return unit, true
			}
		}
		if strings.Contains(inside, "/") { // a unit other than those listed: not half of it
			return "", true
		}
	}
	for word := range strings.FieldsSeq(strings.ToLower(header)) {
		if unit := signs[word]; unit != "" {
			return unit, true
		}
	}
	words := wordsOf(header)
	for i, word := range words {
		per := i > 0 && slices.Contains([]string{"per", "pro", "par", "por"}, words[i-1])
		if unit := units[word]; unit != "" && !per {
			return unit, true
		}
	}
	if len(words) < 2 {
		return "", false
	}
	last, before := words[len(words)-1], words[len(words)-2]
	if unit := lastUnits[last]; unit != "" && !countsWords(before) {
		return unit, true
	}
	return letters[last], false
}

// countsWords reports whether the words after this one are counted, and no unit: num_pages, "number
// of days".
func countsWords(word string) bool {
	return slices.Contains([]string{"num", "number", "of", "n", "no", "nr", "per"}, word)
}

// bracketed returns the text in the last pair of brackets.
func bracketed(header string) (string, bool) {
	close := strings.LastIndexAny(header, ")]")
	if close < 0 {
		return "", false
	}
	open := strings.LastIndexAny(header[:close], "([")
	if open < 0 {
		return "", false
	}
	return header[open+1 : close], true
}
