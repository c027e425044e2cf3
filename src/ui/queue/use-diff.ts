import { type AttemptId, splitAttemptId } from "../../core/ids.ts";
import type { DiffDocument } from "../../report/page/wire.ts";
import { useMoment, usePage } from "../context.ts";
import { type Loaded, useLoaded } from "../parts/use-loaded.ts";

/** What an attempt changed. Asked for again when `state` is another: what is at work now is saved later. */
export function useDiff(attempt: AttemptId | null, state: string): Loaded<DiffDocument> {
  const { source } = usePage();
  const { run } = useMoment().state;
  const key = attempt === null ? null : `${run} ${attempt} ${state}`;
  return useLoaded(key, () => source.diff({ run, ...splitAttemptId(attempt as AttemptId) }, "base"));
}

/** Null where there is none, or none yet. */
export function loadedDiff(loaded: Loaded<DiffDocument>): Extract<DiffDocument, { kind: "diff" }> | null {
  return loaded.kind === "loaded" && loaded.value.kind === "diff" ? loaded.value : null;
}
