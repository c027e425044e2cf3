import type { Route, UnclearRoute } from "../route.ts";
import { prefixesOf, textsOf } from "./adding.ts";
import type { ClassFacts, Expr } from "./facts.ts";
import { itemsOf, objectIn, single } from "./member.ts";
import { type NestApplication, nestApplications } from "./nest-application.ts";
import { type Mark, marksOf } from "./nest-decorators.ts";
import { nestModels } from "./nest-models.ts";
import { classKey } from "./nest-modules.ts";
import { colonPath, isCatchAll, joinPaths } from "./paths.ts";
import { NO_TURNS, type Place, type Value } from "./values.ts";
import type { Template, World } from "./world.ts";

export const nest = { name: "NestJS", packages: /^@nestjs\/common$/ } as const;

/** NestJS has no routers to follow: classes say what they are, modules say who has them. */
export function nestRoutes(world: World): { readonly routes: Route[]; readonly unclear: UnclearRoute[] } {
  const applications = nestApplications(world);
  const found = { routes: [] as Route[], unclear: [] as UnclearRoute[] };
  for (const [file, { facts }] of world.modules) {
    for (const own of facts.classes.values()) {
      const mark = marksOf(world, file, own.decorators).find(({ name }) => name === "Controller");
      if (mark === undefined) continue;
      const controller = readController(world, mark);
      const { endpoints, unclear } = endpointsOf(world, { file, own });
      found.unclear.push(...unclear);
      const standing = standingsOf(applications, classKey({ file, id: own.id }));
      for (const endpoint of endpoints)
        for (const one of standing) found.routes.push(...placed(world, one, controller, endpoint));
    }
  }
  return found;
}

type Controller = { readonly paths: readonly Template[]; readonly version: readonly Value[] | null };

/** `@Controller("x")`, `@Controller(["x", "y"])`, `@Controller({ path, version })`. */
function readController(world: World, { arguments: [first], at }: Mark): Controller {
  const written = first === undefined ? null : objectIn(world.evaluate(first, at));
  const path = written === null ? first : written.fields.get("path");
  const version = written?.fields.get("version");
  const paths = prefixesOf(world, path ?? null, written?.at ?? at);
  return {
    paths: paths.map((one) => ("why" in one ? { why: "the path of its controller is computed" } : one)),
    version: written === null || version === undefined ? null : world.evaluate(version, written.at),
  };
}

type Endpoint = Pick<Route, "file" | "line" | "request" | "response"> & {
  readonly method: string;
  readonly path: string;
  readonly version: readonly Value[] | null;
};

const METHODS = /^(?:Get|Post|Put|Patch|Delete|Options|Head|All|Search|Sse)$/;
type Owner = { readonly file: string; readonly own: ClassFacts };
type Endpoints = { readonly endpoints: Endpoint[]; readonly unclear: UnclearRoute[] };

/** Its own, and those that it has from classes that it extends and does not write again. */
function endpointsOf(world: World, owner: Owner): Endpoints {
  const found: Endpoints = { endpoints: [], unclear: [] };
  const seen = new Set<string>();
  let at: Owner | null = owner;
  for (let depth = 0; at !== null && depth < DEEPEST; depth++) {
    for (const [name, method] of at.own.methods) {
      if (!seen.has(name)) readMethod(world, at, method, found);
      seen.add(name);
    }
    const base: Owner | "unseen" | null = baseOf(world, at);
    if (base === "unseen") {
      const why = "the class that its controller extends cannot be seen";
      found.unclear.push({ file: owner.file, line: owner.own.line, framework: nest.name, why });
    }
    at = base === "unseen" ? null : base;
  }
  return found;
}

const DEEPEST = 10;

function baseOf(world: World, { file, own }: Owner): Owner | "unseen" | null {
  if (own.base === null) return null;
  const value = single(world.evaluate(own.base, placeIn(file)));
  if (value.kind !== "class") return "unseen";
  const base = world.modules.get(value.file)?.facts.classes.get(value.id);
  return base === undefined ? "unseen" : { file: value.file, own: base };
}

const placeIn = (file: string): Place => ({ file, turns: NO_TURNS, depth: 0 });

function readMethod(
  world: World,
  { file }: Owner,
  { fn, decorators }: { readonly fn: number; readonly decorators: ClassFacts["decorators"] },
  { endpoints, unclear }: Endpoints,
): void {
  const marks = marksOf(world, file, decorators);
  const version = marks.find(({ name }) => name === "Version");
  for (const mark of marks.filter(({ name }) => METHODS.test(name))) {
    const { line } = mark;
    for (const template of pathsOf(world, mark)) {
      if ("why" in template) {
        unclear.push({ file, line, framework: nest.name, why: template.why });
        continue;
      }
      endpoints.push({
        ...{ file, line, method: methodOf(mark), path: template.path },
        version: version === undefined ? null : valuesOf(world, version.arguments[0], version.at),
        ...nestModels(world, { file, fn: world.modules.get(file)?.facts.functions.get(fn), marks }),
      });
    }
  }
}

function methodOf({ name }: Mark): string {
  return name === "All" ? "*" : name === "Sse" ? "GET" : name.toUpperCase();
}

function pathsOf(world: World, { arguments: [path], at }: Mark): Template[] {
  const paths = path === undefined ? { texts: [""] } : textsOf(world, path, at);
  if ("why" in paths) return [paths];
  return paths.texts.filter((text) => !isCatchAll(text)).map(colonPath);
}

function valuesOf(world: World, expr: Expr | undefined, at: Place): readonly Value[] {
  return expr === undefined ? [] : world.evaluate(expr, at);
}

type Standing = { readonly application: NestApplication | null; readonly module: Template };

function standingsOf(applications: readonly NestApplication[], key: string): Standing[] {
  const found = applications.flatMap((application) =>
    (application.controllers.get(key) ?? []).map((module) => ({ application, module })),
  );
  const why = "no module of an application has its controller";
  return found.length > 0 ? found : [{ application: null, module: { why } }];
}

/** The global prefix, the version, the module, the controller, then the method. */
function placed(
  world: World,
  { application, module }: Standing,
  controller: Controller,
  { method, path, version, ...rest }: Endpoint,
): Route[] {
  const versions = versionParts(world, application, version ?? controller.version);
  return versions.flatMap((one) =>
    controller.paths.map((own): Route => {
      const inner = fold([one, module, own], path);
      const global = globalPart(application, inner, method);
      const { unknown, path: whole } = inner.unknown === null ? fold([global], inner.path) : inner;
      return { ...rest, method, path: whole, prefixUnknown: unknown, framework: nest.name };
    }),
  );
}

type Folded = { readonly path: string; readonly unknown: string | null };

function fold(parts: readonly Template[], path: string): Folded {
  let [prefix, unknown]: [string, string | null] = ["", null];
  for (const part of parts) {
    if ("why" in part) [prefix, unknown] = ["", part.why];
    else prefix = joinPaths(prefix, part.path);
  }
  return { path: joinPaths(prefix, path), unknown };
}

function globalPart(
  application: NestApplication | null,
  { path, unknown }: Folded,
  method: string,
): Template {
  if (application === null || unknown !== null) return { path: "" };
  const plain = (text: string) => text.replace(/\{\w+\}/g, "{}");
  for (const one of application.excluded) {
    if ("below" in one) {
      if (path.startsWith(one.below))
        return { why: "it cannot be told whether the global prefix stands before it" };
    } else if (plain(one.path) === plain(path) && (one.method === "*" || one.method === method))
      return { path: "" };
  }
  return application.prefix;
}

/** One part for each version that it answers to. */
function versionParts(
  world: World,
  application: NestApplication | null,
  own: readonly Value[] | null,
): readonly Template[] {
  const versioning = application?.versioning ?? null;
  if (versioning === null) return [{ path: "" }];
  const value = own === null ? versioning.fallback : single(own);
  if (value === null) return [{ path: "" }];
  return (itemsOf(world, value) ?? [value]).map((one): Template => {
    if (one.kind === "text") return { path: versioning.mark + one.text };
    if (one.kind === "number") return { path: `${versioning.mark}${one.value}` };
    const isNeutral = one.kind === "foreign" && one.names.at(-1) === "VERSION_NEUTRAL";
    return isNeutral ? { path: "" } : { why: "the version in its path is computed" };
  });
}
