import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { verdictIn } from "./verdict.ts";

describe("an agent that says no is believed", () => {
  test.each([
    ["a status line", "I tried.\n\nStatus: BLOCKED", "agent reported BLOCKED"],
    ["with its reason", "Status: BLOCKED\nSummary: none\nBlocker: no key", "agent reported BLOCKED: no key"],
    [
      "with the reason below",
      "Status: NEEDS_CONTEXT\nMissing:\n- the schema",
      "agent reported NEEDS_CONTEXT: the schema",
    ],
    ["with the reason on its line", "Status: FAILED — tests are red", "agent reported FAILED: tests are red"],
    ["in bold", "**Status:** BLOCKED\n**Blocker:** no key", "agent reported BLOCKED: no key"],
    ["in bold, all of it", "- **Status: BLOCKED**", "agent reported BLOCKED"],
    ["as a heading, with a picture", "## Status: 🚫 BLOCKED", "agent reported BLOCKED"],
    ["in small letters", "status: blocked", "agent reported BLOCKED"],
    ["after a yes", "Status: DONE\n\nStatus: BLOCKED", "agent reported BLOCKED"],
    ["in a fence", "```\nStatus: BLOCKED\n```", "agent reported BLOCKED"],
    [
      "a last line of JSON",
      'Done.\n{"status":"FAILED","reason":"2 tests"}',
      "agent reported FAILED: 2 tests",
    ],
    ["a result behind a word", 'Result: {"task_completed": false}', "agent reported task_completed: false"],
    [
      "a long result",
      JSON.stringify({ validation_passed: false, full_log: "x".repeat(100_000) }),
      "agent reported validation_passed: false",
    ],
    ["the same without a reason", '{"status": "FAILED"}\n', "agent reported FAILED"],
    [
      "a result object",
      '{\n  "task_completed": false,\n  "validation_passed": false,\n  "error_message": "no uv"\n}',
      "agent reported task_completed: false: no uv",
    ],
    [
      "a result object in a fence, with a remark",
      '```json\n{\n "task_completed": true,\n "validation_passed": false,\n "files_created": [],\n "error_message": null,\n "summary": "3 of 4"\n}\n```\nI stop here.',
      "agent reported validation_passed: false: 3 of 4",
    ],
    [
      "a result in words",
      "task_completed: true\nvalidation_passed: false",
      "agent reported validation_passed: false",
    ],
    ["a no on lines above a yes in JSON", 'Status: BLOCKED\n{"status":"SUCCESS"}', "agent reported BLOCKED"],
  ])("%s", (_what, text, sentence) => {
    expect(verdictIn(text)).toBe(sentence);
  });
});

describe("nothing else is a no", () => {
  test.each([
    ["silence", ""],
    ["a yes", "Status: DONE\nSummary: all green"],
    ["a yes with concerns", "Status: DONE_WITH_CONCERNS\nConcerns: slow"],
    ["a yes after a no", "Status: BLOCKED\nI found a way.\nStatus: DONE"],
    ["a yes in JSON", '{"status":"SUCCESS"}'],
    ["a good result", '{"task_completed": true, "validation_passed": true, "tests_failed": 0}'],
    ["JSON that was cut", '{"status":"FAILED","reason":"2 te'],
    ["JSON with other quotes", "{'status': 'FAILED'}"],
    ["JSON with a comma too much", '{\n  "task_completed": false,\n}'],
    ["a number where a word belongs", '{"status": 1, "task_completed": "false"}'],
    ["a sentence that begins with the word", "Status: blocked threads are handled now"],
    ["the same with a dash", "Status: blocked - threads are handled now"],
    ["the word without its key", "I was BLOCKED for a while, then it worked."],
    ["a quotation", "The log says:\n> Status: BLOCKED\n\nI mended that."],
    ["a table", "| Status: BLOCKED | x |"],
    [
      "an example far above",
      `Answer {"status":"FAILED"} like this:\n\n{"status":"FAILED"}\n\n${"It works now.\n".repeat(5)}`,
    ],
    ["a status far above", `Status: BLOCKED\n${"Then I went on.\n".repeat(20)}`],
  ])("%s", (_what, text) => {
    expect(verdictIn(text)).toBeNull();
  });
});

test("whatever it is given, it answers with a short line or none, and soon", () => {
  const pieces = fc.constantFrom(
    "{",
    "}",
    '"status"',
    ":",
    "Status: ",
    "BLOCKED",
    "\n",
    " ",
    '"FAILED"',
    "*",
    "```",
    "x",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces, { maxLength: 60 }).map((all) => all.join("")),
      ),
      (text) => {
        const sentence = verdictIn(text);
        if (sentence !== null) expect(sentence.length).toBeLessThanOrEqual(300);
      },
    ),
  );
  for (const unit of ["{\n", "Status: ", " ", "Status:\n", "}", '{"a":', "*"])
    verdictIn(unit.repeat(1_000_000 / unit.length));
});
