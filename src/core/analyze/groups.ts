import type { PlanDraft } from "../draft.ts";
import { type GroupName, parseGroupName } from "../ids.ts";
import type { GroupLimit } from "../plan.ts";
import type { Located, SourceRange } from "../source.ts";
import { nearest } from "../suggest.ts";
import type { Say } from "./findings.ts";
import { hasLostTasks, mayBeLost } from "./lost.ts";
import { isWithin, SLOTS } from "./numbers.ts";
import { listed, quoted } from "./words.ts";

/** The groups that have a limit, by the name that tasks use. */
export type Groups = {
  readonly limits: readonly GroupLimit[];
  readonly named: ReadonlyMap<string, GroupName>;
};

/** `used` holds the group of every task that is in one; those from the plan's defaults come once for each task. */
export function readGroups(draft: PlanDraft, used: readonly Located<string>[], say: Say): Groups {
  const places = new Map<string, SourceRange>();
  const named = new Map<string, GroupName>();
  const limits: GroupLimit[] = [];
  for (const { group, max } of draft.limits) {
    const first = places.get(group.value);
    if (first !== undefined) sayTwice(group, first, say);
    else places.set(group.value, group.at);
    checkMax(group.value, max, say);
    const name = readName(group, say);
    if (name === null || first !== undefined) continue;
    named.set(group.value, name);
    limits.push({ group: name, max: max.value });
  }
  checkUses(draft, { places, used, say });
  if (!hasLostTasks(draft)) warnOfUnused(places, used, say);
  return { limits, named };
}

function readName(group: Located<string>, say: Say): GroupName | null {
  const parsed = parseGroupName(group.value);
  if (parsed.ok) return parsed.id;
  const what = group.value === "" ? "the name of a group" : `the group name ${quoted(group.value)}`;
  say("bad-group-name", { message: `${what} ${parsed.problem}`, at: group.at });
  return null;
}

function checkMax(group: string, max: Located<number>, say: Say): void {
  if (isWithin(max.value, SLOTS)) return;
  const range = `a whole number from ${SLOTS.low} to ${SLOTS.high}`;
  const message = `the group ${quoted(group)} has the limit ${max.value}; it must be ${range}`;
  say("limit-out-of-range", { message, at: max.at });
}

function sayTwice(group: Located<string>, first: SourceRange, say: Say): void {
  const message = `the group ${quoted(group.value)} has two limits`;
  const related = [{ at: first, message: "the first is here" }];
  say("duplicate-limit", { message, at: group.at, hint: "delete one", related });
}

type Uses = {
  readonly places: ReadonlyMap<string, SourceRange>;
  readonly used: readonly Located<string>[];
  readonly say: Say;
};

function checkUses({ lost }: PlanDraft, { places, used, say }: Uses): void {
  const known = [...places.keys()];
  for (const group of new Set(used)) {
    if (places.has(group.value) || mayBeLost(group.value, lost?.groups ?? [])) continue;
    const near = nearest(group.value, known);
    const others =
      known.length === 0 ? `write \`limits: { ${group.value}: 1 }\`` : `there are ${listed(known, "groups")}`;
    const message = `the group ${quoted(group.value)} has no limit`;
    say("unknown-group", {
      message,
      at: group.at,
      hint: near === null ? others : `did you mean ${quoted(near)}?`,
    });
  }
}

function warnOfUnused(
  places: ReadonlyMap<string, SourceRange>,
  used: readonly Located<string>[],
  say: Say,
): void {
  const names = new Set(used.map(({ value }) => value));
  for (const [name, at] of places) {
    if (names.has(name)) continue;
    say("unused-limit", { message: `no task is in the group ${quoted(name)}`, at, hint: "delete the limit" });
  }
}
