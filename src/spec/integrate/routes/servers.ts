import { quoted } from "../../../core/analyze/words.ts";
import type { ContractVerdict } from "../verdict.ts";
import type { ApiOperation } from "./operations.ts";
import { formOf } from "./paths.ts";
import type { Route } from "./route.ts";

/** An operation with all paths that it may have, as forms. */
export type PlacedOperation = ApiOperation & { readonly forms: readonly string[] };

type Servers = {
  /** Said once for all, where paths and servers do not go together. */
  readonly finding: ContractVerdict | null;
  readonly operations: readonly PlacedOperation[];
};

/**
 * Where the operations of a contract are, by its servers. If no route at all is there, and some are where they would be without what
 * the servers put before them (or, where the contract names no server, below a common beginning), then it cannot be told who is
 * right, and everything else is looked for there.
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
    const message = `no path is there with ${quoted(prefix)} of the contract's servers, and paths are there without it: whether something in front of the code takes it away cannot be told`;
    return { finding: verdict(`servers: ${prefix}`, message), operations: bare };
  }
  const prefix = operations.some(({ hasServers }) => hasServers) ? null : commonBeginning(operations, forms);
  if (prefix === null) return { finding: null, operations: placed };
  const message = `paths are there below ${quoted(prefix)}, and the contract names no server: whether that is what it means cannot be told`;
  return {
    finding: verdict(`servers: ${prefix}`, message),
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

function verdict(about: string, message: string): ContractVerdict {
  const finding = {
    area: "endpoints",
    code: "endpoint-unclear",
    weight: "cannot-tell",
    about,
    at: null,
    message,
  } as const;
  return { about, status: "cannot-tell", at: null, findings: [finding] };
}
