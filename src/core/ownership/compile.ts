import { expandBraces } from "./braces.ts";
import { once } from "./once.ts";
import { looksLikeFile, type PathPattern } from "./pattern.ts";
import { ANY_SEGMENT, readSegment, type Segment } from "./segment.ts";

/**
 * One way in which a pattern matches; a path is covered where one of the alternatives covers it. Every such path, with
 * a "/" put behind it, begins with the prefix. Segments are read when first asked for: most patterns are told apart by
 * their prefixes.
 */
export type Alternative = Glob | Literal | Undecided;

export type Glob = {
  readonly kind: "glob";
  readonly prefix: string;
  /** Every path that it matches ends with this. */
  readonly tail: string;
  readonly segments: () => readonly Segment[];
};

/** Covers itself and all below it. */
export type Literal = Omit<Glob, "kind"> & {
  readonly kind: "literal";
  readonly path: string;
  readonly looksLikeFile: boolean;
};

/** Plait does not take it apart and says why, as the end of a sentence that begins with the text. */
export type Undecided = {
  readonly kind: "undecided";
  readonly prefix: string;
  readonly text: string;
  readonly why: string;
};

/** Takes any text without complaint; what is refused is decided by `parsePattern`. */
export function compile(pattern: string): readonly Alternative[] {
  const foreign = foreignSyntax(pattern);
  if (foreign !== null) return [undecided(pattern, foreign)];
  const expansion = expandBraces(pattern);
  if (expansion.kind === "undecided") return [undecided(pattern, expansion.why)];
  if (expansion.kind === "unclosed") return [undecided(pattern, "opens a brace that is not closed")];
  return expansion.texts.flatMap(readAlternatives);
}

export function undecided(text: string, why: string): Alternative {
  return { kind: "undecided", text, why, prefix: /^[^*?[{@!+]*/.exec(text)?.[0] ?? "" };
}

/** Drops what says nothing in a path: "./" and doubled slashes. The root itself is everything. */
export function normalise(path: string): string {
  if (path !== "" && !/^\/|\/\/|(?:^|\/)\.(?:\/|$)/.test(path)) return path;
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.length === 0) return "**";
  const isFolder = /(^|\/)\.?$/.test(path);
  return segments.join("/") + (isFolder ? "/" : "");
}

function foreignSyntax(pattern: string): string | null {
  if (pattern.startsWith("!")) return "begins with !, which plait does not read as a negation";
  const extended = /[@!+*?]\(/.exec(pattern);
  if (extended) return `uses the extended glob ${extended[0]}…)`;
  if (/\[[!^]?\[:/.test(pattern)) return "uses a named character class such as [[:alpha:]]";
  return null;
}

function readAlternatives(text: string): Alternative[] {
  const path = normalise(text);
  const isFolder = path.endsWith("/");
  const isWild = /[*?]/.test(path);
  if (!isFolder && !isWild && !path.includes("[")) return [literal(path)];
  if (isFolder || isWild) return [glob(path)];
  // Brackets alone may be plain characters of a folder's name, which then covers what is below it.
  const hasClass = path
    .split("/")
    .map(readSegment)
    .some(({ kind }) => kind === "glob");
  return hasClass ? [literal(path), glob(path)] : [literal(path)];
}

function literal(path: string): Alternative {
  const segments = once((): Segment[] => [...path.split("/").map(textSegment), { kind: "depth" }]);
  return {
    kind: "literal",
    path,
    segments,
    prefix: `${path}/`,
    tail: "",
    looksLikeFile: looksLikeFile(path),
  };
}

function textSegment(text: string): Segment {
  return { kind: "text", text };
}

function glob(path: string): Alternative {
  return {
    kind: "glob",
    segments: once(() => globSegments(path)),
    prefix: /^[^*?[]*/.exec(path)?.[0] ?? "",
    tail: /[^*?\]/]*$/.exec(path)?.[0] ?? "",
  };
}

/** A folder, or `**` at the end, means all that lies strictly below: `dir/**` does not match a file named dir. */
function globSegments(path: string): Segment[] {
  const isFolder = path.endsWith("/");
  const segments = (isFolder ? path.slice(0, -1) : path).split("/").map(readSegment);
  const isOpen = isFolder || segments.at(-1)?.kind === "depth";
  return isOpen ? [...segments, { kind: "depth" }, ANY_SEGMENT] : segments;
}

/**
 * A pattern in the words of .gitignore, tied to the root, where there are no braces. A glob there also covers what is below a
 * folder that it matches. Nothing where plait does not take the pattern apart.
 */
export function ignoreLines(pattern: PathPattern): string[] {
  const expansion = expandBraces(pattern);
  if (expansion.kind !== "texts" || compile(pattern).some(({ kind }) => kind === "undecided")) return [];
  return expansion.texts.map(normalise).flatMap((text) => {
    // Brackets may be plain characters of a name, and then both are meant.
    const plain = text.includes("[") && !/[*?]/.test(text) ? [`/${text.replace(/[[\]]/g, "\\$&")}`] : [];
    return [`/${text}`, ...plain];
  });
}
