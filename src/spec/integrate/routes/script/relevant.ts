import type { Resolve } from "../../modules.ts";
import { METHODS } from "./adding.ts";
import type { Chain, ScriptRouteFacts } from "./facts.ts";
import type { ScriptModule } from "./world.ts";

/**
 * Files whose calls can make a route, or bring a router to where one is made: those that use a framework, or call something as one
 * calls a router, and all that import them. The others are looked at only where a name leads there.
 */
export function relevantFiles(
  modules: ReadonlyMap<string, ScriptModule>,
  resolve: Resolve,
  isPackage: (from: string) => boolean,
): ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  const found = new Set<string>();
  for (const [file, { facts, imports }] of modules) {
    const all = new Set([...imports.map(({ from }) => from), ...facts.required.keys()]);
    for (const from of all) {
      const target = resolve(from, file);
      if (target !== null) importers.set(target, [...(importers.get(target) ?? []), file]);
      else if (isPackage(from)) found.add(file);
    }
    if (facts.calls.some(isRouting)) found.add(file);
  }
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer); // a set goes on while it grows
  return found;
}

/** Functions inside of which something is called as one calls a router: what they are told may be part of a route. */
export function routingFunctions({ calls, scopes, classes }: ScriptRouteFacts): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { scope } of calls.filter(isRouting)) {
    for (let at = scopes[scope]; at !== undefined; at = scopes[at.parent]) {
      if (at.ofFunction !== null) found.add(at.ofFunction);
      const own = at.ofClass === null ? undefined : classes.get(at.ofClass);
      for (const { fn } of own?.methods.values() ?? []) found.add(fn);
    }
  }
  return found;
}

/** How many arguments such a call has at least; those with fewer stand in a chain with one of these. */
const FEWEST: Readonly<Record<string, number>> = {
  ...{ use: 1, route: 1, register: 1, basePath: 1, openapi: 2, mount: 2, all: 2, on: 3 },
};

function isRouting({ steps }: Chain): boolean {
  return steps.some((step, i) => {
    const next = steps[i + 1];
    if (next?.kind !== "call" || step.kind === "call") return false;
    const name = step.kind === "member" ? step.name : "";
    const fewest = METHODS.test(name) || step.kind === "index" ? 2 : FEWEST[name];
    return fewest !== undefined && next.arguments.length >= fewest;
  });
}
