// Contracts against code: types language by language, endpoints over all frameworks at once.

import { lineFinder } from "../../util/lines.ts";
import { readAliases } from "./aliases/read-aliases.ts";
import type { CodePlace, ContractVerdict, FoundFinding } from "./finding.ts";
import { moduleResolver, type Resolve } from "./modules.ts";
import type { SourceProject } from "./project.ts";
import { type CodeFamily, type ReadCode, readCode } from "./read-code.ts";
import { type ContractText, type ReadContracts, readContracts } from "./read-contracts.ts";
import { checkEndpoints, withoutFormer } from "./routes/check-endpoints.ts";
import { type CompareDocument, compareWithDocument } from "./routes/compare-document.ts";
import { aboutOf, type TypesOf } from "./routes/compare-operation.ts";
import type { ApiOperation } from "./routes/operations.ts";
import { linkPythonRoutes } from "./routes/python.ts";
import type { Routes } from "./routes/route.ts";
import { joinRoutes } from "./routes/route.ts";
import { linkScriptRoutes } from "./routes/script.ts";
import { checkTypes } from "./types/check-types.ts";
import { type LinkedTypes, linkTypes } from "./types/link.ts";
import { operated } from "./types/script/operators.ts";

export type Compared = {
  /** Null: there is no contract of this sort that could be read. */
  readonly types: readonly ContractVerdict[] | null;
  readonly endpoints: readonly ContractVerdict[] | null;
  /** About the contracts themselves. */
  readonly findings: readonly FoundFinding[];
  /** The endpoints by the document that the project printed about itself; null: there is no API contract. */
  readonly compareDocument: CompareDocument | null;
};

export type CompareInput = {
  readonly project: SourceProject;
  readonly contracts: readonly ContractText[];
  readonly touched: ReadonlySet<string>;
  /** The files before any task began; null where nobody knows. */
  readonly before: () => Promise<SourceProject | null>;
  readonly signal?: AbortSignal;
};

export async function compareContracts(input: CompareInput): Promise<Compared> {
  const { contracts, findings } = await readContracts(input.contracts, input.project);
  const families = new Set<CodeFamily>(contracts.types.map(({ family }) => family));
  if (contracts.operations !== null) for (const one of ["python", "script"] as const) families.add(one);
  const resolve = await resolverOf(input.project);
  const code = await readCode(input.project, families, input.signal);
  const { operations } = contracts;
  const generated = await generatedTypes(input.project);
  const linked = linkedFamilies(code, resolve);
  const sources = { resolve, generated, linked };
  const types = contracts.types.length === 0 ? null : typeVerdicts(contracts, code, sources);
  if (operations === null) return { types, endpoints: null, findings, compareDocument: null };
  const places = new Map(operations.map((one) => [aboutOf(one), { file: one.file, line: one.line }]));
  const { verdicts, routes, former } = await endpointVerdicts(operations, code, sources, input);
  const finish = (all: readonly ContractVerdict[]) => whereAsked(all, places);
  const compareDocument: CompareDocument = (printed) => {
    const { endpoints, findings: about } = compareWithDocument(printed, {
      ...{ operations, routes, former, touched: input.touched },
    });
    return { endpoints: finish(endpoints), findings: about };
  };
  return { types, endpoints: finish(verdicts), findings, compareDocument };
}

/** What is in no file of the code is told where the contract asks for it. */
function whereAsked(
  all: readonly ContractVerdict[],
  places: ReadonlyMap<string, CodePlace>,
): ContractVerdict[] {
  return all.map((verdict) => {
    const asked = places.get(verdict.about) ?? null;
    return { ...verdict, findings: verdict.findings.map((one) => ({ ...one, at: one.at ?? asked })) };
  });
}

type TypeSources = {
  readonly resolve: Resolve;
  readonly generated: ReadonlyMap<string, CodePlace>;
  readonly linked: LinkedFamilies;
};

function typeVerdicts(
  { types }: ReadContracts,
  code: ReadCode,
  { resolve, generated, linked }: TypeSources,
): ContractVerdict[] {
  return (["python", "script"] as const).flatMap((family) => {
    const contracts = types.filter((one) => one.family === family);
    const { modules, unread } = code[family];
    if (contracts.length === 0) return [];
    const places = contracts.flatMap(({ path, types: { types: declared } }) =>
      declared.map(({ name, line }) => [name, { file: path, line }] as const),
    );
    const input = { contracts, modules, unread, resolve, generated, linked: linked(family) };
    return whereAsked(checkTypes(input), new Map(places));
  });
}

/** `former` are the routes of the time before any task; null where nobody asked, or nobody knows. */
async function endpointVerdicts(
  operations: readonly ApiOperation[],
  code: ReadCode,
  { resolve, linked }: TypeSources,
  { touched, before, signal }: CompareInput,
) {
  const unread = [...code.python.unread, ...code.script.unread];
  const routes = routesOf(code, resolve);
  const typesOf: TypesOf = ({ surface }) =>
    surface === undefined || surface.language === "document" ? null : linked(surface.language);
  const verdicts = checkEndpoints({ operations, routes, unread, touched, typesOf });
  if (!verdicts.some(({ status }) => status === "extra")) return { verdicts, routes, former: null };
  const project = await before();
  if (project === null) return { verdicts, routes, former: null };
  const then = await readCode(project, new Set(["python", "script"]), signal);
  const former = routesOf(then, await resolverOf(project));
  return { verdicts: withoutFormer(verdicts, former), routes, former };
}

type LinkedFamilies = (family: CodeFamily) => LinkedTypes;

/** Types are linked for who asks first. */
function linkedFamilies(code: ReadCode, resolve: Resolve): LinkedFamilies {
  const linked = new Map<CodeFamily, LinkedTypes>();
  return (family) => {
    const types = linked.get(family) ?? linkTypes(code[family].modules, resolve, operated);
    linked.set(family, types);
    return types;
  };
}

function routesOf({ python, script }: ReadCode, resolve: Resolve): Routes {
  return joinRoutes([linkPythonRoutes(python.modules, resolve), linkScriptRoutes(script.modules, resolve)]);
}

async function resolverOf(project: SourceProject): Promise<Resolve> {
  return moduleResolver(project.paths, await readAliases(project));
}

/** The types that Prisma's client will have, by the schemas of a project: models and enums, with their places. */
async function generatedTypes({ paths, read }: SourceProject): Promise<Map<string, CodePlace>> {
  const found = new Map<string, CodePlace>();
  for (const file of paths.filter((path) => path.endsWith(".prisma"))) {
    const text = (await read(file)) ?? "";
    const lineAt = lineFinder(text);
    for (const { 1: name = "", index } of text.matchAll(/^\s*(?:model|enum|type|view)\s+(\w+)\s*\{/gm))
      found.set(name, { file, line: lineAt(index + 1) });
  }
  return found;
}
