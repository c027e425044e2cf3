import { reasons } from "../../reasons.ts";
import { type Registrations, registrationsOf, routerRoutes } from "./django-routers.ts";
import { viewOf } from "./django-views.ts";
import { argument, type Call, type Expression, sourceOf } from "./expression.ts";
import { objectsOf } from "./made.ts";
import { type Emitted, routesAt, unclearAt } from "./mounts.ts";
import {
  gap,
  known,
  ofPattern,
  type PathText,
  type PathTexts,
  products,
  textsOf,
  withBraces,
} from "./path-text.ts";
import { lookAt, type Place, type PythonProject } from "./project.ts";

const FRAMEWORK = "Django";
/** More than any project has. */
const MOST_PATTERNS = 20_000;

/** The routes of a Django project, from its root urlconf down. */
export function djangoRoutes(project: PythonProject): Emitted[] {
  const registrations = registrationsOf(project);
  const steps = { left: MOST_PATTERNS };
  const walk = (path: string, prefix: PathText, isWhole: boolean) => {
    const included = new Set<string>();
    const below = { project, registrations, included, prefixes: [prefix], seen: [], isWhole, steps };
    return { emitted: urlconf(path, below), included };
  };
  const confs = [...project.modules.keys()].filter((path) => isUrlconf(path, project));
  const includes = new Map(confs.map((path) => [path, walk(path, known(""), false).included]));
  const { roots, lost } = rootsOf(includes, project);
  const nowhere = (path: string) => hidden(reasons.notIncluded(path));
  const emitted = [
    ...roots.flatMap((path) => walk(path, known(""), true).emitted),
    ...lost.flatMap((path) => walk(path, nowhere(path), true).emitted),
  ];
  if (steps.left > 0) return emitted;
  const more = { file: confs[0] ?? "", line: 1, framework: FRAMEWORK, why: reasons.tooManyPatterns };
  return [...emitted, { routes: [], unclear: [more] }];
}

/** Whole steps that are not seen. */
function hidden(why: string): PathText {
  return { ...gap(why), tail: "/" };
}

type Below = {
  readonly project: PythonProject;
  readonly registrations: Registrations;
  /** Urlconfs that were come upon. */
  readonly included: Set<string>;
  readonly prefixes: PathTexts;
  /** Lists that this is in the middle of. */
  readonly seen: readonly string[];
  /** What other urlconfs have is of interest. */
  readonly isWhole: boolean;
  readonly steps: { left: number };
};

function urlconf(path: string, below: Below): Emitted[] {
  const place = { path, scope: "", line: Number.POSITIVE_INFINITY };
  return patterns({ kind: "name", name: "urlpatterns" }, place, below);
}

/** A list of patterns, however it is put together. */
function patterns(list: Expression, place: Place, below: Below): Emitted[] {
  below.project.fresh();
  below.steps.left -= 1;
  if (below.steps.left < 0) return [];
  if (list.kind === "list") return list.items.flatMap((item) => patterns(item, place, below));
  if (list.kind === "sum" || list.kind === "either")
    return list.of.flatMap((part) => patterns(part, place, below));
  if (list.kind === "spread") return patterns(list.of, place, below);
  if (list.kind === "call") return ofCall(list, place, below);
  if (list.kind === "name") return ofName(list.name, place, below);
  return unseen(reasons.computed(sourceOf(list)), place, below);
}

function ofName(name: string, place: Place, below: Below): Emitted[] {
  const { project, seen } = below;
  const router = name.endsWith(".urls") ? name.slice(0, -".urls".length) : null;
  const made = router === null ? [] : objectsOf({ kind: "name", name: router }, place, project).made;
  if (made.some(({ key }) => below.registrations.has(key))) return routerRoutes(made, below.prefixes, below);
  const [strange] = made.flatMap(({ of }) => of);
  if (strange !== undefined && !/^rest_framework/.test(strange))
    return unseen(reasons.madeBy(router, strange), place, below);
  const found = project.look(name, place);
  // Pages of the administration are no endpoints, wherever they are; what is known to stand below them may be theirs.
  if (found.kind === "outside" && found.name.startsWith("django.contrib.admin."))
    return unseen(reasons.admin, place, {
      ...below,
      prefixes: below.prefixes.filter(({ gap: why }) => why === null),
    });
  if (found.kind !== "binding" || found.rest.length > 0)
    return unseen(reasons.unresolved(name), place, below);
  const key = `${found.path}:${found.binding.scope}:${found.binding.name}`;
  if (seen.includes(key)) return []; // `urlpatterns = more(urlpatterns)`
  const all = project.modules
    .get(found.path)
    ?.facts.bindings.filter((one) => one.name === found.binding.name && one.scope === found.binding.scope);
  return (all ?? []).flatMap(({ value, scope, line }) =>
    patterns(value, { path: found.path, scope, line }, { ...below, seen: [...seen, key] }),
  );
}

/** Functions that hand patterns on, and what becomes of them. */
function ofCall(call: Call, place: Place, below: Below): Emitted[] {
  const found = lookAt(call.callee, place, below.project);
  const name = found?.kind === "outside" ? found.name : "";
  const last = name.split(".").at(-1) ?? "";
  if (/^(?:path|re_path|url)$/.test(last) && name.startsWith("django."))
    return ofPath(call, last, place, below);
  if (/^(?:static|staticfiles_urlpatterns)$/.test(last)) return [];
  if (last === "format_suffix_patterns")
    return call.args.slice(0, 1).flatMap(({ value }) => patterns(value, place, below));
  if (last === "i18n_patterns") {
    const language = [hidden(reasons.languagePrefix)];
    const isForAll = argument(call, "prefix_default_language") === null;
    const between = isForAll ? language : [known(""), ...language];
    const inside = { ...below, prefixes: products(below.prefixes, between) };
    return call.args
      .filter((one) => one.name === null)
      .flatMap(({ value }) => patterns(value, place, inside));
  }
  return unseen(reasons.computed(sourceOf(call)), place, below);
}

/** `path("x/", view)`, `path("x/", include(…))`. */
function ofPath(call: Call, kind: string, around: Place, below: Below): Emitted[] {
  const { project } = below;
  const place = { ...around, line: call.line };
  const route = argument(call, kind === "path" ? "route" : "regex", 0);
  const view = argument(call, "view", 1);
  if (route === null || view === null) return [];
  const own = textsOf(route, place, project).map(kind === "path" ? withBraces : ofPattern);
  const prefixes = products(below.prefixes, own);
  const inside = { ...below, prefixes };
  const isInclude = view.kind === "call" && lookAt(view.callee, place, project)?.kind === "outside";
  if (isInclude && view.kind === "call" && /(?:^|\.)include$/.test(sourceOf(view.callee)))
    return included(view.args[0]?.value ?? null, place, inside);
  // `api.urls` of something that plait does not know brings along routes of its own.
  if (view.kind === "name" && /\.urls$/.test(view.name)) return ofName(view.name, place, inside);
  const seen = viewOf(view, place, project);
  const base = { file: place.path, line: call.line, framework: seen.framework };
  if (seen.kind === "hidden") return [unclearAt(prefixes, base, seen.why)];
  return [
    ...(seen.hidden === undefined ? [] : [unclearAt(prefixes, base, seen.hidden)]),
    ...seen.answers.map(({ method, ...models }) =>
      routesAt(prefixes, { ...base, methods: [method], ...models }),
    ),
  ];
}

/** What `include` is given: the name of a module, a module, a list, or such with the name of its application. */
function included(what: Expression | null, place: Place, below: Below): Emitted[] {
  const { project } = below;
  if (what === null) return [];
  if (what.kind === "text") {
    const path = project.resolve(what.value, place.path);
    return path !== null && isUrlconf(path, project)
      ? ofModule(path, below)
      : unseen(reasons.notInProject(what.value), place, below);
  }
  const [first, second] = what.kind === "list" ? what.items : [];
  if (first !== undefined && second?.kind === "text") return included(first, place, below);
  const found = lookAt(what, place, project);
  return found?.kind === "module" ? ofModule(found.path, below) : patterns(what, place, below);
}

function ofModule(path: string, below: Below): Emitted[] {
  below.included.add(path);
  return below.isWhole ? urlconf(path, below) : [];
}

function unseen(why: string, { path: file, line }: Place, { prefixes }: Below): Emitted[] {
  return [unclearAt(prefixes, { file, line, framework: FRAMEWORK }, reasons.included(why))];
}

/** Whether a file has patterns of URLs. */
function isUrlconf(path: string, { modules }: PythonProject): boolean {
  const bindings = modules.get(path)?.facts.bindings ?? [];
  return bindings.some(({ name, scope }) => name === "urlpatterns" && scope === "");
}

/**
 * Where paths begin: what the settings name; else the urlconf that nobody includes, and of several those that include others. Of the
 * rest that nobody includes, nobody knows where they are.
 */
function rootsOf(includes: ReadonlyMap<string, ReadonlySet<string>>, project: PythonProject) {
  const below = new Set([...includes.values()].flatMap((all) => [...all]));
  const free = [...includes.keys()].filter((path) => !below.has(path));
  const named = namedRoots(project).filter((path) => includes.has(path));
  const above = free.length === 1 ? free : free.filter((path) => (includes.get(path)?.size ?? 0) > 0);
  const roots = named.length > 0 ? named : above;
  // Where all include each other, there is none that begins.
  const rest = free.length === 0 && roots.length === 0 ? [...includes.keys()] : free;
  return { roots, lost: rest.filter((path) => !roots.includes(path)) };
}

/** `ROOT_URLCONF = "shop.urls"`. */
function namedRoots(project: PythonProject): string[] {
  return [...project.modules].flatMap(([path, { facts }]) =>
    facts.bindings
      .filter(({ name }) => name === "ROOT_URLCONF")
      .flatMap(({ value, scope, line }) => textsOf(value, { path, scope, line }, project))
      .flatMap(({ lead, gap }) => (gap === null ? (project.resolve(lead, path) ?? []) : [])),
  );
}
