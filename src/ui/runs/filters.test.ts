import { expect, test } from "vitest";
import { story } from "../../../test/support/checkout.ts";
import type { RunId } from "../../core/ids.ts";
import { runSummary } from "../../core/select/overview.ts";
import { filterCounts, filterRuns, type RunFilter } from "./filters.ts";
import { roundScale } from "./round-scale.ts";

const { state, now } = story();
const running = runSummary(state, now, true);
const landed = {
  ...runSummary(state, now, false),
  run: "search-1" as RunId,
  plan: { name: "search", path: "plans/Search.md", hash: "" },
  needsYou: false,
  status: { kind: "landed" } as never,
};
const damaged = { run: "broken-1" as RunId, problem: "", hint: "" };
const all = { runs: [running, landed], damaged: [damaged] };

const names = (filter: RunFilter, query = "") => {
  const found = filterRuns(all, filter, query);
  return [...found.runs, ...found.damaged].map(({ run }) => run);
};

test("runs are filtered by what becomes of them; one that is damaged needs a person", () => {
  expect(filterCounts(all)).toEqual({ all: 3, running: 1, you: 2, landed: 1 });
  expect(names("all")).toEqual(["checkout-k7f2", "search-1", "broken-1"]);
  expect(names("running")).toEqual(["checkout-k7f2"]);
  expect(names("you")).toEqual(["checkout-k7f2", "broken-1"]);
  expect(names("landed")).toEqual(["search-1"]);
});

test("and found by words of their name or plan, all of which must be there", () => {
  expect(names("all", "SEARCH")).toEqual(["search-1"]);
  expect(names("all", "k7 v2.yaml")).toEqual(["checkout-k7f2"]);
  expect(names("all", "k7 search")).toEqual([]);
  expect(names("all", "brok")).toEqual(["broken-1"]);
});

test("a scale of times has a few round ones, whatever is measured", () => {
  const texts = (ms: number) => roundScale(ms).ticks.map(({ text }) => text);
  expect(texts(0)).toEqual(["0 s"]);
  expect(texts(7_000)).toEqual(["0 s", "2 s", "4 s", "6 s"]);
  expect(texts(23 * 60_000)).toEqual(["0 m", "5 m", "10 m", "15 m", "20 m"]);
  expect(texts(26 * 3_600_000)).toEqual(["0 h", "6 h", "12 h", "18 h", "24 h"]);
  expect(texts(400 * 3_600_000)).toHaveLength(6);
});
