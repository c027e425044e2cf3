import type { Import } from "../../../syntax/imports.ts";
import type { CodePlace, ContractVerdict, UnreadFile } from "../finding.ts";
import type { Resolve } from "../modules.ts";
import { isImplementation } from "../project.ts";
import { compareTypes } from "./compare.ts";
import { type Compare, isTable } from "./compare-fields.ts";
import type { TypeModules } from "./find-type.ts";
import { type Declaration, type LinkedType, type LinkedTypes, linkTypes } from "./link.ts";
import { operated } from "./script/operators.ts";
import { DEFAULT } from "./script.ts";
import type { ModuleTypes } from "./shape.ts";
import { absent, type ElsewhereType, elsewhere, type Judged, verdictOf } from "./type-verdict.ts";

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
  const compare: Compare = {
    sides: { contract, code, contractNames },
    words: isPython ? "python" : "script",
  };
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
