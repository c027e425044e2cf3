import type { Diagnostic } from "../../core/source.ts";
import type { TextIndex } from "../text-index.ts";
import { keyProblem, MERGE_KEY } from "./keys.ts";
import type { TokenProblem } from "./tokens.ts";
import type { Entry, Tree } from "./tree.ts";

export type JsonTree = {
  readonly tree: Tree | null;
  readonly problem: TokenProblem | null;
  readonly diagnostics: readonly Diagnostic[];
};

/**
 * The tree of a text that JSON.parse takes: plans of this kind are often made by programs, and large, and the parser for
 * YAML takes ten times as long for them. Syntax is not checked again.
 */
export function readJson(index: TextIndex, maxDepth: number): JsonTree {
  const reader = new JsonReader(index, maxDepth);
  const tree = reader.value(1);
  const { problem, diagnostics } = reader;
  return { tree: problem ? null : tree, problem, diagnostics };
}

const MAX_DIAGNOSTICS = 1_000;
/** All that a number, true, false or null consists of. */
const WORD = /[\w.+-]+/y;
const BLANKS = /[ \t\r\n]*/y;

class JsonReader {
  readonly diagnostics: Diagnostic[] = [];
  problem: TokenProblem | null = null;
  readonly #index: TextIndex;
  readonly #text: string;
  readonly #maxDepth: number;
  #at = 0;

  constructor(index: TextIndex, maxDepth: number) {
    this.#index = index;
    this.#text = index.text;
    this.#maxDepth = maxDepth;
  }

  /** After something is too deep, the rest is not read and what is returned means nothing. */
  value(level: number): Tree {
    this.#skipBlanks();
    const start = this.#at;
    const first = this.#text[start];
    if (first === '"') return this.#scalar(start, this.#string());
    if (first !== "{" && first !== "[") return this.#word(start);
    if (level > this.#maxDepth) {
      this.problem = { reason: "too-deep", offset: start };
      return this.#scalar(start, null);
    }
    this.#at += 1;
    return first === "[" ? this.#list(start, level) : this.#map(start, level);
  }

  #list(start: number, level: number): Tree {
    const items: Tree[] = [];
    while (!this.#closes("]")) items.push(this.value(level + 1));
    return { kind: "list", start, end: this.#at, items };
  }

  #map(start: number, level: number): Tree {
    const entries = new Map<string, Entry>();
    let isPartial = false;
    while (!this.#closes("}")) {
      const keyStart = this.#at;
      const key = this.#string();
      const keyEnd = this.#at;
      this.#skipBlanks();
      this.#at += 1; // the colon
      const entry = { key, keyStart, keyEnd, value: this.value(level + 1) };
      isPartial ||= key === MERGE_KEY;
      const problem = keyProblem(entry, entries.get(key), this.#index);
      if (problem === null) entries.set(key, entry);
      else if (this.diagnostics.length < MAX_DIAGNOSTICS) this.diagnostics.push(problem);
    }
    return { kind: "map", start, end: this.#at, entries, isPartial };
  }

  /** Steps over the bracket if it comes next, else over a comma. */
  #closes(bracket: string): boolean {
    this.#skipBlanks();
    const isClosed = this.#text[this.#at] === bracket;
    if (isClosed || this.#text[this.#at] === ",") this.#at += 1;
    if (!isClosed) this.#skipBlanks();
    return isClosed || this.problem !== null;
  }

  #string(): string {
    const start = this.#at;
    let end = start;
    do {
      end = this.#text.indexOf('"', end + 1);
    } while (this.#isEscaped(end, start));
    this.#at = end + 1;
    const inside = this.#text.slice(start + 1, end);
    return inside.includes("\\") ? JSON.parse(this.#text.slice(start, end + 1)) : inside;
  }

  #isEscaped(quote: number, start: number): boolean {
    let backslashes = 0;
    for (let i = quote - 1; i > start && this.#text[i] === "\\"; i -= 1) backslashes += 1;
    return backslashes % 2 === 1;
  }

  #word(start: number): Tree {
    WORD.lastIndex = start;
    const source = WORD.exec(this.#text)?.[0] ?? "";
    this.#at = start + source.length;
    return { ...this.#scalar(start, JSON.parse(source)), source } as Tree;
  }

  #scalar(start: number, value: string | number | boolean | null): Tree {
    return { kind: "scalar", start, end: this.#at, value, source: String(value), isGuess: false };
  }

  #skipBlanks(): void {
    BLANKS.lastIndex = this.#at;
    BLANKS.test(this.#text);
    this.#at = BLANKS.lastIndex;
  }
}
