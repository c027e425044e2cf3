// The sources as the architecture checks see them: one entry a file, parsed. A parser and not a search for words,
// so that comments, strings and templates cannot be mistaken for code.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type ESTree, parseSync } from "vite";

export type Node = ESTree.Node;

export type SourceFile = {
  /** From the repository's root, with forward slashes: `src/core/plan.ts`. */
  path: string;
  /** The folder under src, or undefined for a file that lies in none. */
  folder: string | undefined;
  isTest: boolean;
  lines: number;
  program: ESTree.Program;
  lineOf(offset: number): number;
};

/** Every source file under `<root>/src`, in order of its path. A file that cannot be parsed stops the check. */
export function readSources(root: string): SourceFile[] {
  return listFiles(root, "src").map((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const { program, errors } = parseSync(basename(path), text);
    const [error] = errors;
    if (error) throw new Error(`${path} cannot be parsed: ${error.message}`);
    const [, folder, ...rest] = path.split("/");
    return {
      path,
      folder: rest.length === 0 ? undefined : folder,
      isTest: /\.test\.[cm]?tsx?$/.test(path),
      lines: countLines(text),
      program,
      lineOf: (offset) => text.slice(0, offset).split("\n").length,
    };
  });
}

/** Paths of all code files under `<root>/<folder>`, recorded fixtures left out. */
export function listFiles(root: string, folder: string): string[] {
  let entries: string[];
  try {
    entries = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  } catch {
    return []; // no such folder: the caller decides whether nothing is too little
  }
  return entries
    .map((entry) => `${folder}/${entry.replaceAll("\\", "/")}`)
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !path.includes("/fixtures/"))
    .sort();
}

export function countLines(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}

/** Visits a node and all below it, each with its parent. */
export function walk(node: Node, visit: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  visit(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, visit, node);
    }
  }
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string"
  );
}

/** The text of a string or of the fixed beginning of a template; undefined for anything else. */
export function textOf(node: Node | null | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral") return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

/** The name that `a.name`, `a["name"]` or the key of a property says, when it is written out. */
export function nameOfKey(key: Node, computed: boolean): string | undefined {
  if (!computed && key.type === "Identifier") return key.name;
  return textOf(key);
}
