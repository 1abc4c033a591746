// What an address says about how the page opens.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openingFont, openingOptions } from "../src/base/opening.ts";

test("each program of the report has its own instruments", () => {
  assert.equal(openingOptions("#dynavis1")["scene.tags"], "off");
  assert.equal(openingOptions("#dynavis2&font=x")["scene.tags"], "v a j");
  assert.deepEqual(openingOptions("#identify"), { layout: { view: "bench", bench: "identify" } });
  assert.deepEqual(openingOptions("#mileage"), { layout: { view: "bench", bench: "mileage" } });
});
test("other addresses open as last time", () => {
  for (const hash of ["", "#", "#t=3", "#o=%7B%7D&layout=x", "#dynavis12", "#constructor"])
    assert.deepEqual(openingOptions(hash), {});
});
test("fonts by their names, and by those of the X Window System", () => {
  assert.equal(openingFont("#dynavis2&font=Courier%20New"), '"Courier New"');
  assert.equal(openingFont("#dynavis2&font=-adobe-helvetica-bold-r-normal"), '"helvetica"');
  assert.equal(openingFont("#dynavis2&font=9x15"), "monospace");
  assert.equal(openingFont("#dynavis2&font=fixed"), "monospace");
  assert.equal(openingFont("#dynavis2"), "");
});
test("a font's name cannot leave its quotes", () => {
  assert.equal(openingFont("#a&font=%22;x%7B%5C"), '"x"');
  assert.equal(openingFont("#a&font=%22%0A"), "");
  assert.equal(openingFont("#a&font=%E0"), "");
});
