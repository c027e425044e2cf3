import { expect, test } from "vitest";
import { filesOf } from "../../test/formats/read-as-plan.ts";
import { detectFormat } from "../formats/registry.ts";
import { allCodes } from "./codes.ts";

test("every code can be explained, and means one thing", () => {
  const codes = allCodes.map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(40);
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.filter((code) => !/^[a-z]+(-[a-z]+)*$/.test(code))).toEqual([]);
  expect(
    allCodes.filter(({ title, explanation }) => title.length < 10 || !explanation.endsWith(".")),
  ).toEqual([]);
});

test("an example that is a whole plan is one that plait takes", async () => {
  const plans = allCodes.flatMap(({ example = "" }) =>
    /^(---\n)?plait: 1\n/.test(example) ? [example] : [],
  );
  expect(plans.length).toBeGreaterThan(2);
  const caps = { maxPlanBytes: 1e6, maxDepth: 32, maxTasks: 10, maxPromptBytes: 1e6 };
  for (const text of plans) {
    const input = { kind: "file" as const, path: "plan.md", text };
    const { format } = detectFormat(input);
    expect([text, (await format?.read(input, caps, filesOf(input)))?.diagnostics]).toEqual([text, []]);
  }
});
