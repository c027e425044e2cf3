import { expect, test } from "vitest";
import { tooMuchGrowth } from "../../test/support/growth.ts";
import { apart, joined } from "./printed.ts";

const event = JSON.stringify({ type: "assistant" });

test.each([
  ["one stream alone", "a\nb\n", "", "a\nb\n", false],
  ["both, in any order", "out 1\nerr 1\nout 2\nerr 2\n", "err 1\nerr 2\n", "out 1\nout 2\n", false],
  ["the same words on both", "same\nsame\n", "same\n", "same\n", false],
  ["empty lines stay where nobody knows", "a\n\nerr\nb\n", "err\n\n", "a\n\nb\n", false],
  ["events are no words", `${event}\nwarning\n${event}\n`, "", "warning\n", true],
  [
    "what an agent says of its work is no event",
    '{"status":"SUCCESS"}\n',
    "",
    '{"status":"SUCCESS"}\n',
    false,
  ],
  ["a torn line is seen twice", "er\nout\nror\n", "error\n", "er\nout\nror\n", false],
  ["nothing but stderr", "oh\n", "oh\n", "", false],
  ["nothing", "", "", "", false],
])("the streams of an attempt are told apart: %s", (_what, log, stderr, plain, hasEvents) => {
  expect(apart(log, stderr)).toEqual({ plain, hasEvents });
});

test.each([
  ["what an agent said, behind what else was printed", "warning\n", "Done.", "warning\nDone.\n"],
  ["nothing but what it said", "", "Done.\n", "Done.\n"],
  ["nothing", "", "", ""],
  ["plain text with a line like an event, once", "Done.\n", 'Done.\n{"type":"x"}', 'Done.\n{"type":"x"}\n'],
])("what an attempt printed: %s", (_what, plain, said, expected) => {
  expect(joined(plain, said)).toBe(expected);
});

test("long output is told apart in time that grows with its length", async () => {
  const work = (lines: number) => apart("out\n".repeat(lines), `${"\n".repeat(lines)}err\n`);
  expect(await tooMuchGrowth(work, { from: 625, to: 160_000 })).toBeNull();
});
