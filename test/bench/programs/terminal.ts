// A run of 64 agents, each of which does something else ten times a second, shown on a large terminal that nobody sees. Prints what
// the showing took of the processor, as JSON.

import { openSync, write } from "node:fs";
import { followRun } from "../../../src/cli/progress/follow.ts";
import { glyphs } from "../../../src/cli/render/glyphs.ts";
import type { Activity } from "../../../src/core/activity.ts";
import type { AttemptId } from "../../../src/core/ids.ts";
import type { RunListener, RunView } from "../../../src/core/run-view.ts";
import { path, sentence } from "../../../src/core/text/sentence.ts";
import { Scenario } from "../../support/scenario.ts";

const TASKS = 64;
/** A run lasts for minutes at least: what the engine needs to get going (some fifty frames) is not what is asked. */
const WARM_MS = 6_000;
const [, , seconds = "5"] = process.argv;

const run = new Scenario(
  Array.from({ length: TASKS }, (_, n) => ({ id: `task-${n}` })),
  { policy: { slots: TASKS } },
);
for (let n = 0; n < TASKS; n += 1) run.start(`task-${n}/1`);

const activity = new Map<AttemptId, Activity>();
const listeners = new Set<RunListener>();
const begun = performance.now();
const view: RunView = {
  ...{ run: run.state.run, folder: "/run", state: () => run.state, activity: () => activity },
  now: () => run.now + performance.now() - begun,
  subscribe: (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

const nowhere = openSync("/dev/null", "w");
let frames = 0;
const follower = followRun(view, "terminal", {
  io: {
    write: (text, flushed) => {
      frames += 1;
      write(nowhere, text, (error) => flushed(error === null));
    },
    ...{ columns: () => 200, rows: () => 80, onResize: () => () => undefined },
    ...{ colours: true, hues: "dark", glyphs: glyphs.unicode },
  },
  clock: {
    now: () => performance.now(),
    setTimer: (delayMs, fire) => {
      const timer = setTimeout(fire, delayMs);
      return { cancel: () => clearTimeout(timer) };
    },
  },
  interrupt: "stops",
});

let turn = 0;
const acting = setInterval(() => {
  turn += 1;
  for (let n = 0; n < TASKS; n += 1) {
    const attempt = `task-${n}/1` as AttemptId;
    const usage = { costUsd: turn / 100, inputTokens: turn * 1_000, outputTokens: turn * 10 };
    activity.set(attempt, {
      attempt,
      at: view.now(),
      action: sentence`Edit ${path(`src/part-${n}/file-${turn}.ts`)}`,
      usage,
    });
    for (const { activity: hear } of listeners) hear?.(activity.get(attempt) as Activity);
  }
}, 100);

setTimeout(() => {
  const [from, before, drawn] = [performance.now(), process.cpuUsage(), frames];
  setTimeout(() => {
    const { user, system } = process.cpuUsage(before);
    const wallMs = performance.now() - from;
    clearInterval(acting);
    follower.close();
    process.stdout.write(
      `${JSON.stringify({ cpuMs: (user + system) / 1_000, wallMs, frames: frames - drawn })}\n`,
    );
  }, Number(seconds) * 1_000);
}, WARM_MS);
