import { nearest } from "../../../core/suggest.ts";
import { buildFinding } from "../catalog/catalog.ts";
import type { MissingRoute, UnclearEndpoint } from "../catalog/endpoints.ts";
import type { CodePlace, ContractVerdict, FoundFinding, UnreadFile } from "../finding.ts";
import { aboutOf, compareOperation, placeOf, type TypesOf } from "./compare-operation.ts";
import type { ApiOperation } from "./operations.ts";
import { answers, couldBe, couldEndSo, endsAs, formOf, isTakenBy } from "./paths.ts";
import { type Route, type Routes, WEBSOCKET } from "./route.ts";

export type EndpointsInput = {
  readonly operations: readonly ApiOperation[];
  readonly routes: Routes;
  readonly unread: readonly UnreadFile[];
  /** Files that tasks changed: other routes that the contract does not have are not reported. */
  readonly touched: ReadonlySet<string>;
  /** Omitted: bodies are compared by name only. */
  readonly typesOf?: TypesOf;
};

/** Endpoints of the contract against the routes of the code; then the routes that only the code has. */
export function checkEndpoints(input: EndpointsInput): ContractVerdict[] {
  const { finding, operations } = serversOf(input.operations, input.routes.routes);
  const extra = extraRoutes(operations, input.routes.routes);
  const known = new Set(operations.flatMap(namesIn));
  const routes = byForm(input.routes.routes, ({ path }) => [formOf(path)]);
  const judging = { ...input, extra, known, byForm: routes };
  const judged = operations.map((operation) => judge(operation, judging));
  const named = new Set(judged.flatMap(({ names }) => names));
  return [
    ...(finding === null ? [] : [finding]),
    ...judged.map(({ verdict }) => verdict),
    ...extra.filter((route) => input.touched.has(route.file) && !named.has(route)).map(extraVerdict),
  ];
}

type Judging = EndpointsInput & {
  readonly extra: readonly Route[];
  readonly known: ReadonlySet<string>;
  readonly byForm: ByForm<Route>;
};
/** By the form of their paths: no operation is held against every route. */
type ByForm<T> = ReadonlyMap<string, readonly T[]>;

function byForm<T>(all: readonly T[], formsOf: (one: T) => readonly string[]): ByForm<T> {
  const found = new Map<string, T[]>();
  for (const one of all) {
    for (const form of new Set(formsOf(one))) {
      const same = found.get(form);
      if (same === undefined) found.set(form, [one]);
      else same.push(one);
    }
  }
  return found;
}

/** `names`: routes that the verdict names already. */
type Judged = { readonly verdict: ContractVerdict; readonly names: readonly Route[] };

function judge(operation: PlacedOperation, judging: Judging): Judged {
  const same = operation.forms.flatMap((form) => judging.byForm.get(form) ?? []);
  const there = [...new Set(same)].filter(({ prefixUnknown }) => prefixUnknown === null);
  const fitting = there.filter((route) => answers(route, operation.method));
  if (fitting.length > 0) return { verdict: compareOperation(operation, fitting, judging), names: [] };
  const unclear = findUnclear(operation, judging);
  if (unclear !== null) return { verdict: verdictOf(operation, "unclear", unclear), names: there };
  return there.length > 0 ? otherMethods(operation, there, judging) : missing(operation, judging);
}

/** Why the endpoint may exist although no route matches. */
function findUnclear(operation: PlacedOperation, { routes, unread }: Judging): FoundFinding | null {
  const { method, forms } = operation;
  const unclear = (values: UnclearEndpoint, at: CodePlace | null) =>
    buildFinding("endpoint-unclear", values, { about: aboutOf(operation), at });
  if (routes.frameworks.length === 0) return unclear({ kind: "framework" }, null);
  const isLikely = (route: Route) => answers(route, method) && forms.some((form) => couldEndSo(route, form));
  const open = routes.routes.filter((route) => route.prefixUnknown !== null && isLikely(route));
  const prefixed = longest(open, ({ path }) => path);
  if (prefixed !== undefined) {
    const { path, prefixUnknown } = prefixed;
    return unclear({ kind: "prefix", path, reason: prefixUnknown ?? "" }, placeOf(prefixed));
  }
  const possible = routes.unclear.filter((route) => forms.some((form) => couldBe(route, form)));
  const hidden = longest(possible, ({ under }) => under ?? "");
  if (hidden !== undefined) return unclear({ kind: "hidden", reason: hidden.why }, placeOf(hidden));
  const [file] = unread;
  return file === undefined
    ? null
    : unclear({ kind: "unread", reason: file.why }, { file: file.path, line: null });
}

/** The first of those with the longest path. */
function longest<T>(all: readonly T[], textOf: (one: T) => string): T | undefined {
  const most = Math.max(...all.map((one) => formOf(textOf(one)).length));
  return all.find((one) => formOf(textOf(one)).length === most);
}

function otherMethods(operation: PlacedOperation, there: readonly Route[], { extra }: Judging): Judged {
  const first = (there.find((route) => extra.includes(route)) ?? there[0]) as Route;
  const has = [...new Set(there.map(({ method }) => method))];
  const values = { path: first.path, has, method: operation.method };
  const finding = buildFinding("endpoint-method", values, { about: aboutOf(operation), at: placeOf(first) });
  return { verdict: verdictOf(operation, "differs", finding), names: there };
}

/** With the route that was probably meant: one of the same method that the contract does not have. */
function missing(operation: PlacedOperation, { routes, extra }: Judging): Judged {
  const [form = ""] = operation.forms;
  const about = aboutOf(operation);
  const missed = (values: MissingRoute, route: Route | undefined, names: readonly Route[]): Judged => {
    const at = route === undefined ? null : placeOf(route);
    const finding = buildFinding("endpoint-missing", values, { about, at });
    return { verdict: verdictOf(operation, "missing", finding), names };
  };
  const isFitting = (route: Route) => answers(route, operation.method);
  const isAsLong = ({ path }: Route) => path.split("/").length === form.split("/").length;
  const close = extra.filter((route) => isFitting(route) && isAsLong(route));
  const paths = close.map(({ path }) => formOf(path));
  const meant = close[paths.indexOf(nearest(form, paths) ?? "")];
  if (meant !== undefined)
    return missed({ kind: "similar", route: `${meant.method} ${meant.path}` }, meant, [meant]);
  const other = extra.find((route) => isFitting(route) && endsAs(formOf(route.path), form));
  if (other !== undefined) {
    const withServer = form === formOf(operation.route) ? null : form;
    return missed({ kind: "prefix", route: `${other.method} ${other.path}`, withServer }, other, [other]);
  }
  const taker = routes.routes.find(
    (route) => route.prefixUnknown === null && isFitting(route) && isTakenBy(form, formOf(route.path)),
  );
  return missed(taker === undefined ? { kind: "none" } : { kind: "shadowed", path: taker.path }, taker, []);
}

/** Without endpoints that existed before the tasks: `before` are the routes of that time. */
export function withoutFormer(verdicts: readonly ContractVerdict[], before: Routes): ContractVerdict[] {
  const isFormer = ({ about }: ContractVerdict) => {
    const [method = "", path = ""] = about.split(" ");
    return before.routes.some(
      (route) =>
        route.method === method &&
        (formOf(route.path) === formOf(path) ||
          (route.prefixUnknown !== null && couldEndSo(route, formOf(path)))),
    );
  };
  return verdicts.filter((verdict) => verdict.status !== "extra" || !isFormer(verdict));
}

/** Routes that are not in the contract, if their whole paths are known. */
function extraRoutes(operations: readonly PlacedOperation[], routes: readonly Route[]): Route[] {
  const asked = byForm(operations, ({ forms }) => forms);
  const keyOf = ({ method, file, line }: Route) => `${method} ${file}:${line}`;
  const isMeant = (route: Route) =>
    route.prefixUnknown !== null ||
    route.method === WEBSOCKET ||
    (asked.get(formOf(route.path)) ?? []).some(({ method }) => answers(route, method));
  const meant = new Set(routes.filter(isMeant).map(keyOf));
  return routes.filter((route) => !meant.has(keyOf(route)));
}

function extraVerdict(route: Route): ContractVerdict {
  const about = `${route.method} ${route.path}`;
  const at = placeOf(route);
  return { about, status: "extra", at, findings: [buildFinding("endpoint-extra", {}, { about, at })] };
}

type Status = ContractVerdict["status"];

function verdictOf(one: ApiOperation, status: Status, finding: FoundFinding): ContractVerdict {
  const at = status === "differs" ? finding.at : null;
  return { about: aboutOf(one), status, at, findings: [finding] };
}

function namesIn({ request, response }: ApiOperation): string[] {
  return [...request, ...response].flatMap((use) => (use.kind === "declared" ? [use.model] : []));
}

/** An operation with all paths that it may have, as forms. */
type PlacedOperation = ApiOperation & { readonly forms: readonly string[] };

/**
 * The paths of a contract's operations, with its servers. If no route has such a path, but some match without the servers' prefix (or,
 * if the contract names no server, with a common prefix), it is unclear which is right, and the rest is compared with those paths.
 */
function serversOf(operations: readonly ApiOperation[], routes: readonly Route[]) {
  const forms = new Set(
    routes.flatMap(({ path, prefixUnknown }) => (prefixUnknown === null ? [formOf(path)] : [])),
  );
  const placed = operations.map((one) => at(one, one.prefixes));
  const isThere = (all: readonly PlacedOperation[]) =>
    all.some((one) => one.forms.some((form) => forms.has(form)));
  if (isThere(placed) || routes.some(({ prefixUnknown }) => prefixUnknown !== null)) {
    return { finding: null, operations: placed };
  }
  const bare = operations.map((one) => at(one, [""]));
  if (isThere(bare)) {
    const [prefix = ""] = operations.flatMap(({ prefixes }) => prefixes);
    return { finding: unclearServer(prefix, true), operations: bare };
  }
  const prefix = operations.some(({ hasServers }) => hasServers) ? null : commonBeginning(operations, forms);
  if (prefix === null) return { finding: null, operations: placed };
  return { finding: unclearServer(prefix, false), operations: operations.map((one) => at(one, [prefix])) };
}

function at(operation: ApiOperation, prefixes: readonly string[]): PlacedOperation {
  return { ...operation, forms: prefixes.map((prefix) => formOf(`${prefix}${operation.route}`)) };
}

/** What stands before more than half of the paths. */
function commonBeginning(operations: readonly ApiOperation[], forms: ReadonlySet<string>): string | null {
  const counts = new Map<string, number>();
  const paths = new Set(operations.map(({ route }) => formOf(route)).filter((route) => route !== "/"));
  for (const route of paths)
    for (const form of forms)
      if (form.endsWith(route)) {
        const prefix = form.slice(0, form.length - route.length);
        counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
      }
  const common = [...counts].find(([prefix, count]) => count * 2 > paths.size && !prefix.includes("{"));
  return common?.[0] ?? null;
}

function unclearServer(prefix: string, isInContract: boolean): ContractVerdict {
  const about = `servers: ${prefix}`;
  const finding = buildFinding(
    "endpoint-unclear",
    { kind: "server", prefix, isInContract },
    { about, at: null },
  );
  return { about, status: "unclear", at: null, findings: [finding] };
}
