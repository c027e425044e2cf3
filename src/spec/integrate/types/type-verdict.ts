import { buildFinding } from "../catalog/catalog.ts";
import type { CodePlace, ContractVerdict, FoundFinding, UnreadFile } from "../finding.ts";
import { isImplementation } from "../project.ts";
import { isTable } from "./compare-fields.ts";
import type { LinkedType } from "./link.ts";

/** A type of the code that may be meant, and in what it differs. */
export type Judged = { readonly type: LinkedType; readonly differences: readonly FoundFinding[] };

const isUnclear = ({ weight }: FoundFinding): boolean => weight === "unclear";

/**
 * Where only tables have the name, what goes by a convention may be the one that is handed about: it counts when it is as the
 * contract says, for all that can be seen.
 */
export function verdictOf(
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
export function absent(
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
export type ElsewhereType = { readonly from: string; readonly at: CodePlace };

export function elsewhere(about: string, { from, at }: ElsewhereType): ContractVerdict {
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
