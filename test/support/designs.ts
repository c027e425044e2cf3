import type { Design, DesignTask } from "../../src/spec/design/schema.ts";

/** Designs for tests. Two tasks at once, then one that joins their work. */
export function sampleTask(number: number, task: Partial<DesignTask> = {}): DesignTask {
  const id = `task-00${number}`;
  return {
    id,
    title: `Part ${number}`,
    component: `part-${number}`,
    wave: 1,
    deps: [],
    agent: "general-purpose",
    scope: { create: [`src/part${number}.py`], modify: [], boundary: ["parallel/"] },
    objective: `Part ${number} works.`,
    requirements: [`Build part ${number}`],
    checklist: ["Tests pass"],
    hours: 3,
    ...task,
  };
}

export const sampleDesign: Design = {
  context_summary: "# Shop\n\nWhat it is about.",
  architecture_summary: "Two parts and their join.",
  contracts: { types: "class Item: ...\n", api_schema: null },
  waves: [{ number: 1, validation: "pytest" }],
  tasks: [
    sampleTask(1),
    sampleTask(2),
    sampleTask(3, {
      wave: 2,
      deps: ["task-001", "task-002"],
      scope: { create: [], modify: ["src/app.py::main", "src/part1.py"], boundary: ["src/part2.py"] },
    }),
  ],
};

/** With everything that a design may say. */
export const fullDesign: Design = {
  $schema: "design.schema.json",
  output_dir: "parallel/TS-0042-shop",
  manifest: {
    technology: "typescript",
    python_version: null,
    dependencies: {
      python: null,
      node: { add: ["zod@3.24.1"], upgrade: [], remove: ["joi"], add_dev: ["@types/node@20.19.25"] },
    },
  },
  context_summary: "What it is about.",
  architecture_summary: "Parts.",
  contracts: { types: "export type Item = { id: number };", api_schema: "openapi: 3.0.3\n" },
  waves: [
    { number: 2, validation: null },
    { number: 1, validation: "npm test" },
  ],
  tasks: [
    sampleTask(3, {
      wave: 2,
      deps: ["task-001"],
      agent: "frontend-experts:react-typescript-expert",
      skills: ["typescript-style", "typescript-experts:zod"],
      contracts: ["contracts/api-schema.yaml"],
      scope: {
        create: ["src/pages/{list,item}.tsx"],
        modify: ["src/app.py::main"],
        boundary: ["src/models/**"],
      },
      dependencies: { node: ["zod@3.24.1", "react@19.0.0"], python: null },
    }),
    sampleTask(1, { skills: null, contracts: null, dependencies: null, hours: null }),
    sampleTask(2, {
      scope: { create: ["src/models/*.ts"], modify: ["src/app.py::routes.add"], boundary: ["src/pages/"] },
    }),
  ],
};

export const sampleFiles = ["README.md", "src/app.py", "src/settings/base.py"];
