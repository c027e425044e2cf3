import { expect, test } from "vitest";
import { integrateRequirements, listRequirementFindings, renderRequirements } from "./requirements.ts";

const task = (n: number, covers: readonly string[]) => ({
  ...{ id: `task-00${n}`, covers, operations: [], create: [], modify: [] },
});
const contents = {
  ...{ techSpecId: "TS-0042", name: "shop" },
  requirements: ["Reserve", "Release", "Pay", "Ship", "Count"].map((text, i) => ({
    ...{ id: `R${i + 1}`, text, file: "docs/prd.md", line: i + 5 },
  })),
  outOfScope: [{ id: "R4", reason: "another team" }],
  tasks: [task(1, ["R1", "R2"]), task(2, ["R2"]), task(3, ["R5"])],
};
const question = {
  contents,
  tasks: [
    { task: "task-001", status: "merged" },
    { task: "task-002", status: "not-merged" },
    { task: "task-003", status: "no-commits" },
  ],
  changed: new Map([["task-001", ["src/shop.ts", "test/shop.test.ts"]]]),
} as const;

test("each requirement has its tasks, the files that they changed, and the tests among these", () => {
  const rows = integrateRequirements(question);
  expect(renderRequirements(rows).slice(4, -1)).toEqual([
    "| `R1` Reserve | ✅ merged | task-001 | `src/shop.ts` | `test/shop.test.ts` |",
    "| `R2` Release | ⚠️ partly merged | task-001, task-002 | `src/shop.ts` | `test/shop.test.ts` |",
    "| `R3` Pay | ❌ no task | none | none | none |",
    "| `R4` Ship | out of scope: another team | none | none | none |",
    "| `R5` Count | ❌ not merged | task-003 | none | none |",
  ]);
  expect(listRequirementFindings(rows)).toMatchObject([
    {
      ...{ area: "requirements", code: "requirement-unbuilt", weight: "must", about: "R3" },
      ...{ at: { file: "docs/prd.md", line: 7 }, message: "no task covers this requirement: Pay" },
    },
  ]);
});

test("where the documents have no requirements, nothing is said", () => {
  const rows = integrateRequirements({ ...question, contents: { ...contents, requirements: [] } });
  expect([rows, listRequirementFindings(rows), renderRequirements(rows)]).toEqual([null, [], []]);
});
