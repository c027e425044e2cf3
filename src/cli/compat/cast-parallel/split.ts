import type { BatchList, ListedBatch } from "../../../app/cast/batches.ts";
import { listed } from "../../../core/text/figures.ts";

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
 * Warnings about batches of the second stream that need batches of the first: both streams start at once, so they do not get
 * that work. A need is what the plan declares; where its text names another batch, that and no more is said.
 */
export function listSevered({ a, b }: Split): string[] {
  const first = new Set(a.map(({ id }) => id));
  const warn = (
    verbs: readonly [string, string],
    pick: (batch: ListedBatch) => readonly string[],
  ): string[] => {
    const cut = b.flatMap((batch) =>
      pick(batch)
        .filter((other) => first.has(other))
        .map((other) => ({ id: batch.id, other })),
    );
    if (cut.length === 0) return [];
    const ids = [...new Set(cut.map(({ id }) => id))];
    const others = [...new Set(cut.map(({ other }) => other))];
    const verb = ids.length === 1 ? verbs[0] : verbs[1];
    return [
      `${named(ids)} in stream B ${verb} ${named(others)} in stream A, but both streams start together; use --dag to keep the order`,
    ];
  };
  return [
    ...warn(["needs", "need"], ({ needs }) => needs),
    ...warn(["mentions", "mention"], ({ mentions }) => mentions),
  ];
}

const MOST_NAMES = 8;

function named(ids: readonly string[]): string {
  const rest = ids.length - MOST_NAMES;
  const shown = rest > 0 ? [...ids.slice(0, MOST_NAMES), `${rest} more`] : ids;
  return `${ids.length === 1 ? "batch" : "batches"} ${listed(shown)}`;
}

export type StreamName = "a" | "b";

export const taskOf = (name: StreamName): string => `stream-${name}`;
export const letterOf = (task: string): string => task.replace(/^stream-/, "").toUpperCase();
export const titleOf = (task: string): string => `Stream ${letterOf(task)}`;
export const taskIn = (attempt: string): string => attempt.replace(/\/\d+$/, "");
