import { suggest } from "../../core/catalog.ts";
import { expandBraces } from "../../core/ownership/braces.ts";
import type { Diagnostic, Located } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { buildFormatFinding } from "../catalog.ts";

/** Which tools an agent may use, one rule a tool: `Read`, `Edit(/src/**)`, `Bash(pytest:*)`, `WebFetch(domain:host)`, `mcp__server__tool`. */
export type ToolAccess = {
  /** Empty allows everything. */
  readonly allow: readonly Located<string>[];
  readonly isReadOnly: boolean;
  readonly diagnostics: readonly Diagnostic[];
};

const PRESETS = ["implementation", "review", "docs", "full"];
const FILE_TOOLS = ["Read", "Write", "Edit", "NotebookEdit", "Glob", "Grep"];
const TOOLS = [...FILE_TOOLS, "Bash", "WebFetch", "WebSearch", "TodoWrite", "Task"];

/** Rules as they are written, or one name of a preset; `scope` is what the task owns, for the preset that edits nothing else. */
export function parseTools(written: readonly Located<string>[], scope: readonly string[]): ToolAccess {
  const [first] = written;
  if (first && written.length === 1 && PRESETS.includes(first.value.trim())) return presetOf(first, scope);
  const problems = written.flatMap((rule) => {
    const problem = ruleProblem(rule.value.trim());
    if (problem === null) return [];
    return [buildFormatFinding("bad-tool", { subject: "the task", value: rule.value, ...problem }, rule.at)];
  });
  const allow = written.map(({ value, at }) => ({ value: value.trim(), at }));
  return { allow: problems.length > 0 ? [] : allow, isReadOnly: false, diagnostics: problems };
}

function presetOf({ value, at }: Located<string>, scope: readonly string[]): ToolAccess {
  const rules = rulesOf(value.trim(), scope);
  const allow = rules.map((rule) => ({ value: rule, at }));
  return { allow, isReadOnly: value.trim() === "review", diagnostics: [] };
}

function rulesOf(preset: string, scope: readonly string[]): readonly string[] {
  switch (preset) {
    case "implementation":
      return ["Read", "Write", ...editRules(scope), "Bash(pytest:*)", "Bash(mypy:*)", "Glob", "Grep"];
    case "review":
      return ["Read", "Glob", "Grep"];
    case "docs":
      return ["Read", "Write(/docs/**)", "Edit(/docs/**)", "WebFetch"];
    default:
      return [];
  }
}

/** Rules know no braces, and end at a parenthesis. */
function editRules(scope: readonly string[]): string[] {
  const paths = scope.flatMap((path) => {
    const expansion = expandBraces(path.split("::", 1)[0] as string);
    return expansion.kind === "texts" ? expansion.texts : [];
  });
  const usable = [...new Set(paths)].filter((path) => !/[(){}]/.test(path));
  return usable.length === 0 ? ["Edit"] : usable.map((path) => `Edit(/${path.replace(/\/$/, "/**")})`);
}

type Problem = { readonly problem: string; readonly fix: string };

function ruleProblem(rule: string): Problem | null {
  if (rule.startsWith("mcp__")) {
    const isName = /^mcp__[\w-]+$/.test(rule);
    return isName ? null : { problem: "is not an MCP tool", fix: "use `mcp__server` or `mcp__server__tool`" };
  }
  const [, tool = "", , inside] = /^([^()]*)(\((.*)\))?$/s.exec(rule) ?? [];
  if (tool === "" || !isBalanced(rule)) {
    const name = /^\w*/.exec(rule)?.[0] || "Bash";
    return { problem: "has unbalanced parentheses", fix: `use \`${name}(…)\`` };
  }
  if (!TOOLS.includes(tool)) {
    const near = nearest(tool, [...TOOLS, ...PRESETS]);
    const fix = suggest(near, `use a known tool: ${TOOLS.join(", ")}, mcp__server`);
    return { problem: "is not a known tool", fix };
  }
  return inside === undefined ? null : insideProblem(tool, inside);
}

function insideProblem(tool: string, inside: string): Problem | null {
  if (inside.trim() === "") return { problem: "has empty parentheses", fix: `use \`${tool}\`` };
  if (tool === "Bash") {
    const star = inside.indexOf(":*");
    return star === -1 || star === inside.length - 2
      ? null
      : { problem: "has `:*` before its end", fix: `use \`Bash(${inside.slice(0, star)}:*)\`` };
  }
  if (tool === "WebFetch") {
    return /^domain:[\w*.-]+$/.test(inside)
      ? null
      : { problem: "has no domain", fix: "use `WebFetch(domain:docs.python.org)`" };
  }
  if (!FILE_TOOLS.includes(tool)) return { problem: "takes no arguments", fix: `use \`${tool}\`` };
  if (inside.includes("\\")) return { problem: "has a backslash in its path", fix: "use `/` instead" };
  return inside.split("/").includes("..")
    ? { problem: 'has ".." in its path', fix: "use `/path` from the root, or `//path` if absolute" }
    : null;
}

/** Anything may stand in parentheses but an odd one. */
function isBalanced(rule: string): boolean {
  let depth = 0;
  for (const c of rule) {
    if (c === "(") depth += 1;
    if (c === ")") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
