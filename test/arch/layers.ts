// The architecture as a check: reads the sources under a root folder and says where they break the rules of
// docs/ARCHITECTURE.md. It fails when it sees nothing, because a check that looks in the wrong place passes for ever.
import { checkBudgets } from "./budgets.ts";
import { checkDoors } from "./doors.ts";
import { checkImports, type PackageTable } from "./imports.ts";
import { readSources } from "./source.ts";
import type { LayerTable } from "./table.ts";
import type { Violation } from "./violation.ts";

/** A package that a folder needs is a decision: it is added here, for that folder. */
const packages: PackageTable = {
  "@modelcontextprotocol/server": ["mcp"],
  commander: ["cli"],
  "mdast-util-from-markdown": ["formats"],
  preact: ["ui"],
  semver: ["spec"],
  "web-tree-sitter": ["syntax"],
  yaml: ["formats", "config"],
  zod: ["formats", "config", "spec", "mcp"],
};

export function checkLayers(root: string, table: LayerTable): Violation[] {
  const files = readSources(root);
  if (!files.some((file) => !file.isTest)) {
    return [{ rule: "nothing-seen", file: "src", line: 1, message: "no source file was found" }];
  }
  return [...checkImports(files, table, packages), ...checkDoors(files), ...checkBudgets(root, files)];
}

/** One line a violation, in the form that editors and terminals make clickable. */
export function describeViolation({ rule, file, line, message }: Violation): string {
  return `${file}:${line} ${rule}: ${message}`;
}
