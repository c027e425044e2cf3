import { expect, test } from "vitest";
import { analyzeSample, at, type CodeSample, draftOf, START } from "../../../test/support/drafts.ts";
import type { Catalog } from "../catalog.ts";
import { ownershipCatalog } from "./catalog-ownership.ts";

/** One draft for each code, with the finding of that code; other findings may be beside it. */
const samples: readonly CodeSample[] = [
  [
    draftOf([{ id: "a", owns: ["src\\a.ts"] }]),
    {
      code: "bad-pattern",
      message: "`a` owns `src\\a.ts`, which contains a backslash",
      at: at(12),
      hint: "use `src/a.ts`",
      related: [],
    },
  ],
  [
    draftOf([
      { id: "a", owns: ["src/**"] },
      { id: "b", owns: ["docs/", "src/api/*.ts"] },
    ]),
    {
      code: "ownership-overlap",
      message: "`a` and `b` both own `src/api/x.ts` and may run in parallel",
      at: at(22, 2),
      hint: "add `a` to the `needs` of `b`, or narrow `owns`",
      related: [{ at: at(12), message: "`a` owns `src/**`" }],
    },
  ],
  [
    draftOf([
      { id: "a", owns: ["src/@(a|b).ts"] },
      { id: "b", owns: ["src/a.ts"] },
    ]),
    {
      code: "overlap-unclear",
      message: "`a` and `b` may overlap (`src/@(a|b).ts` uses the extended glob @(…))",
      at: at(22),
      hint: "use plain globs like `src/**/*.ts`, or add `a` to the `needs` of `b`",
      related: [{ at: at(12), message: "`a` owns `src/@(a|b).ts`" }],
    },
  ],
  [
    draftOf([{ id: "a", owns: ["src/"], boundary: ["docs/", "src/core/**"] }]),
    {
      code: "owns-in-boundary",
      message: "`a` owns `src/core/x`, but its boundary `src/core/**` forbids it",
      at: at(13, 2),
      hint: "narrow `owns` or `boundary`",
      related: [{ at: at(12), message: "`a` owns `src/`" }],
    },
  ],
  [
    draftOf([
      { id: "a", owns: ["create x.ts"] },
      { id: "b", needs: ["a"], owns: ["create x.ts"] },
    ]),
    {
      code: "created-twice",
      message: "`a` and `b` both create `x.ts`",
      at: at(22),
      hint: "let `b` change the file instead: `modify: x.ts`",
      related: [{ at: at(12), message: "`a` creates `x.ts`" }],
    },
  ],
  [
    draftOf(Array.from({ length: 30 }, (_, i) => ({ id: `t${i}`, owns: ["src/"] }))),
    {
      code: "overlaps-not-listed",
      message: "more than 200 pairs of tasks overlap or may overlap; not all are listed",
      at: START,
      hint: "narrow the broadest `owns` first",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a", owns: ["src/"] }, { id: "b" }, { id: "c", command: "ls" }, { id: "d" }]),
    {
      code: "no-owns",
      message: "`b` and `d` own no paths, so they may change any file",
      at: at(20),
      hint: "list the paths to change: `owns: [src/page/]`",
      related: [{ at: at(40), message: "`d` owns no paths" }],
    },
  ],
  [
    draftOf([{ id: "a", access: "read-only", owns: ["src/"] }]),
    {
      code: "read-only-owns",
      message: "`a` is read-only, so `owns` has no effect",
      at: at(12),
      hint: "delete `owns`, or set `access: write`",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a", reports: ["out/*.md"] }]),
    {
      code: "reports-not-read-only",
      message: "`a` has `reports` but is not read-only",
      at: at(19),
      hint: "delete `reports`, or set `access: read-only`",
      related: [],
    },
  ],
  [
    draftOf([
      { id: "a", access: "read-only", reports: ["docs/*.md"] },
      { id: "b", owns: ["src/", "docs/b.md"] },
    ]),
    {
      code: "reports-owned",
      message: "`b` owns `docs/b.md`, where `a` writes its reports `docs/*.md`",
      at: at(22, 2),
      hint: "use another path in `owns` or `reports`",
      related: [{ at: at(19), message: "reports of `a`" }],
    },
  ],
];

test.each(samples.map(([draft, finding]) => [finding.code, draft, finding] as const))(
  "%s is reported with its place, its values and what to do",
  (code, draft, finding) => {
    const { plan, diagnostics } = analyzeSample(draft);
    const severity = (ownershipCatalog as Catalog)[code]?.severity;
    expect(diagnostics.find((found) => found.code === code)).toEqual({ ...finding, severity });
    expect(plan === null).toBe(diagnostics.some((found) => found.severity === "error"));
  },
);

test("every code has a sample", () => {
  expect(samples.map(([, { code }]) => code).toSorted()).toEqual(Object.keys(ownershipCatalog).toSorted());
});
