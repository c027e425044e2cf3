// Endpoints by the document that the project prints about itself: it decides in the place of what was read from the code.

import { buildFinding } from "../catalog/catalog.ts";
import type { ContractVerdict, FoundFinding } from "../finding.ts";
import type { LinkedTypes } from "../types/link.ts";
import { checkEndpoints, withoutFormer } from "./check-endpoints.ts";
import { aboutOf } from "./compare-operation.ts";
import { type ApiOperation, operationsOf } from "./operations.ts";
import { couldEndSo, formOf } from "./paths.ts";
import type { ModelUse, Route, Routes } from "./route.ts";

export type CompareDocument = (printed: PrintedText) => ComparedDocument;

/** What a command printed, or why that is no document. */
export type PrintedText = { readonly command: string } & (
  | { readonly text: string }
  | { readonly problem: string }
);

export type ComparedDocument = {
  readonly endpoints: readonly ContractVerdict[];
  /** About the document itself. */
  readonly findings: readonly FoundFinding[];
};

type DocumentInput = {
  readonly operations: readonly ApiOperation[];
  /** As they were read from the code: they say where an endpoint stands. */
  readonly routes: Routes;
  readonly former: Routes | null;
  readonly touched: ReadonlySet<string>;
};

export function compareWithDocument(
  printed: PrintedText,
  { operations, routes, former, touched }: DocumentInput,
): ComparedDocument {
  const read = "problem" in printed ? printed : readDocumentRoutes(printed.text, routes.routes);
  if ("problem" in read) return undecided(printed.command, read.problem, operations);
  const verdicts = checkEndpoints({
    ...{ operations, routes: read.routes, unread: [], touched },
    typesOf: () => read.types,
  });
  return { endpoints: former === null ? verdicts : withoutFormer(verdicts, former), findings: [] };
}

/** What was to decide says nothing: then nothing is decided, whatever the code looks like. */
function undecided(command: string, problem: string, operations: readonly ApiOperation[]): ComparedDocument {
  return {
    endpoints: operations.map((one) => ({ about: aboutOf(one), status: "unclear", at: null, findings: [] })),
    findings: [buildFinding("document-unreadable", { command, problem }, ABOUT)],
  };
}

const ABOUT = { about: "integrate.openapi", at: null };

/** The command was skipped with the checks. */
export const buildSkippedDocument = (command: string): FoundFinding =>
  buildFinding("document-not-read", { command }, ABOUT);

// The document that a project prints about itself, in the place of the routes that are read from its code.

type PrintedDocument =
  | { readonly routes: Routes; readonly types: LinkedTypes | null }
  | { readonly problem: string };

/** Programs may say something before the document and after it. */
export function findDocument(printed: string): string {
  const text = printed.trim();
  const start = /^(?:\{|openapi:|["']openapi["']:)/m.exec(text);
  if (start === null) return text;
  const rest = text.slice(start.index);
  return rest.startsWith("{") ? rest.slice(0, rest.lastIndexOf("}") + 1) : rest;
}

/** `code` are the routes that were read: they say where an endpoint stands. */
function readDocumentRoutes(printed: string, code: readonly Route[]): PrintedDocument {
  const text = findDocument(printed);
  const path = text.startsWith("{") ? "openapi.json" : "openapi.yaml";
  const { operations, problem } = operationsOf({ path, file: path, text }, true);
  if (problem !== null) return { problem: problem.message };
  const names = [...new Set(operations.map(({ habits }) => habits.name))];
  return {
    routes: {
      frameworks: names.length === 0 ? ["OpenAPI"] : names,
      routes: operations.flatMap((one) => toRoutes(one, code)),
      unclear: [],
    },
    types: operations[0]?.types ?? null,
  };
}

/** With what servers put before it, and without: the contract may name them or not. */
function toRoutes(operation: ApiOperation, code: readonly Route[]): Route[] {
  const { method, route, prefixes, surface, habits } = operation;
  const paths = [...new Set([...prefixes.map((prefix) => `${prefix}${route}`), route])];
  const place = placeOf(operation, code);
  return paths.map((path) => ({
    ...{ method, path, prefixUnknown: null, ...place, framework: habits.name },
    request: isNone(operation.request),
    response: isNone(operation.response),
    surface: { ...surface, language: "document", habits },
  }));
}

/** Names of schemas in a document are made by the framework: only that there is none is compared. */
function isNone(uses: readonly ModelUse[]): ModelUse {
  return uses.length > 0 && uses.every(({ kind }) => kind === "none")
    ? { kind: "none" }
    : { kind: "undeclared" };
}

/** Empty where no route of the code is it for sure; the line tells operations apart. */
function placeOf(
  { method, route, prefixes, line }: ApiOperation,
  code: readonly Route[],
): Pick<Route, "file" | "line"> {
  const forms = new Set([...prefixes.map((prefix) => formOf(`${prefix}${route}`)), formOf(route)]);
  const same = code.filter((one) => one.method === method || one.method === "*");
  const whole = same.find((one) => one.prefixUnknown === null && forms.has(formOf(one.path)));
  const ends = same.filter(
    (one) => formOf(one.path) !== "/" && [...forms].some((form) => couldEndSo(one, form)),
  );
  const found = whole ?? (ends.length === 1 ? ends[0] : undefined);
  return found === undefined ? { file: "", line } : { file: found.file, line: found.line };
}
