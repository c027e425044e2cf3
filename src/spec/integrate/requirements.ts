// Each requirement with its tasks, the files they changed, and the tests among those.

import { codeCell, inline } from "../../util/markdown-text.ts";
import { buildCoverageTable, type CoverageRow } from "../coverage/coverage-table.ts";
import { type CoverageContents, listPaths } from "../coverage/coverage-text.ts";
import { buildFinding } from "./catalog/catalog.ts";
import type { FoundFinding } from "./finding.ts";
import type { IntegratedTask } from "./report.ts";

export type IntegratedRequirement = CoverageRow & {
  /** `merged`: the work of all its tasks is merged; `uncovered`: it has no task; `out-of-scope`: not to be built. */
  readonly status: "merged" | "partly-merged" | "not-merged" | "uncovered" | "out-of-scope";
};

export type RequirementQuestion = {
  readonly contents: CoverageContents;
  readonly tasks: readonly Pick<IntegratedTask, "task" | "status">[];
  readonly changed: ReadonlyMap<string, readonly string[]>;
};

/** Null if the documents have none. */
export function integrateRequirements(question: RequirementQuestion): IntegratedRequirement[] | null {
  const { contents, tasks, changed } = question;
  if (contents.requirements.length === 0) return null;
  const done = new Set(tasks.filter(({ status }) => DONE.has(status)).map(({ task }) => task));
  const rows = buildCoverageTable({
    ...contents,
    tasks: contents.tasks.map(({ id, covers }) => ({ id, covers, files: changed.get(id) ?? [] })),
  });
  return rows.map((row) => ({ ...row, status: readStatus(row, done) }));
}

const DONE: ReadonlySet<IntegratedTask["status"]> = new Set(["merged", "changes-nothing"]);

/** Files are not considered: those of a task may be unknown if one commit contains several tasks. */
function readStatus(
  { tasks, outOfScope }: CoverageRow,
  done: ReadonlySet<string>,
): IntegratedRequirement["status"] {
  if (outOfScope !== null) return "out-of-scope";
  if (tasks.length === 0) return "uncovered";
  const count = tasks.filter((task) => done.has(task)).length;
  if (count === 0) return "not-merged";
  return count === tasks.length ? "merged" : "partly-merged";
}

export function listRequirementFindings(rows: readonly IntegratedRequirement[] | null): FoundFinding[] {
  const left = (rows ?? []).filter(({ status }) => status === "uncovered");
  return left.map(({ id, text, file, line }) =>
    buildFinding("requirement-unbuilt", { text }, { about: id, at: { file, line } }),
  );
}

const STATUS_TEXTS: { readonly [S in IntegratedRequirement["status"]]: string } = {
  merged: "✅ merged",
  "partly-merged": "⚠️ partly merged",
  "not-merged": "❌ not merged",
  uncovered: "❌ no task",
  "out-of-scope": "out of scope",
};

/** The section of integration-report.md. */
export function renderRequirements(rows: readonly IntegratedRequirement[] | null): string[] {
  if (rows === null) return [];
  const lines = rows.map(({ id, text, status, tasks, files, tests, outOfScope }) => {
    const name = `${codeCell(id)}${text === "" ? "" : ` ${inline(text)}`}`;
    const word =
      outOfScope === null ? STATUS_TEXTS[status] : `${STATUS_TEXTS[status]}: ${inline(outOfScope)}`;
    return `| ${name} | ${word} | ${tasks.join(", ") || "none"} | ${listPaths(files)} | ${listPaths(tests)} |`;
  });
  return [
    ...["## Requirements", "", "| Requirement | Status | Tasks | Files | Tests |", "|---|---|---|---|---|"],
    ...[...lines, ""],
  ];
}
