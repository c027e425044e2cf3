import { expect, test } from "vitest";
import { planOf } from "../../../test/support/plans.ts";
import type { Claim, PathPattern } from "../../core/ownership/pattern.ts";
import type { FoundFinding } from "../../spec/integrate/finding.ts";
import { findOwners, type OwnerQuestion } from "./owners.ts";

const claim = (text: string): Claim => {
  const [pattern = "", symbol = null] = text.split("::");
  return { mode: "any", pattern: pattern as PathPattern, symbol };
};
const SOURCE = "import x\n\n@app.get('/a')\ndef first():\n    return 1\n\nclass Second:\n    a: int\n";
const question: OwnerQuestion = {
  plan: planOf([
    { id: "whole", owns: [claim("app/models.py"), claim("app/api/**")] },
    { id: "first", owns: [claim("app/parts.py::first"), claim("lib/**")] },
    { id: "second", owns: [claim("app/parts.py::Second"), claim("lib/**"), claim("app/late.py::Late")] },
  ]),
  project: { read: async () => SOURCE },
  files: new Map([
    ["first", new Set(["stray.py"])],
    ["second", new Set(["lib/a.py"])],
  ]),
  specs: new Map(),
  contracts: "parallel/x/contracts/",
  endpoints: [
    { about: "GET /api/carts", status: "ok", at: { file: "app/api/carts.py", line: 1 }, findings: [] },
    { about: "GET /orders", status: "ok", at: { file: "app/models.py", line: 1 }, findings: [] },
    { about: "PUT /orders", status: "ok", at: { file: "lib/a.py", line: 1 }, findings: [] },
  ],
};
const finding = (over: Partial<FoundFinding>): FoundFinding => ({
  ...{
    area: "types",
    code: "field-missing",
    weight: "must",
    about: "T",
    at: null,
    message: "m",
    values: {},
    fix: "f",
  },
  ...over,
});
const at = (file: string, line: number | null = 1) => ({ at: { file, line } });
const CONTRACT = at("parallel/x/contracts/types.py");

test.each<[string, Partial<FoundFinding>, string | null]>([
  ["the file", at("app/models.py"), "whole"],
  ["a part of a file, by its decorator", at("app/parts.py", 3), "first"],
  ["a part of a file, by a line in it", at("app/parts.py", 8), "second"],
  ["a part that belongs to nobody", at("app/parts.py", 1), null],
  ["what two own and one changed", at("lib/a.py"), "second"],
  ["what nobody owns and one changed", at("stray.py"), "first"],
  ["what nobody has to do with", at("other.py"), null],
  ["a missing type whose file the contract names", { ...CONTRACT, home: "app/models.py" }, "whole"],
  ["a missing type that a claim names", { ...CONTRACT, about: "Late" }, "second"],
  ["a missing type that nobody names", CONTRACT, null],
  ["a missing endpoint beside others", { area: "endpoints", about: "POST /api/carts/{id}" }, "whole"],
  ["a missing endpoint beside those of two", { area: "endpoints", about: "DELETE /orders/{id}" }, null],
  ["what the finder knows", { ...at("app/models.py"), area: "boundaries", task: "first" }, "first"],
  ["a contract", { ...at("app/models.py"), code: "contract-unreadable" }, null],
])("whose it is: %s", async (_, over, owner) => {
  expect(await findOwners(question)(finding(over))).toBe(owner);
});
