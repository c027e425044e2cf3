import { codeCell, inline } from "../../util/markdown-text.ts";
import type { SpecContents, SpecTask } from "../spec-contents.ts";
import { buildCoverageTable, type CoverageRow } from "./coverage-table.ts";

/** In an artifact folder; only where its documents have requirements. */
export const COVERAGE_FILE = "coverage.md";

export type CoverageContents = Pick<SpecContents, "techSpecId" | "name" | "requirements" | "outOfScope"> & {
  readonly tasks: readonly Pick<SpecTask, "id" | "covers" | "operations" | "create" | "modify">[];
};

export function tabulateCoverage({ requirements, outOfScope, tasks }: CoverageContents): CoverageRow[] {
  return buildCoverageTable({
    requirements,
    outOfScope,
    tasks: tasks.map(({ id, covers, create, modify }) => ({ id, covers, files: [...create, ...modify] })),
  });
}

/** coverage.md: which tasks build each requirement, in which files, and where that is tested. */
export function formatCoverage(contents: CoverageContents): string {
  const { techSpecId, name } = contents;
  const rows = tabulateCoverage(contents);
  return `${[
    `# Coverage of ${inline(techSpecId)}: ${inline(name)}`,
    "",
    "Which tasks build each requirement, in which files, and where it is tested. plait writes this file; change `covers` in the task files.",
    "",
    "| Requirement | Tasks | Files | Tests |",
    "|---|---|---|---|",
    ...rows.map(formatRow),
    ...formatOperations(contents),
  ].join("\n")}\n`;
}

function formatRow(row: CoverageRow): string {
  const { id, text, file, line, tasks, files, tests, outOfScope } = row;
  const place = codeCell(`${file}:${line}`);
  const requirement = `${codeCell(id)} ${text === "" ? place : `${inline(text)} (${place})`}`;
  const by = outOfScope === null ? tasks.join(", ") || "none" : `out of scope: ${inline(outOfScope)}`;
  return `| ${requirement} | ${by} | ${listPaths(files)} | ${listPaths(tests)} |`;
}

export function listPaths(paths: readonly string[]): string {
  return paths.length === 0 ? "none" : paths.map(codeCell).join(", ");
}

/** As the tasks name them; those of the contract that no task names are findings. */
function formatOperations({ tasks }: CoverageContents): string[] {
  const named = [...new Set(tasks.flatMap(({ operations }) => operations))];
  if (named.length === 0) return [];
  const rows = named.map((operation) => {
    const own = tasks.filter(({ operations }) => operations.includes(operation)).map(({ id }) => id);
    return `| ${codeCell(operation)} | ${own.join(", ")} |`;
  });
  return ["", "| Operation | Tasks |", "|---|---|", ...rows];
}
