import { describe, expect, test } from "vitest";
import { SKETCHES, story } from "../../../../test/support/checkout.ts";
import { monorepo } from "../../../../test/support/monorepo/index.mjs";
import { planOf, type TaskSketch, taskId } from "../../../../test/support/plans.ts";
import { type TaskRow, taskRows } from "../../../core/select/task-rows.ts";
import type { Box } from "../../../report/graph-layout.ts";
import { fitted } from "./measure.ts";
import { edgePaths, tilePaths } from "./paths.ts";
import { planPicture, related } from "./plan-picture.ts";
import { groupRuns, walk } from "./walk.ts";

const measure = (text: string) => text.length * 7;
const everything: Box = { x: -1e6, y: -1e6, width: 2e6, height: 2e6 };

const pictureOf = (tasks: readonly TaskSketch[]) => planPicture(planOf(tasks).tasks, measure);
const checkout = pictureOf(
  SKETCHES.map(([id, needs]) => ({ id, needs: needs === "" ? [] : needs.split(" ") })),
);
const at = (id: string): number => checkout.ids.indexOf(taskId(id));

const chain = pictureOf([
  { id: "a" },
  { id: "b", needs: ["a"] },
  { id: "c", needs: ["a", "b"] },
  { id: "d", needs: ["c"] },
]);

describe("a picture of a plan", () => {
  test("leaves out needs that others imply, and shows them when one of their tasks is selected", () => {
    expect(chain.edges).toEqual([
      { from: 0, to: 1 },
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ]);
    const drawn = (selected: number | null) =>
      edgePaths({
        ...{ picture: chain, layout: chain.layout, selected, drawn: everything, nodeWidth: null },
        look: () => ({ kind: "done", isCritical: false, isDimmed: false }),
      })[0]?.d.match(/M/g)?.length;
    expect([drawn(null), drawn(1), drawn(2), drawn(0)]).toEqual([3, 3, 4, 4]);
  });

  test("knows all that a task needs and all that waits for it", () => {
    const names = [...related(checkout, at("tax"))].map((i) => checkout.ids[i]);
    expect(names.sort()).toEqual(["deps", "invoices", "money", "pricing", "tax"]);
  });

  test("has room for every name and the number of an attempt, but no more than for a long one", () => {
    const [short, long, endless] = ["x", "release-check", "x".repeat(64)].map(
      (id) => pictureOf([{ id }]).layout.nodes[0]?.width ?? 0,
    );
    expect(short).toBeGreaterThanOrEqual(104);
    expect(long).toBeGreaterThan(measure("release-check#2") + 40);
    expect(endless).toBe(260);
  });

  test("spreads tasks that stand alone over a window, and they are one rank all the same", () => {
    const ids = Array.from({ length: 200 }, (_, n) => `task-${n}`);
    const alone = pictureOf(ids.map((id) => ({ id })));
    const { width, height } = alone.layout;
    expect(width / height).toBeGreaterThan(1);
    expect(width / height).toBeLessThan(2.5);
    expect(new Set(alone.rank)).toEqual(new Set([0]));
    expect([walk(alone, 0, "down"), walk(alone, 0, "right"), walk(alone, 20, "left")]).toEqual([1, 20, 0]);
    expect(new Set(pictureOf(ids.slice(0, 24).map((id) => ({ id }))).column)).toEqual(new Set([0]));
  });

  test("puts tasks of a group together in each rank, once there are many", () => {
    const [started] = monorepo().facts;
    if (started?.type !== "run.started") throw new Error("no start");
    const many = planPicture(started.plan.tasks, measure);
    const runs = groupRuns(many, many.layout);
    const inColumn = runs.map(({ group, tasks: [first] }) => `${group} ${many.column[first as number]}`);
    expect(new Set(inColumn).size).toBe(inColumn.length);
    expect(runs.flatMap(({ tasks }) => tasks)).toHaveLength(500);
    expect(groupRuns(checkout, checkout.layout)).toEqual([]);
  });

  test("draws edges by what became of the need, the critical path last, and none that is far away", () => {
    const paths = edgePaths({
      ...{ picture: chain, layout: chain.layout, selected: null, drawn: everything, nodeWidth: null },
      look: (from) => ({ kind: from === 0 ? "done" : "waiting", isCritical: from === 1, isDimmed: false }),
    });
    expect(paths.map(({ className }) => className)).toEqual([
      "graph-edge is-done",
      "graph-edge is-waiting",
      "graph-edge is-waiting is-critical",
    ]);
    const [first] = chain.layout.nodes;
    const near = edgePaths({
      ...{ picture: chain, layout: chain.layout, selected: null, drawn: first as Box, nodeWidth: null },
      look: () => ({ kind: "done", isCritical: false, isDimmed: false }),
    });
    expect(near.map(({ d }) => d.match(/M/g)?.length)).toEqual([1]);
  });
});

describe("keys", () => {
  test("walk along needs and dependents, through a rank, and through the list", () => {
    const from = (id: string, ...steps: Parameters<typeof walk>[2][]) =>
      checkout.ids[steps.reduce((i, step) => walk(checkout, i, step), at(id))];
    expect(from("tax", "right")).toBe("invoices");
    expect(from("invoices", "right")).toBe("invoices");
    expect(from("e2e", "left", "right")).toBe("e2e");
    expect(from("release-check", "left", "left", "left", "left", "left", "left", "left")).toBe("deps");
    expect(from("deps", "up")).toBe("deps");
    expect(checkout.column[at(from("deps", "next") ?? "")]).toBe(1);
    expect(from("deps", "next", "previous")).toBe("deps");
    const [top, below] = [from("deps", "next"), from("deps", "next", "next")];
    expect(from(top ?? "", "down")).toBe(below);
  });
});

describe("tiles", () => {
  test("tell by shape who has the actor, and those that need a person lie on top", () => {
    const run = story();
    const rows = new Map(taskRows(run.state, run.now).map((row) => [row.task, row]));
    const of = (...ids: string[]) =>
      tilePaths(
        ids.map((id) => ({
          row: rows.get(id as TaskRow["task"]) as TaskRow,
          box: checkout.layout.nodes[at(id)] as Box,
          isDimmed: false,
        })),
      );
    const shapes = of("tax", "deps", "docs", "inventory", "i18n", "e2e", "invoices").map(({ className }) =>
      className.replace("graph-tile ", ""),
    );
    expect(shapes).toEqual([
      "actor-done is-solid",
      "actor-agents is-solid",
      "actor-plait is-solid",
      "actor-plait is-cut",
      "actor-clock is-outline",
      "actor-later is-hollow",
      "actor-later is-hollow is-dashed",
      "actor-you is-solid",
      "actor-you is-cut",
    ]);
    expect(of("deps", "schema")).toHaveLength(1);
  });
});

test("a text is cut where there is no room for it", () => {
  expect(fitted("gating merged", 91, measure)).toBe("gating merged");
  expect(fitted("gating merged", 60, measure)).toBe("gating…");
  expect(fitted("gating merged", 5, measure)).toBe("");
});
