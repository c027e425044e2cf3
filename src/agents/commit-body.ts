import { terminalText } from "../util/terminal-text.ts";
import { FENCED, findResult } from "./final-message.ts";

/**
 * The last message of an agent as the body of a commit: what it says to people, in lines of 72 characters. Results for programs (JSON, status
 * lines), code and headings are left out, and so are lines that git or a server would take for trailers. Empty where nothing is left.
 */
export function formatCommitBody(message: string): string {
  const text = terminalText(message).replaceAll("\t", "  ").slice(0, MOST_READ);
  const paragraphs = (findResult(text, () => true)?.rest ?? text)
    .replace(FENCED, "\n")
    .split(/\n[^\S\n]*\n/)
    .map((paragraph) => wrapParagraph(cleanLines(paragraph)))
    .filter((paragraph) => paragraph !== "");
  return bound(paragraphs)
    .map((paragraph) =>
      looksLikeTrailers(paragraph) ? `- ${paragraph.replaceAll("\n", "\n  ")}` : paragraph,
    )
    .join("\n\n")
    .replaceAll(/^(\s*)#(?=\d)/gm, "$1No. "); // an editor of git would drop the line as a comment
}

/**
 * Words of an agent that a server would link: commits must not mention people, nor link or close issues, because an agent says so.
 * Servers look into code as well.
 */
export function muteReferences(text: string): string {
  return text
    .replaceAll(/(?<![\w.])@(?=[A-Za-z0-9])/g, "@ ")
    .replaceAll(/([#!])(?=\d)/g, "$1 ")
    .replaceAll(/\b(GH)-(?=\d)/gi, "$1 ")
    .replaceAll(/\bhttps?:\/\/(?=\S+\/(?:issues|pull|merge_requests|work_items)\/\d)/gi, "");
}

const MOST_READ = 20_000;
const WIDTH = 72;
const MOST_LINES = 24;

const STATUS = /^[\s*_>-]*(?:status|task_completed|validation_passed|files_changed)\b[\s*_]*:/i;
const TRAILER =
  /^\s*(?:signed-off-by|co-authored-by|reviewed-by|acked-by|tested-by|change-id|plait-[a-z]+)\s*:/i;
const PLAIN_HEADING =
  /^(?:summary|done|result|results|changes|what (?:i|was) (?:did|done|changed)|overview|completed?)[.:!]?$/i;

function cleanLines(paragraph: string): string[] {
  const lines = paragraph.split("\n").flatMap((line) => {
    if (STATUS.test(line) || TRAILER.test(line) || /^\s*([-*_=]\s*){3,}$/.test(line)) return [];
    const plain = line
      .replace(/^\s*#{1,6}\s+/, "")
      .replace(/^\s*#(?!\d)/, "")
      .replace(/\*\*|__/g, "")
      .replace(/^\s*summary\s*:\s*/i, "");
    return PLAIN_HEADING.test(plain.trim()) ? [] : [plain.trimEnd()];
  });
  return lines.filter((line) => line.trim() !== "");
}

const ITEM = /^(\s*)((?:[-*+]|\d+[.)])\s+)/;

/** Lines of prose flow together; each item of a list begins its own, and its further lines are indented. */
function wrapParagraph(lines: readonly string[]): string {
  const blocks: { lead: string; text: string }[] = [];
  for (const line of lines) {
    const [, blank = "", mark = ""] = ITEM.exec(line) ?? [];
    const last = blocks.at(-1);
    if (mark !== "" || last === undefined) {
      const lead = mark === "" ? "" : `${blank.slice(0, 8)}${mark.trim()} `;
      blocks.push({ lead, text: line.slice(blank.length + mark.length).trim() });
    } else {
      last.text += ` ${line.trim()}`;
    }
  }
  return blocks.map(({ lead, text }) => wrap(text, lead)).join("\n");
}

function wrap(text: string, lead: string): string {
  const indent = " ".repeat(lead.length);
  const lines: string[] = [];
  let line = lead;
  for (const word of text.split(/\s+/)) {
    const isFirst = line === lead || line === indent;
    if (!isFirst && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = indent + word;
    } else {
      line += isFirst ? word : ` ${word}`;
    }
  }
  return [...lines, line].join("\n");
}

/** Whole paragraphs as long as there is room; of the first one, as much as there is. */
function bound(paragraphs: readonly string[]): string[] {
  const kept: string[] = [];
  let room = MOST_LINES;
  for (const paragraph of paragraphs) {
    const lines = paragraph.split("\n");
    if (lines.length > room) {
      if (kept.length === 0) kept.push(`${lines.slice(0, room).join("\n")} …`);
      break;
    }
    kept.push(paragraph);
    room -= lines.length + 1;
  }
  return kept;
}

/** As the last paragraph it would be taken for trailers of the commit. */
function looksLikeTrailers(paragraph: string): boolean {
  return paragraph.split("\n").every((line) => /^[A-Za-z0-9-]+: /.test(line));
}

/** As `Co-Authored-By` names an agent: the address that its vendor uses, else one without an owner. */
export function formatCoAuthor({ name, title }: { readonly name: string; readonly title: string }): string {
  const known = ADDRESSES[name];
  return known ?? `${title.replaceAll(/[<>\s]+/g, " ").trim()} <${name}@localhost>`;
}

const ADDRESSES: { readonly [agent: string]: string } = {
  claude: "Claude <noreply@anthropic.com>",
  codex: "Codex <noreply@openai.com>",
};
