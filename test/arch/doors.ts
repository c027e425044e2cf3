// One door for each danger: what may be touched in a few folders only, and what the core may not touch at all.
import { builtinName, importsOf } from "./imports.ts";
import { type Node, nameOfKey, type SourceFile, textOf, walk } from "./source.ts";
import type { Rule, Violation } from "./violation.ts";

const doors: Readonly<Record<"child-process" | "git" | "env" | "terminal", readonly string[]>> = {
  "child-process": ["process", "programs"],
  git: ["git"],
  env: ["config", "programs"],
  terminal: ["cli", "programs"],
};

/** Which door each property of `process` belongs to. The others (pid, platform, kill) are free. */
const processDoors: ReadonlyMap<string, "env" | "terminal"> = new Map([
  ["env", "env"],
  ["exit", "terminal"],
  ["exitCode", "terminal"],
  ["stdout", "terminal"],
  ["stderr", "terminal"],
]);

/** Names of the surroundings that the core does without. `globalThis` would be a way round all of them. */
const impureGlobals = new Set(
  `Buffer Date console crypto fetch globalThis performance process queueMicrotask require
  setImmediate setInterval setTimeout clearImmediate clearInterval clearTimeout`.split(/\s+/),
);

export function checkDoors(files: readonly SourceFile[]): Violation[] {
  return files
    .filter((file) => !file.isTest)
    .flatMap((file) => [
      ...checkImportedDoors(file),
      ...checkCode(file),
      ...(file.folder === "core" ? checkPure(file) : []),
    ]);
}

function isOpen(file: SourceFile, door: keyof typeof doors): boolean {
  return doors[door].includes(file.folder ?? "");
}

function violation(file: SourceFile, node: Node, rule: Rule, message: string): Violation {
  return { rule, file: file.path, line: file.lineOf(node.start), message };
}

function checkImportedDoors(file: SourceFile): Violation[] {
  return importsOf(file).flatMap(({ specifier = "", line }): Violation[] => {
    const name = builtinName(specifier);
    const at = { file: file.path, line };
    if (name === "child_process" && !isOpen(file, "child-process")) {
      return [{ rule: "child-process", ...at, message: "only process/ and programs/ start processes" }];
    }
    if (name === "console" && !isOpen(file, "terminal")) {
      return [{ rule: "terminal", ...at, message: "only cli/ and programs/ print" }];
    }
    return [];
  });
}

function checkCode(file: SourceFile): Violation[] {
  const found: Violation[] = [];
  const isProcessBound = bindsName(file, "process");
  walk(file.program, (node, parent) => {
    if (!isOpen(file, "git") && namesGit(node)) {
      found.push(violation(file, node, "git", "only git/ names the program git"));
    }
    if (!isOpen(file, "terminal") && isReference(node, parent, "console")) {
      found.push(violation(file, node, "terminal", "only cli/ and programs/ print"));
    }
    for (const name of processNames(node, parent, isProcessBound)) {
      const door = name === undefined ? "env" : processDoors.get(name);
      if (door === undefined || isOpen(file, door)) continue;
      const message =
        name === undefined
          ? "process is passed on whole"
          : `process.${name} is for ${doors[door].join(", ")}`;
      found.push(violation(file, node, door, message));
    }
  });
  return found;
}

/** `spawn("git")`, `exec("git log")`, `["git", "log"]`, `{ command: "git" }`. */
function namesGit(node: Node): boolean {
  if (node.type === "CallExpression") {
    const callee = node.callee.type === "MemberExpression" ? node.callee.property : node.callee;
    const isStart =
      callee.type === "Identifier" && /spawn|exec|fork|supervise|^run|^start(?!sWith)/i.test(callee.name);
    return isStart && /^git(?:\s|$)/.test(textOf(node.arguments[0]) ?? "");
  }
  if (node.type === "ArrayExpression") return textOf(node.elements[0]) === "git";
  if (node.type !== "Property") return false;
  const key = nameOfKey(node.key, node.computed) ?? "";
  return /^(?:command|cmd|file|program|executable|bin)$/.test(key) && textOf(node.value) === "git";
}

/** The properties of `process` that a node uses; undefined stands for the whole of it, which hides what is used. */
function processNames(node: Node, parent: Node | undefined, isBound: boolean): (string | undefined)[] {
  if (node.type === "MemberExpression" && isProcess(node.object))
    return [nameOfKey(node.property, node.computed)];
  if (
    node.type === "VariableDeclarator" &&
    node.init &&
    isProcess(node.init) &&
    node.id.type === "ObjectPattern"
  ) {
    return node.id.properties.map((it) =>
      it.type === "Property" ? nameOfKey(it.key, it.computed) : undefined,
    );
  }
  if (node.type === "ImportDeclaration" && builtinName(node.source.value) === "process") {
    return node.specifiers.flatMap((it) => {
      if (it.type === "ImportSpecifier")
        return [it.imported.type === "Literal" ? it.imported.value : it.imported.name];
      return it.type === "ImportDefaultSpecifier" && it.local.name === "process" ? [] : [undefined];
    });
  }
  const isWhole = !isBound && isReference(node, parent, "process") && !isTakenApart(parent);
  return isWhole ? [undefined] : [];
}

function isProcess(node: Node): boolean {
  if (node.type === "Identifier") return node.name === "process";
  return node.type === "MemberExpression" && nameOfKey(node.property, node.computed) === "process";
}

/** The parents under which a bare `process` is looked at by its property, or is only asked for its type. */
function isTakenApart(parent: Node | undefined): boolean {
  if (parent?.type === "VariableDeclarator") return parent.id.type === "ObjectPattern";
  if (parent?.type === "UnaryExpression") return parent.operator === "typeof";
  return (
    parent?.type === "MemberExpression" ||
    parent?.type === "TSTypeQuery" ||
    parent?.type === "TSQualifiedName"
  );
}

function checkPure(file: SourceFile): Violation[] {
  const found: Violation[] = [];
  walk(file.program, (node, parent) => {
    if (node.type === "Identifier" && impureGlobals.has(node.name) && isReference(node, parent, node.name)) {
      found.push(violation(file, node, "pure-global", `the core is pure and uses ${node.name}`));
    }
    if (isReference(node, parent, "Math") && !isPureMath(parent)) {
      found.push(
        violation(file, node, "pure-global", "the core is pure and uses Math.random, or Math as a whole"),
      );
    }
  });
  return found;
}

function isPureMath(parent: Node | undefined): boolean {
  if (parent?.type !== "MemberExpression") return false;
  const name = nameOfKey(parent.property, parent.computed);
  return name !== undefined && name !== "random";
}

/** True for a name that stands for a value or type, false where it is only the name of a property or an export. */
function isReference(node: Node, parent: Node | undefined, name: string): boolean {
  if (node.type !== "Identifier" || node.name !== name) return false;
  switch (parent?.type) {
    case "MemberExpression":
      return parent.computed || parent.object === node;
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
    case "TSPropertySignature":
    case "TSMethodSignature":
      return parent.computed || parent.key !== node;
    case "TSQualifiedName":
      return parent.left === node;
    case "ImportSpecifier":
    case "ImportDefaultSpecifier":
    case "ImportNamespaceSpecifier":
    case "ExportSpecifier":
    case "TSEnumMember":
    case "LabeledStatement":
      return false;
    default:
      return true;
  }
}

/** True when the file gives the name a meaning of its own, as a variable or a parameter. */
function bindsName(file: SourceFile, name: string): boolean {
  let isBound = false;
  walk(file.program, (node, parent) => {
    if (node.type !== "Identifier" || node.name !== name || parent === undefined) return;
    isBound ||= "params" in parent && Array.isArray(parent.params) && parent.params.includes(node as never);
    isBound ||= parent.type === "VariableDeclarator" && parent.id === node;
    isBound ||= parent.type === "Property" && parent.value === node && parent.shorthand;
  });
  return isBound;
}
