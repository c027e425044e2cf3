import { useEffect, useState } from "preact/hooks";

/** Something that has to be asked for. What was there stays until its next version is. */
export type Loaded<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "loaded"; readonly value: T }
  | { readonly kind: "problem"; readonly error: Error };

/** Asks when `key` changes, and every `everyMs` besides; null asks for nothing. */
export function useLoaded<T>(
  key: string | null,
  ask: () => Promise<T>,
  everyMs: number | null = null,
): Loaded<T> {
  const [held, setHeld] = useState<Held<T>>(NOTHING);
  useEffect(() => {
    if (key === null) return;
    let isCurrent = true;
    let isAsking = false;
    const load = async (): Promise<void> => {
      if (isAsking) return; // an answer must not come after a later one
      isAsking = true;
      const loaded = await ask().then(
        (value): Loaded<T> => ({ kind: "loaded", value }),
        (error: Error): Loaded<T> => ({ kind: "problem", error }),
      );
      isAsking = false;
      // What was there stays while nobody answers; that nobody does is said by the frame.
      const isBetter = (before: Held<T>) =>
        loaded.kind === "loaded" || before.key !== key || before.loaded.kind !== "loaded";
      if (isCurrent) setHeld((before) => (isBetter(before) ? { key, loaded } : before));
    };
    void load();
    const timer = everyMs === null ? undefined : setInterval(() => void load(), everyMs);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [key, everyMs]);
  return held.key === key ? held.loaded : NOTHING.loaded;
}

type Held<T> = { readonly key: string | null; readonly loaded: Loaded<T> };

const NOTHING = { key: null, loaded: { kind: "loading" } } as const;
