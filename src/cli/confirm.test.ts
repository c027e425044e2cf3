import { expect, test } from "vitest";
import { parseReply } from "./confirm.ts";

test.each([
  ["y", "yes"],
  [" YES ", "yes"],
  ["", "no"],
  ["n", "no"],
  ["No", "no"],
  ["e", "edit"],
  ["edit", "edit"],
])("%j is an answer", (typed, kind) => {
  expect(parseReply(typed, true)).toEqual({ kind });
});

test("a sentence has two words at least, and somebody must be there who reads it", () => {
  expect(parseReply(" merge 2 and 3 ", true)).toEqual({ kind: "sentence", text: "merge 2 and 3" });
  expect(parseReply("merge 2 and 3", false)).toBeNull();
  for (const slip of ["yy", "q", "merge"]) expect(parseReply(slip, true)).toBeNull();
});
