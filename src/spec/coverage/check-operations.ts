import { quoted } from "../../core/analyze/words.ts";
import {
  type Diagnostic,
  diagnostic,
  type Located,
  type Severity,
  type SourceRange,
} from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import type { ApiOperation } from "../integrate/routes/operations.ts";
import type { CoverageCode } from "./codes.ts";

/** A task by the operations that it says it implements. */
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
  const unowned = (message: string, operation: ApiOperation, grave: Severity) =>
    finding("operation-unowned", {
      ...{ message, at: placeIn(operation), severity: grave },
      hint: `add ${quoted(nameOperation(operation))} to ${addTo}`,
    });
  if (named.length === 0 && severity.unsaid !== null && severity.unsaid !== "error") {
    const message = `no task lists the operations that it implements, so ${operations.length} of the API contract cannot be checked`;
    return first === undefined ? [] : [unowned(message, first, severity.unsaid)];
  }
  if (named.length === 0 && severity.unsaid === null) return [];
  const left = operations.filter((one) => !named.some(({ value }) => isNamed(one, value)));
  const unknown = named.filter(({ value }) => !operations.some((one) => isNamed(one, value)));
  return [
    ...left.map((one) => unowned(`no task implements ${quoted(nameOperation(one))}`, one, severity.unowned)),
    ...unknown.map((one) => unknownOperation(one, operations)),
  ];
}

function finding(code: CoverageCode, input: Omit<Parameters<typeof diagnostic>[0], "code">): Diagnostic {
  return diagnostic({ code, ...input });
}

function unknownOperation({ value, at }: Located<string>, operations: readonly ApiOperation[]): Diagnostic {
  const near = nearest(
    value,
    operations.flatMap((one) => [nameOperation(one), one.operationId ?? []].flat()),
  );
  const message = `${quoted(value)} is not an operation of the API contract`;
  const hint = near === null ? "write METHOD /path, or the operationId" : `did you mean ${quoted(near)}?`;
  return finding("operation-unknown", { message, at, hint });
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

function placeIn({ file, line }: ApiOperation): SourceRange {
  const start = { line, col: 1 };
  return { file, start, end: start };
}
