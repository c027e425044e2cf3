import { reasons } from "../../reasons.ts";
import type { Route, UnclearRoute } from "../route.ts";
import { joinPaths } from "./paths.ts";
import type { Mount, Router, Template, World } from "./world.ts";

/** Where a router stands: under which prefix, and why something before it cannot be seen. */
type Standing = { readonly prefix: string; readonly unknown: string | null; readonly isNotMounted?: true };

/** Mounted in more places than anybody does. */
const MOST_PLACES = 50;
const DEEPEST = 20;

/** All routes with their whole paths, and what is unclear, with how its path begins. */
export function placed(world: World): { readonly routes: Route[]; readonly unclear: UnclearRoute[] } {
  const standings = standingsOf(world);
  const frameworkOf = (router: string) => world.routers.get(router)?.framework.name ?? "";
  const routes = world.found.routes.flatMap(({ router, path, surface: read, ...route }) => {
    const surface = read?.();
    return standings(router).map(
      ({ prefix, unknown }): Route => ({
        ...route,
        ...(surface === undefined ? {} : { surface }),
        framework: frameworkOf(router),
        path: joinPaths(prefix, path),
        prefixUnknown: unknown,
      }),
    );
  });
  const unclear = world.found.unclear.flatMap(({ router, head, isFaint, ...one }) =>
    standings(router).flatMap(({ prefix, unknown }) => {
      const start = unknown === null ? joinPaths(prefix, head) : null;
      if (isFaint && (start === null || start === "/" || routes.some(isBelow(start)))) return [];
      return [unclearBelow({ ...one, framework: frameworkOf(router) }, start)];
    }),
  );
  return { routes: once(routes), unclear: once(unclear) };
}

function isBelow(start: string): (route: Route) => boolean {
  return ({ path, prefixUnknown }) =>
    prefixUnknown === null && (path === start || path.startsWith(`${start}/`));
}

/** `start` is null where that cannot be seen. */
export function unclearBelow(one: UnclearRoute, start: string | null): UnclearRoute {
  return start === null || start === "/" ? one : { ...one, under: start };
}

/** Each once, in order. */
export function once<T>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

function standingsOf(world: World): (router: string) => readonly Standing[] {
  const mounts = byChild(world.found.mounts.map((one) => ({ ...one, child: ownerOf(world, one.child) })));
  const copies = byChild(
    [...world.routers.values()].flatMap(({ id, copyOf }) =>
      copyOf === null ? [] : [{ parent: id, child: copyOf, prefix: { path: "" } }],
    ),
  );
  const apps = appsOf(world, new Set([...mounts.keys(), ...copies.keys()]));
  const known = new Map<string, readonly Standing[]>();
  const find = (id: string, depth: number): readonly Standing[] => {
    const found = known.get(id);
    if (found !== undefined) return found;
    if (depth > DEEPEST) return [];
    known.set(id, []); // a router inside of itself leads nowhere new
    const under = (all: readonly Over[]) =>
      all.flatMap(({ parent, prefix }) => find(parent, depth + 1).map((one) => below(one, prefix)));
    const router = world.routers.get(id);
    const over = router?.base
      ? under([{ parent: router.base.router, prefix: router.base.prefix }])
      : [...under(mounts.get(id) ?? []), ...seen(under(copies.get(id) ?? []))];
    const isBelow = router?.base || mounts.has(id) || copies.has(id);
    const all = isBelow || router === undefined ? over : [apps.has(id) ? AT_THE_TOP : nowhere(router)];
    known.set(id, all.slice(0, MOST_PLACES));
    return all.slice(0, MOST_PLACES);
  };
  return (router) => find(router, 0);
}

type Over = Pick<Mount, "parent" | "prefix">;

function byChild(mounts: readonly Mount[]): ReadonlyMap<string, readonly Over[]> {
  const found = new Map<string, Over[]>();
  for (const one of mounts) found.set(one.child, [...(found.get(one.child) ?? []), one]);
  return found;
}

/** What is made anew in several places is wherever one of them is; that another is nowhere says nothing. */
function seen(all: readonly Standing[]): readonly Standing[] {
  const some = all.filter(({ isNotMounted }) => isNotMounted !== true);
  return some.length > 0 ? some : all;
}

const AT_THE_TOP: Standing = { prefix: "", unknown: null };

function below(standing: Standing, next: Template): Standing {
  if ("why" in next) return { prefix: "", unknown: next.why };
  return { ...standing, prefix: joinPaths(standing.prefix, next.path) };
}

function nowhere({ role }: Router): Standing {
  return role === "given"
    ? { prefix: "", unknown: reasons.givenRouter }
    : { prefix: "", unknown: reasons.notMounted(null), isNotMounted: true };
}

/** An app under a prefix is still that app. */
function ownerOf({ routers }: World, id: string): string {
  let at = id;
  for (let i = 0; i < DEEPEST; i++) at = routers.get(at)?.base?.router ?? at;
  return at;
}

/**
 * What is served: apps that are started, or have others below them; an app that is the only one left. Others of them may be parts
 * that were forgotten, since in some frameworks the parts are apps as well.
 */
function appsOf(world: World, mounted: ReadonlySet<string>): ReadonlySet<string> {
  const busy = new Set([
    ...[...world.found.served].map((id) => ownerOf(world, id)),
    ...world.found.mounts.map(({ parent }) => ownerOf(world, parent)),
  ]);
  const candidates = [...world.routers.values()].filter(
    ({ id, role, base }) => role === "app" && base === null && !mounted.has(id),
  );
  const isAlone = ({ framework }: Router) =>
    candidates.filter((one) => one.framework === framework).length === 1;
  return new Set(candidates.filter((one) => busy.has(one.id) || isAlone(one)).map(({ id }) => id));
}
