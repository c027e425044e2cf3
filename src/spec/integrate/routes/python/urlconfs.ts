import { textsOf } from "./path-text.ts";
import type { PythonProject } from "./project.ts";

/** Whether a file has patterns of URLs. */
export function isUrlconf(path: string, { modules }: PythonProject): boolean {
  const bindings = modules.get(path)?.facts.bindings ?? [];
  return bindings.some(({ name, scope }) => name === "urlpatterns" && scope === "");
}

/**
 * Where paths begin: what the settings name; else the urlconf that nobody includes, and of several those that include others. Of the
 * rest that nobody includes, nobody knows where they are.
 */
export function rootsOf(
  includes: ReadonlyMap<string, ReadonlySet<string>>,
  project: PythonProject,
): { roots: string[]; lost: string[] } {
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
