import { expect, test } from "vitest";
import { caps } from "../../../test/formats/caps.ts";
import { parseManifest } from "../../formats/cpo/manifest.ts";
import { withIntegration } from "./report-json.ts";

const block = {
  status: "completed",
  report_path: "r.md",
  completed_at: "10:00",
  checks: { tests: "passed" },
} as const;

const written = (text: string, now: Parameters<typeof withIntegration>[1]): string => {
  const { doc } = parseManifest({ file: "manifest.json", text }, caps);
  if (doc === null) throw new Error("no manifest");
  return withIntegration(doc, now);
};

test("the same result at another time changes nothing; another result does", () => {
  const first = written('{ "name": "shop" }', block);
  expect(first).toBe(`{ "name": "shop", "integration": ${JSON.stringify(block)} }`);
  expect(written(first, { ...block, completed_at: "11:00" })).toBe(first);
  const other = { ...block, completed_at: "11:00", checks: { tests: "warning" } } as const;
  expect(written(first, other)).toContain("11:00");
  const { completed_at: _, ...pending } = { ...block, status: "pending" as const };
  expect(written(written(first, pending), { ...block, completed_at: "12:00" })).toContain("12:00");
});
