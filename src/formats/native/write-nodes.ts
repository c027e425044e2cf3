import { type Node, Scalar, YAMLMap, YAMLSeq } from "yaml";
import type { Command } from "../../core/plan.ts";
import type { Located, SourceRange } from "../../core/source.ts";

/** What YAML is made of when plait writes it; nothing here knows of plans. */

/** A key with its value and where it came from. Without a value there is no key. */
export type Entry = readonly [
  key: string,
  value: Node | string | number | boolean | null | undefined,
  at?: SourceRange | null | undefined,
];

/** `needs: [a] # plan.md:12`. Where a value takes several lines its place stands above the key. */
export function map(entries: readonly Entry[], { flow = false } = {}): YAMLMap {
  const node = new YAMLMap();
  node.flow = flow || entries.every(([, value]) => value === undefined || value === null);
  for (const [name, written, at] of entries) {
    if (written === undefined || written === null) continue;
    const key = text(name);
    const value =
      typeof written === "object" ? written : typeof written === "string" ? text(written) : number(written);
    if (at && isOneLine(value)) value.comment = ` ${placeText(at)}`;
    else if (at) key.commentBefore = ` ${placeText(at)}`;
    node.add({ key, value });
  }
  return node;
}

export function list(items: readonly Node[], { flow = false } = {}): YAMLSeq {
  const node = new YAMLSeq();
  node.flow = flow || items.length === 0;
  for (const item of items) node.add(item);
  return node;
}

const SHORT_LIST = 80;

/** In one line where it fits. Undefined where there are none. */
export function texts(values: readonly Located<string>[]): Node | undefined {
  return values.length === 0 ? undefined : allTexts(values.map(({ value }) => value));
}

export function allTexts(values: readonly string[]): Node {
  const isShort = values.join(", ").length <= SHORT_LIST && !values.some((value) => value.includes("\n"));
  return list(
    values.map((value) => text(value)),
    { flow: isShort },
  );
}

/** A line for the shell is a text, a program with its arguments a list. */
export function command(run: Command): Node {
  return run.kind === "shell"
    ? text(run.line, { long: true })
    : list(
        run.argv.map((word) => text(word, { quote: true })),
        { flow: true },
      );
}

/** Characters that YAML would not give back as they are when they stand in lines of their own. */
const NOT_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cs}\u2028\u2029\ufeff]|[ \t]\n|[ \t]$|^[ \t\n]/u;

const LONG = 60;

/** Texts of several lines stand as they are below their key, and so do `long` ones that would hide what follows them. */
export function text(value: string, { quote = false, long = false } = {}): Scalar {
  const node = new Scalar(value);
  const isBlock = value.includes("\n") || (long && value.length > LONG);
  if (isBlock && !NOT_IN_LINES.test(value)) node.type = Scalar.BLOCK_LITERAL;
  else if (quote || value.includes("\n") || NOT_IN_LINES.test(value)) node.type = Scalar.QUOTE_DOUBLE;
  return node;
}

export function number(value: number | boolean): Scalar {
  return new Scalar(value);
}

function isOneLine(node: Node): boolean {
  return (
    node instanceof Scalar || ((node instanceof YAMLSeq || node instanceof YAMLMap) && node.flow === true)
  );
}

/** In one line of a comment, whatever the file is called. */
export function placeText({ file, start }: SourceRange): string {
  const name = file.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "?");
  return start.line > 0 ? `${name}:${start.line}` : name;
}
