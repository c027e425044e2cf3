import { quoted } from "../core/analyze/words.ts";
import { type Diagnostic, diagnostic, type SourceRange } from "../core/source.ts";
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
import type { PromptCode } from "./prompt-codes.ts";
import type { PromptTask } from "./prompt-task.ts";

/**
 * The sections of a prompt file: the one list that prompts are written from and checked by, in the order of their names. What
 * older prompts have besides, such as `OUTPUT FORMAT (REQUIRED)`, may be there and is never asked for.
 */
export type Section = {
  readonly name: SectionName;
  /** `run`: where it is missing, a run puts it in front of the prompt. */
  readonly missingIsMendedBy: "run" | "nobody";
  readonly text: (task: PromptTask, context: string) => string;
  /** What must be found in it, as the task is now; null where the words are the same for all tasks. */
  readonly fresh: Fresh | null;
};

/** How grave it is when the prompt says something else; requirements and criteria are what an agent works by. */
type Fresh = {
  readonly severity: "error" | "warning";
  /** Where the words come from. */
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

const fixed = (text: string): Parts => ({ missingIsMendedBy: "nobody", text: () => text, fresh: null });

const list = (words: (task: PromptTask) => readonly string[]): Parts => ({
  missingIsMendedBy: "nobody",
  text: (task) => bullets(words(task)),
  fresh: { severity: "warning", source: "the task file", says: (task) => ({ words: words(task) }) },
});

const verbatim = (
  { severity, source }: Pick<Fresh, "severity" | "source">,
  text: (task: PromptTask) => string,
): Parts => ({
  missingIsMendedBy: "nobody",
  text,
  fresh: { severity, source, says: (task) => ({ text: text(task) }) },
});

const REQUIREMENTS = { severity: "error", source: "the requirements of the task file" } as const;
const CHECKLIST = { severity: "error", source: "the checklist of the task file" } as const;

const INVOKE = `\n\nTo invoke one: skill: "plugin:skill-name"`;

const EXECUTION = `1. Read the contracts.
2. Read the code that is there.
3. Implement with Write and Edit; do not describe what you would do.
4. Run the tests, and fix until they are green.
5. Run the linter.
6. Make one conventional commit.`;

const RULES = `- Do not ask for confirmation.
- Respect DO NOT MODIFY.
- Write tests.
- Follow the contracts to the letter. They are design documents: write the types anew in the code; never import from parallel/
  and never put it on a search path.
- Stop where something blocks you, and say what.`;

const COMPLETION = `When, and only when, tests and linter pass and the work is committed:

touch ${DONE_FILE}`;

const parts: { readonly [Name in SectionName]: Parts } = {
  "REQUIRED SKILLS": {
    missingIsMendedBy: "run",
    text: ({ skills }) => `${bullets(skills)}${skills.length === 0 ? "" : INVOKE}`,
    fresh: { severity: "warning", source: "the task file", says: ({ skills }) => ({ words: skills }) },
  },
  CONTEXT: {
    missingIsMendedBy: "run",
    text: (_, context) => context,
    fresh: { severity: "warning", source: "context.md", says: (_, context) => ({ text: context }) },
  },
  OBJECTIVE: verbatim(
    { severity: "warning", source: "the objective of the task file" },
    ({ objective }) => objective,
  ),
  CONTRACTS: list(({ contracts }) => contracts),
  "FILES TO CREATE": list(({ create }) => create),
  "FILES TO MODIFY": list(({ modify }) => modify),
  "DO NOT MODIFY": list(({ boundary }) => boundary),
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
export function sectionText({ name, text }: Section, task: PromptTask, context: string): string {
  return `${sectionLine(name)}\n${withoutMarkers(withoutBlankEnds(text(task, context)))}`;
}

/**
 * Whether a prompt file has all that an agent of this system looks for. What its task says today is not asked here: that is for
 * whoever has the task.
 */
export function promptFindings({
  file,
  text,
}: {
  readonly file: string;
  readonly text: string;
}): Diagnostic[] {
  const index = indexText(file, text);
  const found = sectionsIn(text);
  if (!found.some(({ name }) => isKnown(name))) return [noSections(index)];
  return [
    ...headerFindings(index, found[0]?.heading ?? text.length),
    ...sections.flatMap((section) => sectionFindings(index, section, found)),
    ...orderFindings(index, found),
  ];
}

const isKnown = (name: string): name is SectionName => sectionNames.some((known) => known === name);

const AGAIN = "generate it from the task file: plait spec prompts <folder>";

function noSections(index: TextIndex): Diagnostic {
  const message = `the prompt has no section of those that prompts have, such as ${quoted(sectionLine("OBJECTIVE"))}`;
  const code: PromptCode = "prompt-section";
  return diagnostic({ code, message, at: index.lineRange(0, index.text.length), hint: AGAIN });
}

function headerFindings(index: TextIndex, end: number): Diagnostic[] {
  const lines = [...linesOf(index.text, { start: 0, end })];
  return header.flatMap((word) => {
    const line = lines.find(({ text }) => text.startsWith(word));
    const code: PromptCode = line === undefined ? "prompt-header" : "prompt-placeholder";
    const at = index.lineRange(line?.start ?? 0, end);
    if (line === undefined) {
      const message = `the prompt has no line ${quoted(word)} at its top`;
      return [diagnostic({ code, message, at, hint: AGAIN })];
    }
    // A title may have braces of its own.
    const told = word === "TASK-" ? line.text.replace(/:.*$/, "") : line.text;
    if (!/\{[^{}]*\}/.test(told)) return [];
    const message = `the line ${quoted(line.text)} has a placeholder that nobody has filled in`;
    return [diagnostic({ code, message, at, hint: AGAIN })];
  });
}

function sectionFindings(index: TextIndex, section: Section, found: readonly PromptSection[]): Diagnostic[] {
  const { name, missingIsMendedBy } = section;
  const own = found.find((one) => one.name === name);
  if (own === undefined) {
    const isGrave = missingIsMendedBy === "nobody";
    const message = `the prompt has no section ${quoted(sectionLine(name))}${isGrave ? "" : "; a run puts it in front"}`;
    const code: PromptCode = "prompt-section";
    const severity = isGrave ? "error" : "warning";
    return [diagnostic({ code, severity, message, at: placeFor(index, name, found), hint: AGAIN })];
  }
  const text = index.text.slice(own.start, own.end).trim();
  const at = index.lineRange(own.heading, own.end);
  const wrong = (code: PromptCode, problem: string) => [
    diagnostic({ code, message: `the section ${quoted(sectionLine(name))} ${problem}`, at, hint: AGAIN }),
  ];
  if (text === "") return wrong("prompt-section-empty", "is empty");
  if (text.split("\n").every(isPlaceholder))
    return wrong("prompt-placeholder", `is nothing but ${quoted(text)}, which nobody has filled in`);
  if (name === "COMPLETION SIGNAL" && !text.includes(DONE_FILE))
    return wrong(
      "prompt-completion",
      `does not name the file ${quoted(DONE_FILE)}, without which a task has failed`,
    );
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

/** Agents read from the top: rules that stand above the task, or twice, are read another way. */
function orderFindings(index: TextIndex, found: readonly PromptSection[]): Diagnostic[] {
  const code: PromptCode = "prompt-section-order";
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
    const problem = isTwice ? "is there twice" : `stands below ${quoted((before as PromptSection).name)}`;
    const message = `the section ${quoted(sectionLine(one.name as SectionName))} ${problem}`;
    const at = index.lineRange(one.heading, one.end);
    return [diagnostic({ code, severity: "warning", message, at, hint: AGAIN })];
  });
}

const rank = ({ name }: PromptSection): number => sectionNames.indexOf(name as SectionName);
