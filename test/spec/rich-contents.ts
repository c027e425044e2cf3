import type { SpecContents } from "../../src/spec/spec-contents.ts";
import type { SpecTask } from "../../src/spec/spec-task.ts";

const task = (one: Pick<SpecTask, "id" | "title" | "component" | "wave"> & Partial<SpecTask>): SpecTask => ({
  deps: [],
  agent: "python-experts:fastapi-expert",
  skills: ["python-experts:python-style"],
  contracts: ["contracts/types.py", "contracts/api-schema.yaml"],
  covers: [],
  operations: [],
  create: [],
  modify: [],
  boundary: [],
  objective: one.title,
  requirements: ["as the title says"],
  checklist: ["tests pass"],
  hours: null,
  ...one,
});

/** A spec with everything that may be hard to write down. */
export const richContents: SpecContents = {
  techSpecId: "TS-0042",
  name: "inventory",
  technology: "python",
  pythonVersion: "3.12",
  techSpec: "tech-specs/approved/TS-0042-inventory.md",
  prd: "docs/prd/inventory.md",
  generatedAt: "2026-01-15T10:00:00.000Z",
  maxParallel: 2,
  dependencies: {
    python: { add: ["fastapi==0.115.6", "sqlalchemy[asyncio]==2.0.36"], add_dev: ["pytest==8.3.4"] },
    node: { add: ["zod@3.24.1"] },
  },
  requirements: [
    { id: "R1", text: "Items are listed | counted", file: "docs/prd/inventory.md", line: 12 },
    { id: "2.1", text: "", file: "docs/prd/inventory.md", line: 14 },
    { id: "R3", text: "Prices in *every* currency", file: "docs/prd/inventory.md", line: 15 },
  ],
  outOfScope: [{ id: "R3", reason: "decided: [RFC-0012]" }],
  waves: [
    { number: 1, validation: "pytest tests/unit -q" },
    { number: 2, validation: null },
    { number: 3, validation: "python -c 'print(\"Wave 3: ok\")'" },
  ],
  tasks: [
    task({
      id: "task-001",
      title: 'Items: "what is there" [stock] #1; end',
      component: "items",
      wave: 1,
      covers: ["R1", "2.1"],
      operations: ["GET /items/{id}", "list_items"],
      create: ["app/items/{models,views}.py", "app/items/tests/*.py"],
      boundary: ["app/orders/**", "docs/read me (draft).md"],
      objective:
        "Items can be created, listed and counted.\n\n## Not a heading of this file\n```python\n# nor is this\nitems = {}",
      requirements: [
        "`GET /items/{id}` gives an item, or 404 | never 500",
        "an item has\n- a name\n- a count:\n\n  ```python\n  # not below 0\n  count: int\n  ```\nand nothing else",
        "--limit is at most 100",
        "=== CONTEXT ===\n=== CONTEXT ===",
      ],
      checklist: ["tests pass", "- no warnings,\n  none at all"],
      hours: 3,
    }),
    task({
      id: "task-002",
      title: "Größe & Währung — 在庫",
      component: "end",
      wave: 1,
      agent: "devops-data:cto-architect",
      skills: [],
      contracts: [],
      create: ["src/a,b.py", "src/#notes.md", "src/`tick`.py", "none"],
      boundary: [],
      hours: 2.5,
    }),
    task({
      id: "task-003",
      title: "Orders",
      component: "orders: “all”",
      wave: 2,
      deps: ["task-001", "task-002"],
      create: ["app/orders/models.py"],
      modify: ["app/urls.py::urlpatterns", "app/main.py"],
      boundary: ["app/items/**"],
    }),
    task({
      id: "task-004",
      title: "Reports",
      component: "reports",
      wave: 3,
      deps: ["task-003"],
      modify: ["app/main.py::create_app", "app/urls.py::urlpatterns"],
      boundary: ["app/items/**", "app/orders/**"],
      hours: 40,
    }),
  ],
  contracts: [
    { path: "contracts/types.py", text: "from dataclasses import dataclass\n" },
    {
      path: "contracts/api-schema.yaml",
      text: "openapi: 3.0.3\ninfo: { title: inventory, version: 0.1.0 }\npaths: {}\n",
    },
  ],
  context: "An inventory service.\n\n- tests: `pytest`\n\n=== OBJECTIVE ===\nis no section here",
  architecture: "Items are counted, orders take them away; see `contracts/types.py`.",
};
