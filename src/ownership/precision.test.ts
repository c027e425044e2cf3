import { expect, test } from "vitest";
import type { TaskId } from "../core/ids.ts";
import { parseClaim } from "../core/ownership/parse.ts";
import type { Claim } from "../core/ownership/pattern.ts";
import { judgeChange } from "./judge-change.ts";

function claim(text: string): Claim {
  const parsed = parseClaim(text, "modify");
  if (!parsed.ok) throw new Error(`${text} ${parsed.problem}`);
  return parsed.claim;
}

test("a method of another class is named with its line and its owner", async () => {
  const before =
    "class Cart:\n    def total(self):\n        return 1\n\nclass Order:\n    def total(self):\n        return 2\n";
  const after = before.replace("return 2", "return 3").replace("return 1", "return 0");
  const file = {
    path: "a.py",
    change: "modified" as const,
    before: async () => before,
    after: async () => after,
  };
  const others = [{ task: "t2" as TaskId, owns: [claim("a.py::Order")] }];
  expect(await judgeChange([file], { owns: [claim("a.py::Cart")], boundary: [], others })).toEqual([
    {
      kind: "symbol",
      path: "a.py",
      symbol: "Order.total",
      line: 6,
      owner: "t2",
      detail: "`Order.total` was changed; of this file the task owns only `Cart`",
    },
  ]);
});
