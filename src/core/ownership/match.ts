import { type Alternative, compile } from "./compile.ts";
import type { PathPattern } from "./pattern.ts";
import { acceptsName, type Segment } from "./segment.ts";

/** Whether a pattern covers a path of the repository; "unknown" where the pattern could not be taken apart. */
export function matches(pattern: PathPattern, path: string): boolean | "unknown" {
  return matcher(pattern)(path);
}

/** For many paths: the pattern is taken apart once. */
export function matcher(pattern: PathPattern): (path: string) => boolean | "unknown" {
  const alternatives = compile(pattern);
  return (path) => {
    let answer: boolean | "unknown" = false;
    for (const alternative of alternatives) {
      const covers = coversPath(alternative, path);
      if (covers === true) return true;
      if (covers === "unknown") answer = covers;
    }
    return answer;
  };
}

function coversPath(alternative: Alternative, path: string): boolean | "unknown" {
  switch (alternative.kind) {
    case "literal":
      return isAtOrBelow(path, alternative.path);
    case "glob":
      return acceptsPath(alternative.segments(), path);
    case "undecided":
      // Whatever the foreign syntax means, a file of just this name is meant, such as +page@(app).svelte
      if (isAtOrBelow(path, alternative.text)) return true;
      return path.startsWith(alternative.prefix) ? "unknown" : false;
  }
}

/** Keeps all places in the pattern that the path may have reached, so no wildcard is ever tried twice. */
export function acceptsPath(segments: readonly Segment[], path: string): boolean {
  let places = withSkips(segments, new Set([0]));
  for (const name of path.split("/")) {
    const reached = new Set<number>();
    for (const place of places) {
      const segment = segments[place];
      if (segment?.kind === "depth") reached.add(place);
      else if (segment !== undefined && acceptsName(segment, name)) reached.add(place + 1);
    }
    if (reached.size === 0) return false;
    places = withSkips(segments, reached);
  }
  return places.has(segments.length);
}

/** A "depth" may stand for nothing. */
function withSkips(segments: readonly Segment[], places: Set<number>): Set<number> {
  for (const place of places) if (segments[place]?.kind === "depth") places.add(place + 1);
  return places;
}

function isAtOrBelow(path: string, top: string): boolean {
  return path === top || path.startsWith(`${top}/`);
}
