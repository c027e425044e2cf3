import { expect, test } from "vitest";
import { fullDesign, sampleDesign, sampleTask } from "../../../test/support/designs.ts";
import { contentsOf, dependenciesOf } from "./contents.ts";

const about = {
  ...{ techSpecId: "TS-0042", name: "shop", technology: null, techSpec: "specs/TS-0042.md", prd: null },
  generatedAt: "2026-01-01T00:00:00.000Z",
  skillsMapping: new Map([["general-purpose", ["shop:style"]]]),
};

test("a design becomes what the artefact folder says", () => {
  const { tasks, contracts, ...rest } = contentsOf(fullDesign, about);
  expect(rest).toEqual({
    ...{ techSpecId: "TS-0042", name: "shop", technology: "typescript", pythonVersion: null },
    ...{ techSpec: "specs/TS-0042.md", prd: null, generatedAt: "2026-01-01T00:00:00.000Z" },
    ...{ requirements: [], outOfScope: [] },
    ...{ maxParallel: 2, context: "What it is about.", architecture: "Parts." },
    dependencies: {
      node: { remove: ["joi"], add: ["zod@3.24.1", "react@19.0.0"], add_dev: ["@types/node@20.19.25"] },
    },
    waves: [
      { number: 1, validation: "npm test" },
      { number: 2, validation: null },
    ],
  });
  expect(contracts.map(({ path, text }) => [path, text])).toEqual([
    ["contracts/types.ts", "export type Item = { id: number };\n"],
    ["contracts/api-schema.yaml", "openapi: 3.0.3\n"],
  ]);
  expect(tasks.map(({ id, skills, contracts: names, hours }) => [id, skills, names.length, hours])).toEqual([
    ["task-001", ["shop:style"], 2, null],
    ["task-002", ["shop:style"], 2, 3],
    ["task-003", ["frontend-experts:typescript-style", "typescript-experts:zod"], 1, 3],
  ]);
});

test("the user's word on the technology counts, and pinned dependencies take the place of the design's", () => {
  const dependencies = { python: { add: ["fastapi==0.115.6"] } };
  const found = contentsOf(fullDesign, { ...about, technology: "go", dependencies });
  expect([found.technology, found.contracts[0]?.path, found.dependencies]).toEqual([
    "go",
    "contracts/types.go",
    dependencies,
  ]);
  expect(contentsOf(sampleDesign, about).dependencies).toEqual({});
});

test("what a task needs is installed once, unless it is named for all", () => {
  const needs = (...python: string[]) => ({ dependencies: { python } });
  const design = {
    ...sampleDesign,
    manifest: { dependencies: { python: { upgrade: ["Django[argon2]==5.1"] } } },
    tasks: [
      sampleTask(1, needs("django>=5", "httpx")),
      sampleTask(2, needs("httpx", "typing_extensions>=4")),
    ],
  };
  expect(dependenciesOf(design)).toEqual({
    python: { upgrade: ["Django[argon2]==5.1"], add: ["httpx", "typing_extensions>=4"] },
  });
});
