// Every string that a person or an agent may read: literals, templates and JSX text of the sources, and the lines of
// the documentation.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Node, nameOfKey, readSources, type SourceFile, walk } from "../arch/source.ts";
import { retired } from "./retired.ts";

export type FoundString = { readonly file: string; readonly line: number; readonly text: string };
export type Hit = FoundString & { readonly word: string; readonly instead: string };

/** Strings and lines below `root`. */
export function collectStrings(root: string): FoundString[] {
  return [...collectLiterals(root), ...listDocuments(root).flatMap((path) => listLines(root, path))];
}

export function collectLiterals(root: string): FoundString[] {
  const sources = readSources(root).filter(({ path, isTest }) => !isTest && !/testing/.test(path));
  return sources.flatMap(listLiterals);
}

export function findRetired(strings: readonly FoundString[]): Hit[] {
  return strings.flatMap((string) => {
    const text = maskNames(string);
    return retired.flatMap(({ pattern, instead }): Hit[] => {
      const [word] = pattern.exec(text) ?? [];
      return word === undefined ? [] : [{ ...string, word: word.trim(), instead }];
    });
  });
}

/** Hits by folder of src, two levels deep, and by file elsewhere: files of src are renamed too often. */
export function countByPlace(hits: readonly Pick<Hit, "file">[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { file } of [...hits].sort((a, b) => (a.file < b.file ? -1 : 1))) {
    const place = file.startsWith("src/") ? file.split("/").slice(0, -1).slice(0, 3).join("/") : file;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
}

/**
 * Names of facts, keys, files and CSS classes are not prose: `run.ended`, `{ status, says }`, `src/core/drive.ts`, `on-drain`,
 * `.parked`, and in a table of keys `| **hears** |`.
 */
const NAMES =
  /`[\w./-]+`|`\{[^`]*\}`|(?<=^\| )\*\*[\w-]+\*\*|(?<=^|[\s}(])[.#][\w-]+|(?:\$\{…\}|\b[\w-]+)(?:[./][\w-]+)+\b/g;

/** A component of the code has its name where the code is described; people who use plait read of a process. */
const COMPONENT = { file: /^docs\/(?:ARCHITECTURE\.md|adr\/)/, name: /\bdriver\b/gi };

function maskNames({ file, text }: FoundString): string {
  const masked = text.replace(NAMES, "`name`");
  return COMPONENT.file.test(file) ? masked.replace(COMPONENT.name, "`name`") : masked;
}

/** One lower-case word without a blank is a key, an id or a kind, unless it becomes part of a text. */
function isName(text: string): boolean {
  return !/\s/.test(text.trim()) && !/^[A-Z][a-z]+$/.test(text.trim());
}

const hiddenAttributes = /^(?:class|className|id|href|d|key|for|htmlFor|type|name|role|data-.*)$/;

function listLiterals(file: SourceFile): FoundString[] {
  const found: FoundString[] = [];
  const shownWords = new Set<Node>();
  const add = (node: Node, text: string) => {
    if (!isName(text) || shownWords.has(node))
      found.push({ file: file.path, line: file.lineOf(node.start), text });
  };
  walk(file.program, (node, parent) => {
    if (isHidden(parent)) return;
    for (const word of listShownWords(node, parent)) shownWords.add(word);
    if (node.type === "Literal" && typeof node.value === "string") add(node, node.value);
    if (node.type === "JSXText" && node.value.trim() !== "")
      add(node, node.value.replace(/\s+/g, " ").trim());
    if (node.type === "TemplateLiteral")
      add(node, node.quasis.map(({ value }) => value.cooked ?? "").join("${…}"));
  });
  return found;
}

/** Words that a template, JSX or a property for people has, also as a choice: `${isOver ? "ended" : "running"}`. */
function listShownWords(node: Node, parent: Node | undefined): Node[] {
  if (node.type === "TemplateLiteral") return (node.expressions as Node[]).flatMap(listChoices);
  if (node.type === "JSXExpressionContainer" && parent?.type !== "JSXAttribute")
    return listChoices(node.expression as Node);
  if (node.type !== "Property") return [];
  return shownKeys.test(nameOfKey(node.key as Node, node.computed) ?? "")
    ? listChoices(node.value as Node)
    : [];
}

const shownKeys = /^(?:text|label|title|word|hint|message|summary|purpose|question|verb|doing)$/;

function listChoices(node: Node): Node[] {
  if (node.type === "ConditionalExpression") return [node.consequent, node.alternate].flatMap(listChoices);
  if (node.type === "LogicalExpression") return [node.left, node.right].flatMap(listChoices);
  return node.type === "Literal" ? [node] : [];
}

/** Imports and attributes that are never shown. */
function isHidden(parent: Node | undefined): boolean {
  if (parent === undefined) return false;
  if (/^(?:Import|Export(?:All|Named))/.test(parent.type)) return true;
  if (parent.type !== "JSXAttribute") return false;
  return hiddenAttributes.test(nameOfKey(parent.name as Node, false) ?? "");
}

function listDocuments(root: string): string[] {
  const inFolder = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`);
  return [
    ...["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/GLOSSARY.md", "docs/ARCHITECTURE.md"],
    ...["docs/adr", "docs/guide", "docs/reference", "plugin"].flatMap(inFolder),
  ]
    .filter((path) => path.endsWith(".md"))
    .sort();
}

function listLines(root: string, file: string): FoundString[] {
  return readFileSync(join(root, file), "utf8")
    .split("\n")
    .map((line, index) => ({ file, line: index + 1, text: shownPart(file, line) }))
    .filter(({ text }) => text.trim() !== "");
}

/** The last column of the glossary and the first of renames list the words that are not used. */
function shownPart(file: string, line: string): string {
  if (file === "CHANGELOG.md") return line.replace(/^\|[^|]*\|/, "|");
  return file === "docs/GLOSSARY.md" ? line.replace(/\|[^|]*\|$/, "|") : line;
}
