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
    const { value: name, at } = group;
    const first = places.get(name);
    if (first !== undefined) report("duplicate-limit", { group: name }, at, { related: [{ at: first }] });
    else places.set(name, at);
    if (!isWithin(max.value, SLOTS))
      report("limit-out-of-range", { group: name, ...SLOTS, value: max.value }, max.at);
    const parsed = parseGroupName(name);
    if (!parsed.ok) report("bad-group-name", { group: name, problem: parsed.problem }, at);
    if (!parsed.ok || first !== undefined) continue;
    named.set(name, parsed.id);
    limits.push({ group: parsed.id, max: max.value });
  }
  checkUses(draft, { places, used, report });
  return { limits, named };
}

type Uses = {
  readonly places: ReadonlyMap<string, SourceRange>;
  readonly used: readonly Located<string>[];
  readonly report: ReportFinding;
};

function checkUses(draft: PlanDraft, { places, used, report }: Uses): void {
  const groups = [...places.keys()];
  for (const { value: group, at } of new Set(used)) {
    if (places.has(group) || mayBeLost(group, draft.lost?.groups ?? [])) continue;
    report("unknown-group", { group, suggestion: nearest(group, groups), groups }, at);
  }
  if (hasLostTasks(draft)) return;
  const names = new Set(used.map(({ value }) => value));
  for (const [group, at] of places) if (!names.has(group)) report("unused-limit", { group }, at);
}
