import type { DroppedTask, OpenedTask } from "../../app/index.ts";
import type { AttemptId, RunId } from "../../core/ids.ts";
import { shellWord } from "../../core/select/preview/commands.ts";
import { listed, shortOid } from "../../core/select/run-words.ts";
import { bold, dim, type Line } from "./line.ts";
import { nextLines } from "./next-lines.ts";
import { type Look, sign } from "./run/look.ts";
import { shown } from "./visible.ts";
import { pad } from "./width.ts";

const LABEL = 6;
const labelled = (label: string, ...text: Line): Line => [dim(pad(label, LABEL)), ...text];
const numbered = (attempt: AttemptId): string => attempt.replace("/", " #");

/** What the person typed to name the run is needed the next time too. */
export type NamedRun = { readonly run: RunId; readonly isNamed: boolean };

/** A task that a person has: where it is, what they find there, how they go on. Paths are copied, and so never cut. */
export function openedLines(opened: OpenedTask, { isNamed }: NamedRun, look: Look): Line[] {
  const { task, run, worktree, after } = opened;
  const { glyphs } = look;
  const why = after?.why == null ? "" : `: ${after.why}`;
  const from = after === null ? [] : [labelled("from", shown(`${numbered(after.attempt)}${why}`, glyphs))];
  return [
    [sign("held", glyphs), " ", bold(task), " is open for you", dim(`  ${run}`)],
    [],
    labelled("path", shown(worktree, glyphs)),
    ...from,
    ...conflictLines(opened, look),
    labelled("work", bold(workCommand(opened, look))),
    [],
    ...handInLines(opened, { run, isNamed }, look),
  ];
}

function conflictLines({ conflicts, sides }: OpenedTask, { glyphs }: Look): Line[] {
  if (sides === null) return [];
  const { merged, own } = sides;
  const whose = merged.tasks.length === 0 ? "what is merged" : `what is merged, of ${listed(merged.tasks)}`;
  return [
    ...conflicts.map((path, n) => labelled(n === 0 ? "files" : "", `${shown(path, glyphs)} has both sides`)),
    labelled("", `<<<<<<< ${shortOid(merged.commit)}  ${whose}`),
    labelled("", `>>>>>>> ${shortOid(own.commit)}  what ${numbered(own.attempt)} did`),
  ];
}

/** One line for a shell: there, and on in the conversation where there is one. */
function workCommand({ folder, resume }: OpenedTask, { glyphs: { ascii } }: Look): string {
  const words = (argv: readonly string[]) => argv.map((word) => shellWord(word, { ascii })).join(" ");
  return [words(["cd", folder]), ...(resume === null ? [] : [words(resume)])].join(" && ");
}

export function handInLines(
  { task }: Pick<OpenedTask, "task">,
  { run, isNamed }: NamedRun,
  look: Look,
): Line[] {
  const flag = isNamed ? ` --run ${run}` : "";
  const commands = [
    { command: `plait accept ${task}${flag}`, says: "hand in what you have done" },
    { command: `plait drop ${task}${flag}`, says: "give it up; what is there is saved" },
  ];
  return nextLines(commands, look);
}

export function droppedLines(dropped: readonly DroppedTask[], run: RunId, look: Look): Line[] {
  const [saved] = dropped.flatMap(({ ref }) => (ref === null ? [] : [ref.replace("refs/plait/", "")]));
  const restore = { command: `plait rescue --restore ${saved}`, says: "make a branch of it" };
  const status = { command: `plait status ${run}`, says: "see what is left" };
  return [
    ...dropped.map(({ task, ref }): Line => {
      const kept = ref === null ? "; nothing was done" : `; its work is saved as ${ref}`;
      return [sign("cancelled", look.glyphs), " ", bold(task), ` is given up${kept}`];
    }),
    ...nextLines(saved === undefined ? [status] : [restore, status], look),
  ];
}
