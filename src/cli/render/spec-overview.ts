import { count, factor } from "../../core/text/figures.ts";
import type { Clash, Pull } from "../../spec/design/clashes.ts";
import type { DesignOverview, OwnershipRow, Parallelism } from "../../spec/design/overview.ts";
import { USUAL_HOURS } from "../../spec/task-graph-text.ts";
import type { Glyphs } from "./glyphs.ts";
import { bold, dim, type Line, styled } from "./line.ts";
import { LABEL, names, type Room, section } from "./table.ts";
import { shown } from "./visible.ts";
import { cells, cutEnd, cutPath, pad, padStart, wrapWords } from "./width.ts";

/** A design before it is accepted: its tasks, what they allow to be done at once, who owns what, and where it may go wrong. */
export function renderOverview(overview: DesignOverview, room: Room): Line[] {
  const { tasks, parallelism, clashes } = overview;
  const said = `${count(tasks.length, "task")} in ${count(parallelism.waves, "wave")}, ${hoursText(parallelism.serial)} of work`;
  return [
    ...wrapWords(said, room.width).map((line): Line => [bold(line)]),
    [],
    ...taskLines(overview, room),
    [],
    ...section("critical", [[criticalText(parallelism, room)]], room),
    ...section(
      "widest",
      [[`wave ${parallelism.widest.wave}, with ${count(parallelism.widest.tasks, "task")} at once`]],
      room,
    ),
    ...section("agents", agentRows(tasks), room),
    ...packageLines(overview.dependencies, room),
    ...coverageLines(overview.coverage, room),
    [],
    ...ownershipLines(overview, room),
    [],
    ...(clashes === null
      ? section("clashes", [["cannot be predicted: no history"]], room)
      : clashLines(clashes, room)),
  ];
}

function taskLines({ tasks, parallelism }: DesignOverview, { width, glyphs }: Room): Line[] {
  const idWidth = Math.max(...tasks.map(({ id }) => cells(id)));
  const hours = tasks.map((task) => (task.hours === null ? "" : `${task.hours} h`));
  const hoursWidth = Math.max(...hours.map(cells));
  let wave: number | null = null;
  return tasks.map((task, i) => {
    const left = task.wave === wave ? "" : `wave ${task.wave}`;
    wave = task.wave;
    const isCritical = task.critical && parallelism.waves > 1;
    const id = pad(task.id, idWidth);
    const time = hoursWidth === 0 ? "" : `  ${padStart(hours[i] as string, hoursWidth)}`;
    const rest = `${time}  ${shown(task.title, glyphs)}`;
    return [
      dim(pad(left, LABEL)),
      isCritical ? bold(`${glyphs.critical}${id}`) : ` ${id}`,
      cutEnd(rest, Math.max(4, width - LABEL - 1 - idWidth), glyphs.cut),
    ];
  });
}

/** Who does how many: a run starts nothing where the program has not got one of them. */
function agentRows(tasks: DesignOverview["tasks"]): string[][] {
  const counts = new Map<string, number>();
  for (const { agent } of tasks) counts.set(agent, (counts.get(agent) ?? 0) + 1);
  return [...counts].map(([agent, tasks]) => [count(tasks, "task"), agent]);
}

function packageLines({ python, node }: DesignOverview["dependencies"], room: Room): Line[] {
  const rows = [python, node].flatMap((lists) =>
    Object.entries(LISTS).flatMap(([list, word]) => {
      const packages = lists?.[list as keyof typeof LISTS] ?? [];
      return packages.length === 0 ? [] : [[word, packages.join(", ")]];
    }),
  );
  return rows.length === 0 ? [] : section("packages", rows, room);
}

function coverageLines(coverage: DesignOverview["coverage"], room: Room): Line[] {
  if (coverage === null) return [];
  const { requirements, covered, outOfScope } = coverage;
  const said = `${covered} of ${count(requirements, "requirement")} covered by tasks`;
  const left = outOfScope.map(({ id, reason }) => [id, shown(reason, room.glyphs)]);
  return [
    ...section("covers", [[said]], room),
    ...(left.length === 0 ? [] : section("left out", left, room)),
  ];
}

const LISTS = { remove: "remove", upgrade: "upgrade", add: "add", add_dev: "add for development" } as const;

const hoursText = (hours: number): string => `${Math.round(hours * 10) / 10} h`;

function criticalText(
  { critical, least, serial, speedUp, guessed }: Parallelism,
  { width, glyphs }: Room,
): string {
  const times = `${hoursText(least)} at least, ${hoursText(serial)} serially: ${factor(speedUp)} faster at most`;
  const guess = guessed === 0 ? "" : `; ${count(guessed, "time")} guessed: ${hoursText(USUAL_HOURS)}`;
  return `${names(critical, width, glyphs)}; ${times}${guess}`;
}

/** Paths keep at least this much room beside the columns of tasks. */
const LEAST_PATH = 24;
const MOST_ROWS = 80;

/** A column a task, in groups of a wave. Where the columns leave no room, a list a task says the same. */
function ownershipLines(overview: DesignOverview, room: Room): Line[] {
  const { tasks } = overview;
  const waves = new Set(tasks.map(({ wave }) => wave)).size;
  const columns = tasks.length + waves - 1;
  const space = room.width - columns - 2;
  return space < LEAST_PATH ? ownershipList(overview, room) : matrix(overview, space, room);
}

function matrix({ tasks, ownership }: DesignOverview, space: number, { width, glyphs }: Room): Line[] {
  const paths = ownership.map(({ path }) => cutPath(shown(path, glyphs), space, glyphs.cut));
  const left = Math.max(LABEL, ...paths.map(cells));
  const inGroups = (signOf: (index: number) => string) =>
    tasks.map(({ wave }, i) => (i > 0 && tasks[i - 1]?.wave !== wave ? " " : "") + signOf(i)).join("");
  const isFirst = (i: number) => tasks[i - 1]?.wave !== tasks[i]?.wave;
  const head = (label: string, signOf: (index: number) => string): Line => [
    dim(`${pad(label, left)}  ${inGroups(signOf)}`.trimEnd()),
  ];
  const numbers = tasks.map(({ id }) => String(Number(id.replace(/\D/g, ""))));
  const digits = Math.max(...numbers.map(({ length }) => length));
  const rows = ownership
    .slice(0, MOST_ROWS)
    .map(
      (row, r): Line => [
        pad(paths[r] as string, left),
        "  ",
        inGroups((i) => signOf(row, tasks[i]?.id ?? "", glyphs)),
      ],
    );
  const more = ownership.length - rows.length;
  return [
    ...wrapWords("C creates, M modifies, - must not touch", width).map((line): Line => [dim(line)]),
    head("wave", (i) => (isFirst(i) ? String(tasks[i]?.wave).slice(-1) : " ")),
    ...Array.from({ length: digits }, (_, d) =>
      head(d === digits - 1 ? "task" : "", (i) => padStart(numbers[i] as string, digits).charAt(d)),
    ),
    ...rows,
    ...(more > 0 ? [[dim(`and ${more} more, all with --json`)]] : []),
  ];
}

function signOf({ creates, modifies, mustNotTouch }: OwnershipRow, id: string, { ascii }: Glyphs): string {
  if (creates.includes(id)) return "C";
  if (modifies.includes(id)) return "M";
  if (mustNotTouch.includes(id)) return "-";
  return ascii ? "." : "·";
}

function ownershipList({ tasks, ownership }: DesignOverview, room: Room): Line[] {
  const paths = (id: string, key: Exclude<keyof OwnershipRow, "path">) =>
    ownership.filter((row) => row[key].includes(id)).map(({ path }) => shown(path, room.glyphs));
  return tasks.flatMap(({ id }, i) => {
    const parts = (
      [
        ["creates", paths(id, "creates")],
        ["modifies", paths(id, "modifies")],
        ["not", paths(id, "mustNotTouch")],
      ] as const
    ).flatMap(([word, list]) => (list.length === 0 ? [] : [`${word} ${list.join(", ")}`]));
    return section(i === 0 ? "owns" : "", [[id, parts.join("; ")]], room);
  });
}

function clashLines(clashes: readonly Clash[], room: Room): Line[] {
  const rows = clashes.map((clash) => [shown(clashText(clash), room.glyphs)]);
  if (rows.length === 0) return section("clashes", [["none predicted from history"]], room);
  return section("clashes", rows, room).map((line) =>
    line.map((span) => (typeof span === "string" ? styled("yellow", span) : span)),
  );
}

function clashText(clash: Clash): string {
  if (clash.kind === "between") {
    const { tasks, wave, pull, path } = clash;
    return `${tasks.join(" and ")} of wave ${wave}: ${pullText(pull, path)}`;
  }
  const [first, ...others] = clash.pulls as readonly [Pull, ...Pull[]];
  const more = others.length === 0 ? "" : `, and also ${others.map(({ task }) => task).join(", ")}`;
  return `${clash.path} is not owned by any task; expect a conflict or a missing MODIFY: ${pullText(first, "it")} (${first.task}${more})`;
}

function pullText({ what, together, of }: Pull, path: string): string {
  const times = `in ${together} of ${count(of, "commit")}`;
  return what.endsWith("/")
    ? `new files in ${what} came with a change of ${path} ${times}`
    : `${what} and ${path} changed together ${times}`;
}
