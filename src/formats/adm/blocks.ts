import { fromMarkdown } from "mdast-util-from-markdown";
import { bodyStart } from "./detect.ts";

/** Offsets in the file, end exclusive. */
export type Span = { readonly start: number; readonly end: number };

export type Block = {
  readonly fence: Span;
  readonly isClosed: boolean;
  /** What stands in its lines, without the indentation and the signs of lists and quotations in front. */
  readonly lines: readonly Span[];
};

/**
 * The dispatch blocks of a Markdown text, in its order. Markdown decides what is one: a block that is shown inside another
 * block, in a comment or in indented code is not.
 */
export function dispatchBlocks(path: string, text: string): Block[] {
  const base = bodyStart(path, text);
  const fences: Span[] = [];
  const values: Span[] = [];
  const placed = ({ start, end }: { start: Point; end: Point }) => ({
    start: base + start.offset,
    end: base + end.offset,
  });
  const tree = fromMarkdown(text.slice(base), {
    extensions: [{ disable: { null: inline } }],
    mdastExtensions: [
      {
        enter: {
          codeFencedFence: (token) => void fences.push(placed(token)),
          // The text of blocks is taken from the file, so none is collected.
          codeFlowValue: (token) => void values.push(placed(token)),
        },
        exit: { codeFlowValue: () => undefined },
      },
    ],
  });
  const [fencesOf, valuesOf] = [taker(fences), taker(values)];
  return codeBlocks(tree, base).flatMap((block) => {
    const [fence, closing] = fencesOf(block);
    return fence ? [{ fence, isClosed: closing !== undefined, lines: valuesOf(block) }] : [];
  });
}

type Point = { readonly offset: number };

/** What stands inside paragraphs decides nothing, and some of it is costly to read. */
const inline = [
  "attention",
  "autolink",
  "characterEscape",
  "characterReference",
  "codeText",
  "definition",
  "hardBreakEscape",
  "htmlText",
  "labelEnd",
  "labelStartImage",
  "labelStartLink",
];

type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>["children"][number];

function codeBlocks(tree: Node, base: number): Span[] {
  const found: Span[] = [];
  const rest: Node[] = [tree];
  for (let node = rest.pop(); node; node = rest.pop()) {
    if ("children" in node) for (const child of node.children.toReversed()) rest.push(child as Node);
    if (node.type !== "code" || node.lang !== "json" || node.meta?.trim() !== "dispatch") continue;
    const { start, end } = node.position as { start: Point; end: Point };
    found.push({ start: base + start.offset, end: base + end.offset });
  }
  return found;
}

/** Gives the parts inside one whole after the other; both are in the order of the file. */
function taker(parts: readonly Span[]): (whole: Span) => Span[] {
  let at = 0;
  return ({ start, end }) => {
    while ((parts[at]?.start ?? end) < start) at += 1;
    const first = at;
    while ((parts[at]?.end ?? end + 1) <= end) at += 1;
    return parts.slice(first, at);
  };
}

/** What a text may cost to read as Markdown, see costOf: about a second. */
const MOST_COST = 8_000;

/**
 * Where a text becomes too much to be read as Markdown; null where it does not. The reader takes time that grows with the square
 * of the signs of lists and quotations (micromark 4), and nobody writes a plan like that.
 */
export function tooMuchAt(text: string): number | null {
  let cost = 0;
  for (let start = 0; start <= text.length; ) {
    const feed = text.indexOf("\n", start);
    const end = feed === -1 ? text.length : feed;
    cost += costOf(text.slice(start, end));
    if (cost > MOST_COST) return start;
    start = end + 1;
  }
  return null;
}

/** Signs count by how deep they stand. Lines that begin as JSON does are mostly inside blocks, which are read at a glance. */
function costOf(line: string): number {
  const [signs = ""] = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/.exec(line) ?? [];
  if (signs !== "") return 4 + 4 * signs.length;
  return /^\s*["{}[\]]/.test(line) ? 0.2 : 1;
}
