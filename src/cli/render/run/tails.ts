import type { Tail, Tails } from "../../../app/index.ts";
import type { AttemptFailure } from "../../../core/failure.ts";
import type { RunState, TaskState } from "../../../core/run-state.ts";
import { formatFailure } from "../../../core/select/failure-text.ts";
import { failedTasks } from "../../../core/select/task-lists.ts";
import { formatGateName } from "../../../core/text/figures.ts";
import { plainText } from "../../../core/text/sentence.ts";
import { escapeData, escapeProperty } from "../annotations.ts";
import type { Glyphs } from "../glyphs.ts";
import { bold, dim, type Line, type Span } from "../line.ts";
import { shown } from "../visible.ts";
import { cutEnd } from "../width.ts";
import { harmless } from "./happened.ts";
import type { Look } from "./look.ts";

const MOST_LINES = 6;

export function tailLines(state: RunState, { tasks, base }: Tails, look: Look): Line[] {
  const ofBase = [...base].flatMap(([failed, tail]) =>
    tailBlock(tail, (which) => [bold("the base"), `, ${which} of ${shown(failed, look.glyphs)}`], look),
  );
  const ofTasks = failedTasks(state).flatMap(({ task, failure }): Line[] => {
    const head = (which: string): Line => [bold(task), `, ${tailHead(failure, which)}`];
    return tailBlock(tasks.get(task), head, look);
  });
  return [...ofBase, ...ofTasks];
}

function tailBlock(tail: Tail | undefined, head: (which: string) => Line, { width, glyphs }: Look): Line[] {
  if (tail === undefined || tail.lines.length === 0) return [];
  const lines = tail.lines.slice(-MOST_LINES);
  const path = tail.textPath ?? tail.log;
  return [
    head(tail.isFirstFailure ? "first failure" : lines.length === 1 ? "last line" : "last lines"),
    ...lines.map((line): Line => [`  ${cutEnd(clean(line, glyphs), width - 2, glyphs.cut)}`]),
    ...(path === null ? [] : [wholeLine(path, glyphs)]),
  ];
}

/** A path is copied: it is never cut, however narrow the terminal. */
export function wholeLine(path: string, glyphs: Glyphs): Line {
  return ["  ", dim("all of it "), shown(path, glyphs)];
}

function tailHead(failure: AttemptFailure, which: string): string {
  if (failure.reason === "gate") return `${which} of gate ${formatGateName(failure.gate)}`;
  return failure.reason === "timeout" && failure.clock !== "total" ? `${which} before the silence` : which;
}

/** Tabs are blanks here; whatever else would move the cursor is spelled out. */
function clean(line: string, glyphs: Glyphs): string {
  return shown(line.replaceAll("\t", "  ").trimEnd(), glyphs);
}

/** By task and number of its attempts: a task that fails again after a retry is told again. */
export type ToldFailures = Set<string>;

/**
 * For GitHub Actions: what failed as a folded group, and as an annotation that the page of the run shows. What programs
 * printed cannot be taken for a command: runners look at the start of a line, behind blanks, and for `##[` everywhere.
 */
export function githubFailures(
  state: RunState,
  { tasks, base }: Tails,
  { glyphs, told = new Set() }: { readonly glyphs: Glyphs; readonly told?: ToldFailures },
): string {
  const ofBase = [...base].map(([name, { lines }]): Failed => {
    const why = "failed on the base commit";
    return { key: `the base ${name}`, title: `${name} on the base commit`, name, why, lines };
  });
  const ofTasks = failedTasks(state).map(({ task, failure, limits, of }): Failed => {
    const why = plainText(formatFailure(failure, limits));
    const title = `${task}: ${why}${triesText(of)}`;
    return { key: `${task} ${of.started}`, title, name: task, why, lines: tasks.get(task)?.lines ?? [] };
  });
  const news = [...ofBase, ...ofTasks].filter(({ key }) => !told.has(key));
  for (const { key } of news) told.add(key);
  return news.map((failed) => githubFailure(failed, glyphs)).join("");
}

type Failed = {
  readonly [Text in "key" | "title" | "name" | "why"]: string;
} & { readonly lines: readonly string[] };

function githubFailure({ title, name, why, lines }: Failed, glyphs: Glyphs): string {
  const folded = lines.map((line) => `  ${noCommand(clean(line, glyphs))}`);
  const group =
    lines.length === 0
      ? []
      : [`::group::${escapeData(harmless(clean(title, glyphs)))}`, ...folded, "::endgroup::"];
  const properties = [
    ...placeIn([why, ...lines]),
    `title=${escapeProperty(harmless(`${clean(name, glyphs)} failed`))}`,
  ].join(",");
  return [...group, `::error ${properties}::${escapeData(harmless(clean(why, glyphs)))}`, ""].join("\n");
}

function triesText({ started }: TaskState): string {
  return started > 1 ? `, attempt #${started}` : "";
}

/** Lines of ours with what programs printed among them: none is a command, whoever reads the log. */
export function withoutCommands(lines: readonly Line[]): Line[] {
  const changed = (span: Span, change: (text: string) => string): Span =>
    typeof span === "string" ? change(span) : { ...span, text: change(span.text) };
  return lines.map((line) => line.map((span, n) => changed(span, n === 0 ? noCommand : harmless)));
}

function noCommand(line: string): string {
  return harmless(line.replace(/^(\s*)::/, "$1: :"));
}

/** `src/tax/rates.test.ts:58`: the first place of the repository that the reason or else the output names. */
function placeIn(lines: readonly string[]): string[] {
  for (const line of lines.slice(0, 200)) {
    const [, file, number] =
      /(?:^|[\s(])((?:[\w@-][\w.@-]{0,99}\/){1,20}[\w.@-]{1,99}\.\w{1,9}):(\d{1,7})/.exec(
        line.slice(0, 500),
      ) ?? [];
    if (file === undefined || file.includes("node_modules") || file.includes("..")) continue;
    return [`file=${escapeProperty(harmless(file))}`, `line=${number}`];
  }
  return [];
}
