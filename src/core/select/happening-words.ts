import type { EpochMs } from "../facts.ts";
import type { Happening, TaskHappening } from "./happenings.ts";
import { count } from "./preview/words.ts";
import type { RunHappening } from "./run-happenings.ts";
import { inText, shortOid, shortRef } from "./run-words.ts";
import type { ShownState } from "./task-rows.ts";
import { isLater, turnText } from "./turns.ts";

/** What happened, as a clause that follows the name of its task or run, and the sign beside it. */
export type HappeningWords = { readonly shown: ShownState; readonly text: string };

/** `time` gives a time of day as whoever looks has it. */
export function happeningWords(one: Happening, time: (at: EpochMs) => string): HappeningWords {
  return one.task === null ? ofRun(one) : ofTask(one, time);
}

function ofTask(one: TaskHappening, time: (at: EpochMs) => string): HappeningWords {
  switch (one.kind) {
    case "start":
      return { shown: "running", text: `attempt ${one.attempt} started${fixText(one)}${whoStarts(one)}` };
    case "merged":
    case "passed": {
      const commit = one.commit === null ? "" : ` as ${shortOid(one.commit)}`;
      return {
        shown: one.kind,
        text: `${one.kind}${commit}${isLater(one.last) ? `, ${turnText(one.last)}` : ""}`,
      };
    }
    case "retry":
      return { shown: "backoff", text: `${one.why}; ${turnText(one.next)} ${inText(one.inMs)}` };
    case "failed":
      return {
        shown: "failed",
        text: `failed: ${one.why}${isLater(one.last) ? `, ${turnText(one.last)}` : ""}`,
      };
    case "parked":
      return { shown: "parked", text: `parked until ${time(one.until)}: ${one.why}` };
    case "held":
      return { shown: "held", text: `held: ${one.why}` };
    case "open":
      return { shown: "held", text: `open at ${one.worktree}` };
    case "skipped":
      return { shown: "skipped", text: one.because === null ? "skipped" : `skipped, needs ${one.because}` };
    case "cancelled":
      return { shown: "cancelled", text: "cancelled" };
    default:
      return { shown: "stopped", text: one.kept === null ? "stopped" : `stopped, kept at ${one.kept}` };
  }
}

const fixText = ({ turn }: Extract<TaskHappening, { kind: "start" }>): string =>
  turn?.kind === "fix" ? `, ${turnText(turn)}` : "";

function whoStarts({ agent, command }: Extract<TaskHappening, { kind: "start" }>): string {
  if (agent !== null) return `, ${[agent.use, agent.model].filter(Boolean).join(" ")}`;
  return command === null ? ", handed in by a person" : "";
}

function ofRun(one: RunHappening): HappeningWords {
  switch (one.kind) {
    case "landed":
      return { shown: "merged", text: `landed on ${shortRef(one.target)} as ${shortOid(one.commit)}` };
    case "refused":
      return { shown: "held", text: `not landed: ${one.detail}` };
    case "undone":
      return { shown: "cancelled", text: `taken back from ${shortRef(one.target)}` };
    case "not-undone":
      return { shown: "held", text: `not taken back: ${one.detail}` };
    case "run-held":
      return { shown: "held", text: `held: ${one.why}` };
    case "base":
      return { shown: one.verdict === "green" ? "passed" : "failed", text: baseText(one) };
    case "stopping": {
      const why = one.failedFast ? "stopping, because a task failed" : `asked to ${one.mode}`;
      return { shown: "stopped", text: `${why}, ${count(one.attempts, "attempt")} under way` };
    }
    case "paused":
      return { shown: "parked", text: "paused" };
    case "unpaused":
      return { shown: "running", text: "goes on" };
    case "resumed":
      return { shown: "running", text: `resumed, ${one.done} done before` };
    case "revised":
      return { shown: "running", text: `the plan has ${count(one.tasks, "task")} now` };
    case "slots":
      return { shown: "running", text: `${count(one.slots, "slot")} from now on` };
    default:
      return { shown: "backoff", text: `trouble, tried again: ${one.detail}` };
  }
}

function baseText({ gate, verdict, summary, isKnown }: Extract<RunHappening, { kind: "base" }>): string {
  const known = isKnown && verdict === "red" ? ", known" : "";
  return `gate ${gate} ${verdict} on the base${known}${summary === "" ? "" : `: ${summary}`}`;
}
