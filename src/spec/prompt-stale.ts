import { listed, quoted } from "../core/analyze/words.ts";
import { expandBraces } from "../core/ownership/braces.ts";
import { type Diagnostic, diagnostic } from "../core/source.ts";
import { linesOf } from "../formats/cpo/scope.ts";
import { type PromptSection, sectionLine, sectionsIn, withoutMarkers } from "../formats/cpo/section-names.ts";
import { indexText, type TextIndex } from "../formats/text-index.ts";
import type { PromptCode } from "./prompt-codes.ts";
import { type FolderTask, MISSING, type PromptFolder } from "./prompt-folder.ts";
import { header, headerOf, type Section, sections } from "./sections.ts";

type Prompt = { readonly file: string; readonly text: string };

/** Whether a prompt says what its task, and the context, say today. What somebody added to it is theirs. */
export function staleFindings(prompt: Prompt, one: FolderTask, folder: PromptFolder): Diagnostic[] {
  const index = indexText(prompt.file, prompt.text);
  const found = sectionsIn(prompt.text);
  const parts = sections.flatMap((section) => {
    const own = found.find(({ name }) => name === section.name);
    const problem =
      own === undefined ? null : problemOf(section, index.text.slice(own.start, own.end), { one, folder });
    return own === undefined || problem === null ? [] : [stale(index, { section, own, problem, one })];
  });
  return [...staleHeader(index, one), ...parts];
}

/** Lines at the top that are there and say something else. */
function staleHeader(index: TextIndex, { task }: FolderTask): Diagnostic[] {
  const end = sectionsIn(index.text)[0]?.heading ?? 0;
  const lines = [...linesOf(index.text, { start: 0, end })];
  const code: PromptCode = "prompt-stale";
  return headerOf(task).flatMap((wanted, i) => {
    const line = lines.find(({ text }) => text.startsWith(header[i] as string));
    if (line === undefined || sameHeader(line.text, wanted)) return [];
    const message = `the prompt says ${quoted(line.text)}, its task says ${quoted(wanted)}`;
    const at = index.lineRange(line.start, end);
    return [diagnostic({ code, severity: "warning", message, at, hint: AGAIN })];
  });
}

/** Older prompts begin with the number of the task alone. */
function sameHeader(line: string, wanted: string): boolean {
  const told = (text: string) => text.trimEnd().replace(/^TASK-(?:task-)?(\d+)(?:-[\w-]+)?(?=:)/i, "TASK-$1");
  return told(line) === told(wanted);
}

const AGAIN = "generate it again from the task file and context.md: plait spec prompts <folder>";

type Now = { readonly one: FolderTask; readonly folder: PromptFolder };

/** As the end of a sentence about the section; null where it is fresh. */
function problemOf({ fresh }: Section, text: string, { one, folder }: Now): string | null {
  const said = fresh?.says(one.task, folder.context);
  if (said === undefined) return null;
  if ("text" in said)
    return normal(text).includes(normal(withoutMarkers(said.text)))
      ? null
      : `does not have ${fresh?.source} word by word`;
  const missing = said.words.filter((word) => !isNamed(text, word));
  return missing.length === 0 ? null : `does not name ${listed(missing, "others")}`;
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
  readonly problem: string;
  readonly one: FolderTask;
};

function stale(index: TextIndex, { section, own, problem, one }: Stale): Diagnostic {
  const { name, fresh } = section;
  const source = {
    "IMPLEMENTATION REQUIREMENTS": one.requirementsAt,
    "ACCEPTANCE CRITERIA": one.checklistAt,
  };
  const at = name === "IMPLEMENTATION REQUIREMENTS" || name === "ACCEPTANCE CRITERIA" ? source[name] : null;
  const code: PromptCode = "prompt-stale";
  return diagnostic({
    code,
    severity: fresh?.severity ?? "warning",
    message: `the section ${quoted(sectionLine(name))} ${problem}`,
    at: index.lineRange(own.heading, own.end),
    hint: AGAIN,
    related: at === null ? [] : [{ at, message: "the task file says it here" }],
  });
}
