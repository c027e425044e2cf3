import { buildFinding } from "../catalog/catalog.ts";
import type { ContractVerdict } from "../verdict.ts";
import type { ApiOperation } from "./operations.ts";
import { formOf } from "./paths.ts";
import type { Route } from "./route.ts";

/** An operation with all paths that it may have, as forms. */
export type PlacedOperation = ApiOperation & { readonly forms: readonly string[] };

type Servers = {
  /** One finding for all, if paths and servers do not match. */
  readonly finding: ContractVerdict | null;
  readonly operations: readonly PlacedOperation[];
};

/**
 * The paths of a contract's operations, with its servers. If no route has such a path, but some match without the servers' prefix (or,
 * if the contract names no server, with a common prefix), it is unclear which is right, and the rest is compared with those paths.
 */
export function serversOf(operations: readonly ApiOperation[], routes: readonly Route[]): Servers {
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
  return {
    finding: unclearServer(prefix, false),
    operations: operations.map((one) => at(one, [prefix])),
  };
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
