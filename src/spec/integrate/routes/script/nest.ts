import { reasons } from "../../reasons.ts";
import type { Route, UnclearRoute } from "../route.ts";
import { prefixesOf, textsOf } from "./adding.ts";
import type { ClassFacts, FunctionFacts, Method, TypeUse } from "./facts.ts";
import { itemsOf, objectAt, single } from "./member.ts";
import { UNDECLARED } from "./models.ts";
import { adapterRoutes, type NestApplication, nestApplications } from "./nest-application.ts";
import { isIntercepted, isInterceptedEverywhere, type Mark, marksOf } from "./nest-decorators.ts";
import { nestModels, nestSurface } from "./nest-models.ts";
import { classKey } from "./nest-modules.ts";
import { colonPath, headOf, isCatchAll, joinPaths } from "./paths.ts";
import { once, unclearBelow } from "./place.ts";
import type { Values } from "./world.ts";
import { placeIn, type Template, type World } from "./world.ts";

export const nest = { name: "NestJS", packages: /^@nestjs\/common$/ } as const;

/** NestJS has no routers to follow: classes say what they are, modules say who has them. */
export function nestRoutes(world: World): { readonly routes: Route[]; readonly unclear: UnclearRoute[] } {
  const applications = nestApplications(world);
  const isEverywhere = isInterceptedEverywhere(world);
  const direct = adapterRoutes(world).map((route) => ({ ...route, framework: nest.name }));
  const found = { routes: direct as Route[], unclear: [] as UnclearRoute[] };
  for (const [file, { facts }] of world.modules) {
    for (const own of facts.classes.values()) {
      const marks = marksOf(world, file, own.decorators);
      const mark = marks.find(({ name }) => name === "Controller");
      if (mark === undefined) continue;
      const controller = readController(world, mark);
      const standing = standingsOf(applications, classKey({ file, id: own.id }));
      const owner = { file, own, meant: NOTHING_MEANT, isIntercepted: isEverywhere || isIntercepted(marks) };
      for (const endpoint of endpointsOf(world, owner))
        for (const one of standing.flatMap((at) => placed(world, at, controller, endpoint))) {
          if (endpoint.why === null) found.routes.push(one);
          else found.unclear.push(unclearAt(one, endpoint.why));
        }
    }
  }
  return { routes: once(found.routes), unclear: once(found.unclear) };
}

function unclearAt({ file, line, framework, path, prefixUnknown }: Route, why: string): UnclearRoute {
  return unclearBelow({ file, line, framework, why }, prefixUnknown === null ? path : null);
}

type Controller = { readonly paths: readonly Template[]; readonly version: Values | null };

/** `@Controller("x")`, `@Controller(["x", "y"])`, `@Controller({ path, version })`. */
function readController(world: World, { arguments: [first], at }: Mark): Controller {
  const written = objectAt(world, first, at);
  const path = written === null ? first : written.fields.get("path");
  const version = written?.fields.get("version");
  const paths = prefixesOf(world, path ?? null, written?.at ?? at);
  return {
    paths: paths.map((one) => ("why" in one ? { why: reasons.computedControllerPath } : one)),
    version: written === null || version === undefined ? null : world.evaluate(version, written.at),
  };
}

type Endpoint = Pick<Route, "file" | "line" | "request" | "response" | "surface"> & {
  readonly method: string;
  readonly path: string;
  readonly version: Values | null;
  /** Why the path is not all of it; null: it is. */
  readonly why: string | null;
};

const METHODS = /^(?:Get|Post|Put|Patch|Delete|Options|Head|All|Search|Sse)$/;
/** `meant`: what the parameters of its type stand for. */
type Owner = {
  readonly file: string;
  readonly own: ClassFacts;
  readonly meant: Meant;
  readonly isIntercepted: boolean;
};

/** Its own, and those that it has from classes that it extends and does not write again. */
function endpointsOf(world: World, owner: Owner): Endpoint[] {
  const found: Endpoint[] = [];
  const seen = new Set<string>();
  let at: Owner | null = owner;
  for (let depth = 0; at !== null && depth < DEEPEST; depth++) {
    for (const [name, method] of at.own.methods) {
      if (!seen.has(name)) found.push(...readMethod(world, at, method));
      seen.add(name);
    }
    const base: Owner | "unseen" | null = baseOf(world, at);
    if (base === "unseen") found.push({ ...UNSEEN, file: owner.file, line: owner.own.line });
    at = base === "unseen" ? null : base;
  }
  return found;
}

const UNSEEN: Omit<Endpoint, "file" | "line"> = {
  ...{ method: "*", path: "", version: null, request: UNDECLARED, response: UNDECLARED },
  why: reasons.unknownBaseController,
};
const DEEPEST = 10;
const NOTHING_MEANT: Meant = new Map();

function baseOf(world: World, { file, own, meant, isIntercepted: isAll }: Owner): Owner | "unseen" | null {
  if (own.base === null) return null;
  const value = single(world.evaluate(own.base, placeIn(file)));
  if (value.kind !== "class") return "unseen";
  const base = world.modules.get(value.file)?.facts.classes.get(value.id);
  if (base === undefined) return "unseen";
  return { file: value.file, own: base, meant: meantInBase(file, own, base, meant), isIntercepted: isAll };
}

function readMethod(world: World, owner: Owner, { fn: id, decorators }: Method): Endpoint[] {
  const { file, meant } = owner;
  const written = world.modules.get(file)?.facts.functions.get(id);
  const fn = written === undefined ? undefined : functionWithMeant(written, meant);
  const marks = marksOf(world, file, decorators);
  const version = marks.find(({ name }) => name === "Version");
  const versions = version?.arguments.slice(0, 1).flatMap((one) => world.evaluate(one, version.at)) ?? null;
  const of = { file, fn, marks, isIntercepted: owner.isIntercepted || isIntercepted(marks) };
  return marks
    .filter(({ name }) => METHODS.test(name))
    .flatMap((mark) =>
      pathsOf(world, mark).map(
        (path): Endpoint => ({
          ...{ file, line: mark.line, method: methodOf(mark), ...path, version: versions },
          ...nestModels(world, of),
          surface: nestSurface(world, of, methodOf(mark)),
        }),
      ),
    );
}

function methodOf({ name }: Mark): string {
  return name === "All" ? "*" : name === "Sse" ? "GET" : name.toUpperCase();
}

function pathsOf(world: World, { arguments: [path], at }: Mark): Pick<Endpoint, "path" | "why">[] {
  const paths = path === undefined ? { texts: [""] } : textsOf(world, path, at);
  if ("why" in paths) return [{ path: "", why: paths.why }];
  return paths.texts
    .filter((text) => !isCatchAll(text))
    .map((text) => {
      const template = colonPath(text);
      return "why" in template ? { path: headOf(text), why: template.why } : { ...template, why: null };
    });
}

type Standing = { readonly application: NestApplication | null; readonly module: Template };

function standingsOf(applications: readonly NestApplication[], key: string): Standing[] {
  const found = applications.flatMap((application) =>
    (application.controllers.get(key) ?? []).map((module) => ({ application, module })),
  );
  const why = reasons.noModule;
  return found.length > 0 ? found : [{ application: null, module: { why } }];
}

/** The global prefix, the version, the module, the controller, then the method. */
function placed(
  world: World,
  { application, module }: Standing,
  controller: Controller,
  { method, path, version, why: _, ...rest }: Endpoint,
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

function globalPart(app: NestApplication | null, { path, unknown }: Folded, method: string): Template {
  if (app === null || unknown !== null) return { path: "" };
  const plain = (text: string) => text.replace(/\{\w+\}/g, "{}");
  for (const one of app.excluded) {
    if ("below" in one) {
      if (path.startsWith(one.below)) return { why: reasons.unknownGlobalPrefix };
    } else if (plain(one.path) === plain(path) && (one.method === "*" || one.method === method))
      return { path: "" };
  }
  return app.prefix;
}

/** One part for each version that it answers to. */
function versionParts(world: World, app: NestApplication | null, own: Values | null): Template[] {
  const versioning = app?.versioning ?? null;
  if (versioning === null) return [{ path: "" }];
  const value = own === null ? versioning.fallback : single(own);
  if (value === null) return [{ path: "" }];
  return (itemsOf(world, value) ?? [value]).map((one): Template => {
    if (one.kind === "text") return { path: versioning.mark + one.text };
    if (one.kind === "number") return { path: `${versioning.mark}${one.value}` };
    const isNeutral = one.kind === "foreign" && one.names.at(-1) === "VERSION_NEUTRAL";
    return isNeutral ? { path: "" } : { why: reasons.computedVersion };
  });
}

/** What the parameters of a class stand for: `User` for `T`. */
type Meant = ReadonlyMap<string, TypeUse>;

const ANYTHING: TypeUse = { kind: "name", name: "any", arguments: [] };

/** What a class tells the one that it extends; what it leaves out may be anything. */
function meantInBase(file: string, own: ClassFacts, base: ClassFacts, meant: Meant): Meant {
  return new Map(
    base.typeParameters.map((name, i) => {
      const told = own.baseTypes[i];
      return [
        name,
        told === undefined ? ANYTHING : { kind: "elsewhere", file, of: withMeant(told, meant) },
      ] as const;
    }),
  );
}

function functionWithMeant(fn: FunctionFacts, meant: Meant): FunctionFacts {
  if (meant.size === 0) return fn;
  const put = (type: TypeUse | null) => (type === null ? null : withMeant(type, meant));
  return {
    ...fn,
    returnType: put(fn.returnType),
    parameters: fn.parameters.map((one) => ({ ...one, type: put(one.type) })),
  };
}

/** Types are not nested further than they are read. */
function withMeant(type: TypeUse, meant: Meant): TypeUse {
  const inside = (one: TypeUse) => withMeant(one, meant);
  switch (type.kind) {
    case "name": {
      const told = type.arguments.length === 0 ? meant.get(type.name) : undefined;
      return told ?? { ...type, arguments: type.arguments.map(inside) };
    }
    case "list":
      return { ...type, of: inside(type.of) };
    case "union":
      return { ...type, of: type.of.map(inside) };
    default:
      return type;
  }
}
