import type { DroppedTask, OpenedTask } from "../../app/index.ts";
import type { AttemptId, RunId } from "../../core/ids.ts";
import { forRun, plait, shellWord } from "../../core/text/command.ts";
import { bold, dim, type Line } from "./line.ts";
import { nextLines } from "./next-lines.ts";
import { type Look, sign } from "./run/look.ts";
import { shown } from "./visible.ts";
import { pad } from "./width.ts";

const LABEL = 6;
const labelled = (label: string, ...text: Line): Line => [dim(pad(label, LABEL)), ...text];
const numbered = (attempt: AttemptId): string => attempt.replace("/", " #");

/** A task that a person has: where it is, what they find there, how they go on. Paths are copied, and so never cut. */
export function openedLines(opened: OpenedTask, look: Look): Line[] {
  const { task, run, worktree, after } = opened;
  const { glyphs } = look;
  const why = after?.why == null ? "" : `: ${after.why}`;
  const from = after === null ? [] : [labelled("from", shown(`${numbered(after.attempt)}${why}`, glyphs))];
  return [
    [sign("held", glyphs), " ", bold(task), " is open", dim(`  ${run}`)],
    [],
    labelled("path", shown(worktree, glyphs)),
    ...from,
    ...conflictLines(opened, look),
    labelled("work", bold(workCommand(opened, look))),
    [],
    ...handInLines(opened, look),
  ];
}

/** Listed one by one; the worktree has them all, and so has --json. */
const MOST_FILES = 20;

function conflictLines({ conflicts, sides }: OpenedTask, { glyphs }: Look): Line[] {
  if (sides === null) return [];
  const more = conflicts.length - MOST_FILES;
  const files = [
    ...conflicts.slice(0, MOST_FILES).map((path) => shown(path, glyphs)),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
  return [
    ...files.map((text, n) => labelled(n === 0 ? "files" : "", text)),
    labelled("marks", shown(`<<<<<<< ${sides.merged.label}`, glyphs)),
    labelled("", shown(`>>>>>>> ${sides.own.label}`, glyphs)),
  ];
}

/** One line for a shell: there, and on in the conversation where there is one. */
function workCommand({ folder, resume }: OpenedTask, { glyphs: { ascii } }: Look): string {
  const words = (argv: readonly string[]) => argv.map((word) => shellWord(word, { ascii })).join(" ");
  return [words(["cd", folder]), ...(resume === null ? [] : [words(resume)])].join(" && ");
}

export function handInLines(opened: OpenedTask, look: Look): Line[] {
  const { task, run } = opened;
  const steps = [
    { command: forRun(opened, plait("submit", task, { run })), purpose: "submit your changes" },
    { command: plait("drop", task, { run }), purpose: "drop the task and keep its work saved" },
  ];
  return nextLines(steps, look);
}

export function droppedLines(dropped: readonly DroppedTask[], run: RunId, look: Look): Line[] {
  const [saved] = dropped.flatMap(({ ref }) => (ref === null ? [] : [ref.replace("refs/plait/", "")]));
  const rescue = { command: plait("rescue", [], { branch: saved }), purpose: "turn its work into a branch" };
  const status = { command: plait("status", run), purpose: "see the run" };
  return [
    ...dropped.map(({ task, ref }): Line => {
      const kept = ref === null ? "" : `; its work is saved as ${ref}`;
      return [sign("dropped", look.glyphs), " ", bold(task), ` dropped${kept}`];
    }),
    ...nextLines(saved === undefined ? [status] : [rescue, status], look),
  ];
}
