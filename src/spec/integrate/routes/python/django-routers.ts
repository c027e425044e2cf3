import { reasons } from "../../reasons.ts";
import { type ExtraAction, isDetail, lineageAt, METHOD_OF, viewSetOf } from "./drf.ts";
import { argument, type Expression, sourceOf } from "./expression.ts";
import { type Made, objectsOf } from "./made.ts";
import { type Emitted, joinedBySlash, routesAt, unclearAt } from "./mounts.ts";
import { distinct, known, ofPattern, type PathTexts, products, textsOf } from "./path-text.ts";
import type { Place, PythonProject } from "./project.ts";
import { callsOn } from "./uses.ts";
import { attributeOf } from "./view-classes.ts";

const FRAMEWORK = "Django REST framework";
const ROUTER = /^(?:rest_framework|rest_framework_nested|rest_framework_extensions)\.routers\.\w*Router\w*$/;

/** `router.register("products", ProductViewSet)`, by the router. */
export type Registrations = ReadonlyMap<string, readonly Registration[]>;
type Registration = { readonly prefixes: PathTexts; readonly view: Expression; readonly place: Place };

const isRouter = ({ of }: Made): boolean => of.some((name) => ROUTER.test(name));

export function registrationsOf(project: PythonProject): Registrations {
  const all = new Map<string, Registration[]>();
  const add = ({ key }: Made, more: readonly Registration[]) =>
    all.set(key, [...(all.get(key) ?? []), ...more]);
  for (const { call, receiver, place } of callsOn(project, /^register$/)) {
    const [prefix, view] = [argument(call, "prefix", 0), argument(call, "viewset", 1)];
    if (prefix === null || view === null) continue;
    project.fresh();
    const routers = objectsOf(receiver, place, project).made.filter(isRouter);
    const starts = routers.flatMap((router) => nestedIn(router, project));
    const own = textsOf(prefix, place, project).map(ofPattern);
    const one = { prefixes: products(distinct(starts), own, joinedBySlash), view, place };
    for (const router of routers) add(router, [one]);
  }
  for (const { call, receiver, place } of callsOn(project, /^extend$/)) {
    const [into, from] = [registryOf(receiver), registryOf(call.args[0]?.value ?? receiver)];
    if (into === null || from === null) continue;
    const more = objectsOf(from, place, project).made.flatMap(({ key }) => all.get(key) ?? []);
    for (const router of objectsOf(into, place, project).made.filter(isRouter)) add(router, more);
  }
  return all;
}

/** `router` of `router.registry`. */
function registryOf(expression: Expression): Expression | null {
  const [, name] = /^(.+)\.registry$/.exec(sourceOf(expression)) ?? [];
  return name === undefined ? null : { kind: "name", name };
}

/** `NestedSimpleRouter(router, "orders", lookup="order")` begins with one of them. */
function nestedIn({ of, call, place }: Made, project: PythonProject): PathTexts {
  if (!of.some((name) => /\.Nested\w*Router$/.test(name))) return [known("")];
  const parent = argument(call, "parent_prefix", 1);
  return products(parent === null ? [] : textsOf(parent, place, project), [known("{key}")], joinedBySlash);
}

/** The standard routes of all that is registered with a router, and those that view sets add. */
export function routerRoutes(
  routers: readonly Made[],
  prefixes: PathTexts,
  { project, registrations }: { readonly project: PythonProject; readonly registrations: Registrations },
): Emitted[] {
  // What is one of two routers, as `DefaultRouter() if debug else SimpleRouter()` is, has registered it once.
  const all = new Set(routers.flatMap(({ key }) => registrations.get(key) ?? []));
  return [...all].flatMap((one) => ofViewSet(one, products(prefixes, one.prefixes, joinedBySlash), project));
}

function ofViewSet({ view, place }: Registration, starts: PathTexts, project: PythonProject): Emitted[] {
  const base = { file: place.path, line: place.line, framework: FRAMEWORK };
  const lineage = lineageAt(view, place, project);
  if (lineage === null) return [unclearAt(starts, base, reasons.unresolved(sourceOf(view)))];
  const { actions, extra, strange } = viewSetOf(lineage, project);
  const field =
    attributeOf("lookup_url_kwarg", lineage, project) ?? attributeOf("lookup_field", lineage, project);
  const [name] = field === null ? [] : textsOf(field.value, field.place, project);
  const key = name === undefined || name.gap !== null ? "pk" : name.lead;
  const details = products(starts, [known(`{${key}}`)], joinedBySlash);
  return [
    ...actions.map(({ action, ...models }) =>
      routesAt(isDetail(action) ? details : starts, { ...base, methods: [METHOD_OF[action]], ...models }),
    ),
    ...extra.map((action) => extraRoute(action, action.isDetail ? details : starts, project)),
    ...(strange === null ? [] : [unclearAt(starts, base, reasons.baseView(strange))]),
  ];
}

function extraRoute(action: ExtraAction, starts: PathTexts, project: PythonProject): Emitted {
  const { call, name, methods, place } = action;
  const path = call === null ? null : argument(call, "url_path");
  const own = path === null ? [known(name)] : textsOf(path, place, project).map(ofPattern);
  const paths = products(starts, own, joinedBySlash);
  const base = { file: place.path, line: place.line, framework: FRAMEWORK };
  return methods === null
    ? unclearAt(paths, base, reasons.computedMethods)
    : routesAt(paths, { ...base, methods });
}
