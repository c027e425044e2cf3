import { matcher } from "../../core/ownership/match.ts";
import { parseClaim } from "../../core/ownership/parse.ts";
import type { SpecTask } from "../spec-task.ts";

/** Which tasks own a path, by their places in the list; what cannot be decided is owned by nobody. Asked often, so answers are kept. */
export function ownersOf(tasks: readonly SpecTask[]): (path: string) => readonly number[] {
  const claims = tasks.flatMap(({ create, modify }, task) =>
    [...create, ...modify].flatMap((text) => {
      const parsed = parseClaim(text, "any");
      if (!parsed.ok) return [];
      const [prefix = ""] = /^[^*?[{]*/.exec(parsed.claim.pattern) ?? [];
      return [{ task, prefix, covers: matcher(parsed.claim.pattern) }];
    }),
  );
  const known = new Map<string, readonly number[]>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const found = claims.filter(({ prefix, covers }) => path.startsWith(prefix) && covers(path) === true);
    const owners = [...new Set(found.map(({ task }) => task))];
    known.set(path, owners);
    return owners;
  };
}
