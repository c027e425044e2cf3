import { looksLikeFile, symbolsMeet, takingFilesForFiles } from "../ownership/claims.ts";
import { findMeetings, type Meeting } from "../ownership/meetings.ts";
import { type Overlap, overlap } from "../ownership/overlap.ts";
import { claimText, type PathPattern } from "../ownership/pattern.ts";
import type { CreatedTwice } from "./created.ts";
import type { Order } from "./order.ts";
import { type Holding, holdingsOf, nameOf, type OwnershipCheck, orderingHint } from "./owners.ts";

/** Finds pairs of tasks that may run together and claim the same path; one finding a pair, the most certain one. */
export function checkOverlaps(check: OwnershipCheck, order: Order, created: CreatedTwice): void {
  const { pairs, complete } = collectPairs(check, order, created);
  for (const pair of [...pairs.values()].slice(0, MOST_LISTED)) sayPair(pair, check);
  if (!complete) {
    const message = "not all claims were compared, because they are too many or too complicated";
    const hint = "write fewer globs that begin with a wildcard";
    check.say("ownership-unsure", { message, at: check.planAt, hint, severity: check.unsure });
  }
  if (pairs.size > MOST_LISTED) {
    const message = `more than ${MOST_LISTED} pairs of tasks overlap; the others are not listed`;
    const hint = "narrow the broadest claims first";
    check.say("overlaps-not-listed", { message, at: check.planAt, hint });
  }
}

const MOST_LISTED = 200;
/** Looking up whether two tasks are ordered is cheap against comparing two patterns. */
const LOOKUPS_PER_WORK = 20;

/** `first` stands before `second` in the file. */
type Pair = { readonly first: Holding; readonly second: Holding; readonly found: Overlap };
type Pairs = Map<string, Pair>;

/** Certain meetings come first, so that no number of doubtful ones can hide an error. */
function collectPairs(
  check: OwnershipCheck,
  order: Order,
  created: CreatedTwice,
): { pairs: Pairs; complete: boolean } {
  const holders = [...byPattern(holdingsOf(check.owners)).values()];
  const { meetings, complete } = meetingsOf(holders, check);
  const pairs: Pairs = new Map();
  for (const { a, b, overlap: found } of meetings) {
    const [mine, theirs] = [holders[a] ?? [], holders[b] ?? []];
    check.work.left -= (mine.length * theirs.length) / LOOKUPS_PER_WORK;
    if (check.work.left <= 0 || pairs.size > MOST_LISTED) break;
    forEachPair(mine, theirs, (x, y) => {
      if (mayCollide(x, y, order) && !created.has(x, y)) keepFirst(pairs, x, y, found);
      return pairs.size <= MOST_LISTED;
    });
  }
  return { pairs, complete: complete && check.work.left > 0 };
}

function meetingsOf(
  holders: readonly (readonly Holding[])[],
  check: OwnershipCheck,
): { meetings: Meeting[]; complete: boolean } {
  const patterns = holders.map(([holding]) => (holding as Holding).claim.pattern);
  const { meetings, complete } = findMeetings(patterns, check.work);
  const shared = patterns.flatMap((pattern, i): Meeting[] => {
    return (holders[i] ?? []).length > 1 ? [{ a: i, b: i, overlap: overlap(pattern, pattern) }] : [];
  });
  const likely = [...shared, ...meetings]
    .map(({ overlap: found, ...places }) => ({ ...places, overlap: takingFilesForFiles(found) }))
    .filter(({ overlap: found }) => found.kind !== "disjoint");
  const isUnsure = ({ overlap: found }: Meeting) => Number(found.kind !== "overlap");
  return { meetings: likely.sort((x, y) => isUnsure(x) - isUnsure(y)), complete };
}

/** Each with each, within one list every pair once; goes on while `visit` says so. */
function forEachPair(
  mine: readonly Holding[],
  theirs: readonly Holding[],
  visit: (x: Holding, y: Holding) => boolean,
): void {
  for (let i = 0; i < mine.length; i += 1) {
    for (let j = mine === theirs ? i + 1 : 0; j < theirs.length; j += 1) {
      if (!visit(mine[i] as Holding, theirs[j] as Holding)) return;
    }
  }
}

/** The same pattern is compared once, however many tasks use it. */
function byPattern(holdings: readonly Holding[]): Map<PathPattern, Holding[]> {
  const found = new Map<PathPattern, Holding[]>();
  for (const holding of holdings) {
    const list = found.get(holding.claim.pattern);
    if (list === undefined) found.set(holding.claim.pattern, [holding]);
    else list.push(holding);
  }
  return found;
}

function mayCollide(x: Holding, y: Holding, order: Order): boolean {
  return order.mayRunTogether(x.owner.index, y.owner.index) && symbolsMeet(x.claim.symbol, y.claim.symbol);
}

function keepFirst(pairs: Pairs, x: Holding, y: Holding, found: Overlap): void {
  const [first, second] = x.owner.index < y.owner.index ? [x, y] : [y, x];
  const key = `${first.owner.index} ${second.owner.index}`;
  if (!pairs.has(key)) pairs.set(key, { first, second, found });
}

function sayPair({ first, second, found }: Pair, check: OwnershipCheck): void {
  const names = `${nameOf(first.owner)} and ${nameOf(second.owner)}`;
  const ordering = orderingHint(first.owner, second.owner);
  const related = [{ at: first.at, message: `${nameOf(first.owner)} claims \`${claimText(first.claim)}\`` }];
  if (found.kind === "overlap") {
    check.say("ownership-overlap", {
      message: `${names} may run together and both claim \`${found.witness}\``,
      at: second.at,
      hint: folderHint([first, second], found.witness) ?? `${ordering}, or narrow one of the claims`,
      related,
    });
  } else if (found.kind === "may-overlap") {
    const folder = found.ifFolders.find((path) => !looksLikeFile(path));
    check.say("ownership-unsure", {
      message: `${names} may run together and perhaps claim the same path: ${found.why}`,
      at: second.at,
      hint:
        folder === undefined ? `write plain globs, or ${ordering}` : `write \`${folder}/\` if it is a folder`,
      related,
      severity: check.unsure,
    });
  }
}

/** `*` and `src` meet at a file named src, which is hardly meant. */
function folderHint(pair: readonly Holding[], witness: string): string | null {
  const isNamed = pair.some(({ claim }) => claim.pattern === witness);
  const isMatched = pair.some(({ claim }) => claim.pattern !== witness && !claim.pattern.startsWith(witness));
  if (!isNamed || !isMatched || looksLikeFile(witness)) return null;
  return `if \`${witness}\` is a folder, write \`${witness}/\``;
}
