import type { Part } from "../front-matter.ts";

/**
 * The scope notation of task files: what a task creates, what it modifies (perhaps only a symbol of it) and what it must not
 * touch. One line a directive, or a directive with a list below it:
 *
 *     CREATE: apps/users/{models,views}.py, apps/users/tests/*.py
 *     MODIFY: config/urls.py::urlpatterns    # a remark
 *     **BOUNDARY**:
 *     - `apps/orders/*` - owned by task-002
 *
 * Nothing is judged here: a path is whatever stands where one belongs, what cannot be one is prose. Offsets are those of the file.
 */
export type ScopeWord = "CREATE" | "MODIFY" | "BOUNDARY";

export type ScopeEntry = {
  readonly word: ScopeWord;
  readonly text: string;
  readonly isProse: boolean;
  readonly start: number;
  readonly end: number;
};

export type Scope = {
  /** Directives that are there, even if they name nothing. */
  readonly words: ReadonlySet<ScopeWord>;
  readonly entries: readonly ScopeEntry[];
};

const DIRECTIVE =
  /^\s*(?:[-*+]\s+|#{3,6}\s+)?(?:\*\*|__)?(CREATE|MODIFY|BOUNDARY)(?:\*\*|__)?\s*(?::(?:\*\*|__)?|$)/i;
const BULLET = /^\s*[-*+]\s+(?:\[[ xX]\]\s+)?/;
const INDENTED = /^(?: {2,}|\t)\s*/;

export function parseScope(text: string, part: Part): Scope {
  const words = new Set<ScopeWord>();
  const entries: ScopeEntry[] = [];
  let word: ScopeWord | null = null;
  let goesOn = false;
  for (const line of linesOf(text, part)) {
    const directive = DIRECTIVE.exec(line.text);
    if (directive) {
      word = (directive[1] as string).toUpperCase() as ScopeWord;
      words.add(word);
    }
    const lead = directive ?? BULLET.exec(line.text) ?? INDENTED.exec(line.text);
    const isRead = word !== null && (lead !== null || goesOn) && !/^\s*(?:```|~~~)/.test(line.text);
    if (word === null || !isRead) continue;
    const skipped = lead?.[0].length ?? 0;
    const body = withoutComment(line.text.slice(skipped));
    goesOn = /,\s*$/.test(body);
    const where = { word, offset: line.start + skipped, isItem: directive === null };
    for (const entry of entriesIn(body, where)) entries.push(entry);
  }
  return { words, entries };
}

type Line = { readonly text: string; readonly start: number };

/** Without what ends them. */
export function* linesOf(text: string, { start, end }: Part): Generator<Line> {
  for (let at = start; at < end; ) {
    const feed = text.indexOf("\n", at);
    const next = feed === -1 || feed >= end ? end : feed;
    const isDos = next > at && text[next - 1] === "\r";
    yield { text: text.slice(at, isDos ? next - 1 : next), start: at };
    at = next + 1;
  }
}

/** A " #" begins a remark, as in YAML; the rest keeps its offsets. */
function withoutComment(text: string): string {
  for (let i = 0, isCode = false; i < text.length; i += 1) {
    if (text[i] === "`") isCode = !isCode;
    if (i > 0 && text[i] === "#" && !isCode && /\s/.test(text.charAt(i - 1))) return text.slice(0, i);
  }
  return text;
}

type Where = { readonly word: ScopeWord; readonly offset: number; readonly isItem: boolean };

function entriesIn(body: string, { word, offset, isItem }: Where): ScopeEntry[] {
  const told = isItem ? body.slice(0, remarkAt(body)) : body;
  return split(told).flatMap(({ text, start }) => {
    const found = pathIn(text);
    if (found === null) return [];
    const from = offset + start + found.start;
    return [{ word, text: found.path, isProse: found.isProse, start: from, end: from + found.length }];
  });
}

/** Where " - why" begins, outside of code. */
function remarkAt(text: string): number {
  const masked = text.replace(/`[^`]*`/g, (code) => "x".repeat(code.length));
  const at = masked.search(/\s(?:-{1,2}|–|—)\s/);
  return at === -1 ? text.length : at;
}

/** At commas that stand in no braces, brackets, parentheses or code. */
function split(text: string): Line[] {
  const parts: Line[] = [];
  let start = 0;
  let depth = 0;
  let isCode = false;
  for (let i = 0; i <= text.length; i += 1) {
    const c = text[i];
    if (c === "`") isCode = !isCode;
    if (c !== undefined && !isCode && "{([".includes(c)) depth += 1;
    if (c !== undefined && !isCode && "})]".includes(c)) depth = Math.max(0, depth - 1);
    if (i < text.length && (c !== "," || depth > 0 || isCode)) continue;
    parts.push({ text: text.slice(start, i), start });
    start = i + 1;
  }
  return parts;
}

type Found = {
  readonly path: string;
  readonly isProse: boolean;
  readonly start: number;
  readonly length: number;
};

const NOTHING = /^[*_([]*(?:none|n\/a|nothing|-|–|—)[*_)\].]*$/i;

/** Words and signs that say that there is no path. */
export const isNothing = (text: string): boolean => NOTHING.test(text);

function pathIn(text: string): Found | null {
  const code = /^\s*`([^`]+)`/.exec(text);
  if (code?.[1]) {
    const path = code[1].trim();
    return isNothing(path)
      ? null
      : { path, isProse: false, start: code[0].indexOf(path), length: path.length };
  }
  const start = text.length - text.trimStart().length;
  const bare = withoutAside(text.slice(start, Math.max(start, remarkAt(text))))
    .replace(/^(\S*[^\s:]):\s.*$/, "$1")
    .trimEnd();
  if (bare === "" || isNothing(bare)) return null;
  // Formatters of Markdown put a backslash before such signs.
  const path = bare.replace(/^(["'])(.*)\1$/, "$2").replace(/\\([*_[\]])/g, "$1");
  return { path, isProse: /\s/.test(path), start, length: bare.length };
}

/** `a.py (of task-002).` without what stands in parentheses at its end: from the first that opens after the last that closes. */
function withoutAside(text: string): string {
  const told = text.trimEnd();
  const end = told.endsWith(".") ? told.slice(0, -1).trimEnd() : told;
  if (!end.endsWith(")")) return text;
  const after = end.lastIndexOf(")", end.length - 2) + 1;
  const opening = /\s\(/.exec(end.slice(after));
  return opening ? end.slice(0, after + opening.index).trimEnd() : text;
}
