import { expect, test } from "vitest";
import { analyzeSample, at, type CodeSample, draftOf, START } from "../../../test/support/drafts.ts";
import { ownershipCodes } from "./codes-ownership.ts";

/** One draft for each code, with the finding of that code; other findings may be beside it. */
const samples: readonly CodeSample[] = [
  [
    draftOf([{ id: "a", owns: ["src\\a.ts"] }]),
    {
      code: "bad-pattern",
      message: "`a` claims `src\\a.ts`, which contains a backslash",
      at: at(12),
      hint: "write `src/a.ts`",
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
      message: "`a` and `b` may run together and both claim `src/api/x.ts`",
      at: at(22, 2),
      hint: "let `b` need `a`, or narrow one of the claims",
      related: [{ at: at(12), message: "`a` claims `src/**`" }],
    },
  ],
  [
    draftOf([
      { id: "a", owns: ["src/@(a|b).ts"] },
      { id: "b", owns: ["src/a.ts"] },
    ]),
    {
      code: "ownership-unsure",
      message:
        "`a` and `b` may run together and perhaps claim the same path: `src/@(a|b).ts` uses the extended glob @(…)",
      at: at(22),
      hint: "write plain globs, or let `b` need `a`",
      related: [{ at: at(12), message: "`a` claims `src/@(a|b).ts`" }],
    },
  ],
  [
    draftOf([{ id: "a", owns: ["src/"], boundary: ["docs/", "src/core/**"] }]),
    {
      code: "own-boundary-clash",
      message: "`a` owns `src/core/x`, but its boundary `src/core/**` forbids it",
      at: at(13, 2),
      hint: "narrow the claim or the boundary",
      related: [{ at: at(12), message: "`a` claims `src/`" }],
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
      hint: "let `b` modify it, or create another file",
      related: [{ at: at(12), message: "`a` creates `x.ts`" }],
    },
  ],
  [
    draftOf(Array.from({ length: 30 }, (_, i) => ({ id: `t${i}`, owns: ["src/"] }))),
    {
      code: "overlaps-not-listed",
      message: "more than 200 pairs of tasks overlap or may overlap; the others are not listed",
      at: START,
      hint: "narrow the broadest claims first",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a", owns: ["src/"] }, { id: "b" }, { id: "c", command: "ls" }, { id: "d" }]),
    {
      code: "unclaimed",
      message: "`b` and `d` claim nothing and may change any file",
      at: at(20),
      hint: "add owns: with the paths to be changed",
      related: [{ at: at(40), message: "`d` claims nothing" }],
    },
  ],
  [
    draftOf([{ id: "a", access: "read-only", owns: ["src/"] }]),
    {
      code: "read-only-owns",
      message: "`a` is read-only, so its claims mean nothing",
      at: at(12),
      hint: "delete owns:, or write access: write",
      related: [],
    },
  ],
  [
    draftOf([{ id: "a", reports: ["out/*.md"] }]),
    {
      code: "reports-of-writer",
      message: "`a` writes, so it has no report files: what it leaves is committed",
      at: at(19),
      hint: "write access: read-only, or delete reports:",
      related: [],
    },
  ],
  [
    draftOf([
      { id: "a", access: "read-only", reports: ["docs/*.md"] },
      { id: "b", owns: ["src/", "docs/b.md"] },
    ]),
    {
      code: "reports-claimed",
      message: "`b` claims `docs/b.md`, and `a` reports in `docs/*.md`: what `a` leaves there is not merged",
      at: at(22, 2),
      hint: "let the two use different paths",
      related: [{ at: at(19), message: "`a` reports here" }],
    },
  ],
];

test.each(samples.map(([draft, finding]) => [finding.code, draft, finding] as const))(
  "%s is told with its place, its values and what to do",
  (code, draft, finding) => {
    const { plan, diagnostics } = analyzeSample(draft);
    const severity = ownershipCodes.find((entry) => entry.code === code)?.severity;
    expect(diagnostics.find((found) => found.code === code)).toEqual({ ...finding, severity });
    expect(plan === null).toBe(diagnostics.some((found) => found.severity === "error"));
  },
);

test("every code has a sample", () => {
  expect(samples.map(([, { code }]) => code).toSorted()).toEqual(
    ownershipCodes.map(({ code }) => code).toSorted(),
  );
});
