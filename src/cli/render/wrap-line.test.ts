import { expect, test } from "vitest";
import { diagnostic } from "../../../test/support/diagnostic.ts";
import { plait } from "../../core/text/command.ts";
import { warningLine } from "../output.ts";
import { nextCommand, renderDiagnostics } from "./diagnostics.ts";
import { glyphs } from "./glyphs.ts";
import { type Line, paint, plainText, styled } from "./line.ts";
import { wrapLine } from "./wrap-line.ts";

const texts = (lines: readonly Line[], width: number) =>
  lines.flatMap((line) => wrapLine(line, width)).map((line) => plainText(line).trimEnd());

test("errors and warnings go on below what they say, between words", () => {
  const error: Line = [styled("red", "error:"), " the worktree of tax is gone. Nothing of it is lost."];
  expect(texts([error, warningLine("two of the letters did not arrive", glyphs.unicode)], 30)).toEqual([
    "error: the worktree of tax is",
    "       gone. Nothing of it is",
    "       lost.",
    "warning: two of the letters",
    "         did not arrive",
  ]);
});

test("a finding goes on two further in, each part in its own style", () => {
  const at = { file: "plan.yaml", start: { line: 5, col: 5 }, end: { line: 5, col: 9 } };
  const found = diagnostic({ code: "unknown-key", message: "unknown key in a task", at, hint: null });
  const lines = renderDiagnostics([found], { sources: new Map(), glyphs: glyphs.unicode, width: 40 });
  const wrapped = lines.flatMap((line) => wrapLine(line, 40));
  expect(wrapped.map(plainText).map((line) => line.trimEnd())).toEqual([
    "plan.yaml:5:5: error[unknown-key]:",
    "  unknown key in a task",
    "",
  ]);
  // The blank behind the last word would be one cell too many.
  expect(paint(wrapLine([styled("bold", "four five")], 4), { colours: true })).toBe(
    "\u001b[1mfour\u001b[22m\n  \u001b[1mfive\u001b[22m\n",
  );
  expect(paint(wrapped.slice(1, 2), { colours: true })).toBe("  \u001b[1munknown key in a task\u001b[22m\n");
});

test("what is typed, what fits and a word that is too long stay as they are", () => {
  const command = nextCommand(plait("resume", [], { plan: "plan.yaml", redo: "tax,cart,orders" }));
  expect(wrapLine(command, 20)).toEqual([command]);
  expect(wrapLine(["    it  fits"], 12)).toEqual([["    it  fits"]]);
  const path = "/a/very/long/path/to/a/file.ts";
  expect(texts([[`see ${path} for it`]], 20)).toEqual(["see", `  ${path}`, "  for it"]);
});

test("never breaks inside a command that is to be pasted", () => {
  const text = 'help: give the prompts or name a plan: plait run -p "Fix the login"';
  expect(wrapLine([text], 50).map(plainText)).toEqual([
    "help: give the prompts or name a plan:",
    '      plait run -p "Fix the login"',
  ]);
});
