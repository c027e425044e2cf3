/**
 * The candidate that was probably meant, or null where nothing is near enough to be worth a hint. The same word in other
 * letters' case comes first, then a name that the word begins, then the fewest typing mistakes; ties go to list order.
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const wanted = word.toLowerCase();
  let best: { name: string; score: number } | null = null;
  for (const name of candidates) {
    if (name === word) continue;
    const limit = best === null ? Number.POSITIVE_INFINITY : best.score;
    const score = scoreOf(wanted, name.toLowerCase());
    if (score < limit) best = { name, score };
  }
  return best?.name ?? null;
}

/** A beginning counts from this length on: shorter ones begin too much. */
const SHORTEST_BEGINNING = 3;
/** Puts every beginning before every typing mistake, shorter names first. */
const PER_MISTAKE = 1_000_000;

function scoreOf(wanted: string, name: string): number {
  if (wanted === name) return -1;
  if (wanted.length >= SHORTEST_BEGINNING && name.startsWith(wanted)) return name.length - wanted.length;
  const most = allowedMistakes(wanted.length);
  const mistakes = countMistakes(wanted, name, most);
  return mistakes > most ? Number.POSITIVE_INFINITY : mistakes * PER_MISTAKE;
}

function allowedMistakes(length: number): number {
  if (length < 3) return 0;
  return length < 6 ? 1 : length < 10 ? 2 : 3;
}

/**
 * Letters left out, added, changed, or two neighbours swapped (optimal string alignment). Counting stops above `most`,
 * where only "too many" matters.
 */
function countMistakes(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let fewest = i;
    for (let j = 1; j <= b.length; j += 1) {
      let count = at(above, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      count = Math.min(count, at(above, j) + 1, at(row, j - 1) + 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) count = Math.min(count, at(before, j - 2) + 1);
      row.push(count);
      fewest = Math.min(fewest, count);
    }
    if (fewest > most) return most + 1;
    before = above;
    above = row;
  }
  return at(above, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] as number;
}
