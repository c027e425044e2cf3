import type { CodeParams } from "../../src/core/catalog.ts";
import { alignCatalog } from "../../src/spec/align/catalog.ts";
import { contractCatalog } from "../../src/spec/contracts/catalog.ts";
import { coverageCatalog } from "../../src/spec/coverage/catalog.ts";
import { designCatalog } from "../../src/spec/design/catalog.ts";
import { folderCatalog } from "../../src/spec/folder/catalog.ts";
import { promptCatalog } from "../../src/spec/prompt-catalog.ts";
import { techSpecCatalog } from "../../src/spec/tech-spec/catalog.ts";

/** Tech specs, designs and artifact folders. */
export const specCatalogs = {
  ...{ ...contractCatalog, ...folderCatalog, ...promptCatalog, ...alignCatalog },
  ...{ ...techSpecCatalog, ...designCatalog, ...coverageCatalog },
} as const;

type All = typeof specCatalogs;

const [task, need, path, folder] = ["page", "api", "src/api/users.ts", "parallel/TS-0042"];
const ids = ["api", "page"];
const statuses = ["DRAFT", "APPROVED", "REFERENCE", "ARCHIVED"];
const ranges = {
  requests: [
    { by: "task-001", spec: "zod@^3" },
    { by: "task-002", spec: "zod@^4" },
  ],
};

/** Typical values of each code, one set for each way to word it. */
export const specSamples: { readonly [Code in keyof All]: readonly CodeParams<All, Code>[] } = {
  "contract-syntax": [
    { kind: "fence" },
    { kind: "unreadable", path: "contracts/a.ts", problem: "is not UTF-8 text" },
    { kind: "parser", message: "unexpected `}`", isDoubtful: true },
  ],
  "contract-types": [
    { kind: "none", language: "TypeScript" },
    { kind: "repeated", name: "Item" },
  ],
  "api-version": [
    ...(["empty", "not-a-map", "missing", "not-a-string"] as const).map((kind) => ({ kind })),
    { kind: "swagger", version: "2.0" },
    { kind: "newer", version: "3.2.0" },
    { kind: "short", version: "3" },
    { kind: "unknown", version: "1.2.0" },
  ],
  "api-path": [
    { kind: "no-slash", route: "orders" },
    { kind: "repeated", route: "/orders/{id}", first: "/orders/{key}" },
    ...(["not-in-path", "not-required", "undeclared"] as const).map((kind) => ({ kind, name: "id" })),
  ],
  "api-operation": [
    ...(["no-responses", "no-content"] as const).map((kind) => ({ kind, operation: "GET /orders" })),
    { kind: "status", operation: "GET /orders", status: "2000" },
    { kind: "no-description", response: "200" },
    { kind: "repeated-id", id: "getOrder" },
    ...(["repeated-parameter", "no-schema", "two-schemas"] as const).map((kind) => ({ kind, name: "id" })),
    { kind: "incomplete-parameter", missing: ["name", "in"] },
  ],
  "api-reference": [
    { kind: "outside", reference: "other.yaml#/Order" },
    { kind: "missing", reference: "#/components/schemas/Order", suggestion: null },
  ],
  "api-security": [
    { kind: "incomplete", scheme: "token", key: "scheme" },
    { kind: "unknown", scheme: "token", suggestion: null },
  ],
  "folder-incomplete": [
    { kind: "missing", missing: ["context.md"] },
    { kind: "empty", empty: "context.md" },
  ],
  "contract-unchecked": [
    { kind: "link", path: "contracts/x", reason: "is a link", more: 0 },
    { kind: "many", most: 200 },
  ],
  "graph-stale": [
    { kind: "unreadable", problem: "is not UTF-8 text", folder },
    { kind: "unknown", task, folder },
    { kind: "missing", tasks: ids, folder },
  ],
  "coverage-stale": [{ problem: null, folder }],
  "metadata-stale": [
    { kind: "count", written: 3, tasks: 2 },
    { kind: "critical-path", task, suggestion: null },
  ],
  "technology-unknown": [
    { technology: "cobol", suggestion: null, known: ["python", "django", "typescript", "go"] },
  ],
  "tech-spec-missing": [
    { path: "tech-specs/a.md", moved: null },
    { path: "specs/TS-0042.md", moved: "specs/approved/TS-0042.md" },
  ],
  "prompt-unused": [{ path: "prompts/a.txt" }],
  "prompt-section": [
    { section: null, isAdded: false, folder },
    { section: "=== CONTEXT ===", isAdded: true, folder },
  ],
  "prompt-section-empty": [{ section: "=== CONTEXT ===", folder }],
  "prompt-section-order": [{ section: "=== CONTEXT ===", above: "OBJECTIVE", folder }],
  "prompt-header": [{ line: "Agent:", folder }],
  "prompt-placeholder": [
    { line: "Agent: {agent}", folder },
    { section: "=== CONTEXT ===", text: "{context}", folder },
  ],
  "prompt-completion": [{ section: "=== COMPLETION SIGNAL ===", file: ".claude-task-complete", folder }],
  "prompt-stale": [
    { kind: "sources", folder },
    { kind: "header", line: "Wave: 1", wanted: "Wave: 2", folder },
    { kind: "text", section: "=== CONTEXT ===", source: "context.md", folder },
    { kind: "names", section: "=== CONTRACTS ===", missing: ids, folder },
  ],
  "prompt-place": [
    { task, path: "../page.txt", kind: "outside" },
    { task, path: "prompts/api.txt", kind: "taken", other: need },
  ],
  "context-missing": [{ problem: "does not exist" }],
  "contracts-missing": [{}],
  "task-section-missing": [
    { name: "Scope", path: "tasks/a.md", isEmpty: false },
    { name: "Checklist", path: "tasks/a.md", isEmpty: true },
  ],
  "task-section-unused": [{ section: "Notes" }],
  "tech-spec-id": [
    { value: null, misspelled: null },
    { value: "ts-7", suggestion: "TS-0007" },
  ],
  "tech-spec-status": [
    { value: null, misspelled: null, known: statuses },
    { value: "DONE", suggestion: null, known: statuses },
  ],
  "tech-spec-twice": [{ id: "TS-0042", files: 2 }],
  "tech-spec-place": [
    { kind: "folder", id: "TS-0042", status: "draft", statusWord: "DRAFT", folder: "approved" },
    { kind: "name", id: "TS-0042", named: "TS-0041" },
  ],
  "tech-spec-draft": [{ id: "TS-0042" }],
  "tech-spec-unnamed": [{}],
  "prd-not-read": [
    { kind: "outside", prd: "../prd.md" },
    { kind: "unreadable", prd: "docs/prd.md", problem: "does not exist" },
  ],
  "tech-spec-unfinished": [{ placeholder: "REPLACE ME", places: 2 }],
  "design-too-large": [{ bytes: 1_048_577, limit: 1_048_576 }],
  "design-scope": [
    { task, missing: "boundary" },
    { task, missing: "files" },
  ],
  "design-path": [
    { kind: "git", path: ".git/x" },
    { kind: "part", path: "a.py::A", file: "a.py" },
  ],
  "modify-missing": [
    { kind: "own", task, path },
    { kind: "none", task, path, suggestion: null },
    { kind: "later", task, path, wave: 1, maker: need, makerWave: 2 },
  ],
  "create-exists": [
    { kind: "file", task, path },
    { kind: "folder", task, path: "src" },
    { kind: "in-file", task, path, other: "src" },
    { kind: "other-case", task, path: "readme.md", other: "README.md" },
    { kind: "covered", task, path: "src/*.ts", other: path },
  ],
  "design-agent": [
    { kind: "unknown", task, agent: "web:painter", suggestion: null, known: ["web:developer", "web:tester"] },
    { kind: "invalid", task, agent: "web developer" },
  ],
  "design-skill": [{ task, skill: "api style" }],
  "task-size": [
    { kind: "hours", task, hours: 9, few: 2, many: 4, most: 8 },
    { kind: "paths", task, paths: 20, most: 15 },
  ],
  "design-contract": [
    { kind: "none" },
    { kind: "unknown", task, contract: "types.py", suggestion: null, given: [] },
  ],
  "design-shape": [
    { kind: "alone", task },
    { kind: "waves", waves: 6, most: 4 },
  ],
  "design-answer": [{ kind: "none" }, { kind: "incomplete" }],
  "design-patch": [
    { kind: "repeated", task },
    { kind: "both", task },
    { kind: "no-change" },
    { kind: "unknown", task, suggestion: null, ids },
  ],
  "requirement-uncovered": [
    { kind: "one", id: "R1", text: "Reserve items", addTo: "`covers`" },
    { kind: "all", ids: ["R1"], addTo: "`covers`" },
  ],
  "requirement-unknown": [
    { id: "R9", suggestion: null, known: [] },
    { id: "R9", suggestion: null, known: ["R1"] },
  ],
  "requirement-unchecked": [{ path: "docs/prd.md", problem: "does not exist" }],
  "requirement-out-of-scope": [{ id: "R1", task }],
  "requirement-twice": [{ id: "R1" }],
  "operation-unowned": [
    { kind: "one", operation: "GET /items", addTo: "`operations`" },
    { kind: "all", operation: "GET /items", operations: 3, addTo: "`operations`" },
  ],
  "operation-unknown": [{ operation: "GET /order", suggestion: null }],
  "wave-unvalidated": [{ waves: [1] }, { waves: [1, 2] }],
  "dependency-conflict": [
    { kind: "disjoint", ...ranges, installed: "3.24.1", satisfied: "zod@^3", newest: ["3.25.0", "4.0.0"] },
    { kind: "disjoint", ...ranges, installed: null, satisfied: null, newest: [null, null] },
    { kind: "unpublished", ...ranges, oldest: "1.9.0", newest: "1.10.0" },
    {
      kind: "unsolvable",
      ...ranges,
      said: "Because there are no versions of zod that satisfy both, your requirements are unsatisfiable",
    },
    {
      kind: "incompatible",
      specs: ["sqlmodel", "httpx"],
      said: "Because sqlmodel needs pydantic<2 and httpx needs pydantic>=2, your requirements are unsatisfiable",
    },
    { kind: "removed", name: "zod" },
    { kind: "sources", name: "zod", first: "zod@npm:@acme/zod@^3", second: "zod@^3" },
  ],
  "dependency-missing": [
    { kind: "package", program: "npm", name: "zodd" },
    { kind: "tag", name: "zod", tag: "beta", tags: ["latest", "next"] },
    { kind: "version", name: "zod", spec: "zod@9.9.9", oldest: null, newest: "4.0.0" },
    {
      kind: "unsolvable",
      spec: "httpx>=9",
      said: "Because only httpx<=0.28.1 is available, your requirements are unsatisfiable",
    },
  ],
  "dependency-downgrade": [{ name: "zod", from: "3.24.1", to: "3.22.0" }],
  "contracts-differ": [{ name: "Item", difference: "`id` is `number` here and `string` in the contract" }],
};
