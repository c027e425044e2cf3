import { listed, quoted } from "../../../core/analyze/words.ts";
import { nearest } from "../../../core/suggest.ts";
import type { CodePlace, FoundFinding } from "../finding.ts";
import type { ContractVerdict, UnreadFile } from "../verdict.ts";
import { aboutOf, compareOperation, placeOf, type TypesOf } from "./compare-operation.ts";
import type { ApiOperation } from "./operations.ts";
import { answers, couldBe, couldEndSo, endsAs, formOf, isTakenBy } from "./paths.ts";
import { type Route, type Routes, WEBSOCKET } from "./route.ts";
import { type PlacedOperation, serversOf } from "./servers.ts";

export type EndpointsInput = {
  readonly operations: readonly ApiOperation[];
  readonly routes: Routes;
  readonly unread: readonly UnreadFile[];
  /** Files that tasks changed: a route elsewhere that the contract does not have is nobody's concern. */
  readonly touched: ReadonlySet<string>;
  /** Left out: bodies are compared by their names only. */
  readonly typesOf?: TypesOf;
};

/** Endpoints of the contract against the routes of the code; then the routes that only the code has. */
export function checkEndpoints(input: EndpointsInput): ContractVerdict[] {
  const { finding, operations } = serversOf(input.operations, input.routes.routes);
  const extra = extraRoutes(operations, input.routes.routes);
  const known = new Set(operations.flatMap(namesIn));
  const judging = {
    ...input,
    extra,
    known,
    byForm: byForm(input.routes.routes, ({ path }) => [formOf(path)]),
  };
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

/** `names`: routes that the verdict has told of already. */
type Judged = { readonly verdict: ContractVerdict; readonly names: readonly Route[] };

function judge(operation: PlacedOperation, judging: Judging): Judged {
  const same = operation.forms.flatMap((form) => judging.byForm.get(form) ?? []);
  const there = [...new Set(same)].filter(({ prefixUnknown }) => prefixUnknown === null);
  const fitting = there.filter((route) => answers(route, operation.method));
  if (fitting.length > 0) return { verdict: compareOperation(operation, fitting, judging), names: [] };
  const doubt = doubtOf(operation, judging);
  if (doubt !== null) {
    const { why, at } = doubt;
    const finding = {
      code: "endpoint-unclear",
      at,
      message: `no route was found that is it for sure, and ${why}`,
    } as const;
    return { verdict: verdictOf(operation, "cannot-tell", finding), names: there };
  }
  return there.length > 0 ? otherMethods(operation, there, judging) : missing(operation, judging);
}

/** Why it may be there all the same. */
function doubtOf(
  { method, forms }: PlacedOperation,
  { routes, unread }: Judging,
): { why: string; at: CodePlace | null } | null {
  if (routes.frameworks.length === 0) {
    return { why: "the project has no framework that plait knows", at: null };
  }
  const beginning = longest(
    routes.routes.filter(
      (route) =>
        route.prefixUnknown !== null &&
        answers(route, method) &&
        forms.some((form) => couldEndSo(route, form)),
    ),
    ({ path }) => path,
  );
  if (beginning !== undefined) {
    const why = `${quoted(beginning.path)} may be: ${beginning.prefixUnknown}`;
    return { why, at: placeOf(beginning) };
  }
  const unclear = longest(
    routes.unclear.filter((route) => forms.some((form) => couldBe(route, form))),
    ({ under }) => under ?? "",
  );
  if (unclear !== undefined) return { why: `it may be here: ${unclear.why}`, at: placeOf(unclear) };
  const [file] = unread;
  if (file === undefined) return null;
  return { why: `it may be in a file that cannot be read: ${file.why}`, at: { file: file.path, line: null } };
}

/** The first of those that say most. */
function longest<T>(all: readonly T[], textOf: (one: T) => string): T | undefined {
  const most = Math.max(...all.map((one) => formOf(textOf(one)).length));
  return all.find((one) => formOf(textOf(one)).length === most);
}

function otherMethods(operation: PlacedOperation, there: readonly Route[], { extra }: Judging): Judged {
  const first = (there.find((route) => extra.includes(route)) ?? there[0]) as Route;
  const methods = listed([...new Set(there.map(({ method }) => method))], "methods");
  const message = `${quoted(first.path)} answers to ${methods}, and not to ${quoted(operation.method)}`;
  const finding = { code: "endpoint-method", at: placeOf(first), message } as const;
  return { verdict: verdictOf(operation, "differs", finding), names: there };
}

/** With the route that was perhaps meant: one of the same method that the contract does not have. */
function missing(operation: PlacedOperation, { routes, extra }: Judging): Judged {
  const [form = ""] = operation.forms;
  const isAsLong = ({ path }: Route) => path.split("/").length === form.split("/").length;
  const close = extra.filter((route) => answers(route, operation.method) && isAsLong(route));
  const near = nearest(
    form,
    close.map(({ path }) => formOf(path)),
  );
  const meant = close.find(({ path }) => formOf(path) === near);
  if (meant !== undefined) {
    const message = `no route has its path; the contract does not have ${quoted(`${meant.method} ${meant.path}`)}, which is near it`;
    const finding = { code: "endpoint-missing", at: placeOf(meant), message } as const;
    return { verdict: verdictOf(operation, "missing", finding), names: [meant] };
  }
  const other = extra.find((route) => answers(route, operation.method) && endsAs(formOf(route.path), form));
  if (other !== undefined) {
    const whole = form === formOf(operation.route) ? "" : `, which is ${quoted(form)} below its server`;
    const message = `no route has its path${whole}; ${quoted(`${other.method} ${other.path}`)} has another beginning`;
    const finding = { code: "endpoint-missing", at: placeOf(other), message } as const;
    return { verdict: verdictOf(operation, "missing", finding), names: [other] };
  }
  const taker = routes.routes.find(
    (route) =>
      route.prefixUnknown === null && answers(route, operation.method) && isTakenBy(form, formOf(route.path)),
  );
  const message =
    taker === undefined
      ? "no route has its path"
      : `no route has its path; ${quoted(taker.path)} would take its requests for something else`;
  const finding = {
    code: "endpoint-missing",
    at: taker === undefined ? null : placeOf(taker),
    message,
  } as const;
  return { verdict: verdictOf(operation, "missing", finding), names: [] };
}

/** Endpoints that were there before anybody began are nobody's concern: `before` are the routes of that time. */
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

/** Routes that are no operation of the contract, as far as their whole paths are seen, however many ways lead to each. */
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
  const message = "the contract has no such endpoint";
  const finding = {
    area: "endpoints",
    code: "endpoint-extra",
    weight: "should",
    about,
    at,
    message,
  } as const;
  return { about, status: "extra", at, findings: [finding] };
}

function verdictOf(
  operation: PlacedOperation,
  status: ContractVerdict["status"],
  { code, at, message }: Pick<FoundFinding, "code" | "at" | "message">,
): ContractVerdict {
  const about = aboutOf(operation);
  const weight = status === "cannot-tell" ? "cannot-tell" : "must";
  const finding: FoundFinding = { area: "endpoints", code, weight, about, at, message };
  return { about, status, at: status === "differs" ? at : null, findings: [finding] };
}

function namesIn({ request, response }: ApiOperation): string[] {
  return [...request, ...response].flatMap((use) => (use.kind === "declared" ? [use.model] : []));
}
