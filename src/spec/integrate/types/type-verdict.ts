import type { CodePlace, FoundFinding } from "../finding.ts";
import { isImplementation } from "../project.ts";
import type { ContractVerdict, UnreadFile } from "../verdict.ts";
import { isTable } from "./compare-fields.ts";
import { type Difference, isUnclear } from "./difference.ts";
import type { LinkedType } from "./link.ts";

/** A type of the code that may be meant, and in what it differs. */
export type Judged = { readonly type: LinkedType; readonly differences: readonly Difference[] };

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
    status: isSure ? "differs" : "cannot-tell",
    at: placeOf(meant.type),
    findings: told(meant.differences).map((one) => ({ area: "types", about, ...one })),
  };
}

/** Whichever is meant: where each is wrong for sure, nobody has what the contract asks for. */
function noneOf(about: string, found: readonly Judged[]): ContractVerdict {
  const at = placeOf((found[0] as Judged).type);
  const isSure = found.every(({ differences }) => differences.some(({ weight }) => weight === "must"));
  const each = found.slice(0, MOST).map((one) => `${places([one])}${isSure ? ` (${surest(one)})` : ""}`);
  const more = found.length > MOST ? `, and ${found.length - MOST} more` : "";
  const message = `several types have this name and none is as the contract says: ${each.join(", ")}${more}`;
  const finding = isSure ? missing(about, message, at) : unclear(about, message, at);
  return { about, status: isSure ? "differs" : "cannot-tell", at, findings: [finding] };
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
  const none = `no file declares \`${about}\``;
  const place = home === null ? {} : { home };
  const cannotTell = (message: string): ContractVerdict => ({
    ...{ about, status: "cannot-tell", at: null },
    findings: [{ ...unclear(about, message, null), ...place }],
  });
  if (byConvention.length > 0)
    return cannotTell(
      `${none}; whether it is ${places(byConvention)} cannot be told${otherwise(byConvention)}`,
    );
  const [first, ...others] = unread.filter(({ path }) => isImplementation(path));
  if (first !== undefined) {
    const more = others.length === 0 ? "" : `, nor can ${others.length} more`;
    return cannotTell(`${none}, but ${first.path} cannot be read (${first.why})${more}`);
  }
  if (sort === "Protocol")
    return cannotTell(`${none}; a protocol may be met by a class of any name, which plait does not look for`);
  // Who writes out what another name stands for does what the contract says.
  const weight = shape.kind === "alias" ? "should" : "must";
  return {
    about,
    status: "missing",
    at: null,
    findings: [{ ...missing(about, none, null), weight, ...place }],
  };
}

/** `from` is a package, or a file of another language. */
export type ElsewhereType = { readonly from: string; readonly at: CodePlace };

export function elsewhere(about: string, { from, at }: ElsewhereType): ContractVerdict {
  const message = `it comes from \`${from}\`, which plait does not read`;
  return { about, status: "cannot-tell", at, findings: [unclear(about, message, at)] };
}

/** What would be wrong with the only one that may be meant. */
function otherwise(found: readonly Judged[]): string {
  const [first, ...more] = found.length === 1 ? (found[0]?.differences ?? []) : [];
  if (first === undefined) return "";
  return `: ${first.message}${more.length === 0 ? "" : `, and ${more.length} more`}`;
}

/** More than a few things that cannot be seen are only counted. */
function told(differences: readonly Difference[]): Difference[] {
  const sure = differences.filter((one) => !isUnclear(one));
  const hidden = differences.filter(isUnclear);
  const rest = hidden[MOST];
  if (rest === undefined) return [...sure, ...hidden];
  const message = `of ${hidden.length - MOST} more fields it cannot be seen either whether they are as in the contract`;
  return [...sure, ...hidden.slice(0, MOST), { ...rest, message }];
}

const MOST = 3;

const placeOf = ({ file, line }: LinkedType): CodePlace => ({ file, line });

const places = (found: readonly Judged[]) =>
  found.map(({ type }) => `\`${type.name}\` in ${type.file}:${type.line}`).join(", ");

const missing = (about: string, message: string, at: CodePlace | null): FoundFinding => ({
  ...{ area: "types", code: "type-missing", weight: "must" },
  ...{ about, at, message },
});

const unclear = (about: string, message: string, at: CodePlace | null): FoundFinding => ({
  ...{ area: "types", code: "type-unclear", weight: "cannot-tell" },
  ...{ about, at, message },
});
