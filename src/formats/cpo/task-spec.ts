import { quoted } from "../../core/analyze/words.ts";
import type { Caps } from "../../core/caps.ts";
import { type Diagnostic, diagnostic, type Located, type SourceRange } from "../../core/source.ts";
import type { FormatCode } from "../codes.ts";
import { frontMatter, type Part } from "../front-matter.ts";
import { indexText, type TextIndex } from "../text-index.ts";
import { parseYaml } from "../yaml/parse.ts";
import { noCoverage, readTaskCoverage, type TaskCoverage } from "./coverage.ts";
import { parseEstimate } from "./estimate.ts";
import { checkFields, type Doc, has, numberAt, textAt, textsAt } from "./fields.ts";
import { noTaskRules, readTaskRules, type TaskRules } from "./rules.ts";
import { taskFileSchema } from "./schema.ts";
import { parseScope, type ScopeWord } from "./scope.ts";
import { readBody, scopeIn, type TaskBody } from "./task-body.ts";

/** A task file (`tasks/task-001-users.md`): YAML front matter, then Markdown with the scope. What it does not say is null or empty. */
export type TaskSpec = {
  /** From the artefact folder, such as `tasks/task-001-users.md`. */
  readonly path: string;
  readonly id: Located<string> | null;
  readonly wave: Located<number> | null;
  readonly deps: readonly Located<string>[];
  readonly blocks: readonly Located<string>[];
  readonly agent: Located<string> | null;
  readonly skills: readonly Located<string>[];
  readonly contracts: readonly Located<string>[];
  readonly tools: readonly Located<string>[];
  readonly rules: TaskRules;
  /** How long it is expected to take. */
  readonly estimateMs: number | null;
  readonly coverage: TaskCoverage;
  /** Keys that the format asks for and the front matter has not. */
  readonly missing: readonly string[];
  readonly component: string | null;
  /** At most a line. */
  readonly title: string | null;
  readonly body: TaskBody;
  readonly create: readonly Located<string>[];
  readonly modify: readonly Located<string>[];
  readonly boundary: readonly Located<string>[];
  /** The first line of the front matter, or of the file. */
  readonly at: SourceRange;
};

export type TaskSpecResult = { readonly spec: TaskSpec; readonly diagnostics: readonly Diagnostic[] };

export type TaskFile = { readonly path: string; readonly file: string; readonly text: string };

export function parseTaskSpec({ path, file, text }: TaskFile, caps: Caps): TaskSpecResult {
  const index = indexText(file, text);
  const part = frontMatter(file, text);
  const fields = part
    ? readFields(index, part, caps)
    : { doc: null, missing: [], diagnostics: [noFrontMatter(index)] };
  const body = { start: part?.end ?? 0, end: text.length };
  const scope = readScope(index, body);
  const told = readBody(index, body);
  const said = fields.doc === null ? nothing : fieldsOf(fields.doc, fields.missing);
  return {
    spec: {
      path,
      ...said,
      title: shortTitle(told.title),
      body: told,
      ...scope.paths,
      at: index.lineRange(part?.start ?? 0, text.length),
    },
    diagnostics: [...fields.diagnostics, ...scope.diagnostics],
  };
}

type Fields = Omit<TaskSpec, "path" | "title" | "body" | "create" | "modify" | "boundary" | "at">;

const nothing: Fields = {
  ...{ id: null, component: null, wave: null, agent: null },
  ...{ deps: [], blocks: [], skills: [], contracts: [], tools: [], missing: [] },
  ...{ rules: noTaskRules, estimateMs: null },
  coverage: noCoverage,
};

function fieldsOf(doc: Doc, missing: readonly string[]): Fields {
  return {
    missing,
    id: textAt(doc, "id"),
    component: textAt(doc, "component")?.value ?? null,
    wave: numberAt(doc, "wave"),
    deps: textsAt(doc, "deps").filter(isNamed),
    blocks: textsAt(doc, "blocks").filter(isNamed),
    agent: textAt(doc, "agent"),
    skills: textsAt(doc, "skills"),
    contracts: textsAt(doc, "contracts"),
    tools: [...textsAt(doc, "tools"), ...textsAt(doc, "allowed_tools")],
    rules: readTaskRules(doc),
    estimateMs: parseEstimate((textAt(doc, "estimate") ?? numberAt(doc, "estimate"))?.value ?? null),
    coverage: readTaskCoverage(doc),
  };
}

/** `deps: None` means no task of that name. */
function isNamed({ value }: Located<string>): boolean {
  return !/^(?:none|-|n\/a)$/i.test(value.trim());
}

const required = ["id", "component", "wave", "deps", "agent", "contracts"];

type FrontMatter = {
  readonly doc: Doc | null;
  readonly missing: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
};

function readFields(index: TextIndex, part: Part, caps: Caps): FrontMatter {
  const { tree, diagnostics } = parseYaml(index, { part, caps, json: false });
  if (tree?.kind !== "map") {
    const empty = diagnostics.length > 0 ? [] : [noFrontMatter(index)];
    return { doc: null, missing: [], diagnostics: [...diagnostics, ...empty] };
  }
  const doc = { index, tree };
  const said = checkFields(doc, taskFileSchema, adviceOn).diagnostics;
  const hints = said.filter(({ code }) => code === "unknown-key").map(({ hint }) => hint ?? "");
  const isMisspelt = (key: string) =>
    hints.some((hint) => hint.startsWith(`did you mean ${quoted(key)}`) || hint.startsWith(`write ${key} `));
  const missing = tree.isPartial ? [] : required.filter((key) => !has(doc, key) && !isMisspelt(key));
  return { doc, missing, diagnostics: [...diagnostics, ...said] };
}

function adviceOn(key: string): string | null {
  const word = key.toLowerCase().replace(/[^a-z]/g, "");
  if (/^(?:needs|depends|dependson|dependencies|requires)$/.test(word)) return "write deps instead";
  if (/^(?:create|modify|boundary|scope|owns|writes)$/.test(word))
    return "write it below the front matter, under ## Scope";
  if (word === "enforce") return "write enforce in the manifest: it is for all tasks";
  return null;
}

function noFrontMatter(index: TextIndex): Diagnostic {
  return diagnostic({
    code: "missing-key" satisfies FormatCode,
    severity: "warning",
    message: "the task file has no front matter",
    at: index.lineRange(0, index.text.length),
    hint: 'begin it with a line "---", then id, component, wave, deps, agent and contracts, then "---"',
  });
}

type ScopeRead = {
  readonly paths: Pick<TaskSpec, "create" | "modify" | "boundary">;
  readonly diagnostics: readonly Diagnostic[];
};

function readScope(index: TextIndex, body: Part): ScopeRead {
  const section = scopeIn(index.text, body);
  if (section === null) {
    const at = index.lineRange(body.start, body.end);
    const hint = 'add "## Scope" with lines CREATE:, MODIFY: and BOUNDARY:';
    return {
      paths: { create: [], modify: [], boundary: [] },
      diagnostics: [scopeMissing("the task file has no scope, so its task may change any file", at, hint)],
    };
  }
  const { words, entries } = parseScope(index.text, section);
  const usable = entries.filter((entry) => problemOf(entry) === null);
  const of = (word: ScopeWord) =>
    usable
      .filter((entry) => entry.word === word)
      .map(({ text, start, end }) => ({ value: text, at: index.range(start, end) }));
  const ignored = entries.flatMap((entry) => {
    const problem = problemOf(entry);
    if (problem === null) return [];
    const message = `${entry.word} has ${quoted(entry.text)}, which ${problem}`;
    return [scopeEntry(message, index.range(entry.start, entry.end))];
  });
  const at = index.lineRange(section.heading, section.end);
  const hint = "add a line BOUNDARY: with the paths that the task must not touch, or (none)";
  const open = words.has("BOUNDARY") ? [] : [scopeMissing("the scope has no BOUNDARY", at, hint)];
  return {
    paths: { create: of("CREATE"), modify: of("MODIFY"), boundary: of("BOUNDARY") },
    diagnostics: [...ignored, ...open],
  };
}

/** Why an entry is left out, as the end of a sentence. What is wrong with a path as such is told by the analysis. */
function problemOf({
  word,
  text,
  isProse,
}: {
  word: ScopeWord;
  text: string;
  isProse: boolean;
}): string | null {
  if (isProse) return "is no path and is ignored";
  return word === "BOUNDARY" && text.includes("::")
    ? "names a part of a file and is ignored: a boundary is about whole files"
    : null;
}

function scopeMissing(message: string, at: SourceRange, hint: string): Diagnostic {
  const code: FormatCode = "scope-missing";
  return diagnostic({ code, severity: "warning", message, at, hint });
}

function scopeEntry(message: string, at: SourceRange): Diagnostic {
  const hint = "write paths and globs from the root of the repository, with commas between them";
  return diagnostic({ code: "scope-entry" satisfies FormatCode, severity: "warning", message, at, hint });
}

const LONGEST_TITLE = 200;

function shortTitle(title: string | null): string | null {
  return title !== null && title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1)}…` : title;
}
