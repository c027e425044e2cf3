import { useEffect, useState } from "preact/hooks";

type Views = typeof import("./more.ts");

/** The further views, or why they are not there and what to do about it. */
export type More =
  | { readonly kind: "loading" }
  | { readonly kind: "loaded"; readonly views: Views }
  | { readonly kind: "failed"; readonly again: () => void };

let loaded: Views | null = null;
let loading: Promise<Views> | null = null;

/** All who ask wait for the same load. */
function load(): Promise<Views> {
  loading ??= import("./more.ts").then((views) => {
    loaded = views;
    return views;
  });
  return loading;
}

/** Browsers remember that a script did not come: only the page anew gets it, once somebody is there to give it. */
async function loadAnew(): Promise<void> {
  const answer = await fetch(location.pathname, { cache: "no-store" }).catch(() => null);
  if (answer?.ok === true) location.reload();
}

/** They are asked for as soon as the first view is drawn. */
export function useMore(): More {
  const [views, setViews] = useState(loaded);
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    // Also where they came between this drawing and now: nobody else draws this one again.
    load().then(setViews, () => setFailed(true));
  }, []);
  if (views !== null) return { kind: "loaded", views };
  return isFailed ? { kind: "failed", again: () => void loadAnew() } : { kind: "loading" };
}
