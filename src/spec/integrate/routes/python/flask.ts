import { reasons } from "../../reasons.ts";
import { argument, type Call, type Expression, sourceOf } from "./expression.ts";
import { isFlask, isFlaskApp, likelyFramework, strangeness } from "./frameworks.ts";
import { type Made, objectsOf } from "./made.ts";
import { type Emitted, joinedBySlash, type Mounts, mounts, routesAt, unclearAt } from "./mounts.ts";
import { gap, known, type PathTexts, products, textsOf, withBraces } from "./path-text.ts";
import { bindingPlace, lookAt, type Place, type PythonProject } from "./project.ts";
import { appliedDecorators, callsOn, decoratorsOf, textsIn, type Use } from "./uses.ts";
import { classOf, type Methods, methodsOfClass } from "./view-classes.ts";

const FRAMEWORK = "Flask";
const VERBS = /^(?:route|get|post|put|patch|delete)$/;

/** The routes of all Flask applications of a project, with those of flask-restful and its kin. */
export function flaskRoutes(project: PythonProject): Emitted[] {
  const tree = mounts({ isRoot: isFlaskApp, own: () => [known("")], join: joinedBySlash });
  const within = { tree, project };
  hangUpApis(within);
  const strange = callsOn(project, /^(?:register_blueprint|add_namespace)$/).map((use) =>
    hungUp(use, within),
  );
  return [
    // Where each hangs is known when all are.
    ...strange.flatMap((told) => told?.() ?? []),
    ...[...decoratorsOf(project, VERBS), ...appliedDecorators(project, VERBS)].flatMap((use) =>
      routesOf(decorated(use, project), within),
    ),
    ...callsOn(project, /^(?:add_url_rule|add_resource)$/).flatMap((use) =>
      routesOf(added(use, project), within),
    ),
  ];
}

type Within = { readonly tree: Mounts; readonly project: PythonProject };

/** Hangs up what can be followed, and tells later of what cannot. What it is hung up with wins over its own prefix. */
function hungUp({ call, receiver, verb, place }: Use, { tree, project }: Within): (() => Emitted) | null {
  project.fresh();
  const parents = objectsOf(receiver, place, project);
  const ours = parents.made.filter(isFlask);
  const child = argument(call, verb === "add_namespace" ? "ns" : "blueprint", 0);
  if ((ours.length === 0 && strangeness(parents) === null) || child === null) return null;
  const given = argument(
    call,
    verb === "add_namespace" ? "path" : "url_prefix",
    verb === "add_namespace" ? 1 : undefined,
  );
  const unseen = ours.length === 0 ? strangeness(parents) : parents.why;
  const above = [...ours, ...(unseen === null ? [] : [unseen])];
  const children = objectsOf(child, place, project);
  const blueprints = children.made.filter(isFlask);
  for (const one of blueprints)
    for (const parent of above)
      tree.mount(one, parent, given === null ? ownPrefix(one, project) : textsOf(given, place, project));
  if (blueprints.length > 0 && blueprints.length === children.made.length && children.why === null)
    return null;
  const why = reasons.mounted(children.why ?? strangeness(children) ?? reasons.unknownFramework(FRAMEWORK));
  return () => {
    const between = given === null ? [gap(why)] : textsOf(given, place, project);
    const leads = ours.flatMap((one) => products(tree.prefixesOf(one), between, joinedBySlash));
    const { path: file, line } = place;
    return unclearAt(leads.length === 0 ? [gap(why)] : leads, { file, line, framework: FRAMEWORK }, why);
  };
}

function ownPrefix({ call, of, place, name }: Made, project: PythonProject): PathTexts {
  if (of.some((maker) => maker.endsWith(".Namespace"))) {
    const path = argument(call, "path");
    const title = argument(call, "name", 0);
    if (path !== null) return textsOf(path, place, project);
    return title === null ? [gap(reasons.noPath(name ?? "Namespace"))] : textsOf(title, place, project);
  }
  const prefix = argument(call, "url_prefix");
  return prefix === null ? [known("")] : textsOf(prefix, place, project);
}

const isApi = ({ of }: Made): boolean => of.some((maker) => /\.Api$/.test(maker));

/** `Api(app, prefix="/api")` hangs itself below what it is given, as does `api.init_app(app)`. */
function hangUpApis(within: Within): void {
  const { tree, project } = within;
  for (const [path, { facts }] of project.modules)
    for (const { value, scope, line, name } of facts.bindings) {
      if (value.kind !== "call") continue;
      project.fresh();
      const place = { path, scope, line };
      const made = () => objectsOf({ kind: "name", name }, place, project).made;
      const maker = /^(.+)\.namespace$/.exec(sourceOf(value.callee))?.[1];
      const parent = argument(value, "app", 0);
      if (maker !== undefined) hangUpSpaces(made(), maker, { ...within, place });
      else if (parent !== null)
        for (const api of made().filter(isApi).slice(0, 1)) hang(api, parent, { place, tree, project });
    }
  for (const { receiver, call, place } of callsOn(project, /^init_app$/)) {
    const parent = argument(call, "app", 0);
    for (const api of objectsOf(receiver, place, project).made.filter(isApi))
      if (parent !== null) hang(api, parent, { place, tree, project });
  }
}

/** `api.namespace("pets")` makes one and hangs it up. */
function hangUpSpaces(
  spaces: readonly Made[],
  maker: string,
  { tree, project, place }: Within & { place: Place },
): void {
  const apis = objectsOf({ kind: "name", name: maker }, place, project).made.filter(isApi);
  for (const one of spaces.filter(isFlask))
    for (const api of apis) tree.mount(one, api, ownPrefix(one, project));
}

function hang(api: Made, parent: Expression, { place, tree, project }: Within & { place: Place }): void {
  const prefix = argument(api.call, "prefix");
  const between = prefix === null ? [known("")] : textsOf(prefix, api.place, project);
  const above = objectsOf(parent, place, project);
  for (const one of above.made.filter(isFlask)) tree.mount(api, one, between);
  if (above.made.length === 0) tree.mount(api, above.why ?? reasons.unknownParent, between);
}

type Declaring = Use & { readonly rules: readonly Expression[]; readonly methods: Methods };

function decorated(use: Use, project: PythonProject): Declaring {
  const { call, verb, type, place } = use;
  const rules = rulesOf(call, "rule", 0);
  if (verb !== "route") return { ...use, rules, methods: all([verb.toUpperCase()]) };
  const found = type === null ? null : project.look(type.name, { ...place, line: Number.POSITIVE_INFINITY });
  const otherwise = () => (found === null ? all(["GET"]) : methodsOfClass(found, project, FLASK_VIEWS));
  return { ...use, rules, methods: methodsIn(call, place, project) ?? otherwise() };
}

function added(use: Use, project: PythonProject): Declaring {
  const { call, verb, place } = use;
  const isResource = verb === "add_resource";
  const view = isResource ? argument(call, "resource", 0) : argument(call, "view_func", 2);
  const rules = isResource
    ? call.args.flatMap((one, i) => (one.name === null && i > 0 ? [one.value] : []))
    : rulesOf(call, "rule", 0);
  const otherwise = () => (view === null ? all(["GET"]) : methodsOfView(view, place, project));
  return { ...use, rules, methods: methodsIn(call, place, project) ?? otherwise() };
}

function rulesOf(call: Call, name: string, place: number): Expression[] {
  const rule = argument(call, name, place);
  return rule === null ? [] : [rule];
}

const all = (methods: readonly string[]): Methods => ({ methods, hidden: null });
const hiddenBy = (hidden: string): Methods => ({ methods: [], hidden });

/** Of `methods=[…]`; null where nothing is said. */
function methodsIn(call: Call, place: Place, project: PythonProject): Methods | null {
  const said = argument(call, "methods");
  if (said === null) return null;
  const methods = textsIn(said, place, project);
  return methods === null ? hiddenBy(reasons.computedMethods) : all(methods);
}

const DEEPEST = 8;

/** Those that a class has; a function alone answers to GET. Decorators are called with what they stand around. */
function methodsOfView(view: Expression, place: Place, project: PythonProject, depth = 0): Methods {
  const unseen = hiddenBy(reasons.unresolvedNamedView(sourceOf(view)));
  if (depth > DEEPEST) return unseen;
  if (view.kind === "other") return all(["GET"]); // a lambda
  const found = lookAt(view, place, project) ?? classOf(view, place, project);
  if (found?.kind === "class" && found.rest.length === 0) return methodsOfClass(found, project, FLASK_VIEWS);
  if (found?.kind === "function") return all(["GET"]);
  if (found?.kind === "binding" && found.rest.length === 0)
    return methodsOfView(found.binding.value, bindingPlace(found), project, depth + 1);
  const [wrapped, ...others] = view.kind === "call" && found === null ? view.args : [];
  if (wrapped === undefined || others.length > 0) return unseen;
  return methodsOfView(wrapped.value, place, project, depth + 1);
}

const FLASK_VIEWS = /^(?:flask(?:_\w+)?\.(?:\w+\.)*(?:MethodView|View|Resource)|object)$/;

function routesOf({ rules, methods, receiver, place }: Declaring, { tree, project }: Within): Emitted[] {
  project.fresh();
  const objects = objectsOf(receiver, place, project);
  const ours = objects.made.filter(isFlask);
  const strange = strangeness(objects);
  const { path: file, line } = place;
  const base = { file, line, framework: FRAMEWORK };
  if (ours.length === 0 && (strange === null || likelyFramework(file, project) !== FRAMEWORK)) return [];
  const prefixes = ours.length === 0 ? [gap(strange ?? "")] : ours.flatMap((one) => tree.prefixesOf(one));
  return rules.flatMap((rule) => {
    const own = textsOf(rule, place, project).map(withBraces);
    if (ours.length === 0 && !own.some(({ lead }) => lead.startsWith("/"))) return [];
    const paths = products(prefixes, own, joinedBySlash);
    const { methods: seen, hidden } = methods;
    return [
      ...(hidden === null ? [] : [unclearAt(paths, base, hidden)]),
      routesAt(paths, { ...base, methods: seen }),
    ];
  });
}
