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
  const [held, setHeld] = useState<{ readonly key: string | null; readonly loaded: Loaded<T> }>(NOTHING);
  useEffect(() => {
    if (key === null) return;
    let isCurrent = true;
    const load = () =>
      ask().then(
        (value) => isCurrent && setHeld({ key, loaded: { kind: "loaded", value } }),
        (error: Error) => isCurrent && setHeld({ key, loaded: { kind: "problem", error } }),
      );
    void load();
    const timer = everyMs === null ? undefined : setInterval(() => void load(), everyMs);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [key, everyMs]);
  return held.key === key ? held.loaded : NOTHING.loaded;
}

const NOTHING = { key: null, loaded: { kind: "loading" } } as const;
