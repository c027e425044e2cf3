import type { Diagnostic, Located, Severity } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { lineIn } from "../../formats/text-index.ts";
import type { ContractFile } from "../contracts/check.ts";
import { type ApiOperation, operationsOf } from "../integrate/routes/operations.ts";
import { buildCoverageFinding } from "./catalog.ts";

export type OwningTask = { readonly id: string; readonly operations: readonly Located<string>[] };

export type OperationCoverage = {
  readonly operations: readonly ApiOperation[];
  readonly tasks: readonly OwningTask[];
  /** `unsaid` is how grave it is that no task names any; null: nothing is said of it. */
  readonly severity: { readonly unowned: Severity; readonly unsaid: Severity | null };
  readonly addTo: string;
};

/** Operations of the API contract without a task, and those of tasks that the contract does not have. */
export function checkOperations({ operations, tasks, severity, addTo }: OperationCoverage): Diagnostic[] {
  const named = tasks.flatMap((task) => task.operations);
  const [first] = operations;
  const unowned = (kind: "one" | "all", one: ApiOperation, grave: Severity) => {
    const params = { kind, operations: operations.length, operation: nameOperation(one), addTo } as const;
    return buildCoverageFinding("operation-unowned", params, lineIn(one.file, one.line), { severity: grave });
  };
  if (named.length === 0 && severity.unsaid !== "error")
    return first === undefined || severity.unsaid === null ? [] : [unowned("all", first, severity.unsaid)];
  const left = operations.filter((one) => !named.some(({ value }) => isNamed(one, value)));
  const unknown = named.filter(({ value }) => !operations.some((one) => isNamed(one, value)));
  return [
    ...left.map((one) => unowned("one", one, severity.unowned)),
    ...unknown.map((one) => unknownOperation(one, operations)),
  ];
}

function unknownOperation({ value, at }: Located<string>, operations: readonly ApiOperation[]): Diagnostic {
  const names = operations.flatMap((one) => [nameOperation(one), one.operationId ?? []].flat());
  const params = { operation: value, suggestion: nearest(value, names) };
  return buildCoverageFinding("operation-unknown", params, at);
}

/** `GET /products/{sku}`. */
function nameOperation({ method, route }: Pick<ApiOperation, "method" | "route">): string {
  return `${method} ${route}`;
}

function isNamed({ method, route, prefixes, operationId }: ApiOperation, said: string): boolean {
  const text = said.trim();
  if (text === operationId) return true;
  const [, verb = "", path = ""] = /^([A-Za-z]+)\s+(\S+)$/.exec(text) ?? [];
  if (verb.toUpperCase() !== method) return false;
  return ["", ...prefixes].some((prefix) => comparable(`${prefix}${route}`) === comparable(path));
}

/** What a parameter is called does not matter, nor how it is marked. */
function comparable(path: string): string {
  return path
    .replace(/\?.*$/, "")
    .replaceAll(/\{[^{}]*\}|<[^<>]*>|(?<=\/):\w+/g, "{}")
    .replace(/(?<=.)\/+$/, "");
}

export type ApiCoverage = Omit<OperationCoverage, "operations"> & {
  readonly api: ContractFile;
  readonly types: ContractFile | null;
  readonly differing: Severity;
};

/** Whether tasks implement all of the API contract, and the types contract says the same as it does. */
export async function checkApiCoverage({
  api,
  types,
  differing,
  ...coverage
}: ApiCoverage): Promise<Diagnostic[]> {
  const unowned = checkOperations({ ...coverage, operations: operationsOf(api).operations });
  if (types === null) return unowned;
  const { checkContractsAgree } = await import("./check-contracts-agree.ts"); // with the parser of the language
  return [...unowned, ...(await checkContractsAgree({ types, api }, differing))];
}
