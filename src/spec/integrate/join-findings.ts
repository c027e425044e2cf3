// One cause, one finding: a consequence becomes part of its cause, and findings with the same reason are joined.

import { type Joined, joinInto } from "./catalog/joined.ts";
import type { IntegrationFinding, OwnedFinding } from "./finding.ts";
import { findResource } from "./mentions.ts";

export function joinFindings(findings: readonly OwnedFinding[]): IntegrationFinding[] {
  const causes = joinConsequences(joinConsequences(findings, followsFromType), followsFromFile);
  return groupBy(joinMembers(causes), reasonKey)
    .map((group) => (group.length === 1 ? (group[0] as OwnedFinding) : joinGroup(group)))
    .map(toFinding);
}

/** Without the fields that only serve to join findings. */
export const toFinding = ({
  values: _,
  home: __,
  uses: ___,
  member: ____,
  joined: _____,
  ...finding
}: OwnedFinding): IntegrationFinding => finding;

/** A wrong field or value is one mistake, in its type and in all endpoints that use it: the gravest finding stays. */
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
  return [kept, joinInto(kept, { moreEndpoints: more })];
}

const WEIGHTS = ["must", "should", "unclear"] as const;

/** Null: never joined. */
function memberKey({ at, member }: OwnedFinding): string | null {
  return at === null || member === undefined ? null : JSON.stringify([at.file, at.line, member]);
}

type IsConsequence = (finding: OwnedFinding, cause: OwnedFinding) => boolean;

/** A task that uses another type because one is missing fixes both. */
const followsFromType: IsConsequence = (finding, cause) =>
  cause.code === "type-missing" &&
  cause.weight === "must" &&
  finding.code === "field-type" &&
  finding.task === cause.task &&
  (finding.uses?.includes(cause.about) ?? false);

/** Types that belong in a missing file. */
const followsFromFile: IsConsequence = (finding, cause) =>
  cause.code === "scope-file-missing" &&
  finding.code === "type-missing" &&
  finding.task === cause.task &&
  finding.home !== undefined &&
  finding.home === cause.home;

function joinConsequences(findings: readonly OwnedFinding[], isConsequence: IsConsequence): OwnedFinding[] {
  const missing = findings.filter(({ code }) => code === "type-missing" || code === "scope-file-missing");
  const byCause = new Map<OwnedFinding, OwnedFinding[]>();
  for (const finding of findings) {
    const cause = missing.find((one) => one !== finding && isConsequence(finding, one));
    if (cause === undefined) continue;
    const own = byCause.get(cause) ?? [];
    own.push(finding);
    byCause.set(cause, own);
  }
  const consequences = new Set([...byCause.values()].flat());
  return findings.flatMap((finding) => {
    const own = byCause.get(finding);
    if (consequences.has(finding)) return [];
    return own === undefined ? [finding] : [withConsequences(finding, own)];
  });
}

function withConsequences(cause: OwnedFinding, own: readonly OwnedFinding[]): OwnedFinding {
  const joined: Joined =
    cause.code === "scope-file-missing" ? { declares: own.map(({ about }) => about) } : { usedIn: own };
  return joinInto(cause, joined);
}

/** Each group in the place of its first finding; findings without a key stay alone. */
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

/** Null: never joined. Missing endpoints are joined if one task adds them in one place. */
function reasonKey({ area, code, weight, values, task, about, at }: OwnedFinding): string | null {
  if (area !== "endpoints" && area !== "types" && area !== "checks") return null;
  if (weight === "unclear") return JSON.stringify([area, code, values]);
  if (code !== "endpoint-missing") return null;
  return JSON.stringify([code, values, task, at?.file, findResource(about)]);
}

function joinGroup(group: readonly OwnedFinding[]): OwnedFinding {
  const first = group[0] as OwnedFinding;
  const tasks = new Set(group.map(({ task }) => task));
  const isOne = tasks.size === 1;
  return {
    ...joinInto(first, { subjects: group.map(({ about }) => about) }),
    about: `${group.length} ${first.area}`,
    ...{ task: isOne ? first.task : null, commit: isOne ? first.commit : null },
  };
}
