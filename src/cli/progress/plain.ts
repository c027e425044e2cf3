import type { RunView } from "../../app/run-view.ts";
import { forecast, spending } from "../../core/select/forecast.ts";
import { listNeeds } from "../../core/select/needs.ts";
import { countStatuses, progress } from "../../core/select/progress.ts";
import { formatDone } from "../../core/select/run-status-text.ts";
import { countRunningAgents, taskRows } from "../../core/select/task-rows.ts";
import { formatWait, listWaits, pickSharedWaits } from "../../core/select/waits.ts";
import { count } from "../../core/text/figures.ts";
import { plainText } from "../../core/text/sentence.ts";
import { localTime, timeOfDay } from "../../report/local-times.ts";
import { paint } from "../render/line.ts";
import { happened, harmless } from "../render/run/happened.ts";
import { aboutText, budgetText } from "../render/run/summary.ts";
import type { Follower, ProgressPlace } from "./io.ts";
import { createOutlet } from "./outlet.ts";

/** Systems that run programs end those that say nothing for minutes; people who watch want a sign as well. */
const SILENCE_MS = 30_000;

/** Lines that nobody has read: a log of a thousand tasks has a few hundred thousand characters. */
const MAX_CHARS = 1_000_000;

/** The run as lines of a log, one for everything that happened, and one after each half minute of silence. */
export function followInLines(view: RunView, { io, clock, interrupt, head = "" }: ProgressPlace): Follower {
  const outlet = createOutlet({
    write: io.write,
    maxChars: MAX_CHARS,
    onFull: {
      kind: "skip",
      tell: (lost) => `-- ${count(lost, "text")} left out: the output was not read in time\n`,
    },
  });
  let timer = clock.setTimer(SILENCE_MS, beat);

  function put(text: string): void {
    if (text === "") return;
    outlet.push(text);
    timer.cancel();
    timer = clock.setTimer(SILENCE_MS, beat);
  }

  /** Who reads nothing needs no sign of life. */
  function beat(): void {
    if (outlet.isIdle()) put(beatText(view));
    else timer = clock.setTimer(SILENCE_MS, beat);
  }

  const off = view.subscribe({
    fact: (fact, after, before) => {
      const look = { width: io.columns(), glyphs: io.glyphs, mode: "plain", interrupt } as const;
      put(paint(happened(fact, before, after, look), io));
      if (fact.type === "run.resumed" || (fact.type === "account.probed" && !fact.ok)) put(waitText(view));
    },
  });
  // What began to wait before somebody looked does not happen again.
  put(`${head}${waitText(view)}`);
  return {
    say: put,
    close: () => {
      off();
      timer.cancel();
    },
  };
}

/** `14:16:40  -- 5 of 24 merged, 3 running, 0 queued, $4.02 of $40.00, about 15:01`, and a line for each shared wait. */
function beatText(view: RunView): string {
  const [state, now] = [view.state(), view.now()];
  const figures = progress(state);
  const rows = taskRows(state, now, { activity: view.activity() });
  const counts = countStatuses(rows);
  const { usd } = spending(state, rows);
  const spent = budgetText(usd, figures.budgetUsd);
  const expected = forecast(state, now);
  const needs = listNeeds(state, { isRunning: true }).length;
  const parts = [
    formatDone(figures),
    `${countRunningAgents(state)} running`,
    `${counts.queued + counts.merging} queued`,
    ...(needs > 0 ? [`${needs} need${needs === 1 ? "s" : ""} you`] : []),
    ...(spent === null ? [] : [spent]),
    ...(expected === null ? [] : [aboutText(expected)]),
  ];
  return `${timeOfDay(now)}  -- ${parts.join(", ")}\n${waitText(view)}`;
}

function waitText(view: RunView): string {
  const [state, now] = [view.state(), view.now()];
  return pickSharedWaits(listWaits(state, now, { activity: view.activity() }))
    .map((wait) => `${timeOfDay(now)}  -- ${harmless(plainText(formatWait(wait), localTime(now)))}\n`)
    .join("");
}
