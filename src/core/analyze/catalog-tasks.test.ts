import { expect, test } from "vitest";
import { analyzeSample, at, type CodeSample, draftOf, START } from "../../../test/support/drafts.ts";
import type { Catalog } from "../catalog.ts";
import { taskCatalog } from "./catalog-tasks.ts";

/** One draft for each code, with the finding of that code; other findings may be beside it. */
const samples: readonly CodeSample[] = [
  [
    draftOf([]),
    {
      code: "no-tasks",
      message: "the plan has no tasks",
      at: START,
      hint: "add a task: `- id: hello`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "user api" }]),
    {
      code: "bad-id",
      message: 'the task id `user api` contains a space; use letters A-Z and a-z, digits, "_" and "-"',
      at: at(10),
      hint: "use `user-api`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a" }, { id: "a" }]),
    {
      code: "duplicate-id",
      message: "the task id `a` is used twice",
      at: at(20),
      hint: "change the `id` of one of them",
      related: [{ at: at(10), message: "first used here" }],
    },
  ],
  [
    draftOf([{ id: "Api" }, { id: "api" }]),
    {
      code: "id-differs-only-in-case",
      message: "the task ids `Api` and `api` differ only in case",
      at: at(20),
      hint: "change the `id` of one of them",
      related: [{ at: at(10), message: "first used here" }],
    },
  ],
  [
    draftOf([{ id: "build" }, { id: "test", needs: ["biuld"] }]),
    {
      code: "unknown-need",
      message: "`test` needs `biuld`, which is not a task in this plan",
      at: at(21),
      hint: "did you mean `build`?",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a", needs: ["a"] }]),
    {
      code: "needs-itself",
      message: "`a` needs itself",
      at: at(11),
      hint: "delete `a` from its needs",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a" }, { id: "b", needs: ["a", "a"] }]),
    {
      code: "duplicate-need",
      message: "`b` needs `a` twice",
      at: at(21, 2),
      hint: "delete the second `a`",
      related: [{ at: at(21, 1), message: "first used here" }],
    },
  ],
  [
    draftOf([
      { id: "a", needs: ["b"] },
      { id: "b", needs: ["c"] },
      { id: "c", needs: ["a"] },
    ]),
    {
      code: "cycle",
      message: "circular dependency detected: `a -> b -> c -> a`",
      at: at(10),
      hint: "delete one of these `needs`",
      related: [
        { at: at(11), message: "`a` needs `b`" },
        { at: at(21), message: "`b` needs `c`" },
        { at: at(31), message: "`c` needs `a`" },
      ],
    },
  ],
  [
    draftOf([{ id: "a", wave: 1.5 }]),
    {
      code: "bad-wave",
      message: "invalid wave `1.5` in `a`",
      at: at(14),
      hint: "use an integer, 0 or greater: `wave: 1`",
      related: [],
    },
  ],
  [
    draftOf([
      { id: "a", wave: 1, needs: ["b"] },
      { id: "b", wave: 2 },
    ]),
    {
      code: "needs-later-wave",
      message: "`a` in wave 1 needs `b` in wave 2",
      at: at(11),
      hint: "move `a`: `wave: 3`",
      related: [],
    },
  ],
  [
    draftOf([
      { id: "a" },
      { id: "b", summaries: { title: "Found", from: [{ task: { value: "a", at: at(27) }, name: "A" }] } },
    ]),
    {
      code: "summary-not-needed",
      message: "`b` asks for a summary of `a`, which is not in its needs",
      at: at(27),
      hint: "add it: `needs: [a]`",
      related: [],
    },
  ],
];

test.each(samples.map(([draft, finding]) => [finding.code, draft, finding] as const))(
  "%s is reported with its place, its values and what to do",
  (code, draft, finding) => {
    const { plan, diagnostics } = analyzeSample(draft);
    const severity = (taskCatalog as Catalog)[code]?.severity;
    expect(diagnostics.find((found) => found.code === code)).toEqual({ ...finding, severity });
    expect(plan === null).toBe(diagnostics.some((found) => found.severity === "error"));
  },
);

test("every code has a sample", () => {
  expect(samples.map(([, { code }]) => code).toSorted()).toEqual(Object.keys(taskCatalog).toSorted());
});
