// Every way a module can name another one, and the rules about who may import whom.
import { builtinModules } from "node:module";
import { posix } from "node:path";
import { type Node, type SourceFile, textOf, walk } from "./source.ts";
import type { LayerTable } from "./table.ts";
import type { Violation } from "./violation.ts";

/** Which folders may use an npm package. What is not listed is used nowhere. */
export type PackageTable = Readonly<Record<string, readonly string[]>>;

/** Folders that import no `node:` module except the ones named. */
const builtinsOfPureFolders: Readonly<Record<string, readonly string[]>> = {
  core: [],
  agents: ["path"],
  report: ["path"],
  ui: [],
};

export type Import = { specifier: string | undefined; typeOnly: boolean; line: number };

/** The folder of ours that an import reaches, with the module's path inside it. */
type Target = { folder: string; module: string };

export function checkImports(
  files: readonly SourceFile[],
  table: LayerTable,
  packages: PackageTable,
): Violation[] {
  const sources = files.filter((file) => !file.isTest);
  return [...sources.flatMap((file) => checkFile(file, table, packages)), ...findCycles(sources)];
}

function checkFile(file: SourceFile, table: LayerTable, packages: PackageTable): Violation[] {
  const { folder } = file;
  const row = folder === undefined ? undefined : table.get(folder);
  if (folder === undefined || row === undefined) {
    return [{ rule: "folder", file: file.path, line: 1, message: "lies in no folder of the table" }];
  }
  const violations: Violation[] = [];
  for (const found of importsOf(file)) {
    const problem =
      found.specifier === undefined
        ? ({ rule: "computed-import", message: "the imported module is not written out" } as const)
        : (checkBuiltin(folder, found.specifier) ??
          checkPackage(folder, found.specifier, packages) ??
          checkLayer(file, found, table));
    if (problem) violations.push({ ...problem, file: file.path, line: found.line });
  }
  return violations;
}

type Problem = Pick<Violation, "rule" | "message"> | undefined;

function checkBuiltin(folder: string, specifier: string): Problem {
  const allowed = builtinsOfPureFolders[folder];
  const name = builtinName(specifier);
  if (allowed === undefined || name === undefined || allowed.includes(name)) return undefined;
  return { rule: "pure-import", message: `${folder} is pure and imports ${specifier}` };
}

function checkPackage(folder: string, specifier: string, packages: PackageTable): Problem {
  if (specifier.startsWith(".") || builtinName(specifier) !== undefined) return undefined;
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  if (Object.hasOwn(packages, name) && packages[name]?.includes(folder)) return undefined;
  return { rule: "package", message: `${folder} may not use the package ${name}` };
}

function checkLayer(file: SourceFile, found: Import, table: LayerTable): Problem {
  if (!found.specifier?.startsWith(".")) return undefined;
  const target = resolve(file, found.specifier);
  if (target === undefined)
    return { rule: "outside", message: `${found.specifier} lies outside the folders of src` };
  if (target.folder === file.folder) return undefined;
  if (target.folder === "programs") {
    return { rule: "programs", message: "programs run as processes of their own and are imported by nobody" };
  }
  const access = table.get(file.folder ?? "")?.get(target.folder);
  const from = `${file.folder} may not import ${target.folder}`;
  if (access === undefined) return { rule: "layer", message: from };
  if (access === "all" || (found.typeOnly && access.includes("types"))) return undefined;
  const [top = ""] = target.module.replace(/\.[cm]?tsx?$/, "").split("/");
  if (top !== "types" && access.includes(top)) return undefined;
  return { rule: "layer", message: `${from} beyond (${access.join(", ")})` };
}

function resolve(file: SourceFile, specifier: string): Target | undefined {
  const [src, folder, ...module] = posix.join(posix.dirname(file.path), specifier).split("/");
  if (src !== "src" || folder === undefined || module.length === 0) return undefined;
  return { folder, module: module.join("/") };
}

/** A builtin's name without `node:`; undefined for anything else. */
export function builtinName(specifier: string): string | undefined {
  if (specifier.startsWith("node:")) return specifier.slice("node:".length);
  return builtinModules.includes(specifier) ? specifier : undefined;
}

export function importsOf(file: SourceFile): Import[] {
  const found: Import[] = [];
  walk(file.program, (node) => {
    const source = importedModule(node);
    if (source === undefined) return;
    const whole =
      source.type === "TemplateLiteral" && source.expressions.length > 0 ? undefined : textOf(source);
    found.push({ specifier: whole, typeOnly: isTypeOnly(node), line: file.lineOf(node.start) });
  });
  return found;
}

function importedModule(node: Node): Node | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
    case "TSImportType":
      return node.source;
    case "ExportNamedDeclaration":
      return node.source ?? undefined;
    case "TSExternalModuleReference":
      return node.expression;
    case "CallExpression":
      return loadsModule(node.callee) ? node.arguments[0] : undefined;
    default:
      return undefined;
  }
}

/** `require(x)`, `process.getBuiltinModule(x)`: the doors beside `import`. */
function loadsModule(callee: Node): boolean {
  if (callee.type === "Identifier") return callee.name === "require";
  return (
    callee.type === "MemberExpression" &&
    callee.property.type === "Identifier" &&
    callee.property.name === "getBuiltinModule"
  );
}

function isTypeOnly(node: Node): boolean {
  if (node.type === "ImportDeclaration") return node.importKind === "type";
  if (node.type === "ExportNamedDeclaration" || node.type === "ExportAllDeclaration")
    return node.exportKind === "type";
  return node.type === "TSImportType";
}

/** Folders that reach themselves through others; each circle is reported once, at an import that closes it. */
function findCycles(files: readonly SourceFile[]): Violation[] {
  const edges = new Map<string, Map<string, Violation>>();
  for (const file of files) {
    const from = file.folder;
    if (from === undefined) continue;
    for (const { specifier, line } of importsOf(file)) {
      const to = specifier?.startsWith(".") ? resolve(file, specifier)?.folder : undefined;
      if (to === undefined || to === from) continue;
      const message = `closes a circle of folders: ${from} imports ${to}`;
      const known = edges.get(from) ?? new Map<string, Violation>();
      if (!known.has(to)) known.set(to, { rule: "cycle", file: file.path, line, message });
      edges.set(from, known);
    }
  }
  const violations: Violation[] = [];
  const done = new Set<string>();
  const enter = (folder: string, path: readonly string[]): void => {
    for (const [next, violation] of edges.get(folder) ?? []) {
      if (path.includes(next)) violations.push(violation);
      else if (!done.has(next)) enter(next, [...path, next]);
    }
    done.add(folder);
  };
  for (const folder of edges.keys()) if (!done.has(folder)) enter(folder, [folder]);
  return violations;
}
