import { isLoose } from "./pieces/written-alike.ts";
import type { Piece } from "./pieces.ts";

/** A piece of a file that is not what it was. Of what was removed, everything is said about the text before. */
export type PieceChange = Pick<Piece, "path" | "kind" | "about" | "withImport" | "within" | "line"> & {
  readonly what: "added" | "removed" | "changed";
};

/**
 * What differs between two texts of a file. The order of pieces means nothing; only those of one name are a sequence, such as the
 * overloads of a function. What has no name was removed or added: nobody can tell what became of it.
 */
export function changedPieces(before: readonly Piece[], after: readonly Piece[]): PieceChange[] {
  const [old, now] = [grouped(before), grouped(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) =>
    (key.startsWith(LOOSE) ? looseChanges : sequenceChanges)(old.get(key) ?? [], now.get(key) ?? []),
  );
}

/**
 * The same for people, in the order of the lines: one change a name, and what has none as often as it stands apart. What was removed
 * and added was changed.
 */
export function summedChanges(changes: readonly PieceChange[]): PieceChange[] {
  const told = new Map<string, PieceChange>();
  for (const change of changes) {
    if (change.path === null) continue;
    const known = told.get(change.path);
    told.set(change.path, known === undefined ? change : both(known, change));
  }
  const nameless = changes.filter(({ path }) => path === null).sort(byLine);
  const added = nameless.filter(({ what }) => what === "added");
  const removed = nameless.filter(({ what }) => what === "removed");
  const instead = added.map(
    (one, i): PieceChange => (i < removed.length ? { ...one, what: "changed" } : one),
  );
  return [...told.values(), ...apart(instead), ...apart(removed.slice(added.length))].sort(byLine);
}

function byLine(a: PieceChange, b: PieceChange): number {
  const [one, other] = [a.path ?? "", b.path ?? ""];
  return a.line - b.line || (one < other ? -1 : one > other ? 1 : 0);
}

function both(one: PieceChange, other: PieceChange): PieceChange {
  const [first, second] = [one, other].sort((a, b) => weight(a) - weight(b)) as [PieceChange, PieceChange];
  return first.what === second.what ? first : { ...first, what: "changed" };
}

/** Where both texts have it, the one after is shown; a comment says less of the place than a name. */
function weight({ what, kind }: PieceChange): number {
  return (what === "removed" ? 2 : 0) + (kind === "comment" ? 1 : 0);
}

/** The first of lines that follow each other: a comment of ten lines is one thing. */
function apart(changes: readonly PieceChange[]): PieceChange[] {
  return changes.filter(({ line, kind }, i) => {
    const before = changes[i - 1];
    return kind !== "comment" || before?.kind !== kind || line > before.line + 1;
  });
}

const LOOSE = "-";

function grouped(pieces: readonly Piece[]): Map<string, Piece[]> {
  const groups = new Map<string, Piece[]>();
  for (const piece of pieces) {
    const { kind, path } = piece;
    const key = isLoose(piece) ? `${LOOSE}${kind}` : `+${kind} ${path}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [piece]);
    else group.push(piece);
  }
  return groups;
}

/** Of those in no order each may stand for one that says the same, of the same if it can be. */
function looseChanges(before: readonly Piece[], after: readonly Piece[]): PieceChange[] {
  const exactly = ({ fingerprint, path, about }: Piece) => `${path} ${about.join(" ")} ${fingerprint}`;
  const [gone, come] = unmatched(before, after, exactly);
  const [removed, added] = unmatched(gone, come, ({ fingerprint }) => fingerprint);
  return [
    ...removed.map((piece) => changeOf(piece, "removed")),
    ...added.map((piece) => changeOf(piece, "added")),
  ];
}

/** Those of each side that have no other of the same key. */
function unmatched(
  before: readonly Piece[],
  after: readonly Piece[],
  keyOf: (piece: Piece) => string,
): [before: Piece[], after: Piece[]] {
  const left = new Map<string, number>();
  for (const piece of before) left.set(keyOf(piece), (left.get(keyOf(piece)) ?? 0) + 1);
  const added = after.filter((piece) => !took(left, keyOf(piece)));
  // What was there more often than it is now: the last of it, as if it had been cut at the end.
  const removed = before.toReversed().filter((piece) => took(left, keyOf(piece)));
  return [removed.reverse(), added];
}

function took(left: Map<string, number>, key: string): boolean {
  const count = left.get(key) ?? 0;
  if (count > 0) left.set(key, count - 1);
  return count > 0;
}

/** Of one name: it is changed where the first differs. */
function sequenceChanges(before: readonly Piece[], after: readonly Piece[]): PieceChange[] {
  const length = Math.max(before.length, after.length);
  let at = 0;
  while (at < length && before[at]?.fingerprint === after[at]?.fingerprint) at += 1;
  if (at === length) return [];
  const [was, is] = [before[at] ?? before.at(-1), after[at] ?? after.at(-1)];
  if (is === undefined) return was === undefined ? [] : [changeOf(was, "removed")];
  if (was === undefined) return [changeOf(is, "added")];
  // What it was about counts as much as what it is about.
  return [{ ...changeOf(is, "changed"), about: [...new Set([...was.about, ...is.about])] }];
}

function changeOf(
  { path, kind, about, withImport, within, line }: Piece,
  what: PieceChange["what"],
): PieceChange {
  return { path, kind, about, withImport, within, line, what };
}
