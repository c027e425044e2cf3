// One cause, one finding: a finding that only follows from another is part of that one, and findings with the same reason are joined.

import { count } from "../../core/select/preview/words.ts";
import { formatList } from "../format-list.ts";
import type { IntegrationFinding, OwnedFinding } from "./finding.ts";
import { findResource } from "./mentions.ts";

export function joinFindings(findings: readonly OwnedFinding[]): IntegrationFinding[] {
  const rested = withFollowing(withFollowing(findings, followsFromType), followsFromFile);
  return joinAlike(joinMembers(rested)).map(({ home: _, uses: __, member: ___, ...finding }) => finding);
}

/** A field of a type, or a value, is wrong once, for the type and for all endpoints that use it: the gravest says so. */
function joinMembers(findings: readonly OwnedFinding[]): OwnedFinding[] {
  const kept = new Map(groupBy(findings, memberKey).map(keepGravest));
  return findings.flatMap((finding) => kept.get(finding) ?? []);
}

/** Which of them stays, and as what. */
function keepGravest(group: readonly OwnedFinding[]): readonly [OwnedFinding, OwnedFinding] {
  const gravest = WEIGHTS.map((weight) => group.filter((one) => one.weight === weight)).find(
    ({ length }) => length > 0,
  );
  const kept = (gravest?.find(({ area }) => area === "types") ?? gravest?.[0]) as OwnedFinding;
  const more = new Set(group.filter(({ area }) => area === "endpoints").map(({ about }) => about)).size - 1;
  if (kept.area !== "endpoints" || more < 1) return [kept, kept];
  return [kept, { ...kept, message: `${kept.message} (and in ${count(more, "more endpoint")})` }];
}

const WEIGHTS = ["must", "should", "cannot-tell"] as const;

/** Null: it stands for itself. */
function memberKey({ at, member }: OwnedFinding): string | null {
  return at === null || member === undefined ? null : JSON.stringify([at.file, at.line, member]);
}

type Follows = (finding: OwnedFinding, cause: OwnedFinding) => boolean;

/** Who wrote another type for want of the one that is missing: in the same task, whose work it is to fix both. */
const followsFromType: Follows = (finding, cause) =>
  cause.code === "type-missing" &&
  cause.weight === "must" &&
  finding.code === "field-type" &&
  finding.task === cause.task &&
  (finding.uses?.includes(cause.about) ?? false);

/** What belongs in a file that is not there. */
const followsFromFile: Follows = (finding, cause) =>
  cause.code === "scope-file-missing" &&
  finding.code === "type-missing" &&
  finding.task === cause.task &&
  finding.home !== undefined &&
  finding.home === cause.home;

function withFollowing(findings: readonly OwnedFinding[], follows: Follows): OwnedFinding[] {
  const missing = findings.filter(({ code }) => code === "type-missing" || code === "scope-file-missing");
  const causes = new Map<OwnedFinding, OwnedFinding[]>();
  for (const finding of findings) {
    const cause = missing.find((one) => one !== finding && follows(finding, one));
    if (cause === undefined) continue;
    const own = causes.get(cause) ?? [];
    own.push(finding);
    causes.set(cause, own);
  }
  const following = new Set([...causes.values()].flat());
  return findings.flatMap((finding) => {
    const own = causes.get(finding);
    if (following.has(finding)) return [];
    return own === undefined ? [finding] : [withConsequences(finding, own)];
  });
}

function withConsequences(cause: OwnedFinding, own: readonly OwnedFinding[]): OwnedFinding {
  if (cause.code === "scope-file-missing")
    return {
      ...cause,
      message: `${cause.message}, and with it ${formatNames(own.map(({ about }) => `\`${about}\``))}`,
    };
  const places = own.map(({ about, at }) => `\`${about}\`${at === null ? "" : ` (${at.file}:${at.line})`}`);
  return {
    ...cause,
    message: `${cause.message}; other types are used instead in ${formatNames(places)}`,
    fix: `${cause.fix}, and use it in ${formatNames([...new Set(own.map(({ about }) => `\`${about}\``))])}`,
  };
}

function joinAlike(findings: readonly OwnedFinding[]): OwnedFinding[] {
  return groupBy(findings, keyOf).map((group) =>
    group.length === 1 ? (group[0] as OwnedFinding) : joined(group),
  );
}

/** Each group in the place of its first; without a key, each for itself. */
function groupBy(
  findings: readonly OwnedFinding[],
  findKey: (finding: OwnedFinding) => string | null,
): OwnedFinding[][] {
  const groups = new Map<string, OwnedFinding[]>();
  for (const finding of findings) {
    const key = findKey(finding) ?? `alone ${groups.size}`;
    const group = groups.get(key) ?? [];
    group.push(finding);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Null: it is joined to no other. Missing parts are joined where one task is to make them in one place. */
function keyOf({ area, code, weight, message, task, about, at }: OwnedFinding): string | null {
  if (area !== "endpoints" && area !== "types" && area !== "checks") return null;
  if (weight === "cannot-tell") return JSON.stringify([area, code, message]);
  if (code !== "endpoint-missing") return null;
  return JSON.stringify([code, message, task, at?.file, findResource(about)]);
}

function joined(group: readonly OwnedFinding[]): OwnedFinding {
  const first = group[0] as OwnedFinding;
  const names = formatNames(group.map(({ about }) => `\`${about}\``));
  const tasks = new Set(group.map(({ task }) => task));
  const isOne = tasks.size === 1;
  const fix =
    first.weight === "cannot-tell" ? `Compare ${names} with the contract by hand` : `Add routes for ${names}`;
  return {
    ...first,
    about: `${group.length} ${first.area}`,
    message: `${first.message}: ${names}`,
    ...{ task: isOne ? first.task : null, commit: isOne ? first.commit : null, fix },
  };
}

/** Enough for whoever fixes them, and for a line. */
const MOST = 12;

const formatNames = (all: readonly string[]): string => formatList(all, MOST);
