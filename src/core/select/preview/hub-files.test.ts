import { expect, test } from "vitest";
import { planOf } from "../../../../test/support/plans.ts";
import type { PathPattern } from "../../ownership/pattern.ts";
import { findHubFiles } from "./hub-files.ts";

const owns = (...paths: string[]) =>
  paths.map((path) => ({ mode: "any" as const, pattern: path as PathPattern, symbol: null }));

const commit = (...changed: string[]) => ({ changed });

test("a file that work of several tasks changed too is a hub, unless a task owns or shares it", () => {
  const plan = planOf([
    { id: "search", owns: owns("src/search/") },
    { id: "tax", owns: owns("src/tax/") },
    { id: "docs", owns: owns("docs/") },
  ]);
  const history = [
    commit("src/search/a.ts", "src/app.ts"),
    commit("src/search/b.ts", "src/app.ts", "README.md"),
    commit("src/tax/a.ts", "src/app.ts"),
    commit("src/tax/b.ts", "src/app.ts"),
    commit("docs/a.md"),
    commit("docs/b.md", "README.md"),
  ];
  expect(findHubFiles(plan, history)).toEqual([
    { path: "src/app.ts", tasks: ["search", "tax"], together: 4, of: 4 },
  ]);
  const sharing = planOf([
    { id: "search", owns: owns("src/search/", "src/app.ts") },
    { id: "tax", owns: owns("src/tax/") },
  ]);
  expect(findHubFiles(sharing, history)).toEqual([]);
  expect(findHubFiles(planOf([{ id: "search", owns: owns("src/") }]), history)).toEqual([]);
});
