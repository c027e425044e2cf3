// Endpoints by the document that the project prints about itself: it decides in the place of what was read from the code.

import { buildFinding } from "../catalog/catalog.ts";
import type { FoundFinding } from "../finding.ts";
import type { ContractVerdict } from "../verdict.ts";
import { checkEndpoints, withoutFormer } from "./check-endpoints.ts";
import { aboutOf } from "./compare-operation.ts";
import { readDocumentRoutes } from "./document-routes.ts";
import type { ApiOperation } from "./operations.ts";
import type { Routes } from "./route.ts";

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
    endpoints: operations.map((one) => ({
      about: aboutOf(one),
      status: "unclear",
      at: null,
      findings: [],
    })),
    findings: [buildFinding("document-unreadable", { command, problem }, ABOUT)],
  };
}

const ABOUT = { about: "integrate.openapi", at: null };

/** The command was skipped with the checks. */
export const buildSkippedDocument = (command: string): FoundFinding =>
  buildFinding("document-not-read", { command }, ABOUT);
