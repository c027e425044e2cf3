import { HTTP_METHODS } from "../../../contracts/api-operations.ts";
import { reasons } from "../../reasons.ts";
import { WEBSOCKET } from "../route.ts";
import { argument, type Call, type Expression, isGivenMap, sourceOf } from "./expression.ts";
import { insideOf } from "./facts.ts";
import { fastapiRequest, fastapiResponse } from "./fastapi-models.ts";
import { type AroundHandlers, fastapiSurface } from "./fastapi-surface.ts";
import { isFastapi, isFastapiApp, likelyFramework, strangeness } from "./frameworks.ts";
import { type Made, type Objects, objectsOf } from "./made.ts";
import { lastStep } from "./models.ts";
import { type Emitted, type Mounts, mounts, routesAt, unclearAt } from "./mounts.ts";
import { gap, joined, known, type PathText, type PathTexts, products, textsOf } from "./path-text.ts";
import { lookAt, type Place, type PythonProject } from "./project.ts";
import { appliedDecorators, callsOn, decoratorsOf, textsIn, type Use } from "./uses.ts";

const FRAMEWORK = "FastAPI";
const VERBS = new RegExp(`^(?:${HTTP_METHODS.join("|")}|api_route|route|websocket|websocket_route)$`);

/** The routes of all FastAPI applications of a project. */
export function fastapiRoutes(project: PythonProject): Emitted[] {
  const own = (one: Made) => ownPrefix(one, project);
  const tree = mounts({ isRoot: isFastapiApp, own, join: joined });
  const within = { tree, project, around: aroundHandlers(project) };
  const strange = callsOn(project, /^(?:include_router|mount)$/).map((use) => hungUp(use, within));
  hangUpVersions(within);
  return [
    ...listed(within),
    // Where each hangs is known when all are.
    ...strange.flatMap((told) => told?.() ?? []),
    ...[...decoratorsOf(project, VERBS), ...appliedDecorators(project, VERBS)].flatMap((use) =>
      routesOf(decorated(use), within),
    ),
    ...callsOn(project, /^add_(?:api_)?route$/).flatMap((use) => routesOf(added(use, project), within)),
  ];
}

type Within = { readonly tree: Mounts; readonly project: PythonProject; readonly around: AroundHandlers };

/** Hangs up what can be followed, and tells later of what cannot. */
function hungUp({ call, receiver, verb, place }: Use, { tree, project }: Within): (() => Emitted) | null {
  project.fresh();
  const isMount = verb === "mount";
  const parents = routersOf(receiver, place, project);
  const ours = parents.made.filter(isFastapi);
  const child = isMount ? argument(call, "app", 1) : argument(call, "router", 0);
  const isMeant = ours.length > 0 || (!isMount && strangeness(parents) !== null);
  if (!isMeant || child === null) return null;
  const between = isMount
    ? textsOf(argument(call, "path", 0) ?? NOTHING, place, project)
    : prefixIn(call, place, project);
  const above = [
    ...ours,
    ...[ours.length === 0 ? strangeness(parents) : parents.why].filter((why) => why !== null),
  ];
  const children = objectsOf(child, place, project);
  if (isStatic(children)) return null;
  const routers = children.made.filter(isFastapi);
  for (const one of routers) for (const parent of above) tree.mount(one, parent, between);
  if (routers.length > 0 && routers.length === children.made.length && children.why === null) return null;
  const why = reasons.mounted(children.why ?? strangeness(children) ?? reasons.unknownFramework(FRAMEWORK));
  return () => {
    const leads = ours.flatMap((one) => products(tree.prefixesOf(one), between));
    const base = { file: place.path, line: place.line, framework: FRAMEWORK };
    return unclearAt(leads.length === 0 ? [gap(why)] : leads, base, why);
  };
}

/** `VersionedFastAPI(app)`, `Versionizer(app=app)`: packages that put versions before the paths of an application. */
function hangUpVersions({ tree, project }: Within): void {
  const packages = [...project.modules.values()].flatMap(({ imports }) => imports.map(({ from }) => from));
  if (!packages.some((from) => from.startsWith("fastapi_version"))) return;
  for (const { call, place } of project.allCalls()) {
    const found = lookAt(call.callee, place, project);
    if (found?.kind !== "outside" || !/^fastapi_version\w*\./.test(found.name)) continue;
    project.fresh();
    const app = argument(call, "app", 0);
    // `app = VersionedFastAPI(app)` is given what `app` was before.
    const before = { ...place, line: place.line - 1 };
    const why = reasons.versionPrefix(sourceOf(call.callee));
    for (const one of app === null ? [] : objectsOf(app, before, project).made.filter(isFastapiApp))
      tree.mount(one, why, [known("/")]);
  }
}

/** `FastAPI(routes=[Route("/x", x)])`: routes of Starlette itself, which are not read. */
function listed({ tree, project }: Within): Emitted[] {
  return project.allCalls().flatMap(({ call, place }) => {
    if (argument(call, "routes") === null) return [];
    project.fresh();
    const made = objectsOf(call, place, project).made.filter(isFastapi);
    const base = { file: place.path, line: call.line, framework: FRAMEWORK };
    const why = reasons.routeList;
    return made.map((one) => unclearAt(tree.prefixesOf(one), base, why));
  });
}

/** `app.router` stands for the application. */
function routersOf(receiver: Expression, place: Place, project: PythonProject): Objects {
  const objects = objectsOf(receiver, place, project);
  const [, name] = /^(.+)\.router$/.exec(sourceOf(receiver)) ?? [];
  if (objects.made.length > 0 || name === undefined) return objects;
  const apps = objectsOf({ kind: "name", name }, place, project);
  return apps.made.some(isFastapiApp) ? apps : objects;
}

/** Files are no endpoints. */
function isStatic({ made, why }: Objects): boolean {
  const isFiles = ({ of }: Made) => of.some((name) => /(?:^|\.)StaticFiles$/.test(name));
  return why === null && made.length > 0 && made.every(isFiles);
}

/** A class of the project that makes itself may make its prefix, too. */
function ownPrefix(one: Made, project: PythonProject): PathTexts {
  const { call, lineage, place } = one;
  const maker = lineage?.classes.find(({ path, fact }) =>
    project.modules
      .get(path)
      ?.facts.functions.some(({ name, scope }) => name === "__init__" && scope === insideOf(fact)),
  );
  if (maker !== undefined) return [gap(reasons.customRouter(maker.fact.name))];
  // Where something in front of an application takes this away, both paths lead to it.
  const root = isFastapiApp(one) ? argument(call, "root_path") : null;
  if (root !== null) return [known(""), ...textsOf(root, place, project)];
  return isFastapiApp(one) ? [known("")] : prefixIn(call, place, project);
}

const NOTHING: Expression = { kind: "text", value: "" };

/** Of `prefix="/x"`. */
function prefixIn(call: Call, place: Place, project: PythonProject): PathTexts {
  const prefix = argument(call, "prefix");
  if (prefix !== null) return textsOf(prefix, place, project);
  return [isGivenMap(call) ? gap(reasons.passedPrefix(sourceOf(call))) : known("")];
}

type Declaring = Use & {
  readonly path: Expression | null;
  readonly methods: readonly string[] | null;
  /** Where the handler stands. */
  readonly handlerPlace: Place;
};

function decorated(use: Use): Declaring {
  const { call, verb, place } = use;
  const isOne = HTTP_METHODS.includes(verb);
  const isSocket = verb.startsWith("websocket");
  return {
    ...use,
    path: argument(call, "path", 0),
    methods: isOne ? [verb.toUpperCase()] : isSocket ? [WEBSOCKET] : null,
    handlerPlace: use.handlerPlace ?? place,
  };
}

function added(use: Use, project: PythonProject): Declaring {
  const { call, place, verb } = use;
  const endpoint = argument(call, verb === "add_route" ? "route" : "endpoint", 1);
  const found = endpoint === null ? null : lookAt(endpoint, place, project);
  const handler = found?.kind === "function" && found.rest.length === 0 ? found.fact : null;
  const handlerPlace = found === null ? place : { ...place, path: found.path, scope: handler?.scope ?? "" };
  return { ...use, path: argument(call, "path", 0), methods: null, handler, handlerPlace };
}

function routesOf(declaring: Declaring, { tree, project, around }: Within): Emitted[] {
  const { call, receiver, place, handler, path } = declaring;
  project.fresh();
  const objects = routersOf(receiver, place, project);
  const ours = objects.made.filter(isFastapi);
  const strange = strangeness(objects);
  if (path === null || (ours.length === 0 && strange === null)) return [];
  const own = textsOf(path, place, project).map(withoutConverters);
  const { path: file, line } = place;
  const isFit = own.some(({ lead }) => lead.startsWith("/")) && likelyFramework(file, project) === FRAMEWORK;
  if (ours.length === 0 && !isFit) return [];
  const methods = declaring.methods ?? methodsIn(declaring, project);
  const base = { file, line, framework: FRAMEWORK };
  const prefixes = ours.length === 0 ? [gap(strange ?? "")] : ours.flatMap((one) => tree.prefixesOf(one));
  const paths = products(prefixes, own);
  if (methods === null) return [unclearAt(paths, base, reasons.computedMethods)];
  const at = { place: declaring.handlerPlace, project };
  // Parameters of the prefixes of routers are the handler's, too.
  const whole = paths.map(({ lead, tail }) => lead + tail).join(" ");
  const request = fastapiRequest(handler, whole, at);
  const response = fastapiResponse(call, handler, { ...at, callPlace: place });
  const surface = fastapiSurface({ call, handler, path: whole, callPlace: place, around, ...at });
  const declared = { ...base, methods, request, response };
  return [routesAt(paths, surface === undefined ? declared : { ...declared, surface })];
}

/** Of `methods=[…]`; those that are left out are GET. */
function methodsIn({ call, place }: Use, project: PythonProject): readonly string[] | null {
  const methods = argument(call, "methods");
  return methods === null ? ["GET"] : textsIn(methods, place, project);
}

/** `{path:path}` is a parameter by the name of `path`. */
function withoutConverters(text: PathText): PathText {
  const plain = (part: string) => part.replaceAll(/\{(\w+):\w+\}/g, "{$1}");
  return { ...text, lead: plain(text.lead), tail: plain(text.tail) };
}

/** What applications and routers do before their handlers, and may read from a request. */
function aroundHandlers(project: PythonProject): AroundHandlers {
  const calls = project.allCalls();
  const hasDependencies = calls.some(
    ({ call }) =>
      /^(?:FastAPI|APIRouter|include_router)$/.test(lastStep(call.callee)) &&
      argument(call, "dependencies") !== null,
  );
  const isOwn = calls.some(({ call, place }) => {
    const added = lastStep(call.callee) === "add_middleware" ? argument(call, "middleware_class", 0) : null;
    return added !== null && lookAt(added, place, project)?.kind !== "outside";
  });
  const isDecorated = decoratorsOf(project, /^middleware$/).length > 0;
  return {
    dependencies: hasDependencies ? reasons.readByRouterDependency : null,
    middleware: isOwn || isDecorated ? reasons.readByMiddleware : null,
  };
}
