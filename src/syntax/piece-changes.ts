import type { Piece } from "./pieces.ts";

/** A piece of a file that is not what it was. Of what was removed, everything is said about the text before. */
export type PieceChange = Pick<Piece, "path" | "kind" | "about" | "line"> & {
  readonly what: "added" | "removed" | "changed";
};

/**
 * What differs between two texts of a file. The order of pieces means nothing; only those of one name are a sequence, such as the
 * overloads of a function. What has no name was removed or added: nobody can tell what became of it.
 */
export function changedPieces(before: readonly Piece[], after: readonly Piece[]): PieceChange[] {
  const [old, now] = [grouped(before), grouped(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) =>
    (key.startsWith(NAMELESS) ? looseChanges : sequenceChanges)(old.get(key) ?? [], now.get(key) ?? []),
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

const byLine = (a: PieceChange, b: PieceChange) => a.line - b.line;

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

const NAMELESS = "-";

/** Comments are compared all together, since whose one is is a matter of layout. */
function grouped(pieces: readonly Piece[]): Map<string, Piece[]> {
  const groups = new Map<string, Piece[]>();
  for (const piece of pieces) {
    const { kind, path } = piece;
    const key = kind === "comment" || path === null ? `${NAMELESS}${kind}` : `+${kind} ${path}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [piece]);
    else group.push(piece);
  }
  return groups;
}

/** Of those in no order: each may stand for one that says the same. */
function looseChanges(before: readonly Piece[], after: readonly Piece[]): PieceChange[] {
  const left = new Map<string, number>();
  for (const { fingerprint } of before) left.set(fingerprint, (left.get(fingerprint) ?? 0) + 1);
  const added = after.filter(({ fingerprint }) => !took(left, fingerprint));
  // What is left of a text that was there more than once: the last of it, as if it had been cut at the end.
  const removed = before.toReversed().filter(({ fingerprint }) => took(left, fingerprint));
  return [
    ...removed.reverse().map((piece) => changeOf(piece, "removed")),
    ...added.map((piece) => changeOf(piece, "added")),
  ];
}

function took(left: Map<string, number>, fingerprint: string): boolean {
  const count = left.get(fingerprint) ?? 0;
  if (count > 0) left.set(fingerprint, count - 1);
  return count > 0;
}

function sequenceChanges(before: readonly Piece[], after: readonly Piece[]): PieceChange[] {
  const same = (a: Piece | undefined, b: Piece | undefined) => a?.fingerprint === b?.fingerprint;
  let [start, end] = [0, 0];
  const most = Math.min(before.length, after.length);
  while (start < most && same(before[start], after[start])) start += 1;
  while (end < most - start && same(before.at(-1 - end), after.at(-1 - end))) end += 1;
  return paired(before.slice(start, before.length - end), after.slice(start, after.length - end));
}

function paired(removed: readonly Piece[], added: readonly Piece[]): PieceChange[] {
  return [
    ...added.map((piece, i) => changeOf(piece, i < removed.length ? "changed" : "added")),
    ...removed.slice(added.length).map((piece) => changeOf(piece, "removed")),
  ];
}

function changeOf({ path, kind, about, line }: Piece, what: PieceChange["what"]): PieceChange {
  return { path, kind, about, line, what };
}
