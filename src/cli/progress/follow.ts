import type { RunView } from "../../app/run-view.ts";
import type { Fact } from "../../core/facts.ts";
import { jsonText } from "../../report/json.ts";
import type { Keyboard } from "../keys/keyboard.ts";
import { visible } from "../render/visible.ts";
import type { Follower, ProgressIo, ProgressPlace } from "./io.ts";
import { createOutlet } from "./outlet.ts";
import { followInLines } from "./plain.ts";
import { followInTerminal } from "./terminal.ts";

/** `terminal` moves, `plain` is a log, `json` is for programs, `quiet` says nothing. */
export type FollowMode = "terminal" | "plain" | "json" | "quiet";

export type Surroundings = ProgressPlace & {
  /** Facts from before the view: they are in its state, and only `json` repeats them. */
  readonly past?: Iterable<Fact>;
};

/**
 * Shows a run to whoever started or watches it. No presenter changes anything, none holds the run up, and a mistake in
 * one ends the showing and not the run: agents at work are worth more than the picture of them.
 */
export function followRun(view: RunView, mode: FollowMode, around: Surroundings): Follower {
  const { io, clock } = around;
  let follower: Follower = SILENT;
  const guard = guardWith((error) => {
    const broken = follower;
    follower = SILENT;
    guard(broken.close);
    if (mode === "json") return;
    const message = visible(error instanceof Error ? error.message : String(error));
    io.write(`error: bug in plait: the run continues but cannot be shown: ${message}\n`, () => undefined);
  });
  guard(() => {
    follower = presenter(guardedView(view, guard), mode, {
      ...around,
      io: {
        ...io,
        onResize: (listener) => io.onResize(() => guard(listener)),
        keyboard: guardedKeyboard(io.keyboard ?? null, guard),
      },
      clock: { now: clock.now, setTimer: (delayMs, fire) => clock.setTimer(delayMs, () => guard(fire)) },
    });
  });
  return { say: (text) => guard(() => follower.say(text)), close: () => guard(() => follower.close()) };
}

const SILENT: Follower = { say: () => undefined, close: () => undefined };

function presenter(view: RunView, mode: FollowMode, around: Surroundings): Follower {
  switch (mode) {
    case "terminal":
      return followInTerminal(view, around);
    case "plain":
      return followInLines(view, around);
    case "json":
      return followAsJson(view, around.io, around.past ?? []);
    default:
      return SILENT;
  }
}

type Guard = (act: () => void) => void;

/** Told once: what comes after a mistake is its consequence. */
function guardWith(onMistake: (error: unknown) => void): Guard {
  let isBroken = false;
  return (act) => {
    try {
      act();
    } catch (error) {
      if (isBroken) return;
      isBroken = true;
      onMistake(error);
    }
  };
}

function guardedView(view: RunView, guard: Guard): RunView {
  return {
    ...view,
    subscribe: ({ fact, activity }) =>
      view.subscribe({
        ...(fact === undefined ? {} : { fact: (...told) => guard(() => fact(...told)) }),
        ...(activity === undefined ? {} : { activity: (told) => guard(() => activity(told)) }),
      }),
  };
}

function guardedKeyboard(keyboard: Keyboard | null, guard: Guard): Keyboard | null {
  if (keyboard === null) return null;
  return {
    listen: (listener) => keyboard.listen((text) => guard(() => listener(text))),
    screen: (screen) => keyboard.screen(screen),
    drawnBy: ({ rest, goOn }) =>
      keyboard.drawnBy({
        rest: (rested) => guard(() => rest(() => guard(rested))),
        goOn: () => guard(goOn),
      }),
    close: () => keyboard.close(),
  };
}

/**
 * Facts that nobody has read. They say nothing of what agents print, so a run of thousands of tasks has a few megabytes.
 * A reader that lags further behind gets no more: what it has is the beginning of the journal, without a gap, and the
 * rest is in the journal itself. The last line of a whole stream is `run.ended`.
 */
const MAX_CHARS = 64_000_000;

/** The facts as in the journal, one JSON object a line; `past` are those that came before anybody could listen. */
function followAsJson(view: RunView, io: ProgressIo, past: Iterable<Fact>): Follower {
  const outlet = createOutlet({ write: io.write, maxChars: MAX_CHARS, onFull: { kind: "stop" } });
  const put = (fact: Fact) => outlet.push(jsonText(fact, { ascii: false, indent: 0 }));
  for (const fact of past) put(fact);
  return {
    // Words for people have no place among facts.
    say: () => undefined,
    close: view.subscribe({ fact: put }),
  };
}
