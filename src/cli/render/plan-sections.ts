import type { CommandNote } from "../../core/select/preview/commands.ts";
import type { PlanPreview } from "../../core/select/preview/preview.ts";
import { amount, count } from "../../core/select/preview/words.ts";
import { dollars } from "./figures.ts";
import { bold, dim, type Line } from "./line.ts";
import { LABEL, listWidth, names, type Room, section, shortId } from "./table.ts";
import { visible } from "./visible.ts";
import { cutPath, pad, wrapWords } from "./width.ts";

/** What a run would use and touch, one section a subject, and whether it is worth it. */
export function planSections(preview: PlanPreview, view: Room): Line[] {
  return [
    ...section("widest", [[widestText(preview)]], view),
    ...section("groups", groupRows(preview, view), view),
    ...section("race", raceRows(preview, view), view),
    ...section("approve", approveRows(preview, view), view),
    ...section("owns", ownershipRows(preview, view), view),
    ...section("shared", sharedRows(preview, view), view),
    ...section("outside", outsideRows(preview), view),
    ...section("access", accessRows(preview, view), view),
    ...section("cost", [[costText(preview)]], view),
    ...section(
      "commands",
      preview.commands.map((note) => commandRow(note, preview, view)),
      view,
    ),
    ...verdict(preview, view.width),
  ];
}

function widestText({ widest, slots }: PlanPreview): string {
  const most = `at ${widest.exact ? "most" : "least"} ${count(widest.tasks, "task")} can run at once`;
  if (slots.planned < slots.useful)
    return `${most}, here ${slots.busiest}; up to ${count(slots.useful, "slot")} would help`;
  return `${most}, here ${slots.busiest}; more than ${count(slots.useful, "slot")} do not help`;
}

function groupRows({ groups, time }: PlanPreview, { width, glyphs }: Room): string[][] {
  return groups.map(({ group, max, members, bounds, wallWithout }) => {
    const effect = bounds
      ? `bounds the run: ${amount(wallWithout, time.unit)} without it`
      : "does not bound the run";
    const who = members.length === 0 ? "no task" : names(members, width, glyphs);
    return [shortId(group, glyphs), `${max} at once`, `${who}; ${effect}`];
  });
}

/** Both make a run differ from the times above, so both are said. */
function raceRows({ tasks }: PlanPreview, { glyphs }: Room): string[][] {
  const racing = tasks.filter(({ race }) => race > 1);
  return racing.map(({ id, race }) => [
    shortId(id, glyphs),
    `${race} attempts at once, a slot each; the times count one`,
  ]);
}

function approveRows({ tasks }: PlanPreview, { width, glyphs }: Room): string[][] {
  const held = tasks.filter(({ approve }) => approve).map(({ id }) => id);
  if (held.length === 0) return [];
  return [
    [names(held, listWidth(width), glyphs), "held for you before the merge; the times do not count that"],
  ];
}

function ownershipRows({ ownership }: PlanPreview, { width, glyphs }: Room): string[][] {
  const claims = ownership.claims.map(({ task, owns, boundary }) => {
    const never = boundary.length === 0 ? [] : [`never ${boundary.join(", ")}`];
    const own = owns.length === 0 ? [] : [owns.join(", ")];
    return [shortId(task, glyphs), visible([...own, ...never].join("; "))];
  });
  const { unclaimed } = ownership;
  if (unclaimed.length === 0) return claims;
  return [...claims, [names(unclaimed, listWidth(width), glyphs), "unclaimed: may change any file"]];
}

function sharedRows({ ownership }: PlanPreview, { width, glyphs }: Room): string[][] {
  return ownership.shared.map(({ claim, tasks }) => [
    cutPath(visible(claim), listWidth(width), glyphs.cut),
    `by ${names(tasks, width, glyphs)}, in this order`,
  ]);
}

function outsideRows({ ownership }: PlanPreview): string[][] {
  if (ownership.claims.length === 0) return [];
  return [
    [
      ownership.enforce === "fail"
        ? "a change outside its claims fails an attempt"
        : "a change outside its claims is reported",
    ],
  ];
}

function accessRows({ access }: PlanPreview, { width, glyphs }: Room): string[][] {
  const list = listWidth(width);
  const row = (ids: readonly string[], text: string) =>
    ids.length === 0 ? [] : [[names(ids, list, glyphs), text]];
  return [
    ...row(access.bypassed, "write, permission prompts bypassed"),
    ...row(access.readOnly, "read-only"),
    ...[...tasksByTools(access)].flatMap(([tools, tasks]) => row(tasks, visible(`tools: ${tools}`))),
    ...row(access.commands, access.commands.length === 1 ? "command, run as you" : "commands, run as you"),
  ];
}

/** Most plans narrow many tasks alike. */
function tasksByTools({ narrowed }: PlanPreview["access"]): Map<string, string[]> {
  const tasks = new Map<string, string[]>();
  for (const { task, allow, deny } of narrowed) {
    const only = allow.length === 0 ? [] : [`only ${allow.join(", ")}`];
    const not = deny.length === 0 ? [] : [`not ${deny.join(", ")}`];
    const tools = [...only, ...not].join("; ");
    tasks.set(tools, [...(tasks.get(tools) ?? []), task]);
  }
  return tasks;
}

function costText({ cost }: PlanPreview): string {
  if (cost === null) return "unknown: no task states a cost, and no price is given";
  const known =
    cost.counted === cost.agentTasks ? "" : ` for ${cost.counted} of ${count(cost.agentTasks, "agent task")}`;
  const budget = `the budget of ${dollars(cost.budgetUsd ?? 0)}`;
  const budgets = {
    none: "",
    enough: `; ${budget} is enough`,
    "may-be-exceeded": `; may exceed ${budget}`,
    "too-small": `; exceeds ${budget}`,
  };
  return `${dollars(cost.low)} to ${dollars(cost.high)}${known}, retries not counted${budgets[cost.budget]}`;
}

/** The command itself comes last, where nothing of it is cut off. */
function commandRow(note: CommandNote, preview: PlanPreview, { width, glyphs }: Room): string[] {
  const list = listWidth(width) - (note.landing ? ", landing".length : 0);
  const kind = note.when === "hook" ? `hook ${note.name}` : note.when;
  const isForAll = note.tasks.length === preview.size.tasks && note.tasks.length > 1;
  const whose = note.tasks.length === 0 ? [] : [isForAll ? "every task" : names(note.tasks, list, glyphs)];
  const where = [...whose, ...(note.landing ? ["landing"] : [])].join(", ");
  const dir = note.dir === null ? "" : ` (in ${note.dir})`;
  const condition = note.conditional ? " (if its paths changed)" : "";
  return [kind, where, visible(`${note.command}${dir}${condition}`)];
}

function verdict({ verdict: { says } }: PlanPreview, width: number): Line[] {
  return wrapWords(says, width - LABEL).map(
    (line, index): Line => [dim(pad(index === 0 ? "verdict" : "", LABEL)), bold(line)],
  );
}
