import type { CodeEntry } from "../../core/analyze/code-entry.ts";

/** Findings about what a design or an artifact folder leaves out of its documents and contracts. */
export const coverageCodes = [
  {
    code: "requirement-uncovered",
    severity: "error",
    title: "No task covers a requirement",
    explanation:
      "Requirements of the product requirements and the tech spec have ids (R1, FR-2, 1.1), and each task of a design lists in covers the ones it builds. A requirement without a task is not built. Add its id to the task that builds it, or to out_of_scope with a reason, which is shown before the design is accepted. A design or folder without any covers gets one warning.",
    example: '"covers": ["R1", "R2"]',
  },
  {
    code: "requirement-unknown",
    severity: "error",
    title: "A task covers a requirement that does not exist",
    explanation:
      "An id in covers or out_of_scope is not an id of the product requirements or the tech spec. Usually it is misspelled, or the document changed. Ids count where they begin a heading, a list item, a table row or a paragraph.",
  },
  {
    code: "requirement-unchecked",
    severity: "warning",
    title: "Requirements cannot be checked",
    explanation:
      "Tasks say which requirements they cover, but a document that the manifest names (metadata.prd, metadata.tech_spec) cannot be read. Fix the path, or restore the file. A tech spec that moved with its status is found by its id.",
  },
  {
    code: "requirement-out-of-scope",
    severity: "error",
    title: "A requirement is covered and out of scope",
    explanation:
      "out_of_scope lists the requirements that are deliberately not built, each with a reason. A task covers this one, so one of the two is wrong. A requirement that was added to the document later belongs to one of them.",
    example: '"out_of_scope": [{ "id": "R9", "reason": "decided in RFC-0012" }]',
  },
  {
    code: "requirement-twice",
    severity: "warning",
    title: "Two requirements have the same id",
    explanation:
      "A document declares the id twice among its requirements. Only the first is tracked, so the second can be left out without a finding. Give it an id of its own.",
  },
  {
    code: "operation-unowned",
    severity: "error",
    title: "No task owns an operation of the API contract",
    explanation:
      "contracts/api-schema.yaml is what tasks agree on, and each task lists in operations the ones it implements, as METHOD /path or by operationId. An operation without a task is not implemented. A design or folder that lists no operations gets one warning at most.",
    example: '"operations": ["GET /products/{sku}", "POST /reservations"]',
  },
  {
    code: "operation-unknown",
    severity: "error",
    title: "A task owns an operation that does not exist",
    explanation:
      "An entry of operations is neither METHOD /path nor an operationId of the API contract. Names of path parameters do not matter; the path may have the prefix of the server in front.",
  },
  {
    code: "wave-unvalidated",
    severity: "warning",
    title: "A wave has no validation",
    explanation:
      "The validation of a wave is a shell command that runs when all of its tasks are merged. Without it the next wave builds on work that was only checked task by task. Tests or a build of the whole project are a good validation.",
    example: '{ "number": 1, "validation": "npm test" }',
  },
  {
    code: "contracts-differ",
    severity: "warning",
    title: "The types and the API contract contradict each other",
    explanation:
      "A type of the types contract and a schema of the API contract have the same name, and differ in a field, its type, or whether it can be left out. Code cannot follow both. Fix one, or give one of them another name. For an agent that designs it is an error.",
  },
] as const satisfies readonly CodeEntry[];

export type CoverageCode = (typeof coverageCodes)[number]["code"];
