import type { SyntaxTree } from "../../../syntax/tree.ts";
import type { Resolve } from "../modules.ts";
import { reasons } from "../reasons.ts";
import { joinRoutes, type Routes, type UnclearRoute } from "./route.ts";
import { express } from "./script/express.ts";
import type { ScriptRouteFacts } from "./script/facts.ts";
import { fastify } from "./script/fastify.ts";
import { hono } from "./script/hono.ts";
import { explore } from "./script/link.ts";
import { nest, nestRoutes } from "./script/nest.ts";
import { joinPaths } from "./script/paths.ts";
import { placed, unclearBelow } from "./script/place.ts";
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
  const imports = new Set(
    [...modules.values()].flatMap((one) => [
      ...one.imports.map(({ from }) => from),
      ...one.facts.required.keys(),
    ]),
  );
  const isUsed = ({ packages }: { readonly packages: RegExp }) =>
    [...imports].some((from) => packages.test(from));
  const frameworks = [...FRAMEWORKS, nest].filter(isUsed).map(({ name }) => name);
  if (frameworks.length === 0) return { frameworks, routes: [], unclear: [] };
  const world = explore(modules, resolve, FRAMEWORKS);
  return joinRoutes([{ frameworks }, placed(world), nestRoutes(world), { unclear: otherRoutes(modules) }]);
}

/** Packages that make routes of something that plait does not read: decorators of their own, files, documents. */
const OTHERS =
  /^(?:routing-controllers|tsoa|@tsoa\/runtime|@tsed\/[\w-]+|inversify-express-utils|@overnightjs\/core|@decorators\/express|express-openapi|express-file-routing|openapi-backend|fastify-openapi-glue|@fastify\/autoload|fastify-autoload|fastify-decorators|@ts-rest\/[\w-]+|@(?:nestjsx|dataui)\/crud|honox|koa|koa-router|@koa\/router|@hapi\/hapi|restify|polka|elysia|h3|@feathersjs\/[\w-]+|@loopback\/rest|@adonisjs\/core|consign|express-load|exegesis-express|swagger-routes-express|@oas-tools\/core)$/;

/** Files that are routes by where they stand, with what stands before and behind the path in their own. */
const BY_FILE: readonly { readonly name: string; readonly path: RegExp; readonly exports: RegExp }[] = [
  { name: "Next.js", path: /(?:^|\/)app\/(.+\/)?route\.[jt]sx?$/, exports: /^[A-Z]+$/ },
  { name: "Next.js", path: /(?:^|\/)pages\/(api\/.+?)(?:\/index)?\.[jt]sx?$/, exports: /^(?:default|=)$/ },
  { name: "SvelteKit", path: /(?:^|\/)routes\/(.+\/)?\+server\.[jt]s$/, exports: /^[A-Z]+$/ },
  {
    name: "Nitro",
    path: /(?:^|\/)server\/(api\/.+?)(?:\/index)?(?:\.[a-z]+)?\.[jt]s$/,
    exports: /^default$/,
  },
];

/** What a project may have of routes beside those that were found. */
function otherRoutes(modules: ReadonlyMap<string, ScriptModule>): UnclearRoute[] {
  return [...modules].flatMap(([file, { facts }]) => [
    ...[...facts.required]
      .filter(([from]) => OTHERS.test(from))
      .map(([from, line]) => ({ file, line, framework: from, why: reasons.otherPackage(from) })),
    ...BY_FILE.flatMap(({ name, path, exports }) => {
      const own = path.exec(file);
      const isRoute = own !== null && [...facts.exports.keys()].some((one) => exports.test(one));
      const one = { file, line: 1, framework: name, why: reasons.otherFramework(name) };
      return isRoute ? [unclearBelow(one, startOf(own[1] ?? ""))] : [];
    }),
  ]);
}

/** `/api/users` of `(shop)/api/users/[id]/`. */
function startOf(path: string): string {
  const steps = path.split("/").filter((step) => step !== "" && !/^\(.*\)$/.test(step));
  const open = steps.findIndex((step) => step.includes("["));
  return joinPaths(...(open === -1 ? steps : steps.slice(0, open)));
}
