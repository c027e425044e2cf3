import type { PlanDraft } from "../draft.ts";
import { type GroupName, parseGroupName } from "../ids.ts";
import type { GroupLimit } from "../plan.ts";
import type { Located, SourceRange } from "../source.ts";
import { nearest } from "../suggest.ts";
import { hasLostTasks, mayBeLost, type ReportFinding } from "./findings.ts";
import { isWithin, SLOTS } from "./numbers.ts";

/** The groups that have a limit, by the name that tasks use. */
export type Groups = {
  readonly limits: readonly GroupLimit[];
  readonly named: ReadonlyMap<string, GroupName>;
};

/** `used` holds the group of every task that is in one; those from the plan's defaults come once for each task. */
export function readGroups(
  draft: PlanDraft,
  used: readonly Located<string>[],
  report: ReportFinding,
): Groups {
  const places = new Map<string, SourceRange>();
  const named = new Map<string, GroupName>();
  const limits: GroupLimit[] = [];
  for (const { group, max } of draft.limits) {
    const first = places.get(group.value);
    if (first !== undefined)
      report("duplicate-limit", { group: group.value }, group.at, { related: [{ at: first }] });
    else places.set(group.value, group.at);
    checkMax(group.value, max, report);
    const name = readName(group, report);
    if (name === null || first !== undefined) continue;
    named.set(group.value, name);
    limits.push({ group: name, max: max.value });
  }
  checkUses(draft, { places, used, report });
  if (!hasLostTasks(draft)) warnOfUnused(places, used, report);
  return { limits, named };
}

function readName(group: Located<string>, report: ReportFinding): GroupName | null {
  const parsed = parseGroupName(group.value);
  if (parsed.ok) return parsed.id;
  report("bad-group-name", { group: group.value, problem: parsed.problem }, group.at);
  return null;
}

function checkMax(group: string, max: Located<number>, report: ReportFinding): void {
  if (!isWithin(max.value, SLOTS))
    report("limit-out-of-range", { group, ...SLOTS, value: max.value }, max.at);
}

type Uses = {
  readonly places: ReadonlyMap<string, SourceRange>;
  readonly used: readonly Located<string>[];
  readonly report: ReportFinding;
};

function checkUses({ lost }: PlanDraft, { places, used, report }: Uses): void {
  const groups = [...places.keys()];
  for (const group of new Set(used)) {
    if (places.has(group.value) || mayBeLost(group.value, lost?.groups ?? [])) continue;
    const suggestion = nearest(group.value, groups);
    report("unknown-group", { group: group.value, suggestion, groups }, group.at);
  }
}

function warnOfUnused(
  places: ReadonlyMap<string, SourceRange>,
  used: readonly Located<string>[],
  report: ReportFinding,
): void {
  const names = new Set(used.map(({ value }) => value));
  for (const [name, at] of places) {
    if (!names.has(name)) report("unused-limit", { group: name }, at);
  }
}
