import type { Publish, Range } from "../../core/plan.ts";
import type { CommandNote } from "../../core/select/preview/commands.ts";
import type { PlanPreview } from "../../core/select/preview/preview.ts";
import type { Patience, VariableNotes } from "../../core/select/preview/surroundings.ts";
import { amount, count, dollars, duration } from "../../core/text/figures.ts";
import type { Glyphs } from "./glyphs.ts";
import { bold, dim, type Line } from "./line.ts";
import type { PlanView } from "./plan.ts";
import { LABEL, listWidth, names, type Room, section, shortId } from "./table.ts";
import { shown } from "./visible.ts";
import { cutMiddle, pad, wrapWords } from "./width.ts";

/** What a run would use and touch, one section a subject, and whether it is worth it. */
export function planSections(
  preview: PlanPreview,
  view: Room & Pick<PlanView, "copyBy" | "uncopied" | "notIgnored" | "installs" | "reused" | "hubs">,
): Line[] {
  const sections: readonly (readonly [label: string, rows: readonly (readonly string[])[]])[] = [
    ["widest", [[widestText(preview)]]],
    ["groups", groupRows(preview, view)],
    ["race", raceRows(preview, view)],
    ["approve", approveRows(preview, view)],
    ["owns", ownershipRows(preview, view)],
    ["shared", sharedRows(preview, view)],
    ["hubs", hubRows(view)],
    ["outside", outsideRows(preview)],
    ["guarded", guardedRows(preview, view)],
    ["access", accessRows(preview, view)],
    ["context", contextRows(preview, view)],
    ["copy", copyRows(preview, view)],
    ["env", envRows(preview, view)],
    ["attempts", patienceRows(preview, view)],
    ["cost", [[costText(preview)]]],
    ["commands", preview.commands.map((note) => commandRow(note, preview, view))],
    ["land", [[landText(preview)]]],
  ];
  return [
    ...sections.flatMap(([label, rows]) => section(label, rows, view)),
    ...verdict(preview, view.width),
  ];
}

function widestText({ widest, slots }: PlanPreview): string {
  const most = `at ${widest.exact ? "most" : "least"} ${count(widest.tasks, "task")} can run at once`;
  const isBound = widest.exact && widest.byGroups < widest.byNeeds;
  const why = isBound ? ` (${widest.byNeeds} by their needs, ${widest.byGroups} by groups)` : "";
  const used = `this run uses ${slots.busiest} of ${count(slots.planned, "slot")}`;
  if (slots.planned < slots.useful)
    return `${most}${why}; ${used}; up to ${slots.useful} slots make it faster`;
  if (slots.useful === 1) return `${most}${why}; ${used}`;
  return `${most}${why}; ${used}`;
}

function groupRows({ groups, time }: PlanPreview, { width, glyphs }: Room): string[][] {
  return groups.map(({ group, max, members, bounds, wallWithout }) => {
    const effect =
      bounds === null || wallWithout === null
        ? "may bound the run"
        : bounds
          ? `bounds the run: ${amount(wallWithout, time.unit)} without it`
          : "does not bound the run";
    const who = members.length === 0 ? "no task" : names(members, width, glyphs);
    return [shortId(group, glyphs), `${max} at once`, `${who}; ${effect}`];
  });
}

function raceRows({ tasks, slots }: PlanPreview, { glyphs }: Room): string[][] {
  const racing = tasks.filter(({ race }) => race > 1);
  return racing.map(({ id, race }) => {
    const fewer = slots.planned < race ? `, as far as ${count(slots.planned, "slot")} go` : "";
    return [shortId(id, glyphs), `${race} attempts at once, a slot each${fewer}; the first green one wins`];
  });
}

function approveRows({ tasks }: PlanPreview, { width, glyphs }: Room): string[][] {
  const held = tasks.filter(({ approve }) => approve).map(({ id }) => id);
  if (held.length === 0) return [];
  return [[names(held, listWidth(width), glyphs), "needs your approval before merging; not in the times"]];
}

function ownershipRows({ ownership }: PlanPreview, { width, glyphs }: Room): string[][] {
  const owners = ownership.owners.map(({ task, owns, boundary }) => {
    const never = boundary.length === 0 ? [] : [`never ${boundary.join(", ")}`];
    const own = owns.length === 0 ? [] : [owns.join(", ")];
    return [shortId(task, glyphs), shown([...own, ...never].join("; "), glyphs)];
  });
  const { withoutOwns } = ownership;
  if (withoutOwns.length === 0) return owners;
  return [...owners, [names(withoutOwns, listWidth(width), glyphs), "owns no paths: may change any file"]];
}

/** Files that work of several tasks changed before: a conflict that can be avoided now. */
function hubRows({ hubs = [], width, glyphs }: Room & Pick<PlanView, "hubs">): string[][] {
  return hubs.map(({ path, tasks, together, of }) => [
    shown(path, glyphs),
    `changed in ${together} of ${count(of, "earlier commit")} of ${names(tasks, listWidth(width), glyphs)}: declare it shared in each`,
  ]);
}

function sharedRows({ ownership }: PlanPreview, { width, glyphs }: Room): string[][] {
  const added = ownership.sharedFiles.map(({ path, tasks }) => [
    shown(path, glyphs),
    `by ${names(tasks, width, glyphs)}, in parallel: added lines are kept`,
  ]);
  const ordered = ownership.shared.map(({ path, tasks }) => [
    shown(path, glyphs),
    `by ${names(tasks, width, glyphs)}, in this order`,
  ]);
  const rows = [...added, ...ordered];
  return ownership.complete ? rows : [...rows.slice(0, 6), ["and more than can be listed"]];
}

function outsideRows({ ownership }: PlanPreview): string[][] {
  if (ownership.owners.length === 0) return [];
  return [
    [
      ownership.enforce === "fail"
        ? "a change outside what a task owns fails its attempt"
        : "a change outside what a task owns is reported",
    ],
  ];
}

/** Said where the plan has something to say about it: by default it is reported, as it always was. */
function guardedRows({ ownership }: PlanPreview, { width, glyphs }: Room): string[][] {
  const tasks = new Map<string, string[]>();
  for (const { task, to } of ownership.consent) {
    const kinds = to.join(", ");
    tasks.set(kinds, [...(tasks.get(kinds) ?? []), task]);
  }
  const rows = [...tasks].map(([kinds, ids]) => [
    names(ids, listWidth(width), glyphs),
    `may change ${kinds}`,
  ]);
  if (ownership.enforce === "report") return rows;
  return [
    ...rows,
    ["a change of CI, hooks, lockfiles, agent settings or gate scripts without consent fails an attempt"],
  ];
}

function accessRows({ access }: PlanPreview, { width, glyphs }: Room): string[][] {
  const list = listWidth(width);
  const row = (ids: readonly string[], text: string) =>
    ids.length === 0 ? [] : [[names(ids, list, glyphs), text]];
  return [
    ...row(access.bypassed, "write, permission prompts bypassed"),
    ...row(access.readOnly, "read-only"),
    ...[...tasksByTools(access)].flatMap(([tools, tasks]) => row(tasks, shown(`tools: ${tools}`, glyphs))),
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

function contextRows({ surroundings: { context } }: PlanPreview, { glyphs }: Room): string[][] {
  if (context.length === 0) return [];
  const files = context.map(({ file }) => (file === null ? "inline in the plan" : shown(file, glyphs)));
  return [[`before every prompt: ${files.join(", ")}`]];
}

function copyRows(
  preview: PlanPreview,
  view: Room & Pick<PlanView, "copyBy" | "uncopied" | "notIgnored" | "installs">,
): string[][] {
  const { width, glyphs, copyBy = null, uncopied = [], notIgnored = [], installs = [] } = view;
  const how = copyBy === null ? "" : ` (${COPY_WAYS[copyBy]})`;
  const formatPaths = (paths: readonly string[]) => {
    const isEmpty = (path: string) => uncopied.includes(path);
    const empty = paths.filter(isEmpty).map((path) => `${path} (nothing untracked there)`);
    const full = paths.filter((path) => !isEmpty(path));
    return [...(full.length === 0 ? [] : [`${full.join(", ")}${how}`]), ...empty].join(", ");
  };
  const copies = preview.surroundings.copy.map(({ paths, tasks }) => [
    whoseText(tasks, preview, listWidth(width), glyphs),
    shown(formatPaths(paths), glyphs),
  ]);
  const changes = installs.map(({ lock, command }) => [
    shown(lock, glyphs),
    shown(`if a task changes it: ${command}`, glyphs),
  ]);
  const leftOut = notIgnored.map((folder) => [
    shown(folder, glyphs),
    "not copied: git does not ignore it; add it to .gitignore",
  ]);
  return [...copies, ...changes, ...leftOut];
}

const COPY_WAYS = { reflink: "by reflink", copy: "copied; folders are kept and reused" } as const;

/** Names only: values may be secrets. */
function envRows(preview: PlanPreview, { width, glyphs }: Room): string[][] {
  const { env } = preview.surroundings;
  return [
    ...env.tasks.map((set) => [
      whoseText(set.tasks, preview, listWidth(width), glyphs),
      shown(variablesText(set, glyphs), glyphs),
    ]),
    ...env.gates.map((set) => [
      shown(`gate ${set.gates.join(", ")}`, glyphs),
      shown(variablesText(set, glyphs), glyphs),
    ]),
  ];
}

/** `LOG=debug, PORT=1 or 2 or 3 or 4 more`. */
function variablesText({ names: all, values }: VariableNotes, glyphs: Glyphs): string {
  const text = (name: string): string => {
    const different = (values[name] ?? []).map((value) => cutMiddle(value, MOST_OF_A_VALUE, glyphs.cut));
    const more = different.length - MOST_VALUES;
    const some = [...different.slice(0, MOST_VALUES), ...(more > 0 ? [`${more} more`] : [])];
    return some.length === 0 ? name : `${name}=${some.join(" or ")}`;
  };
  return all.map(text).join(", ");
}

const MOST_VALUES = 3;
const MOST_OF_A_VALUE = 60;

/** The most common first and whole; of the others what is different. */
function patienceRows({ surroundings: { patience } }: PlanPreview, { width, glyphs }: Room): string[][] {
  const [usual, ...others] = patience;
  if (usual === undefined) return [];
  const parts = (one: Patience) => [
    `retries ${one.retries}`,
    `fixes ${one.fixRounds}`,
    `${duration(one.limits.startMs)} to start`,
    `${duration(one.limits.idleMs)} silent`,
    `${duration(one.limits.totalMs)} in all`,
  ];
  const common = parts(usual);
  return [
    [others.length === 0 ? "every task" : "all others", common.join(", ")],
    ...others.map((one) => [
      names(one.tasks, listWidth(width), glyphs),
      parts(one)
        .filter((text, index) => text !== common[index])
        .join(", "),
    ]),
  ];
}

function whoseText(tasks: readonly string[], { size }: PlanPreview, width: number, glyphs: Glyphs): string {
  return tasks.length === size.tasks && tasks.length > 1 ? "every task" : names(tasks, width, glyphs);
}

export function costText({ cost }: PlanPreview): string {
  if (cost === null) return "unknown: no task states a cost, and no price is given";
  const unknown = cost.agentTasks - cost.counted;
  const known =
    cost.total === null
      ? ` for ${cost.counted} of ${count(cost.agentTasks, "agent task")}, ${unknown} unknown`
      : "";
  const budget = `the budget of ${dollars(cost.budgetUsd ?? 0)}`;
  const budgets = {
    none: "",
    enough: `; ${budget} is enough`,
    "may-be-exceeded": `; may exceed ${budget}`,
    "too-small": `; ${budget} is not enough`,
    unclear: `; unclear if ${budget} is enough`,
  };
  return `${dollarRange(cost.known)}${known}, retries not counted${budgets[cost.budget]}`;
}

/** `$5.00 to $9.00`, or `$9.00` when both are the same. */
function dollarRange({ low, high }: Range): string {
  return dollars(low) === dollars(high) ? dollars(low) : `${dollars(low)} to ${dollars(high)}`;
}

/** The command itself comes last, where it has the most room. */
function commandRow(
  note: CommandNote,
  preview: PlanPreview,
  { width, glyphs, reused = [] }: Room & Pick<PlanView, "reused">,
): string[] {
  const list = listWidth(width) - (note.finalTree ? ", final tree".length : 0);
  const kind = note.when === "hook" ? `hook ${note.name}` : note.when;
  const whose = note.tasks.length === 0 ? [] : [whoseText(note.tasks, preview, list, glyphs)];
  const where = [...whose, ...(note.finalTree ? ["final tree"] : [])].join(", ");
  const dir = note.dir === null ? "" : ` (in ${note.dir})`;
  const condition = note.conditional ? " (if its paths changed)" : "";
  const again = note.when === "setup" ? reused.find(({ command }) => command === note.command) : undefined;
  const result = again === undefined ? "" : ` (${formatReused(again)})`;
  return [kind, where, shown(`${note.command}${dir}${condition}${result}`, glyphs)];
}

function formatReused({ command, installs }: NonNullable<PlanView["reused"]>[number]): string {
  if (installs === null) return "reused: same inputs";
  return installs === command ? "reused" : `reused: ${installs}`;
}

const WHERE: { readonly [P in Publish]: string } = {
  no: "on your branch",
  push: "on your branch",
  "pull-request": "as a pull request",
  "pull-request-per-task": "as one pull request per task",
};

function landText({ land, landStyle, publish, commands }: PlanPreview): string {
  const how = { merge: ", as a merge commit", squash: ", as one commit", rebase: ", one commit per task" }[
    landStyle.as
  ];
  const signed = landStyle.sign === true ? ", signed" : "";
  const then = publish === "push" ? ", and is pushed" : "";
  const hasGates = commands.some(({ when, finalTree }) => when === "gate" && finalTree);
  const proven = hasGates ? ", once the gates are green on the final tree" : "";
  const isHere = publish === "no" || publish === "push";
  const where = isHere && landStyle.onto !== undefined ? `on ${landStyle.onto}` : WHERE[publish];
  switch (land) {
    case "end":
      return `${where} when every task is merged or passed${proven}${how}${signed}${then}`;
    case "partial":
      return `${where} with what is merged when the run ends, even if tasks fail${proven}${how}${signed}${then}`;
    case "never":
      return "never: the result stays on the integration branch";
  }
}

function verdict({ verdict: { says } }: PlanPreview, width: number): Line[] {
  return wrapWords(says, width - LABEL).map(
    (line, index): Line => [dim(pad(index === 0 ? "verdict" : "", LABEL)), bold(line)],
  );
}
