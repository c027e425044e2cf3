import { describe, expect, test } from "vitest";
import { Scenario } from "../../../test/support/scenario.ts";
import { glyphs } from "./glyphs.ts";
import { plainText } from "./line.ts";
import { goOnLines, statusLines } from "./status.ts";

const driver = { pid: 42, host: "here", at: "now" };
const look = { width: 80, glyphs: glyphs.unicode };

function status({ state, now }: Scenario, by: typeof driver | null = null): string {
  const lines = statusLines({ state, now, driver: by, activity: new Map() }, look);
  return lines.map((line) => plainText(line).trimEnd()).join("\n");
}

describe("the status of a run", () => {
  test("that nobody drives has nothing under way, and no slot in use", () => {
    const run = new Scenario([{ id: "a" }, { id: "b" }], { policy: { slots: 1 } }).start("a/1");
    expect(status(run, driver)).toMatch(/1 of 1 slots[\s\S]*▸ a {5}running/);
    const cutOff = status(run);
    expect(cutOff).toMatch(/0 of 1 slots[\s\S]*! a {5}cut off .* goes on with resume\n/);
    expect(cutOff).not.toContain("running");
    expect(cutOff).not.toContain("slot, all");
    expect(cutOff).toContain("next  plait resume run-1");
  });

  test("that did not land says why, whole, and what to type", () => {
    const run = new Scenario([{ id: "a" }]).work("a/1").merge();
    const detail = `${"two of your own files are in the way ".repeat(4)}of it.`;
    run.fact({ type: "landing.refused", tip: run.state.tip.commit, why: "dirty", detail }).finish();
    expect(status(run).replaceAll("\n", " ")).toContain(`Not landed: ${detail}`);
    expect(status(run)).toMatch(/next {2}plait land run-1 {3}once your own changes are committed or stashed/);
  });

  test("that drains offers to end what is under way, and one that stops offers nothing more", () => {
    const run = new Scenario([{ id: "a" }]).start("a/1");
    expect(status(run, driver)).toContain("plait stop run-1 ");
    run.ask({ kind: "stop", mode: "drain" });
    expect(status(run, driver)).toContain("plait stop --now run-1 ");
    run.ask({ kind: "stop", mode: "stop" });
    expect(status(run, driver)).not.toContain("plait stop");
  });

  test("of which no cost is known shows none", () => {
    expect(status(new Scenario([{ id: "a" }]).work("a/1").merge().land().finish())).not.toContain("$");
  });
});

test("what goes on is named with one command a line", () => {
  const run = new Scenario([{ id: "a" }]).state.run;
  expect(goOnLines(run, look).map((line) => plainText(line).trimEnd())).toEqual([
    "next  plait watch run-1   see it",
    "      plait stop run-1    let its attempts end, and start no more",
  ]);
});
