package verify

import (
	"reflect"
	"strings"

	"hush/core/task"
)

// Class says what a reader without the data can check about a field.
type Class string

// The classes.
const (
	// Recomputed follows from other fields: a changed one is refused.
	Recomputed Class = "recomputed"
	// Drawn stands for Recomputed in a release that holds the numbers drawn, otherwise for Related.
	Drawn Class = "drawn"
	// Related need not follow from other fields, but is refused where it does not fit them.
	Related Class = "related"
	// Unknowable can only be trusted as far as the file: nothing but the checksum depends on it.
	Unknowable Class = "unknowable"

	inner Class = "" // its fields have classes of their own
)

// classes gives the class of each field of a release in a file, by the name of its type and its
// own. A field inside one with a class has the same class.
var classes = map[string]Class{
	"Release.version":    Recomputed,
	"Release.origin":     Recomputed,
	"Release.unverified": Unknowable,
	"Release.plan":       inner,
	"Release.recipe":     inner,
	"Release.answer":     inner,
	"Release.statement":  Drawn,
	"Release.verdict":    Recomputed,
	"Release.tuned":      inner,
	"Release.head":       inner,
	"Release.drawn":      Recomputed,

	"Plan.task":      Recomputed,
	"Plan.people":    Related,
	"Plan.loss":      Recomputed,
	"Plan.guarantee": Recomputed,
	"Plan.algorithm": Recomputed,
	"Plan.column":    Recomputed,
	"Plan.domain":    Recomputed,
	"Plan.others":    Recomputed,
	"Plan.forecast":  Recomputed,
	"Plan.range":     Recomputed,
	"Plan.errorUnit": Recomputed,
	"Plan.errorOf":   Recomputed,
	"Plan.off":       Recomputed,
	"Plan.verdict":   Recomputed,
	"Plan.frame":     Recomputed,

	"Recipe.version": Recomputed,
	"Recipe.task":    Recomputed,
	"Recipe.table":   Unknowable,
	"Recipe.data":    Unknowable,
	"Recipe.source":  Unknowable,
	"Recipe.noun":    Related,
	"Recipe.person":  Related,
	"Recipe.use":     inner,
	"Recipe.count":   Related,
	"Recipe.filter":  Related,
	"Recipe.group":   inner,
	"Recipe.column":  Related,
	"Recipe.label":   Related,
	"Recipe.unit":    Related,
	"Recipe.domain":  inner,
	"Recipe.others":  inner,
	"Recipe.params":  Related,
	"Recipe.epsilon": Recomputed,

	"Use.rows":   Recomputed,
	"Use.groups": Recomputed,
	"Use.column": Related,
	"Use.usual":  Recomputed,
	"Use.values": Related,

	"Group.column":    Related,
	"Group.label":     Related,
	"Group.names":     Related,
	"Group.spellings": Unknowable,
	"Group.other":     Unknowable,
	"Group.fold":      Unknowable,
	"Group.missing":   Unknowable,
	"Group.find":      Recomputed,

	"Spec.kind":       Recomputed,
	"Spec.lo":         Related, // "005" is the same as "5"
	"Spec.hi":         Related,
	"Spec.step":       Related,
	"Spec.categories": Related,
	"Spec.spellings":  Unknowable,
	"Spec.other":      Unknowable,
	"Spec.fold":       Unknowable,
	"Spec.length":     Related,
	"Spec.outside":    Related,
	"Spec.between":    Related,
	"Spec.format":     Related,
	"Spec.zone":       Related,
	"Spec.mark":       Related,
	"Spec.group":      Related,
	"Spec.missing":    Unknowable,

	"Field.role":   Recomputed,
	"Field.column": Related,
	"Field.label":  Related,
	"Field.unit":   Related,
	"Field.domain": inner,
	"Field.cuts":   Related,

	"Tuned.parameter": Recomputed,
	"Tuned.value":     Related,
	"Tuned.among":     Recomputed,
	"Tuned.by":        Recomputed,
	"Tuned.good":      Related,
	"Tuned.within":    Recomputed,

	"Head.sums":   Recomputed,
	"Head.bases":  Recomputed,
	"Head.draws":  inner,
	"Head.before": Related,

	"Draw.rho":  Recomputed,
	"Draw.sums": Related, // rounding an average may hide a change of the last draw

	"Histogram.bins":     inner,
	"Histogram.error":    Recomputed,
	"Histogram.allError": Recomputed,
	"Histogram.people":   Recomputed,
	"Histogram.width":    Recomputed,
	"Histogram.cut":      Recomputed,
	"Bin.label":          Recomputed,
	"Bin.count":          Drawn,
	"Bin.from":           Recomputed,
	"Bin.to":             Recomputed,

	"Estimates.name":  Recomputed,
	"Estimates.noun":  Recomputed,
	"Estimates.rows":  Drawn,
	"Estimates.axes":  Drawn,
	"Estimates.found": Drawn,
	"Estimates.of":    Recomputed,
	"Estimates.many":  Recomputed,
	"Estimates.along": Recomputed,

	"ContingencyTable.axes":       Drawn,
	"ContingencyTable.counts":     Drawn,
	"ContingencyTable.raw":        Drawn,
	"ContingencyTable.impossible": Drawn,
	"ContingencyTable.margins":    Drawn,
	"ContingencyTable.allError":   Drawn,
	"ContingencyTable.people":     Drawn,
	"ContingencyTable.whole":      Drawn,

	"Median.value":     Related,
	"Median.exact":     Related,
	"Median.rankError": Related, // recomputed unless it was measured
	"Median.measured":  Recomputed,
	"Median.around":    Related,
	"Median.span":      Related,

	"Winner.value":   Related,
	"Winner.behind":  Recomputed,
	"Winner.score":   Recomputed,
	"Winner.count":   Related,
	"Winner.error":   Recomputed,
	"Winner.reached": Unknowable,

	"Quantiles.rows":     Related,
	"Quantiles.measured": Unknowable,
	"Quantiles.around":   Related,

	"Joint.axes":       Recomputed,
	"Joint.model":      inner,
	"Model.measured":   inner,
	"Model.strength":   Unknowable,
	"Model.strengths":  Unknowable,
	"Model.rows":       Related,
	"Measured.sizes":   Recomputed,
	"Measured.persons": Recomputed,
	"Measured.tables":  inner,
	"Measured.singles": inner,
	"Single.stdDev":    Recomputed,
	"Single.counts":    Unknowable,
	"Table.columns":    Recomputed,
	"Table.stdDev":     Recomputed,
	"Table.counts":     Related,
	"Joint.accepted":   inner,

	"Accepted.criteria": Recomputed,
	"Accepted.ways":     Recomputed,
	"Accepted.way":      Related,

	"Distribution.points":   Related,
	"Distribution.total":    Related,
	"Distribution.error":    Related,
	"Distribution.measured": Unknowable,
	"Distribution.people":   Related,

	"Density.cells":    Related,
	"Density.bands":    Related,
	"Density.people":   Related,
	"Density.shape":    Unknowable,
	"Density.error":    Related,
	"Density.measured": Unknowable,

	"Cutoff.rule":    Related,
	"Cutoff.value":   Related,
	"Cutoff.at":      Unknowable,
	"Cutoff.above":   Related,
	"Cutoff.extra":   Related,
	"Cutoff.atLeast": Related,
	"Cutoff.exact":   Related,
	"Cutoff.curve":   Related,

	"Labels.features":  Related,
	"Labels.outcome":   Related,
	"Labels.cases":     Related,
	"Labels.rule":      Unknowable,
	"Labels.ruleParts": Unknowable,
	"Labels.extra":     Related,
	"Labels.yes":       Related,
	"Labels.no":        Related,
	"Labels.without":   Related,
	"Labels.left":      Unknowable,

	"Clusters.columns": Related,
	"Clusters.centres": Related,
	"Clusters.error":   Related,
	"Clusters.least":   Related,
	"Clusters.all":     Related,

	"Conjunctions.attributes": Related,
	"Conjunctions.width":      Related,
	"Conjunctions.typical":    Related,
	"Conjunctions.release":    Related,

	"Contacts.vertices": Related,
	"Contacts.typical":  Related,
	"Contacts.release":  Related,

	"LearnedRule.yes":        Related,
	"LearnedRule.no":         Related,
	"LearnedRule.conditions": Related,
	"LearnedRule.right":      Related,
	"LearnedRule.error":      Related,
	"LearnedRule.people":     Related,
	"LearnedRule.extra":      Related,

	"MadeUp.columns": Related,
	"MadeUp.people":  Related,

	"TableSet.axes":     Drawn,
	"TableSet.together": Drawn,
	"TableSet.release":  Drawn,

	"Survival.event":           Related,
	"Survival.people":          Related,
	"Survival.groups":          Related,
	"Survival.curves":          inner,
	"SurvivalCurve.group":      Related,
	"SurvivalCurve.all":        Related,
	"SurvivalCurve.allLow":     Related,
	"SurvivalCurve.allHigh":    Related,
	"SurvivalCurve.points":     inner,
	"SurvivalPoint.value":      Related,
	"SurvivalPoint.free":       Related,
	"SurvivalPoint.low":        Related,
	"SurvivalPoint.high":       Related,
	"SurvivalPoint.atRisk":     Related,
	"SurvivalPoint.atRiskLow":  Related,
	"SurvivalPoint.atRiskHigh": Related,

	"Medians.axes":      Related,
	"Medians.rows":      Related,
	"Medians.found":     Related,
	"Medians.rankError": Related,
	"Medians.measured":  Unknowable,
	"Medians.error":     Related,
	"Medians.people":    Related,
}

// ClassOf returns the class of a place in a release: Unknowable for one that no release has.
func ClassOf(path string) Class {
	at := reflect.TypeFor[task.Release]()
	steps := strings.FieldsFunc(path, func(c rune) bool { return c == '.' || c == '[' })
	for i, step := range steps {
		if strings.HasSuffix(step, "]") {
			at = at.Elem()
			continue
		}
		if i == 1 && steps[0] == "answer" {
			if at = resultType(step); at == nil {
				return Unknowable
			}
			continue
		}
		class, field := classIn(at, step)
		if class != inner || field == nil {
			return class
		}
		for at = field; at.Kind() == reflect.Pointer; {
			at = at.Elem()
		}
	}
	return Unknowable
}

// resultType returns the type of a kind of answer; nil if there is no such kind.
func resultType(kind string) reflect.Type {
	for _, r := range task.Results() {
		if r.Kind() == kind {
			return reflect.TypeOf(r).Elem()
		}
	}
	return nil
}

// classIn returns the class of a field of a type, and the type of the field; Unknowable and nil
// where there is no such field.
func classIn(of reflect.Type, name string) (Class, reflect.Type) {
	for _, f := range fieldsOf(of) {
		if f.name == name {
			class, known := classes[typeName(of)+"."+name]
			if !known {
				return Unknowable, nil // unreachable: TestClasses
			}
			return class, f.of
		}
	}
	return Unknowable, nil
}

// typeName returns a type's name without its type parameters.
func typeName(t reflect.Type) string {
	name, _, _ := strings.Cut(t.Name(), "[")
	return name
}

// field is a field of a type as JSON has it.
type field struct {
	name string
	of   reflect.Type
}

// fieldsOf lists the fields with which a type is written.
func fieldsOf(t reflect.Type) (list []field) {
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && name != "" && name != "-" {
			list = append(list, field{name, f.Type})
		}
	}
	return list
}
