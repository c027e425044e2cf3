import type { BatchList, ListedBatch } from "../../../app/cast/batches.ts";
import { listed } from "../../../core/select/run-words.ts";

/** The batches of a plan in two streams, in the order of the plan. The second is empty where there is one batch. */
export type Split = {
  readonly at: number;
  readonly a: readonly ListedBatch[];
  readonly b: readonly ListedBatch[];
};

export type SplitResult =
  | { readonly ok: true; readonly split: Split }
  | { readonly ok: false; readonly message: string };

/** After the first `wanted` batches, else in the middle. */
export function splitAt({ batches }: BatchList, wanted: number | null): SplitResult {
  const count = batches.length;
  if (wanted !== null && (wanted < 1 || wanted >= count)) {
    const got = `(got ${wanted}, batch count is ${count})`;
    const message =
      count === 1
        ? `--split needs at least two batches ${got}`
        : `--split N must be between 1 and ${count - 1} ${got}`;
    return { ok: false, message };
  }
  const at = wanted ?? Math.max(1, Math.floor(count / 2));
  return { ok: true, split: { at, a: batches.slice(0, at), b: batches.slice(at) } };
}

export const idsOf = (batches: readonly ListedBatch[]): string => batches.map(({ id }) => id).join(",");

/**
 * What the cut severs, as one sentence: batches of the second stream that need batches of the first, by what the plan says or
 * by its order. Both streams start at once, so they do not get that work. Null where it severs nothing.
 */
export function severed({ a, b }: Split): string | null {
  const first = new Set(a.map(({ id }) => id));
  const cut = b.flatMap(({ id, needs, sequentialAfter }) =>
    [...needs, ...(sequentialAfter === null ? [] : [sequentialAfter])]
      .filter((need) => first.has(need))
      .map((need) => ({ id, need })),
  );
  if (cut.length === 0) return null;
  const [ids, needs] = [cut.map(({ id }) => id), cut.map(({ need }) => need)].map((all) => [...new Set(all)]);
  const who = named(ids as string[]);
  const verb = ids?.length === 1 ? "needs" : "need";
  return `${who} in stream B ${verb} ${named(needs as string[])} in stream A, and both streams start at once; --dag keeps the order`;
}

const MOST_NAMES = 8;

function named(ids: readonly string[]): string {
  const rest = ids.length - MOST_NAMES;
  const shown = rest > 0 ? [...ids.slice(0, MOST_NAMES), `${rest} more`] : ids;
  return `${ids.length === 1 ? "batch" : "batches"} ${listed(shown)}`;
}
