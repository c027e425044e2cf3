import { expect, test } from "vitest";
import { planOf } from "../../../test/support/plans.ts";
import type { Claim, PathPattern } from "../../core/ownership/pattern.ts";
import type { Task } from "../../core/plan.ts";
import type { IntegrationCode } from "../../spec/integrate/catalog/catalog.ts";
import type { FoundFinding } from "../../spec/integrate/finding.ts";
import { countsNow } from "./check-parts.ts";
import { NO_WORK, type TaskWork } from "./own-work.ts";

const owns = (pattern: string): Claim => ({ mode: "any", pattern: pattern as PathPattern, symbol: null });
const [done, coming] = planOf([
  { id: "done", owns: [owns("src/a.py"), owns("src/shared.py")] },
  { id: "coming", owns: [owns("src/b.py"), owns("src/shared.py")] },
]).tasks as [Task, Task];

const work = (task: Task, status: TaskWork["status"]): TaskWork => ({
  ...{ ...NO_WORK, task, status, from: null },
  missing: status === "merged" ? null : "it is still to come",
});
const finding = (area: FoundFinding["area"], code: IntegrationCode, file: string | null) => ({
  ...{ area, code, weight: "must", about: "x", message: "y", values: {}, fix: "z" },
  at: file === null ? null : { file, line: 1 },
});

test.each<[FoundFinding["area"], IntegrationCode, string | null, boolean]>([
  ["tasks", "task-not-merged", null, false],
  ["types", "type-missing", null, false],
  ["endpoints", "endpoint-missing", "src/a.py", false],
  ["types", "field-missing", "src/a.py", true],
  ["types", "field-missing", "src/shared.py", false],
  ["endpoints", "endpoint-method", "src/old.py", false],
  ["boundaries", "outside-scope", "src/b.py", true],
])("while a task is still to come, %s %s in %s counts: %s", (area, code, file, counts) => {
  const now = countsNow(
    [work(done, "merged"), work(coming, "not-merged")],
    new Set(["src/a.py", "src/shared.py"]),
  );
  expect(now(finding(area, code, file) as FoundFinding)).toBe(counts);
  const whole = countsNow([work(done, "merged"), work(coming, "merged")], new Set());
  expect(whole(finding(area, code, file) as FoundFinding)).toBe(true);
});
