import { proseOf } from "../../formats/cpo/prose.ts";
import { openedFrontMatter } from "../../formats/front-matter.ts";

/** A part of a document that may be a requirement: what a person would point at. */
export type MarkdownPart = {
  readonly kind: "heading" | "item" | "row" | "paragraph";
  /** Of a heading, from 1; of an item, by its indentation, from 0. */
  readonly level: number;
  /** Its first line; of a row, its first cell that is not empty. */
  readonly text: string;
  /** Of a row: the cells behind it. */
  readonly cells: readonly string[];
  /** Where the line stands in the document. */
  readonly start: number;
  readonly end: number;
};

/** Headings, items of lists, rows of tables and beginnings of paragraphs, without code, comments and front matter. */
export function listMarkdownParts(text: string): MarkdownPart[] {
  const from = openedFrontMatter(text)?.end ?? 0;
  const parts: MarkdownPart[] = [];
  let isAfterBlank = true;
  let isComment = false;
  for (const { text: line, start, isCode } of proseOf(text, { start: from, end: text.length })) {
    const isOpen = isComment;
    if (!isCode && line.includes("<!--")) isComment = true;
    if (isComment && line.includes("-->")) isComment = false;
    if (isCode || isOpen || /^\s*<!--/.test(line)) {
      isAfterBlank = true;
      continue;
    }
    if (isRule(line)) parts.pop(); // the row above it is the head of a table
    const part = partAt(line, { start, end: start + line.length, isAfterBlank });
    if (part !== null) parts.push(part);
    isAfterBlank = line.trim() === "";
  }
  return parts;
}

const isRule = (line: string): boolean => /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?\s*)?$/.test(line);

type LinePlace = { readonly start: number; readonly end: number; readonly isAfterBlank: boolean };

function partAt(line: string, { isAfterBlank, ...place }: LinePlace): MarkdownPart | null {
  if (line.trim() === "" || isRule(line)) return null;
  const [, signs, title] = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/.exec(line) ?? [];
  if (signs !== undefined)
    return { kind: "heading", level: signs.length, text: title ?? "", cells: [], ...place };
  if (/^\s*\|/.test(line)) return rowAt(line, place);
  const [, indent, item] = /^([ \t]*)(?:[-*+]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S.*)$/.exec(line) ?? [];
  if (item !== undefined)
    return { kind: "item", level: widthOf(indent ?? ""), text: item.trim(), cells: [], ...place };
  if (!isAfterBlank && !/^\s*\d+(?:\.\d+)+[.)]?\s/.test(line)) return null;
  return { kind: "paragraph", level: 0, text: line.trim(), cells: [], ...place };
}

const widthOf = (indent: string): number => indent.replaceAll("\t", "    ").length;

function rowAt(line: string, place: Omit<LinePlace, "isAfterBlank">): MarkdownPart | null {
  const cells = line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
  const [first, ...others] = cells.filter((cell) => cell !== "");
  return first === undefined ? null : { kind: "row", level: 0, text: first, cells: others, ...place };
}
