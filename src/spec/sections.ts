import { createHash } from "node:crypto";
import type { Diagnostic, SourceRange } from "../core/source.ts";
import { withoutBlankEnds } from "../formats/cpo/prose.ts";
import { linesOf } from "../formats/cpo/scope.ts";
import {
  type PromptSection,
  type SectionName,
  sectionLine,
  sectionNames,
  sectionsIn,
  withoutMarkers,
} from "../formats/cpo/section-names.ts";
import { DONE_FILE } from "../formats/cpo/system-prompt.ts";
import { indexText, type TextIndex } from "../formats/text-index.ts";
import { buildPromptFinding } from "./prompt-catalog.ts";
import type { PromptTask } from "./prompt-task.ts";

/**
 * The sections of a prompt file: the one list that prompts are written from and checked by, in the order of their names. What
 * older prompts have besides, such as `OUTPUT FORMAT (REQUIRED)`, may be there and is never asked for.
 */
export type Section = {
  readonly name: SectionName;
  /** `run`: where it is missing, a run puts it in front of the prompt. */
  readonly isAddedByRun: boolean;
  readonly text: (task: PromptTask, context: string) => string;
  /** What must be found in it, as the task is now; null where the words are the same for all tasks. */
  readonly fresh: Fresh | null;
};

/**
 * How grave it is when the prompt says something else: requirements, criteria and files to write are what an agent works by and is
 * checked by.
 */
type Fresh = {
  readonly severity: "error" | "warning";
  readonly source: string;
  /** `text`: all of it in a row. `words`: each of them somewhere. */
  readonly says: (
    task: PromptTask,
    context: string,
  ) => { readonly text: string } | { readonly words: readonly string[] };
};

const bullets = (lines: readonly string[]): string =>
  lines.length === 0 ? "- None" : lines.map((line) => `- ${line}`).join("\n");

type Parts = Omit<Section, "name">;

const fixed = (text: string): Parts => ({ isAddedByRun: false, text: () => text, fresh: null });

const list = (severity: Fresh["severity"], words: (task: PromptTask) => readonly string[]): Parts => ({
  isAddedByRun: false,
  text: (task) => bullets(words(task)),
  fresh: { severity, source: "the task file", says: (task) => ({ words: words(task) }) },
});

const verbatim = (
  { severity, source }: Pick<Fresh, "severity" | "source">,
  text: (task: PromptTask) => string,
): Parts => ({
  isAddedByRun: false,
  text,
  fresh: { severity, source, says: (task) => ({ text: text(task) }) },
});

const REQUIREMENTS = { severity: "error", source: "the requirements of the task file" } as const;
const CHECKLIST = { severity: "error", source: "the checklist of the task file" } as const;

const INVOKE = `\n\nTo invoke one: skill: "plugin:skill-name"`;

const EXECUTION = `1. Read the contracts.
2. Read the existing code.
3. Implement with Write and Edit; do not only describe the change.
4. Run the tests, and fix your work until they pass.
5. Run the linter.
6. Make one conventional commit.`;

const RULES = `- Do not ask for confirmation.
- Respect DO NOT MODIFY.
- Write tests.
- Follow the contracts exactly. They are design documents: recreate their types in the code; never import from parallel/ and
  never add it to a search path.
- If something blocks you, stop and report it in your result.`;

const COMPLETION = `When tests and linter pass and the work is committed, and only then:

touch ${DONE_FILE}`;

const parts: { readonly [Name in SectionName]: Parts } = {
  "REQUIRED SKILLS": {
    isAddedByRun: true,
    text: ({ skills }) => `${bullets(skills)}${skills.length === 0 ? "" : INVOKE}`,
    fresh: { severity: "warning", source: "the task file", says: ({ skills }) => ({ words: skills }) },
  },
  CONTEXT: {
    isAddedByRun: true,
    text: (_, context) => context,
    fresh: { severity: "warning", source: "context.md", says: (_, context) => ({ text: context }) },
  },
  OBJECTIVE: verbatim(
    { severity: "warning", source: "the objective of the task file" },
    ({ objective }) => objective,
  ),
  CONTRACTS: list("warning", ({ contracts }) => contracts),
  "FILES TO CREATE": list("error", ({ create }) => create),
  "FILES TO MODIFY": list("error", ({ modify }) => modify),
  "DO NOT MODIFY": list("warning", ({ boundary }) => boundary),
  "IMPLEMENTATION REQUIREMENTS": verbatim(REQUIREMENTS, ({ requirements }) => requirements),
  "ACCEPTANCE CRITERIA": verbatim(CHECKLIST, ({ checklist }) => checklist),
  "EXECUTION INSTRUCTIONS": fixed(EXECUTION),
  "IMPORTANT RULES": fixed(RULES),
  "COMPLETION SIGNAL": fixed(COMPLETION),
};

export const sections: readonly Section[] = sectionNames.map((name) => ({ name, ...parts[name] }));

/** The lines above the first section, by what each begins with. */
export const header = ["TASK-", "Agent:", "Wave:", "Dependencies:"] as const;

export function headerOf({ id, title, agent, wave, deps }: PromptTask): string[] {
  return [
    `TASK-${id}: ${title}`,
    `Agent: ${agent}`,
    `Wave: ${wave}`,
    `Dependencies: ${deps.length === 0 ? "None" : deps.join(", ")}`,
  ];
}

/** With its marker. A line of the text that looks like one is none. */
function sectionText({ name, text }: Section, task: PromptTask, context: string): string {
  return `${sectionLine(name)}\n${withoutMarkers(withoutBlankEnds(text(task, context)))}`;
}

/**
 * Whether a prompt file has all that an agent of this system looks for. What its task says today is not asked here: that is for
 * whoever has the task.
 */
export function promptFindings(
  { file, text }: { readonly file: string; readonly text: string },
  folder: string,
): Diagnostic[] {
  const index = indexText(file, text);
  const found = sectionsIn(text);
  if (!found.some(({ name }) => isKnown(name))) {
    const params = { section: null, isAdded: false, folder };
    return [buildPromptFinding("prompt-section", params, index.lineRange(0, text.length))];
  }
  return [
    ...headerFindings(index, found[0]?.heading ?? text.length, folder),
    ...sections.flatMap((section) => sectionFindings(index, section, { found, folder })),
    ...orderFindings(index, found, folder),
  ];
}

const isKnown = (name: string): name is SectionName => sectionNames.some((known) => known === name);

function headerFindings(index: TextIndex, end: number, folder: string): Diagnostic[] {
  const lines = [...linesOf(index.text, { start: 0, end })];
  return header.flatMap((word) => {
    const line = lines.find(({ text }) => text.startsWith(word));
    const at = index.lineRange(line?.start ?? 0, end);
    if (line === undefined) return [buildPromptFinding("prompt-header", { line: word, folder }, at)];
    // A title may have braces of its own.
    const checked = word === "TASK-" ? line.text.replace(/:.*$/, "") : line.text;
    if (!/\{[^{}]*\}/.test(checked)) return [];
    return [buildPromptFinding("prompt-placeholder", { line: line.text, folder }, at)];
  });
}

type Found = { readonly found: readonly PromptSection[]; readonly folder: string };

function sectionFindings(index: TextIndex, one: Section, { found, folder }: Found): Diagnostic[] {
  const { name, isAddedByRun: isAdded } = one;
  const section = sectionLine(name);
  const own = found.find((other) => other.name === name);
  if (own === undefined) {
    const severity = isAdded ? "warning" : "error";
    const at = placeFor(index, name, found);
    return [buildPromptFinding("prompt-section", { section, isAdded, folder }, at, { severity })];
  }
  const text = index.text.slice(own.start, own.end).trim();
  const at = index.lineRange(own.heading, own.end);
  if (text === "") return [buildPromptFinding("prompt-section-empty", { section, folder }, at)];
  if (text.split("\n").every(isPlaceholder))
    return [buildPromptFinding("prompt-placeholder", { section, text, folder }, at)];
  if (name === "COMPLETION SIGNAL" && !text.includes(DONE_FILE))
    return [buildPromptFinding("prompt-completion", { section, file: DONE_FILE, folder }, at)];
  return [];
}

/** `{context}`, `- {{ file }}`, `[INSERT FILES HERE]`. Braces with commas are globs. */
function isPlaceholder(line: string): boolean {
  const told = line.trim().replace(/^[-*+][ \t]+(?:\[[ xX]\][ \t]+)?/, "");
  return /^(?:\{\{?[^{},]*\}\}?|\[[A-Z][A-Z ._-]+\]|\.\.\.|TODO|TBD)?$/.test(told);
}

/** Where it would stand: in front of the first that comes after it. */
function placeFor(index: TextIndex, name: SectionName, found: readonly PromptSection[]): SourceRange {
  const later: readonly string[] = sectionNames.slice(sectionNames.indexOf(name) + 1);
  const next = found.find((one) => later.includes(one.name));
  if (next !== undefined) return index.lineRange(next.heading, next.start);
  const last = index.text.trimEnd().lastIndexOf("\n") + 1;
  return index.lineRange(last, index.text.length);
}

/** Agents read from the top: rules above the task, or repeated ones, are read differently. */
function orderFindings(index: TextIndex, found: readonly PromptSection[], folder: string): Diagnostic[] {
  const known = found.filter(({ name }) => isKnown(name));
  let highest: PromptSection | null = null;
  const seen = new Set<string>();
  return known.flatMap((one) => {
    const isTwice = seen.has(one.name);
    seen.add(one.name);
    const before: PromptSection | null = highest;
    const isLate = before !== null && rank(one) < rank(before);
    if (!isLate) highest = one;
    if (!isTwice && !isLate) return [];
    const section = sectionLine(one.name as SectionName);
    const above = isTwice ? null : (before as PromptSection).name;
    const at = index.lineRange(one.heading, one.end);
    return [buildPromptFinding("prompt-section-order", { section, above, folder }, at)];
  });
}

const rank = ({ name }: PromptSection): number => sectionNames.indexOf(name as SectionName);

/** The prompt of a task: its file and the shared context in the sections that agents of this system know. */
export function promptText(task: PromptTask, context: string): string {
  const parts = sections.map((section) => sectionText(section, task, context));
  return `${[headerOf(task).join("\n"), ...parts].join("\n\n")}\n`;
}

/**
 * A fingerprint of everything in a prompt that comes from the task file, the manifest and the context. The sections that are the same
 * for all tasks are left out, so that another version of plait does not make every prompt stale.
 */
export function hashPromptSources(task: PromptTask, context: string): string {
  const parts = sections.filter(({ fresh }) => fresh !== null).map((one) => sectionText(one, task, context));
  const text = [...headerOf(task), ...parts].join("\n");
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
