import { expect, test } from "vitest";
import { story } from "../../../../test/support/checkout.ts";
import { taskId } from "../../../../test/support/plans.ts";
import { taxDiff, taxLog } from "../../../../test/support/tax-texts.ts";
import { type TaskRow, taskRow } from "../../../core/select/task-rows.ts";
import { glyphs } from "../glyphs.ts";
import { plainText } from "../line.ts";
import { cells } from "../width.ts";
import { bodyOf, TABS, type Tab } from "./body.ts";
import { diffBody } from "./diff-body.ts";
import { bodyHeight, hitsIn, taskScreen } from "./frame.ts";
import { gatesBody } from "./gates-body.ts";
import { keysBody } from "./keys-body.ts";
import { createLogLines } from "./log-body.ts";

const run = story();
const row = { ...(taskRow(run.state, taskId("tax"), run.now) as TaskRow), title: "Steuern 税率 nach Region" };
const items = taxLog(run.facts);

function bodyIn(tab: Tab, width: number, signs = glyphs.unicode) {
  const look = { width, glyphs: signs };
  if (tab === "diff") return diffBody({ text: taxDiff, cutBytes: 9, notes: new Map(), wraps: true }, look);
  if (tab === "gates") return gatesBody({ gates: ["lint 検査", "test:tax"], items }, look);
  if (tab === "prompt") return keysBody("stops", look);
  const log = createLogLines("agent", look);
  for (const item of items) log.add(item);
  return bodyOf(log.lines);
}

test("the screen of a task is as high as the terminal and no wider, whatever is shown", () => {
  for (const width of [20, 30, 40, 59, 60, 80, 120, 200])
    for (const height of [1, 2, 3, 4, 5, 7, 8, 12, 24, 50])
      for (const tab of TABS) {
        const look = { width, height, glyphs: glyphs.unicode };
        const view = {
          row,
          now: run.now,
          n: 3,
          tab,
          body: bodyIn(tab, width),
          top: 2,
          figures: null,
          foot: null,
        };
        const lines = taskScreen({ ...view, find: "tax", position: "end" }, look).map(plainText);
        const at = `${tab} ${width}x${height}`;
        expect(lines.length, at).toBe(Math.max(Math.min(height, 3), height));
        expect(Math.max(...lines.map(cells)), at).toBeLessThanOrEqual(width);
        expect(bodyHeight(look, null), at).toBeGreaterThan(0);
      }
});

test("in ASCII all of it is", () => {
  for (const tab of TABS) {
    const look = { width: 80, height: 24, glyphs: glyphs.ascii };
    const body = bodyIn(tab, 80, glyphs.ascii);
    const view = {
      row,
      now: run.now,
      n: 3,
      tab,
      body,
      top: 0,
      figures: null,
      find: null,
      foot: null,
      position: "end",
    };
    expect(taskScreen(view, look).map(plainText).join(""), tab).toMatch(/^[\x20-\x7e]*$/);
  }
});

test("lines with what is looked for are found whatever their case", () => {
  const body = bodyOf([["One HALF"], ["of", " it"], ["half and half"]]);
  expect([hitsIn(body, "half"), hitsIn(body, "of it"), hitsIn(body, "")]).toEqual([[0, 2], [1], []]);
});
