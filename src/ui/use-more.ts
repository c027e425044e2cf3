import { useEffect, useState } from "preact/hooks";

type More = typeof import("./more.ts");

let loaded: More | null = null;
let loading: Promise<More> | null = null;

/** All who ask wait for the same load; one that failed may be tried again. */
function load(): Promise<More> {
  loading ??= import("./more.ts").then(
    (views) => {
      loaded = views;
      return views;
    },
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** The further views; null until they are there. They are asked for as soon as the first view is drawn. */
export function useMore(): More | null {
  const [more, setMore] = useState(loaded);
  const [problem, setProblem] = useState<Error | null>(null);
  useEffect(() => {
    // Also where they came between this drawing and now: nobody else draws this one again.
    load().then(setMore, setProblem);
  }, []);
  if (problem !== null) throw problem;
  return more;
}
