import type { CodePlace, IntegrationFinding } from "../finding.ts";
import { isImplementation } from "../project.ts";
import type { ContractVerdict, UnreadFile } from "../verdict.ts";
import { type Difference, isUnclear } from "./difference.ts";
import type { LinkedType } from "./link.ts";

/** A type of the code that may be meant, and in what it differs. */
export type Judged = { readonly type: LinkedType; readonly differences: readonly Difference[] };

export function verdictOf(contract: LinkedType, found: readonly Judged[]): ContractVerdict {
  const about = contract.name;
  const same = found.find(({ differences }) => differences.length === 0);
  if (same !== undefined) return { about, status: "ok", at: placeOf(same.type), findings: [] };
  const meant = meantOf(contract, found);
  if (meant === null) {
    const message = `several types have this name and none is as the contract says: ${places(found)}`;
    const at = placeOf((found[0] as Judged).type);
    return { about, status: "cannot-tell", at, findings: [unclear(about, message, at)] };
  }
  const isSure = meant.differences.some((one) => !isUnclear(one));
  return {
    about,
    status: isSure ? "differs" : "cannot-tell",
    at: placeOf(meant.type),
    findings: told(meant.differences).map((one) => ({ area: "types", about, ...one })),
  };
}

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
const familyOf = (sort: string) =>
  /^(?:django model|sqlalchemy model|entity)$/.test(sort) ? "table" : "data";

/** Nothing has the name. What goes by a convention of a framework is only taken when it fits. */
export function absent(
  { name: about, shape, sort }: LinkedType,
  byConvention: readonly Judged[],
  unread: readonly UnreadFile[],
): ContractVerdict {
  const fitting = byConvention.find(({ differences }) => differences.length === 0);
  if (fitting !== undefined) return { about, status: "ok", at: placeOf(fitting.type), findings: [] };
  const none = `no file declares \`${about}\``;
  const cannotTell = (message: string): ContractVerdict => ({
    ...{ about, status: "cannot-tell", at: null },
    findings: [unclear(about, message, null)],
  });
  if (byConvention.length > 0)
    return cannotTell(`${none}; whether it is ${places(byConvention)} cannot be told`);
  const [first, ...others] = unread.filter(({ path }) => isImplementation(path));
  if (first !== undefined) {
    const more = others.length === 0 ? "" : `, nor can ${others.length} more`;
    return cannotTell(`${none}, but ${first.path} cannot be read (${first.why})${more}`);
  }
  if (sort === "Protocol")
    return cannotTell(`${none}; a protocol may be met by a class of any name, which plait does not look for`);
  // Who writes out what another name stands for does what the contract says.
  const weight = shape.kind === "alias" ? "should" : "must";
  const finding: IntegrationFinding = {
    area: "types",
    code: "type-missing",
    weight,
    about,
    at: null,
    message: none,
  };
  return { about, status: "missing", at: null, findings: [finding] };
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

const unclear = (about: string, message: string, at: CodePlace | null): IntegrationFinding => ({
  ...{ area: "types", code: "type-unclear", weight: "cannot-tell" },
  ...{ about, at, message },
});
