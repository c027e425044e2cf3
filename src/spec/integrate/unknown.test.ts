import { expect, test } from "vitest";
import type { CheckResult, ReportedVerdict } from "./report.ts";
import { listUnknownAreas } from "./unknown.ts";

const verdicts = (ok: number, unclear: number, extra = 0): ReportedVerdict[] =>
  [...Array(ok).fill("ok"), ...Array(unclear).fill("unclear"), ...Array(extra).fill("extra")].map(
    (status: ReportedVerdict["status"]) => ({ about: "x", status, at: null, findings: [] }),
  );
const checks = (...statuses: CheckResult["status"][]) =>
  statuses.map((status) => ({ status }) as CheckResult);
const none = { types: null, endpoints: null, checks: null, findings: [] };

test.each<[string, Partial<Parameters<typeof listUnknownAreas>[0]>, ...string[]]>([
  ["nothing was asked", {}],
  ["half is known", { endpoints: verdicts(2, 2), types: verdicts(3, 1), checks: checks("green", "not-run") }],
  ["most endpoints", { endpoints: verdicts(2, 3, 4) }, "3 of 5 endpoints unclear"],
  ["the only type", { types: verdicts(0, 1) }, "1 of 1 type unclear"],
  ["nothing in the contract", { types: [], endpoints: [] }],
  ["no checks", { checks: [] }, "no checks found"],
  ["most checks", { checks: checks("red", "not-run", "not-run") }, "2 of 3 checks not run"],
  [
    "types that are not compared",
    { findings: [{ area: "types", code: "type-unclear" }] },
    "no types compared",
  ],
])("%s", (_, over, ...reasons) => {
  expect(listUnknownAreas({ ...none, ...over })).toEqual(reasons);
});
