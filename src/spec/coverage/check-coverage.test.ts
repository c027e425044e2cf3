import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../core/source.ts";
import { operationsOf } from "../integrate/routes/operations.ts";
import { gatherRequirements } from "../requirements/read-requirements.ts";
import { checkOperations, type OperationCoverage } from "./check-operations.ts";
import { checkRequirements, checkValidations, type RequirementCoverage } from "./check-requirements.ts";
import { buildCoverageTable } from "./coverage-table.ts";

const start = { line: 9, col: 1 };
const said = (value: string) => ({ value, at: { file: "design.json", start, end: start } });
const told = (found: readonly Diagnostic[]) =>
  found.map(
    ({ at, severity, code, message, hint }) =>
      `${at?.file}:${at?.start.line} ${severity} ${code}: ${message} -> ${hint}`,
  );

describe("requirements", () => {
  const prd = {
    file: "prd.md",
    text: "## Requirements\n- R1: Reserve\n- R2: Release\n- R3.1: Pay\n- R3.2: Refund\n",
  };
  const spec = { file: "spec.md", text: "- R1: again\n- R4: Only here\n" };
  const check = (covers: readonly string[][], more: Partial<RequirementCoverage> = {}) =>
    told(
      checkRequirements({
        set: gatherRequirements([prd, spec]),
        tasks: covers.map((ids, i) => ({ id: `task-00${i + 1}`, covers: ids.map(said) })),
        outOfScope: [],
        isRequired: true,
        addTo: "`covers`",
        ...more,
      }),
    );

  test("of all documents need a task, or a reason for having none; a group covers its parts", () => {
    expect(
      check([
        ["R1", "R2"],
        ["R3", "R4"],
      ]),
    ).toEqual([]);
    expect(check([["R1"], ["R3.1"]], { outOfScope: [said("R4")] })).toEqual([
      "prd.md:3 error requirement-uncovered: no task covers `R2`: Release -> add R2 to `covers`",
      "prd.md:5 error requirement-uncovered: no task covers `R3.2`: Refund -> add R3.2 to `covers`",
    ]);
  });

  test("that do not exist, or are covered and out of scope, are named where they are written", () => {
    expect(
      check(
        [
          ["R1", "R22"],
          ["R2", "R3", "R4"],
        ],
        { outOfScope: [said("R2"), said("X")] },
      ),
    ).toEqual([
      "design.json:9 error requirement-unknown: `R22` is not a requirement in the spec documents -> did you mean `R2`?",
      expect.stringContaining(
        "error requirement-unknown: `X` is not a requirement in the spec documents -> use one of `R1`, `R2`",
      ),
      "design.json:9 error requirement-out-of-scope: `R2` is out of scope, but `task-002` covers it -> delete it from `covers` or `out_of_scope`",
    ]);
  });

  test("are only warned of once where nothing says what it covers, and not at all where plait gave the ids", () => {
    const old = { isRequired: false };
    expect(check([[], []], old)).toEqual([
      "prd.md:2 warning requirement-uncovered: no task lists requirements, so `R1`, `R2`, `R3.1`, `R3.2` and `R4` cannot be checked -> add each id to `covers`",
    ]);
    const set = gatherRequirements([{ file: "prd.md", text: "## Requirements\n- Reserve\n" }]);
    expect(check([[]], { ...old, set })).toEqual([]);
    expect(check([[]], { set })).toHaveLength(1);
    expect(check([["R7"]], { set: gatherRequirements([]) })).toEqual([
      expect.stringContaining("warning requirement-unknown"),
    ]);
  });

  test("with one id are told", () => {
    const set = gatherRequirements([{ file: "prd.md", text: "## Requirements\n- R1: a\n- R1: b\n" }]);
    expect(check([["R1"]], { set })).toEqual([expect.stringMatching(/^prd\.md:3 warning requirement-twice/)]);
  });
});

describe("operations", () => {
  const text = `openapi: 3.0.3
info: { title: Shop, version: "1" }
servers: [{ url: /api/v1 }]
paths:
  /products/{sku}:
    get: { operationId: get_product, responses: { "200": { description: it } } }
    put: { responses: { "200": { description: it } } }
  /orders:
    post: { responses: { "201": { description: it } } }
`;
  const { operations } = operationsOf({ path: "contracts/api-schema.yaml", file: "api.yaml", text });
  const check = (named: readonly string[], severity: OperationCoverage["severity"]) =>
    told(
      checkOperations({
        operations,
        tasks: [{ id: "task-001", operations: named.map(said) }],
        severity,
        addTo: "`operations`",
      }),
    );
  const asked = { unowned: "error", unsaid: "error" } as const;

  test("need a task, which names them by method and path or by their id", () => {
    expect(check(["get_product", "PUT /api/v1/products/:id", "post /orders/"], asked)).toEqual([]);
    expect(check(["GET /products/{sku}", "GET /order"], asked)).toEqual([
      "api.yaml:7 error operation-unowned: no task implements `PUT /products/{sku}` -> add `PUT /products/{sku}` to `operations`",
      "api.yaml:9 error operation-unowned: no task implements `POST /orders` -> add `POST /orders` to `operations`",
      expect.stringContaining("design.json:9 error operation-unknown: `GET /order` is not an operation"),
    ]);
    expect(check([], asked)).toHaveLength(3);
  });

  test("are told once, or not at all, where no task names any", () => {
    expect(check([], { unowned: "error", unsaid: "warning" })).toEqual([
      expect.stringContaining("api.yaml:6 warning operation-unowned: no task lists operations"),
    ]);
    expect(check([], { unowned: "error", unsaid: null })).toEqual([]);
  });
});

test("waves without a validation are named", () => {
  const { at } = said("");
  const waves = [1, 2].map((number) => ({ number, isValidated: number === 1, at }));
  expect(told(checkValidations(waves, "warning"))).toEqual([
    expect.stringContaining("design.json:9 warning wave-unvalidated: wave 2 has no validation"),
  ]);
});

test("a file and its test in one pair of braces are told apart in the table", () => {
  const [row] = buildCoverageTable({
    requirements: [{ id: "R1", text: "Prices", file: "spec.md", line: 3 }],
    outOfScope: [],
    tasks: [
      {
        id: "prices",
        covers: ["R1"],
        files: ["{src/prices,test/prices.test}.js", "src/a{b.js", "src/{c,d}.js"],
      },
    ],
  });
  expect(row).toMatchObject({
    files: ["src/a{b.js", "src/prices.js", "src/{c,d}.js"],
    tests: ["test/prices.test.js"],
  });
});
