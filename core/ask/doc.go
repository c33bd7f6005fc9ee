// Package ask takes a question from its recipe to its release, whatever is asked. It knows no
// algorithm and no question: those are a [Catalogue], which core/task has.
//
// A question travels as a [Recipe] (public: it holds no data). [Session.Plan] turns it into a
// [Plan], the cost and the expected error from public facts alone; [Session.Run] turns it into a
// [Release].
//
// A question is a [Task], the fields of its form and the texts about it, and what its Prepare
// makes: a [Prepared], made from a [Query] whose every part has been checked, and run on [Data].
// One whose release answers further cases is [Lasting]; parameters that are to be chosen privately
// are [Query.Combinations].
package ask
