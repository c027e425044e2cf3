import { expect, test } from "vitest";
import { readRequirements } from "../requirements/read-requirements.ts";
import { newTechSpecText, withRequirements } from "./new-text.ts";

const about = { id: "TS-0042", title: "Shop", today: "2026-01-15", decisionRef: null, author: null };
const text = newTechSpecText({ ...about, relatedPrd: "prd.md" });
const listed = (prd: string | null) =>
  readRequirements({ file: "spec.md", text: withRequirements(text, prd) }).requirements.map(
    ({ id, text: says }) => `${id}: ${says}`,
  );

test("a new tech spec has a requirement with an id to replace", () => {
  expect(listed(null)).toEqual(["R1: REPLACE ME: what must be true, in a testable form"]);
  expect(listed("# A shop\n")).toHaveLength(1);
});

test("those of the product requirements are listed, by their ids or by new ones", () => {
  expect(listed("## Requirements\n- FR-1: Pay | refund\n- FR-2: Cost $& more\n")).toEqual([
    "FR-1: Pay \\| refund",
    "FR-2: Cost $& more",
  ]);
  expect(listed("## User stories\n### Sign in\n### Sign out\n")).toEqual(["R1: Sign in", "R2: Sign out"]);
  expect(withRequirements(text, "## Requirements\n- R1: Pay\n")).not.toContain("R1 | REPLACE ME");
});
