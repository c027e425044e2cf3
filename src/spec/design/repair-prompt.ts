// What the architect is asked when its design has to change: for its errors, or because a person wants it. It answers with a patch.

import type { Diagnostic } from "../../core/source.ts";
import { formatMessage } from "../../core/text/finding.ts";
import type { FormatCode } from "../../formats/catalog.ts";
import { schemaWords } from "../schema-text.ts";
import { PATCH_FILE, readPatchableDesign } from "./patch.ts";
import { strictPatchJsonSchema } from "./patch-schema.ts";

export type DesignRepair = {
  readonly errors: readonly Diagnostic[];
  /** The round before had the same. */
  readonly again: boolean;
  /** What it answered last: a design, a patch, or words in which there is neither. */
  readonly said: string;
  /** The design with the patches so far, which another can change; null where the whole document is needed. */
  readonly design: string | null;
  readonly hasDocument: boolean;
};

/** What is new to an architect that remembers its design. */
export function repairPrompt({ errors, again, said, design, hasDocument }: DesignRepair): string {
  if (!hasDocument) return `${NO_DOCUMENT}\n\n${howToAnswer(design)}\n`;
  const ids = readPatchableDesign(design ?? said)?.tasks.map(({ id }) => id) ?? [];
  const lines = errors
    .slice(0, MOST_ERRORS)
    .map((one) => errorText(withTaskId(one, ids)) + quotedLine(one, { said, design }));
  const more = errors.length - lines.length;
  const rest = more > 0 ? [`- and ${more} more`] : [];
  return `${[
    "Your design has errors. Each is listed with its line, column and path in the JSON document:",
    [...lines, ...rest].join("\n"),
    ...(again
      ? ["These are the same errors as before: your changes did not fix them. Read each one again."]
      : []),
    `Fix all of them and leave the rest unchanged. ${howToAnswer(design)}`,
  ].join("\n\n")}\n`;
}

/** A design that holds, and that a person wants to be different. */
export function correctionPrompt(sentence: string): string {
  return `${quotedCorrection(sentence)}

Change everything in your design that this affects: tasks, waves, boundaries, contracts. Leave the rest unchanged. ${howToAnswer("")}
`;
}

/** The same for one that remembers nothing: `prompt` is what it was asked. */
export function wholeCorrectionPrompt(prompt: string, design: string, sentence: string): string {
  return `${prompt}\n${quotedAnswer("Your design so far", "design", design)}\n\n## Change it\n\n${correctionPrompt(sentence)}`;
}

/** A first question with what a person has said of the design since, for repairs of the changed one. */
export function correctedPrompt(prompt: string, sentence: string): string {
  return `${prompt}\n## Changes requested to an earlier design\n\n${quotedCorrection(sentence)}\n`;
}

function quotedCorrection(sentence: string): string {
  return `The person who approves the design wants it changed:\n\n<correction>\n${sentence.trim()}\n</correction>`;
}

const NO_DOCUMENT = `Your last message has no JSON document. You cannot ask questions, and other text is not read: make the open decisions yourself, and say in
\`context_summary\` what you decided.`;

const WHOLE = "Answer with the whole design: one JSON object and nothing else.";

function howToAnswer(design: string | null): string {
  if (design === null) return WHOLE;
  return `Answer with a patch, not with the whole design: one
JSON object with only the parts that change, and nothing else. Omitted parts stay unchanged. Its keys:

${schemaWords(strictPatchJsonSchema(), 1)}`;
}

/** In a patch tasks are found by their ids. */
function withTaskId(one: Diagnostic, ids: readonly string[]): Diagnostic {
  if (one.at?.file === PATCH_FILE) return one;
  const path = one.path?.replace(/^tasks\[(\d+)\]/, (start, i: string) => {
    const id = ids[Number(i)];
    return id === undefined ? start : `${start} (${id})`;
  });
  return path === undefined ? one : { ...one, path };
}

/** What is no JSON has no place by its keys, and who wrote it does not know its lines. */
function quotedLine(
  { at, code }: Diagnostic,
  { said, design }: Pick<DesignRepair, "said" | "design">,
): string {
  if (at === null || code !== ("json-syntax" satisfies FormatCode)) return "";
  const text = at.file === PATCH_FILE ? said : (design ?? said);
  const line = text.split("\n")[at.start.line - 1] ?? "";
  const from = Math.max(0, at.start.col - 1 - LONGEST_QUOTE / 2);
  return `\n  the text there: ${line.slice(from, from + LONGEST_QUOTE).trim()}`;
}

const LONGEST_QUOTE = 160;

/** The same for one that remembers nothing: `prompt` is what it was asked. */
export function wholeRepairPrompt(prompt: string, repair: DesignRepair): string {
  const { said, design, hasDocument } = repair;
  const parts = [
    ...(design === null ? [] : [quotedAnswer("Your design so far", "design", design)]),
    ...(design === null && hasDocument ? [quotedAnswer("Your design so far", "design", said)] : []),
    ...(hasDocument ? [] : [quotedAnswer("Your answer", "answer", said.trim().slice(0, LONGEST_WORDS))]),
  ];
  return `${prompt}\n${parts.join("\n\n")}\n\n${repairPrompt(repair)}`;
}

function quotedAnswer(title: string, tag: string, text: string): string {
  return `## ${title}\n\n<${tag}>\n${text.trim()}\n</${tag}>`;
}

/** Of words that are no design: enough to know them again. */
const LONGEST_WORDS = 4_000;

const MOST_ERRORS = 60;

export function errorText({ at, code, hint, related, ...text }: Diagnostic): string {
  const place = at === null ? "" : `${placeOf(at)}: `;
  const others = related.slice(0, 5).map((one) => `\n  ${placeOf(one.at)}: ${formatMessage(one)}`);
  return `- ${place}[${code}] ${formatMessage(text)}${hint === null ? "" : ` (${hint})`}${others.join("")}`;
}

const placeOf = ({ file, start }: NonNullable<Diagnostic["at"]>): string =>
  start.line === 0 ? file : `${file}:${start.line}:${start.col}`;
