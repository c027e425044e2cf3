import { reasons } from "../../reasons.ts";
import type { Route } from "../route.ts";
import { METHODS, methodOf, prefixesOf, textsOf } from "./adding.ts";
import type { Call } from "./facts.ts";
import { itemsOf, objectAt, objectIn, single, valueUnder } from "./member.ts";
import { UNDECLARED } from "./models.ts";
import { controllersOf, modulePrefixes } from "./nest-modules.ts";
import { colonPath, joinPaths } from "./paths.ts";
import {
  foreignName,
  onlyText,
  type Place,
  placeIn,
  type Template,
  type Value,
  type Values,
  type World,
} from "./world.ts";

/** An application of NestJS, as `main.ts` makes it. */
export type NestApplication = {
  /** By controller: the paths of the modules that have it. */
  readonly controllers: ReadonlyMap<string, readonly Template[]>;
  readonly prefix: Template;
  readonly excluded: readonly Excluded[];
  /** Null: versions do not stand in paths. */
  readonly versioning: Versioning | null;
};

export type Excluded =
  | { readonly path: string; readonly method: string }
  /** Everything that begins so may be meant. */
  | { readonly below: string };

export type Versioning = { readonly mark: string; readonly fallback: Value | null };

/** A call of a method somewhere in the project. */
type NestCall = { readonly of: Values; readonly call: Call; readonly at: Place };

export function nestApplications(world: World): NestApplication[] {
  const registered = callsOf(world, "register").filter(({ of }) => of.some(isRouterModule));
  const prefixes = new Map(
    registered.flatMap(
      ({
        call: {
          arguments: [routes],
        },
        at,
      }) => (routes === undefined ? [] : [...modulePrefixes(world, routes, at)]),
    ),
  );
  const created = callsOf(world, "create").filter(({ of }) => of.some(isFactory));
  return created.map(({ call, at }) => {
    const [root] = call.arguments;
    const module = root === undefined ? null : single(world.evaluate(root, at));
    const isMine = ({ of }: NestCall) =>
      of.some((one) => one.kind !== "foreign" || one.made === null || one.made.call === call);
    const [prefix] = callsOf(world, "setGlobalPrefix").filter(isMine);
    const [versioning] = callsOf(world, "enableVersioning").filter(isMine);
    return {
      controllers: module?.kind === "class" ? controllersOf(world, module, prefixes) : new Map(),
      ...globalPrefix(world, prefix),
      versioning: versioning === undefined ? null : versioningOf(world, versioning),
    };
  });
}

function isFactory(value: Value): boolean {
  return value.kind === "foreign" && value.from === "@nestjs/core" && foreignName(value) === "NestFactory";
}

function isRouterModule(value: Value): boolean {
  return (
    value.kind === "foreign" &&
    /^@nestjs\/core$|^nest-router$/.test(value.from) &&
    foreignName(value) === "RouterModule"
  );
}

/** Every call of a method of this name, with what it is a method of. */
function callsOf(world: World, name: string): NestCall[] {
  return [...world.modules].flatMap(([file, { facts }]) =>
    facts.calls.flatMap((chain) => {
      const i = chain.steps.findIndex((step) => step.kind === "member" && step.name === name);
      const call = chain.steps[i + 1];
      if (i === -1 || call?.kind !== "call") return [];
      const at = placeIn(file);
      return [{ of: world.evaluate({ ...chain, steps: chain.steps.slice(0, i) }, at), call, at }];
    }),
  );
}

function globalPrefix(
  world: World,
  told: NestCall | undefined,
): Pick<NestApplication, "prefix" | "excluded"> {
  const [path, options] = told?.call.arguments ?? [];
  if (told === undefined || path === undefined) return { prefix: { path: "" }, excluded: [] };
  const [own] = prefixesOf(world, path, told.at);
  const prefix: Template = own === undefined || "why" in own ? { why: reasons.computedGlobalPrefix } : own;
  if (options === undefined) return { prefix, excluded: [] };
  const written = objectAt(world, options, told.at);
  const excluded = valueUnder(world, written, "exclude");
  if (written !== null && excluded === null && !written.hasMore) return { prefix, excluded: [] };
  const items = excluded === null ? null : itemsOf(world, excluded);
  return { prefix, excluded: items?.map((item) => excludedBy(world, item)) ?? [{ below: "/" }] };
}

function excludedBy(world: World, item: Value): Excluded {
  const written = objectIn([item]);
  const path = written?.fields.get("path");
  const text = onlyText(written === null || path === undefined ? [item] : world.evaluate(path, written.at));
  if (text === null) return { below: "/" };
  const template = colonPath(joinPaths("", text));
  if ("why" in template) return { below: joinPaths("", text.split(/[*({:?]/)[0] ?? "") };
  const value = valueUnder(world, written, "method");
  const named = value?.kind === "foreign" ? (value.names.at(-1) ?? "ALL") : "ALL";
  return { path: joinPaths("", template.path), method: named === "ALL" ? "*" : named };
}

/** By default in the path, as `/v1`. */
function versioningOf(world: World, { call, at }: NestCall): Versioning | null {
  const written = objectAt(world, call.arguments[0], at);
  if (written === null) return { mark: "v", fallback: null };
  const type = valueUnder(world, written, "type");
  if (type?.kind === "foreign" && type.names.at(-1) !== "URI") return null;
  const prefix = written.fields.get("prefix");
  const texts = prefix === undefined ? { texts: ["v"] } : textsOf(world, prefix, written.at);
  const mark = prefix?.kind === "false" ? "" : "texts" in texts ? (texts.texts[0] ?? "v") : "v";
  return { mark, fallback: valueUnder(world, written, "defaultVersion") };
}

/** `app.getHttpAdapter().get("/health", …)` goes past controllers and prefixes: on the adapter, or on what is inside of it. */
export function adapterRoutes(world: World): Omit<Route, "framework">[] {
  return [...world.modules].flatMap(([file, { facts }]) =>
    facts.calls.flatMap(({ steps }) => {
      const names = steps.map((step) => (step.kind === "member" ? step.name : ""));
      const at = Math.max(names.indexOf("getHttpAdapter"), names.indexOf("getInstance"));
      const [member, call] = [steps[at + 2], steps[at + 3]];
      if (!names.includes("getHttpAdapter") || member?.kind !== "member" || call?.kind !== "call") return [];
      const { name, line } = member;
      const [path, handler] = call.arguments;
      if (path === undefined || handler === undefined || !(METHODS.test(name) || name === "all")) return [];
      const paths = textsOf(world, path, placeIn(file));
      return ("why" in paths ? [] : paths.texts)
        .map((text) => colonPath(text))
        .flatMap((template) =>
          "why" in template
            ? []
            : {
                ...{ method: methodOf(name), path: joinPaths(template.path), prefixUnknown: null },
                ...{ file, line, request: UNDECLARED, response: UNDECLARED },
              },
        );
    }),
  );
}
