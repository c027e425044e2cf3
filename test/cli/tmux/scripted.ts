// The run of the design pictures at a real terminal: real keys, real drawing, and time that stands still. ^G, which means nothing
// else, tells what happens next.

import type { LogItem, RunTexts } from "../../../src/app/index.ts";
import { openKeyboard } from "../../../src/cli/keys/keyboard.ts";
import { followRun } from "../../../src/cli/progress/follow.ts";
import { streamIo } from "../../../src/cli/progress/io.ts";
import { glyphs } from "../../../src/cli/render/glyphs.ts";
import { patientStream } from "../../../src/cli/streams.ts";
import type { RunListener, RunView } from "../../../src/core/run-view.ts";
import { activity, story, unit } from "../../support/checkout.ts";
import { taxDiff, taxLog, taxPrompt } from "../../support/tax-texts.ts";

const run = story();
const later = [() => run.judge(unit, "merge inventory/1").advance(), () => run.at("14:44:40").ends("docs/1")];
const listeners = new Set<RunListener>();
const view: RunView = {
  run: run.state.run,
  folder: "/run",
  state: () => run.state,
  now: () => run.now,
  activity: () => activity,
  subscribe: (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

const tell = run.fact.bind(run);
run.fact = (body) => {
  const before = run.state;
  tell(body);
  const fact = run.facts.at(-1);
  if (fact !== undefined) for (const { fact: hear } of listeners) hear?.(fact, run.state, before);
  return run;
};

const texts: RunTexts = {
  log: async (attempt, { show }) => {
    for (const item of attempt === "tax/3" ? taxLog(run.facts) : ([] as LogItem[])) show(item);
    return { ok: true };
  },
  diff: async (attempt) =>
    attempt === "tax/3"
      ? { ok: true, kind: "diff", diff: { text: taxDiff, cutBytes: 0 } }
      : { ok: true, kind: "at-work" },
  prompt: async () => taxPrompt,
};

let leave: () => void = () => undefined;
const left = new Promise<void>((resolve) => {
  leave = resolve;
});
const stream = patientStream("stderr");
const keyboard = await openKeyboard();
const look = { colours: true, hues: "basic", weights: true, glyphs: glyphs.unicode } as const;
const follower = followRun(view, "terminal", {
  io: streamIo(stream, { ...look, keyboard }),
  clock: {
    now: () => 200,
    setTimer: (delayMs, fire) => {
      const timer = setTimeout(fire, delayMs);
      return { cancel: () => clearTimeout(timer) };
    },
  },
  interrupt: process.argv.includes("--watch") ? "leaves" : "stops",
  controls: {
    leave,
    texts,
    act: async (action) => {
      if (action.kind === "resume") return "The run is already running.";
      const refusal = run.refusal(action);
      if (refusal === null) run.ask(action);
      return refusal;
    },
  },
});
keyboard?.listen((text) => {
  if (text.includes("\u0007")) later.shift()?.();
});
process.on("SIGINT", () => leave());
await left;
follower.close();
await stream.settled();
process.stdout.write("continues\n");
