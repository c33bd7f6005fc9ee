// Tests of the forms of a publication; web/report tests all of it. node --test static/forms.test.mjs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sheetName } from "./forms.src.js";

test("names of sheets are short, and hold no signs that workbooks refuse", () => {
  assert.equal(sheetName("Figure 1", 2), "Figure 1");
  assert.equal(sheetName("a/b:c", 2), "a b c");
  assert.equal(sheetName("a name of more than twenty-four", 7), "a name of more than  7");
});
