import type { Caps } from "../../core/caps.ts";
import type { Diagnostic, Located, SourceRange } from "../../core/source.ts";
import { buildFormatFinding } from "../catalog.ts";
import type { KeyAdvice } from "../catalog-values.ts";
import { frontMatter, type Part } from "../front-matter.ts";
import { indexText, type TextIndex } from "../text-index.ts";
import { parseYaml } from "../yaml/parse.ts";
import { noCoverage, readTaskCoverage, type TaskCoverage } from "./coverage.ts";
import { checkFields, type Doc, has, numberAt, textAt, textsAt } from "./fields.ts";
import { noTaskRules, readTaskRules, type TaskRules } from "./rules.ts";
import { taskFileSchema } from "./schema.ts";
import { parseScope, type ScopeEntry, type ScopeWord } from "./scope.ts";
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
  const isLong = told.title !== null && told.title.length > LONGEST_TITLE;
  const said = fields.doc === null ? nothing : fieldsOf(fields.doc, fields.missing);
  return {
    spec: {
      path,
      ...said,
      title: isLong ? `${told.title.slice(0, LONGEST_TITLE - 1)}…` : told.title,
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
  const { tree, diagnostics } = parseYaml(index, { part, caps });
  if (tree?.kind !== "map") {
    const empty = diagnostics.length > 0 ? [] : [noFrontMatter(index)];
    return { doc: null, missing: [], diagnostics: [...diagnostics, ...empty] };
  }
  const doc = { index, tree };
  const { diagnostics: said, meant } = checkFields(doc, taskFileSchema, { adviceOn });
  const missing = tree.isPartial ? [] : required.filter((key) => !has(doc, key) && !meant.has(key));
  return { doc, missing, diagnostics: [...diagnostics, ...said] };
}

function adviceOn(key: string): KeyAdvice | null {
  const word = key.toLowerCase().replace(/[^a-z]/g, "");
  if (/^(?:needs|depends|dependson|dependencies|requires)$/.test(word)) return { use: "deps" };
  if (/^(?:create|modify|boundary|scope|owns|writes)$/.test(word))
    return { move: "move it below the front matter, to `## Scope`" };
  if (word === "enforce") return { move: "move `enforce` to the top of the manifest" };
  return null;
}

function noFrontMatter(index: TextIndex): Diagnostic {
  const at = index.lineRange(0, index.text.length);
  const params = { problem: "missing", noun: "task file" } as const;
  return buildFormatFinding("front-matter", params, at, { severity: "warning", as: "missing-key" });
}

type ScopeRead = {
  readonly paths: Pick<TaskSpec, "create" | "modify" | "boundary">;
  readonly diagnostics: readonly Diagnostic[];
};

function readScope(index: TextIndex, body: Part): ScopeRead {
  const section = scopeIn(index.text, body);
  if (section === null) {
    const at = index.lineRange(body.start, body.end);
    return {
      paths: { create: [], modify: [], boundary: [] },
      diagnostics: [buildFormatFinding("scope-missing", { missing: "scope" }, at)],
    };
  }
  const { words, entries } = parseScope(index.text, section);
  const isPart = ({ word, text }: ScopeEntry) => word === "BOUNDARY" && text.includes("::");
  const isUsable = (entry: ScopeEntry) => !entry.isProse && !isPart(entry);
  const usable = entries.filter(isUsable);
  const of = (word: ScopeWord) =>
    usable
      .filter((entry) => entry.word === word)
      .map(({ text, start, end }) => ({ value: text, at: index.range(start, end) }));
  const ignored = entries
    .filter((entry) => !isUsable(entry))
    .map((entry) => {
      const params = { word: entry.word, text: entry.text, isPart: !entry.isProse };
      return buildFormatFinding("scope-entry", params, index.range(entry.start, entry.end));
    });
  const at = index.lineRange(section.heading, section.end);
  const open = words.has("BOUNDARY")
    ? []
    : [buildFormatFinding("scope-missing", { missing: "boundary" }, at)];
  return {
    paths: { create: of("CREATE"), modify: of("MODIFY"), boundary: of("BOUNDARY") },
    diagnostics: [...ignored, ...open],
  };
}

const LONGEST_TITLE = 200;

const HOUR_MS = 3_600_000;
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:h|hr|hrs|hours?)?$/, HOUR_MS],
  [/^(?:m|min|mins|minutes?)$/, HOUR_MS / 60],
  [/^(?:d|days?)$/, 8 * HOUR_MS], // of work
];
/** What a plan may say. */
const LONGEST_MS = 2 ** 31 - 1;

/** `3h`, `90m`, `2-4 hours`, which is three, and a bare number of hours. Other words are for people: null. */
export function parseEstimate(written: string | number | null): number | null {
  const match = /^~?\s*(\d+(?:\.\d+)?)(?:\s*(?:-|–|to)\s*(\d+(?:\.\d+)?))?\s*([a-z]*)$/i.exec(
    String(written ?? "").trim(),
  );
  const unit = UNITS.find(([names]) => names.test(match?.[3]?.toLowerCase() ?? "-"))?.[1];
  if (!match || unit === undefined) return null;
  const low = Number(match[1]);
  const timeMs = Math.round(((low + Number(match[2] ?? low)) / 2) * unit);
  return timeMs > 0 && timeMs <= LONGEST_MS ? timeMs : null;
}
