import type { Import } from "../../../syntax/imports.ts";
import { buildFinding } from "../catalog/catalog.ts";
import type { CodePlace, ContractVerdict, FoundFinding, UnreadFile } from "../finding.ts";
import type { Resolve } from "../modules.ts";
import { isImplementation } from "../project.ts";
import { compareTypes } from "./compare.ts";
import { type Compare, isTable } from "./compare-fields.ts";
import type { TypeModules } from "./find-type.ts";
import { type Declaration, type LinkedType, type LinkedTypes, linkTypes } from "./link.ts";
import { operated } from "./script/operators.ts";
import { DEFAULT } from "./script.ts";
import type { ModuleTypes } from "./shape.ts";

/** Contracts and code of one language. */
export type TypesInput = {
  readonly contracts: readonly {
    readonly path: string;
    readonly types: ModuleTypes;
    /** Where contracts take names from each other; without them, names are looked for in all contracts. */
    readonly imports?: readonly Import[];
  }[];
  /** All files of the project that can be read. */
  readonly modules: TypeModules;
  readonly resolve: Resolve;
  readonly unread: readonly UnreadFile[];
  /** Types that others make of files in languages that are not compared, such as models of Prisma. */
  readonly generated?: ReadonlyMap<string, CodePlace>;
  /** `modules`, linked: for who has done it already. */
  readonly linked?: LinkedTypes;
};

/**
 * Whether the types of the contracts are implemented as they say: one verdict for each, in their order. A type is found by its name.
 * Of several that have it, one that is as the contract says is enough; tests and what others made do not count.
 */
export function checkTypes(input: TypesInput): ContractVerdict[] {
  const paths = new Set(input.contracts.map(({ path }) => path));
  const contract = linkContracts(input, paths);
  const code = input.linked ?? linkTypes(input.modules, input.resolve, operated);
  const wanted = contract.declarations.filter(
    ({ type }) => type.sort !== "call" && type.name !== DEFAULT && !/(?:^|\.)_/.test(type.name),
  );
  const contractNames = new Set(wanted.map(({ type }) => type.name));
  const isPython = input.contracts.some(({ path }) => /\.pyi?$/.test(path));
  const words = isPython ? "python" : "script";
  const compare: Compare = { sides: { contract, code, contractNames }, words };
  const candidates = candidatesIn(code, input.modules, (file) => isImplementation(file) && !paths.has(file));
  const isUsed = usedContracts(input, paths);
  const sourceOf = sourcesElsewhere(input);
  return wanted.flatMap((declaration) => {
    const { name, home } = contract.linked(declaration);
    const type = { ...contract.effective(contract.linked(declaration)), name, home };
    const judge = (one: LinkedType): Judged => ({ type: one, differences: compareTypes(type, one, compare) });
    const found = candidates(name).map(judge);
    const convention = conventional(name, candidates).map(judge);
    if (found.length > 0) return [verdictOf(type, found, convention)];
    const user = isUsed(name);
    if (user !== null) return [{ about: name, status: "ok" as const, at: user, findings: [] }];
    const source = sourceOf(name);
    if (source !== null) return [elsewhere(name, source)];
    const isNeeded = declaration.type.isHelper !== true;
    return isNeeded || convention.length > 0 ? [absent(type, convention, input.unread)] : [];
  });
}

/** What frameworks and people call the form of a type in which it is read and written. */
function conventional(name: string, candidates: Candidates): LinkedType[] {
  const small = name.slice(0, 1).toLowerCase() + name.slice(1);
  const data = [`${name}Dto`, `${name}DTO`, `${name}Schema`, `I${name}`].flatMap(candidates);
  return [
    ...candidates(`${name}Serializer`).filter(({ sort }) => sort === "serializer"),
    ...candidates(`${small}Schema`).filter(({ sort }) => sort === "z.object"),
    ...data.filter(({ sort }) => !isTable(sort)),
  ];
}

/** Code that takes a type from the contract itself has it as the contract says. */
function usedContracts({ modules, resolve }: TypesInput, paths: ReadonlySet<string>) {
  const taken = new Map<string, CodePlace>();
  for (const [file, { imports }] of modules)
    for (const { imported, from } of isImplementation(file) ? imports : [])
      if (paths.has(resolve(from, file) ?? "")) taken.set(imported ?? "*", { file, line: null });
  return (name: string): CodePlace | null => taken.get(name) ?? taken.get("*") ?? null;
}

/** Types that the code takes from a package, or that a tool makes: what they are is not seen. */
function sourcesElsewhere({ modules, resolve, generated }: TypesInput) {
  const taken = new Map<string, ElsewhereType>();
  for (const [file, { imports }] of modules)
    for (const { imported, from } of isImplementation(file) ? imports : [])
      if (imported !== null && imported !== "default" && !taken.has(imported) && resolve(from, file) === null)
        taken.set(imported, { from, at: { file, line: null } });
  return (name: string): ElsewhereType | null => {
    const at = generated?.get(name);
    return at === undefined ? (taken.get(name) ?? null) : { from: at.file, at };
  };
}

/** A name that a contract neither declares nor imports is one of another contract. */
function linkContracts({ contracts, resolve }: TypesInput, paths: ReadonlySet<string>): LinkedTypes {
  const modules = contracts.map(({ path, types, imports = [] }) => {
    const others = [...paths].filter((other) => other !== path);
    const all = others.map((from) => ({ local: null, imported: "*", from, isExported: false, start: 0 }));
    return [path, { types, imports: [...imports, ...all] }] as const;
  });
  return linkTypes(new Map(modules), (from, at) => (paths.has(from) ? from : resolve(from, at)), operated);
}

/** The types that may be meant by a name of the contract, each as what it is in the end. */
type Candidates = (name: string) => LinkedType[];

/**
 * Those that are called so. Where none is: those that are nested in others under this name, and those that are handed on under it,
 * as by `from .models import Category as ProductCategory`.
 */
function candidatesIn(
  code: LinkedTypes,
  modules: TypeModules,
  isCounted: (file: string) => boolean,
): Candidates {
  const byName = new Map<string, Declaration[]>();
  const nested = new Map<string, Declaration[]>();
  for (const one of code.declarations.filter(({ file }) => isCounted(file))) {
    const { name } = one.type;
    push(byName, name, one);
    if (name.includes(".")) push(nested, name.slice(name.lastIndexOf(".") + 1), one);
  }
  const handedOn = new Map<string, LinkedType[]>();
  for (const [file, { imports }] of modules)
    for (const { local, imported } of isCounted(file) ? imports : []) {
      const isRenamed = local !== null && imported !== null && local !== imported;
      const found = isRenamed ? code.find(local, file) : null;
      if (isRenamed && found !== null && isCounted(found.file)) push(handedOn, local, found);
    }
  return (name) => {
    const declared = byName.get(name) ?? nested.get(name);
    const all = declared?.map((one) => code.linked(one)) ?? handedOn.get(name) ?? [];
    const each = all.map((one) => code.effective(one));
    return [...new Map(each.map((one) => [`${one.key}:${one.line}`, one])).values()];
  };
}

function push<T>(map: Map<string, T[]>, name: string, one: T): void {
  const known = map.get(name);
  if (known === undefined) map.set(name, [one]);
  else known.push(one);
}

/** A type of the code that may be meant, and in what it differs. */
type Judged = { readonly type: LinkedType; readonly differences: readonly FoundFinding[] };

const isUnclear = ({ weight }: FoundFinding): boolean => weight === "unclear";

/**
 * Where only tables have the name, what goes by a convention may be the one that is handed about: it counts when it is as the
 * contract says, for all that can be seen.
 */
function verdictOf(
  contract: LinkedType,
  named: readonly Judged[],
  byConvention: readonly Judged[],
): ContractVerdict {
  const about = contract.name;
  const areTables = named.every(({ type }) => isTable(type.sort)) && !isTable(contract.sort);
  const mayBe = areTables ? byConvention.filter(({ differences }) => differences.every(isUnclear)) : [];
  const isFitting = ({ differences }: Judged) => differences.length === 0;
  const found = named.some(isFitting) || mayBe.length === 0 ? named : mayBe;
  const same = found.find(isFitting);
  if (same !== undefined) return { about, status: "ok", at: placeOf(same.type), findings: [] };
  const meant = meantOf(contract, found);
  if (meant === null) return noneOf(about, found);
  const isSure = meant.differences.some((one) => !isUnclear(one));
  return {
    about,
    status: isSure ? "differs" : "unclear",
    at: placeOf(meant.type),
    findings: shortened(meant.differences),
  };
}

/** Whichever is meant: where each is wrong for sure, nobody has what the contract asks for. */
function noneOf(about: string, found: readonly Judged[]): ContractVerdict {
  const at = placeOf((found[0] as Judged).type);
  const isSure = found.every(({ differences }) => differences.some(({ weight }) => weight === "must"));
  const each = found.slice(0, MOST).map((one) => `${formatPlace(one)}${isSure ? ` (${surest(one)})` : ""}`);
  const values = { found: each, more: Math.max(0, found.length - MOST) };
  const finding = isSure
    ? buildFinding("type-missing", values, { about, at })
    : buildFinding("type-unclear", { kind: "several", ...values }, { about, at });
  return { about, status: isSure ? "differs" : "unclear", at, findings: [finding] };
}

const surest = ({ differences }: Judged) => differences.find(({ weight }) => weight === "must")?.message;

/**
 * The one that the contract means: the only one, that in the file which the contract names, or the only one of its sort. Not as
 * long as another one may be right, for all that can be seen.
 */
function meantOf({ home, sort }: LinkedType, found: readonly Judged[]): Judged | null {
  const only = (some: readonly Judged[]) => (some.length === 1 ? (some[0] as Judged) : null);
  const atHome = found.filter(({ type }) => home !== null && `/${type.file}`.endsWith(`/${home}`));
  const mayBeRight = found.some(({ differences }) => differences.every(isUnclear));
  const alike = found.filter(({ type }) => type.sort === sort);
  const akin = found.filter(({ type }) => familyOf(type.sort) === familyOf(sort));
  return only(found) ?? only(atHome) ?? (mayBeRight ? null : (only(alike) ?? only(akin)));
}

/** Tables are one thing, what is handed about another. */
const familyOf = (sort: string) => (isTable(sort) ? "table" : "data");

/** Nothing has the name. What goes by a convention of a framework is only taken when it fits. */
function absent(
  { name: about, shape, sort, home }: LinkedType,
  byConvention: readonly Judged[],
  unread: readonly UnreadFile[],
): ContractVerdict {
  const fitting = byConvention.find(({ differences }) => differences.length === 0);
  if (fitting !== undefined) return { about, status: "ok", at: placeOf(fitting.type), findings: [] };
  const place = { about, at: null, ...(home !== null && { home }) };
  const unclear = (finding: FoundFinding): ContractVerdict => ({
    ...{ about, status: "unclear", at: null },
    findings: [finding],
  });
  if (byConvention.length > 0) {
    const differences = byConvention.length === 1 ? (byConvention[0]?.differences ?? []) : [];
    const first = differences[0]?.message ?? null;
    const values = { found: byConvention.map(formatPlace), first, more: Math.max(0, differences.length - 1) };
    return unclear(buildFinding("type-unclear", { kind: "convention", ...values }, place));
  }
  const [first, ...others] = unread.filter(({ path }) => isImplementation(path));
  if (first !== undefined) {
    const values = { kind: "unread", path: first.path, reason: first.why, more: others.length } as const;
    return unclear(buildFinding("type-unclear", values, place));
  }
  if (sort === "Protocol") return unclear(buildFinding("type-unclear", { kind: "protocol" }, place));
  // Code that writes out what an alias stands for does what the contract says.
  const weight = shape.kind === "alias" ? "should" : "must";
  const finding = buildFinding("type-missing", {}, { ...place, weight });
  return { about, status: "missing", at: null, findings: [finding] };
}

/** `from` is a package, or a file of another language. */
type ElsewhereType = { readonly from: string; readonly at: CodePlace };

function elsewhere(about: string, { from, at }: ElsewhereType): ContractVerdict {
  const finding = buildFinding("type-unclear", { kind: "elsewhere", from }, { about, at });
  return { about, status: "unclear", at, findings: [finding] };
}

/** More than a few unclear fields are only counted. */
function shortened(differences: readonly FoundFinding[]): FoundFinding[] {
  const sure = differences.filter((one) => !isUnclear(one));
  const hidden = differences.filter(isUnclear);
  const rest = hidden[MOST];
  if (rest === undefined) return [...sure, ...hidden];
  const values = { kind: "more-fields", count: hidden.length - MOST } as const;
  const more = buildFinding("type-unclear", values, { about: rest.about, at: rest.at });
  return [...sure, ...hidden.slice(0, MOST), more];
}

const MOST = 3;

const placeOf = ({ file, line }: LinkedType): CodePlace => ({ file, line });

const formatPlace = ({ type }: Judged): string => `\`${type.name}\` in ${type.file}:${type.line}`;
