import { expandBraces } from "../core/ownership/braces.ts";
import type { Diagnostic, SourceRange } from "../core/source.ts";
import { linesOf } from "../formats/cpo/scope.ts";
import {
  type PromptSection,
  type SectionName,
  sectionLine,
  sectionsIn,
  withoutMarkers,
} from "../formats/cpo/section-names.ts";
import { indexText, type TextIndex } from "../formats/text-index.ts";
import { buildPromptFinding } from "./prompt-catalog.ts";
import { type FolderTask, MISSING, type PromptFolder } from "./prompt-folder.ts";
import { hashPromptSources, header, headerOf, type Section, sections } from "./sections.ts";

type Prompt = { readonly file: string; readonly text: string };

/**
 * Whether a prompt says what its task, and the context, say today. Additions to it are allowed. Where the sources of a generated prompt
 * were changed since, each finding is an error, also for a section that may be said in other words otherwise.
 */
export function staleFindings(prompt: Prompt, one: FolderTask, folder: PromptFolder): Diagnostic[] {
  const found = compareSections(prompt, one, folder);
  const { recordedSources, task } = one;
  // Something was edited since, perhaps only removed, which the text of the prompt alone does not show.
  const isStale = recordedSources !== null && recordedSources !== hashPromptSources(task, folder.context);
  if (!isStale) return found;
  if (found.length > 0) return found.map((each) => ({ ...each, severity: "error" }));
  const index = indexText(prompt.file, prompt.text);
  const at = index.lineRange(0, index.text.length);
  return [buildPromptFinding("prompt-stale", { kind: "sources", folder: folder.named }, at)];
}

function compareSections(prompt: Prompt, one: FolderTask, folder: PromptFolder): Diagnostic[] {
  const index = indexText(prompt.file, prompt.text);
  const found = sectionsIn(prompt.text);
  const parts = sections.flatMap((section) => {
    const own = found.find(({ name }) => name === section.name);
    const problem =
      own === undefined ? null : problemOf(section, index.text.slice(own.start, own.end), { one, folder });
    return own === undefined || problem === null
      ? []
      : [stale(index, { section, own, problem, one, folder })];
  });
  return [...staleHeader(index, one, folder.named), ...parts];
}

/** Lines at the top that are there and say something else. Another title is another task. */
function staleHeader(index: TextIndex, { task, titleAt }: FolderTask, folder: string): Diagnostic[] {
  const end = sectionsIn(index.text)[0]?.heading ?? 0;
  const lines = [...linesOf(index.text, { start: 0, end })];
  return headerOf(task).flatMap((wanted, i) => {
    const line = lines.find(({ text }) => text.startsWith(header[i] as string));
    if (line === undefined || sameHeader(line.text, wanted)) return [];
    const params = { kind: "header", line: line.text, wanted, folder } as const;
    const isTitle = i === 0 && titleAt !== null;
    return [
      buildPromptFinding("prompt-stale", params, index.lineRange(line.start, end), {
        severity: isTitle ? "error" : "warning",
        related: isTitle ? [{ at: titleAt }] : [],
      }),
    ];
  });
}

/** Older prompts begin with the number of the task alone. */
function sameHeader(line: string, wanted: string): boolean {
  const told = (text: string) => text.trimEnd().replace(/^TASK-(?:task-)?(\d+)(?:-[\w-]+)?(?=:)/i, "TASK-$1");
  return told(line) === told(wanted);
}

type Now = { readonly one: FolderTask; readonly folder: PromptFolder };

type Difference =
  | { readonly kind: "text"; readonly source: string }
  | { readonly kind: "names"; readonly missing: readonly string[] };

function problemOf({ fresh }: Section, text: string, { one, folder }: Now): Difference | null {
  const said = fresh?.says(one.task, folder.context);
  if (said === undefined) return null;
  if ("text" in said)
    return normal(text).includes(normal(withoutMarkers(said.text)))
      ? null
      : { kind: "text", source: fresh?.source ?? "" };
  const missing = said.words.filter((word) => !isNamed(text, word));
  return missing.length === 0 ? null : { kind: "names", missing };
}

/** As it is written, or with its braces written out. */
function isNamed(text: string, told: string): boolean {
  const word = told.endsWith(MISSING) ? told.slice(0, -MISSING.length) : told;
  if (text.includes(word)) return true;
  const expansion = expandBraces(word);
  return expansion.kind === "texts" && expansion.texts.every((one) => text.includes(one));
}

/** Ends of lines do not matter. */
function normal(text: string): string {
  const lines = text.split(/\r\n?|\n/).map((line) => line.trimEnd());
  return lines.join("\n").trim();
}

type Stale = {
  readonly section: Section;
  readonly own: PromptSection;
  readonly problem: Difference;
  readonly one: FolderTask;
  readonly folder: PromptFolder;
};

function stale(index: TextIndex, { section, own, problem, one, folder }: Stale): Diagnostic {
  const { name, fresh } = section;
  const prompt = index.text.slice(own.start, own.end);
  const sources: { readonly [Name in SectionName]?: SourceRange | null } = {
    CONTEXT: findMissingLine(prompt, folder),
    "IMPLEMENTATION REQUIREMENTS": one.requirementsAt,
    "ACCEPTANCE CRITERIA": one.checklistAt,
  };
  const entry = problem.kind === "names" ? problem.missing[0] : undefined;
  const at = entry === undefined ? sources[name] : one.entriesAt.get(entry);
  const params = { ...problem, section: sectionLine(name), folder: folder.named };
  return buildPromptFinding("prompt-stale", params, index.lineRange(own.heading, own.end), {
    severity: fresh?.severity ?? "warning",
    related: at ? [{ at }] : [],
  });
}

/** The first line of the context that the prompt does not have. */
function findMissingLine(prompt: string, { context, contextFile }: PromptFolder): SourceRange | null {
  const own = new Set(normal(prompt).split("\n"));
  const lines = [...linesOf(context, { start: 0, end: context.length })];
  const line = lines.find(({ text }) => !own.has(withoutMarkers(text.trimEnd())));
  return line === undefined ? null : indexText(contextFile, context).lineRange(line.start, context.length);
}
