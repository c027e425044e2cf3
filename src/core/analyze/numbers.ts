import type { GateDraft, PlanDraft, TaskSettingsDraft } from "../draft.ts";
import type { Range } from "../plan.ts";
import type { SourceRange } from "../source.ts";
import { quoted } from "../text/figures.ts";
import type { Speaker } from "./commands.ts";
import type { ReportFinding } from "./findings.ts";

/** Numbers of a setting; formats refuse most of this earlier, with the exact place. */

type Rule = { readonly what: string; readonly low: number; readonly high: number; readonly whole?: boolean };

/** The longest that a timer of Node can wait, about 24 days. */
const LONGEST_MS = 2_147_483_647;
const MOST_USD = 1_000_000;
const count = (what: string, low: number, high: number): Rule => ({ what, low, high, whole: true });
const time = (what: string): Rule => count(`${what} in milliseconds`, 1, LONGEST_MS);
const money = (what: string): Rule => ({ what, low: 0, high: MOST_USD });

export function checkSettingNumbers(settings: TaskSettingsDraft, speaker: Speaker): void {
  checkNumber(settings.retries, count("retries", 0, 100), speaker);
  checkNumber(settings.fixRounds, count("fix-rounds", 0, 100), speaker);
  checkNumber(settings.race, count("race", 1, 16), speaker);
  checkNumber(settings.startMs, time("start-timeout"), speaker);
  checkNumber(settings.idleMs, time("idle-timeout"), speaker);
  checkNumber(settings.totalMs, time("timeout"), speaker);
  checkNumber(settings.budgetUsd, money("budget-usd"), speaker);
  checkNumber(settings.priority, { what: "priority", low: -1_000_000, high: 1_000_000 }, speaker);
  checkNumber(settings.estimate?.timeMs ?? null, { ...time("estimate"), low: 0 }, speaker);
  checkRange(settings.estimate?.costUsd ?? null, "estimate.cost", speaker);
}

export function checkGateNumbers(gate: GateDraft, speaker: Speaker): void {
  checkNumber(gate.retries, count("retries", 0, 100), speaker);
  checkNumber(gate.timeoutMs, time("timeout"), speaker);
  checkSlots(gate.slots, speaker);
}

export function checkPlanNumbers(draft: PlanDraft, at: SourceRange, report: ReportFinding): void {
  const plan: Speaker = { subject: "the plan", at, report };
  checkNumber(draft.budgetUsd, money("budget-usd"), plan);
  checkNumber(draft.saveMaxBytes, count("save.max-bytes", 1, Number.MAX_SAFE_INTEGER), plan);
  checkSlots(draft.slots?.value ?? null, { ...plan, at: draft.slots?.at ?? at });
  for (const { agent, usdPerHour } of draft.prices) checkRange(usdPerHour, `price of ${quoted(agent)}`, plan);
}

function checkNumber(value: number | null, rule: Rule, { subject, at, report }: Speaker): void {
  const { what, low, high, whole = false } = rule;
  if (value === null || isWithin(value, rule)) return;
  report("bad-number", { subject, name: what, value, low, high, isInteger: whole }, at);
}

function checkSlots(value: number | null, { subject, at, report }: Speaker): void {
  if (value !== null && !isWithin(value, SLOTS))
    report("slots-out-of-range", { ...SLOTS, subject, value }, at);
}

function checkRange(range: Range | null, what: string, speaker: Speaker): void {
  if (range === null) return;
  checkNumber(range.low, money(what), speaker);
  checkNumber(range.high, { ...money(what), low: range.low }, speaker);
}

/** How many of something may run at once. */
export const SLOTS: Rule = count("slots", 1, 256);

export function isWithin(value: number, { low, high, whole = false }: Rule): boolean {
  return (!whole || Number.isInteger(value)) && value >= low && value <= high;
}
