import { useEffect, useState } from "preact/hooks";
import { type AttemptId, splitAttemptId } from "../../core/ids.ts";
import type { DiffDocument } from "../../report/page/wire.ts";
import { useMoment, usePage } from "../context.ts";

/** What an attempt changed: null until it is told. */
export type KnownDiff = DiffDocument | { readonly kind: "problem"; readonly error: Error } | null;

/** Asked for again when `state` is another: what is at work now is saved later. */
export function useDiff(attempt: AttemptId | null, state: string): KnownDiff {
  const { source } = usePage();
  const { run } = useMoment().state;
  const [diff, setDiff] = useState<KnownDiff>(null);
  useEffect(() => {
    let isOver = false;
    setDiff(null);
    if (attempt !== null) {
      source.diff({ run, ...splitAttemptId(attempt) }, "base").then(
        (told) => !isOver && setDiff(told),
        (error: Error) => !isOver && setDiff({ kind: "problem", error }),
      );
    }
    return () => {
      isOver = true;
    };
  }, [source, run, attempt, state]);
  return diff;
}
