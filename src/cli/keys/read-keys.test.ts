import { describe, expect, test } from "vitest";
import { createManualClock } from "../../../test/support/manual-clock.ts";
import { createKeyReader, type Report } from "./read-keys.ts";

function reader() {
  const [keys, reports]: [string[], Report[]] = [[], []];
  const clock = createManualClock();
  const { take } = createKeyReader(
    { key: (key) => keys.push(key), report: (one) => reports.push(one) },
    clock,
  );
  return { take, keys, reports, clock };
}

describe("what a terminal sends", () => {
  test.each([
    ["\u001b[A\u001bOB\u001b[1;5C\u001b[D", ["up", "down", "right", "left"]],
    [
      "\u001b[5~\u001b[6~\u001b[H\u001b[4~\u001b[Z\t",
      ["pageup", "pagedown", "home", "end", "shift-tab", "tab"],
    ],
    ["jD?/é税😀", ["j", "D", "?", "/", "é", "税", "😀"]],
    ["\r\n\u007f\u0003\u001a\u0007", ["enter", "enter", "backspace", "ctrl-c", "ctrl-z"]],
    ["\u001b[15~\u001b[<0;1;1Mx", ["x"]],
    ["\u001bq", ["esc", "q"]],
  ])("%j is read as keys", (text, expected) => {
    const whole = reader();
    whole.take(text);
    expect(whole.keys).toEqual(expected);
    const pieces = reader();
    for (const char of text) pieces.take(char);
    expect(pieces.keys).toEqual(expected);
  });

  test("Esc alone is known when nothing follows, and what was begun is typed text", () => {
    const { take, keys, clock } = reader();
    take("\u001b");
    expect(keys).toEqual([]);
    clock.advance(50);
    expect(keys).toEqual(["esc"]);
    take("\u001b[");
    clock.advance(50);
    expect(keys).toEqual(["esc", "esc", "["]);
  });

  test("answers are no keys", () => {
    const { take, keys, reports } = reader();
    take("\u001b]11;rgb:ffff/f0f0/e0e0\u001b\\\u001b[12;3R\u001b]11;rgb:0000/0000/00");
    take("00\u0007q");
    expect(reports).toEqual([
      { kind: "background", isLight: true },
      { kind: "cursor", column: 3 },
      { kind: "background", isLight: false },
    ]);
    expect(keys).toEqual(["q"]);
  });
});
