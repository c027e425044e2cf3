import type { TaskId } from "../core/ids.ts";
import { type Language, languageNames, languageOf } from "../syntax/language.ts";
import { changedPieces, type PieceChange, summedChanges } from "../syntax/piece-changes.ts";
import { type DifferingPieces, differingPieces } from "../syntax/pieces.ts";
import { readSource } from "../syntax/read-source.ts";
import { lineFinder } from "../util/lines.ts";
import type { ChangedFile, OwnershipFinding } from "./finding.ts";
import { isGenerated } from "./generated.ts";

/** The symbols of a file that a task owns, and whose the others are. */
export type Owned = {
  readonly symbols: readonly string[];
  readonly ownerOf: (path: string, symbol: string | null) => TaskId | null;
  /** The repository says that a program writes the file. */
  readonly isMarked: boolean;
};

/** What a task changed in a file of which it owns some symbols only. */
export async function judgeSymbols(file: ChangedFile, owned: Owned): Promise<OwnershipFinding[]> {
  if (file.isReplaced) return [replacedFinding(file, owned)];
  const cut = await cutFile(file, owned.isMarked);
  if (cut.kind === "same") return [];
  if (cut.kind === "unsure")
    return [{ ...aboutFile(file), kind: "unsure", line: cut.line, detail: unsureText(cut.why, owned) }];
  const { foreign, inner } = judgePieces(changedPieces(cut.before, cut.after), {
    symbols: owned.symbols,
    names: cut.names,
    isWhole: file.change !== "modified",
  });
  if (file.change === "deleted") return foreign.length === 0 ? [] : [lostFinding(file, foreign, owned)];
  return capped([
    ...asWholes(summedChanges(foreign), file, owned).map(partFinding("symbol", file, owned)),
    ...summedChanges(inner).map(partFinding("unsure", file, owned)),
  ]);
}

type Cut =
  | { readonly kind: "same" }
  | { readonly kind: "unsure"; readonly why: string; readonly line: number | null }
  | ({ readonly kind: "cut" } & DifferingPieces);

/** Longer ones are written by programs, and take seconds. */
const MOST_CHARACTERS = 2_000_000;

async function cutFile({ path, change, before, after }: ChangedFile, isMarked: boolean): Promise<Cut> {
  const language = languageOf(path);
  if (language === null) return cannot("plait cannot parse files of this type");
  const [old, now] = [change === "added" ? "" : await before(), change === "deleted" ? "" : await after()];
  if (old === null || now === null) return cannot("it is not text");
  if (old === now) return { kind: "same" };
  if (isMarked || isGenerated(old)) return cannot("it is a generated file");
  if (Math.max(old.length, now.length) > MOST_CHARACTERS) return cannot("it is too long to parse");
  return cutTexts(language, old, now);
}

function cannot(why: string, line: number | null = null): Cut {
  return { kind: "unsure", why, line };
}

async function cutTexts(language: Language, before: string, after: string): Promise<Cut> {
  const name = languageNames[language];
  const was = await readSource(language, asRead(language, before));
  try {
    const [old] = was.errors;
    if (old !== undefined)
      return cannot(
        `it was already not valid ${name} before the change (line ${lineFinder(before)(old.start)}: ${old.message})`,
      );
    const is = await readSource(language, asRead(language, after));
    try {
      const [now] = is.errors;
      if (now !== undefined)
        return cannot(`it is not valid ${name}: ${now.message}`, lineFinder(after)(now.start));
      return { kind: "cut", ...differingPieces(was.tree, is.tree) };
    } finally {
      is.tree.free();
    }
  } finally {
    was.tree.free();
  }
}

/** To Python a line ends there too, also where a comment seems to go on. */
function asRead(language: Language, text: string): string {
  return language === "python" && text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text;
}

/** What came or went as a whole is one thing with all of its members, but for those that somebody else owns. */
function asWholes(
  changes: readonly PieceChange[],
  { path: file }: ChangedFile,
  { ownerOf }: Pick<Owned, "ownerOf">,
): PieceChange[] {
  const wholes = new Map(changes.filter(isWhole).map((change) => [change.path as string, change]));
  return changes.filter(({ path, what }) => {
    const around = path === null ? [] : holdersOf(path);
    return !around.some(
      (name) => wholes.get(name)?.what === what && ownerOf(file, name) === ownerOf(file, path),
    );
  });
}

function isWhole({ path, kind, what }: PieceChange): boolean {
  return path !== null && what !== "changed" && (kind === "head" || kind === "named");
}

/** Nobody nests further, and a hostile text does without end. */
const MOST_HOLDERS = 20;

/** Of `a.b.c`: `a` and `a.b`. */
function holdersOf(path: string): string[] {
  const names: string[] = [];
  for (let at = path.indexOf("."); at > 0 && names.length < MOST_HOLDERS; at = path.indexOf(".", at + 1))
    names.push(path.slice(0, at));
  return names;
}

function aboutFile({ path }: ChangedFile) {
  return { path, symbol: null, line: null, owner: null } as const;
}

function unsureText(why: string, { symbols }: Owned): string {
  return `${why}, so it is unclear if only ${ownedText(symbols)} was changed`;
}

/** `unsure`: claims may name what is inside of a piece, such as a function in a function. */
function partFinding(kind: "symbol" | "unsure", { path }: ChangedFile, { symbols, ownerOf }: Owned) {
  return (change: PieceChange): OwnershipFinding => {
    const { path: symbol, line } = change;
    const parts = symbols.filter((one) => one.startsWith(`${symbol}.`));
    const problem =
      kind === "symbol"
        ? `of this file the task owns only ${ownedText(symbols)}`
        : `unclear if only in ${ownedText(parts)}, which plait cannot find`;
    const detail = `${partText(change)} was ${change.what}; ${problem}`;
    return { kind, path, symbol, line, owner: ownerOf(path, symbol), detail };
  };
}

/** Whatever was in it is not the same any more. */
function replacedFinding(file: ChangedFile, { symbols, ownerOf }: Owned): OwnershipFinding {
  const detail = `replaced by a link or a submodule, or the reverse; of this file the task owns only ${ownedText(symbols)}`;
  return { ...aboutFile(file), kind: "symbol", owner: ownerOf(file.path, null), detail };
}

function lostFinding(
  file: ChangedFile,
  lost: readonly PieceChange[],
  { symbols, ownerOf }: Owned,
): OwnershipFinding {
  const changes = asWholes(summedChanges(lost), file, { ownerOf });
  const owner = changes.map(({ path }) => ownerOf(file.path, path)).find((task) => task !== null) ?? null;
  const detail = `deleted with ${lostText(changes)}; of this file the task owns only ${ownedText(symbols)}`;
  return { ...aboutFile(file), kind: "symbol", owner, detail };
}

/** A file that was formatted anew differs everywhere; nobody reads all of that. */
const MOST_OF_A_FILE = 50;

function capped(findings: readonly OwnershipFinding[]): OwnershipFinding[] {
  const rest = findings.slice(MOST_OF_A_FILE);
  const [first] = rest;
  if (first === undefined) return [...findings];
  const detail = `and ${rest.length} more parts of this file that the task does not own`;
  return [...findings.slice(0, MOST_OF_A_FILE), { ...first, symbol: null, owner: null, detail }];
}

/** What a claim names, as people read it. */
function ownedText(symbols: readonly string[]): string {
  return listed(symbols.map((symbol) => `\`${symbol}\``));
}

/** A part of a file as the beginning of a sentence. */
function partText({ path, kind, what }: PieceChange): string {
  if (path === null && kind === "opening") return "the beginning of the file";
  if (path === null) return kind === "comment" ? "a comment of the file" : "an unnamed part";
  if (kind === "comment") return `a comment of \`${path}\``;
  if (kind === "export") return `the export of \`${path}\``;
  return kind === "head" && what === "changed" ? `the head of \`${path}\`` : `\`${path}\``;
}

/** What went with a file. */
function lostText(changes: readonly PieceChange[]): string {
  const named = changes.filter(({ path, kind }) => path !== null && kind !== "comment");
  return named.length === 0 ? "its content" : listed(named.map(({ path }) => `\`${path}\``));
}

const MOST = 3;

function listed(names: readonly string[]): string {
  if (names.length > MOST + 1) return `${names.slice(0, MOST).join(", ")} and ${names.length - MOST} more`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** What a task may change in a file. */
type Permit = {
  readonly symbols: readonly string[];
  /** All names that were in the file before. */
  readonly names: ReadonlySet<string>;
  /** The file was made or taken away with all that is in it. */
  readonly isWhole: boolean;
};

type Judged = {
  /** Not the task's. */
  readonly foreign: readonly PieceChange[];
  /** Something in it is the task's, which nobody can tell from the rest. */
  readonly inner: readonly PieceChange[];
};

/**
 * A claim on `Cart` covers it and all of its members, one on `Cart.total` only that. Imports are free, since whatever a task writes
 * may need some; so is what a file begins with that comes or goes, and the head of a class that was not there and holds what is owned.
 */
function judgePieces(changes: readonly PieceChange[], permit: Permit): Judged {
  const { symbols, names, isWhole } = permit;
  const [foreign, inner]: [PieceChange[], PieceChange[]] = [[], []];
  for (const change of changes) {
    const { path, kind } = change;
    if (isFree(change, isWhole) || isCovered(change, symbols)) continue;
    if (path === null || !holdsOwned(path, symbols)) foreign.push(change);
    else if (names.has(path)) (kind === "named" ? inner : foreign).push(change);
  }
  return { foreign, inner };
}

function isFree({ kind, path, withImport }: PieceChange, isWhole: boolean): boolean {
  if (kind === "import" || withImport) return true;
  return isWhole && (kind === "opening" || (kind === "comment" && path === null));
}

/** By its name, by the list that it is in, or by all that it is about. */
function isCovered({ path, within, about }: PieceChange, symbols: readonly string[]): boolean {
  if ([path, within].some((name) => name !== null && covers(name, symbols))) return true;
  return about.length > 0 && about.every((name) => covers(name, symbols));
}

function covers(path: string, symbols: readonly string[]): boolean {
  return symbols.some((symbol) => path === symbol || path.startsWith(`${symbol}.`));
}

function holdsOwned(path: string, symbols: readonly string[]): boolean {
  return symbols.some((symbol) => symbol.startsWith(`${path}.`));
}
