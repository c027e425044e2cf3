import { useEffect, useState } from "preact/hooks";

type More = typeof import("./more.ts");

let loaded: More | null = null;

/** The further views; null until they are there. They are asked for as soon as the first view is drawn. */
export function useMore(): More | null {
  const [more, setMore] = useState(loaded);
  const [problem, setProblem] = useState<Error | null>(null);
  useEffect(() => {
    if (loaded !== null) return;
    import("./more.ts").then((views) => {
      loaded = views;
      setMore(views);
    }, setProblem);
  }, []);
  if (problem !== null) throw problem;
  return more;
}
