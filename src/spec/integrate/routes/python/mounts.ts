import { reasons } from "../../reasons.ts";
import { type Route, type Routes, UNDECLARED, type UnclearRoute } from "../route.ts";
import type { Made } from "./made.ts";
import { gap, joined, known, type PathText, type PathTexts, products } from "./path-text.ts";

/** How applications and routers of a framework hang together. */
export type Mounts = {
  /** Hangs one below another, with what stands between. A parent that is a text says why it cannot be seen. */
  readonly mount: (child: Made, parent: Made | string, between: PathTexts) => void;
  /** All beginnings that the routes of this object have. */
  readonly prefixesOf: (one: Made) => PathTexts;
};

type Edge = { readonly parent: Made | string; readonly between: PathTexts };
type Ways = {
  readonly isRoot: (one: Made) => boolean;
  /** What an object itself puts before its routes. */
  readonly own: (one: Made) => PathTexts;
  readonly join: (a: PathText, b: PathText) => PathText;
};

const MOST = 64;

/**
 * An application is where paths begin, if nobody hangs it below another. A router that nobody hangs up begins with what cannot be
 * seen. All are to be hung up before anybody asks.
 */
export function mounts({ isRoot, own, join }: Ways): Mounts {
  const edges = new Map<string, Edge[]>();
  const found = new Map<string, PathTexts>();
  const beginnings = (one: Made): PathTexts => {
    const up = edges.get(one.key) ?? [];
    if (up.length === 0 && isRoot(one)) return [known("")];
    if (up.length === 0) return [gap(reasons.notMounted(one.name))];
    return up
      .flatMap(({ parent, between }) =>
        products(typeof parent === "string" ? [gap(parent)] : prefixesOf(parent), between, join),
      )
      .slice(0, MOST);
  };
  const prefixesOf = (one: Made): PathTexts => {
    const before = found.get(one.key);
    if (before !== undefined) return before;
    found.set(one.key, [gap(reasons.mountedBelowItself(one.name))]);
    const all = products(beginnings(one), own(one), join);
    found.set(one.key, all);
    return all;
  };
  const mount = (child: Made, parent: Made | string, between: PathTexts) =>
    void edges.set(child.key, [...(edges.get(child.key) ?? []), { parent, between }]);
  return { mount, prefixesOf };
}

type Base = Pick<Route, "file" | "line" | "framework">;
/** What is said of a route beside its path. */
export type Declared = Base &
  Partial<Pick<Route, "request" | "response" | "surface">> & { readonly methods: readonly string[] };

export type Emitted = Pick<Routes, "routes" | "unclear">;

/** One route for each way that its path could be, each once. */
export function routesAt(paths: PathTexts, declared: Declared): Emitted {
  const routes = new Map<string, Route>();
  const unclear: UnclearRoute[] = [];
  const { methods, file, line, framework, ...more } = declared;
  for (const { lead, gap: why, tail } of paths) {
    const end = why === null ? lead : tail.slice(Math.max(0, tail.indexOf("/")));
    if (why !== null && !end.startsWith("/")) {
      unclear.push({ file, line, framework, why: reasons.partialPath(why), ...under(lead) });
      continue;
    }
    const path = wholePath(end);
    for (const method of methods)
      routes.set(`${method} ${path} ${why === null}`, {
        ...{ method, path, prefixUnknown: why, file, line, framework },
        ...{ request: UNDECLARED, response: UNDECLARED, ...more },
      });
  }
  return { routes: [...routes.values()], unclear };
}

/** The same place, where something else than the path is not seen. */
export function unclearAt(paths: PathTexts, base: Base, why: string): Emitted {
  const all = paths.map(({ lead, gap: hidden }) => ({
    ...base,
    why,
    ...under(hidden === null ? `${lead}/` : lead),
  }));
  return { routes: [], unclear: all };
}

/** What stands below a path that is known so far: whole steps of it. */
function under(lead: string): { readonly under?: string } {
  const whole = lead.slice(0, Math.max(0, lead.lastIndexOf("/")));
  return whole === "" ? {} : { under: wholePath(whole) };
}

/** With a slash at its start and none at its end. */
function wholePath(path: string): string {
  return `/${path}`.replaceAll(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
}

/** Steps are joined by exactly one slash. */
export function joinedBySlash(a: PathText, b: PathText): PathText {
  const isOpen = b.lead !== "" || b.gap !== null;
  const first =
    a.gap === null ? { ...a, lead: closed(a.lead, isOpen) } : { ...a, tail: closed(a.tail, isOpen) };
  const start = b.lead.replace(/^\/+/, "");
  return joined(first, { ...b, lead: start });
}

function closed(text: string, isOpen: boolean): string {
  return isOpen ? `${text.replace(/\/+$/, "")}/` : text;
}
