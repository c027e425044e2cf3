import type { SyntaxTree } from "../../../syntax/tree.ts";
import type { Resolve } from "../modules.ts";
import type { Routes } from "./route.ts";
import { express } from "./script/express.ts";
import type { ScriptRouteFacts } from "./script/facts.ts";
import { fastify } from "./script/fastify.ts";
import { hono } from "./script/hono.ts";
import { explore } from "./script/link.ts";
import { nest, nestRoutes } from "./script/nest.ts";
import { otherRoutes } from "./script/others.ts";
import { placed } from "./script/place.ts";
import { readScript } from "./script/read.ts";
import type { ScriptModule } from "./script/world.ts";

export type { ScriptRouteFacts } from "./script/facts.ts";

/** What one file of TypeScript or JavaScript has of routes. The tree may be freed after. */
export function scriptRouteFacts(tree: SyntaxTree): ScriptRouteFacts {
  return readScript(tree);
}

const FRAMEWORKS = [express, fastify, hono];

/**
 * The routes of all files together: who is a router is followed through names, files, functions and mounts; nothing is taken for a
 * route because it looks like one.
 */
export function linkScriptRoutes(modules: ReadonlyMap<string, ScriptModule>, resolve: Resolve): Routes {
  const imports = new Set([...modules.values()].flatMap(packagesOf));
  const isUsed = ({ packages }: { readonly packages: RegExp }) =>
    [...imports].some((from) => packages.test(from));
  const frameworks = [...FRAMEWORKS, nest].filter(isUsed).map(({ name }) => name);
  if (frameworks.length === 0) return { frameworks, routes: [], unclear: [] };
  const world = explore(modules, once(resolve), FRAMEWORKS);
  const found = [placed(world), nestRoutes(world)];
  return {
    frameworks,
    routes: found.flatMap(({ routes }) => routes),
    unclear: [...found.flatMap(({ unclear }) => unclear), ...otherRoutes(modules)],
  };
}

function packagesOf({ imports, facts }: ScriptModule): readonly string[] {
  return [...imports.map(({ from }) => from), ...facts.required.keys()];
}

/** Asked many times for the same. */
function once(resolve: Resolve): Resolve {
  const known = new Map<string, string | null>();
  return (from, importer) => {
    const key = `${importer} ${from}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const path = resolve(from, importer);
    known.set(key, path);
    return path;
  };
}
