// Sizes. They are smells and not proofs, but a limit that is checked keeps a file from growing one line at a time.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { countLines, listFiles, type Node, type SourceFile, walk } from "./source.ts";
import type { Violation } from "./violation.ts";

const MAX_FILE = 400;
const MAX_MEDIAN = 120;
const MAX_P95 = 300;
const MAX_FUNCTION = 60;
const MAX_PARAMETERS = 4;

export function checkBudgets(root: string, files: readonly SourceFile[]): Violation[] {
  const sources = files.filter((file) => !file.isTest);
  return [...checkFileLengths(root), ...checkSpread(sources), ...sources.flatMap(checkFunctions)];
}

/** No file of code over the limit, tests and scripts included. */
function checkFileLengths(root: string): Violation[] {
  return ["src", "test", "scripts"]
    .flatMap((folder) => listFiles(root, folder))
    .map((path) => ({ path, lines: countLines(readFileSync(join(root, path), "utf8")) }))
    .filter(({ lines }) => lines > MAX_FILE)
    .map(({ path, lines }) => ({
      rule: "file-length",
      file: path,
      line: MAX_FILE + 1,
      message: `${lines} lines; at most ${MAX_FILE}`,
    }));
}

/** The middle and the tail of all sources together: named at the file that stands at that place. */
function checkSpread(sources: readonly SourceFile[]): Violation[] {
  const sorted = [...sources].sort((a, b) => a.lines - b.lines);
  const limits = [
    { rule: "median-length", share: 0.5, limit: MAX_MEDIAN },
    { rule: "p95-length", share: 0.95, limit: MAX_P95 },
  ] as const;
  return limits.flatMap(({ rule, share, limit }): Violation[] => {
    const file = sorted[Math.ceil(share * sorted.length) - 1];
    if (file === undefined || file.lines <= limit) return [];
    const message = `${share * 100} of 100 source files have ${file.lines} lines or fewer; the limit is ${limit}`;
    return [{ rule, file: file.path, line: 1, message }];
  });
}

function checkFunctions(file: SourceFile): Violation[] {
  const found: Violation[] = [];
  walk(file.program, (node) => {
    const parameters = parametersOf(node);
    if (parameters === undefined) return;
    const line = file.lineOf(node.start);
    const lines = file.lineOf(node.end) - line + 1;
    const at = { file: file.path, line };
    if (lines > MAX_FUNCTION) {
      found.push({
        rule: "function-length",
        ...at,
        message: `a function of ${lines} lines; at most ${MAX_FUNCTION}`,
      });
    }
    if (parameters > MAX_PARAMETERS) {
      found.push({
        rule: "parameters",
        ...at,
        message: `${parameters} parameters; more than four are one object`,
      });
    }
  });
  return found;
}

function parametersOf(node: Node): number | undefined {
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
    case "TSDeclareFunction":
    case "TSEmptyBodyFunctionExpression":
    case "TSFunctionType":
    case "TSMethodSignature":
      return node.params.filter((it) => !(it.type === "Identifier" && it.name === "this")).length;
    default:
      return undefined;
  }
}
