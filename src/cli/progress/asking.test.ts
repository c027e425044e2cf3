import { expect, test } from "vitest";
import { askingLine } from "./asking.ts";
import { createOutlet } from "./outlet.ts";

/** A terminal that takes what it is given when it is told to, and a clock that is set by hand. */
function slowTerminal() {
  const written: string[] = [];
  let done: (() => void) | null = null;
  let tick: () => void = () => undefined;
  let now = 0;
  const line = askingLine("claude", {
    ...{ moves: true, width: 80, mark: "…" },
    outlet: createOutlet({
      write: (text, flushed) => {
        written.push(text);
        done = () => flushed(true);
      },
      maxChars: 1_000,
      onFull: { kind: "skip", tell: () => "" },
    }),
    clock: {
      now: () => now,
      setTimer: (_, fire) => {
        tick = fire;
        return { cancel: () => undefined };
      },
    },
  });
  const second = () => {
    now += 1_000;
    tick();
  };
  return { line, written, second, read: () => done?.() };
}

const ERASE = "\r\u001b[K";

test("a terminal that was stopped is not painted for; what stays is said when somebody reads again", () => {
  const { line, written, second, read } = slowTerminal();
  for (let n = 0; n < 100; n += 1) second();
  expect(written).toEqual([`${ERASE}claude  0:01  begins`]);
  line.say("round 1\n");
  line.doing("reads a.txt");
  second();
  read();
  expect(written.at(-1)).toBe(`${ERASE}round 1\n`);
  read();
  second();
  expect(written.at(-1)).toBe(`${ERASE}claude  1:42  reads a.txt`);
});
