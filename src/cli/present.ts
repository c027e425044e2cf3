import {
  type Fact,
  failureTails,
  isInForeground,
  type RunFiles,
  type RunView,
  type Tails,
} from "../app/index.ts";
import { findNotices } from "../core/select/notices.ts";
import { timeShown } from "../core/select/progress.ts";
import { openKeyboard } from "./keys/keyboard.ts";
import { hasColours } from "./output.ts";
import { type FollowMode, followRun } from "./progress/follow.ts";
import { type Controls, streamIo } from "./progress/io.ts";
import type { Glyphs } from "./render/glyphs.ts";
import { type Ink, paint } from "./render/line.ts";
import { endLines } from "./render/run/end.ts";
import type { Interrupt } from "./render/run/look.ts";
import { plainHead } from "./render/run/summary.ts";
import { githubFailures, type ToldFailures, withoutCommands } from "./render/run/tails.ts";
import type { Request } from "./request.ts";
import { errorStream, patientStream, settleSoon } from "./streams.ts";
import { version } from "./version.ts";

/** What moves on a screen is timed by this. */
export const progressClock = {
  now: () => performance.now(),
  setTimer: (delayMs: number, fire: () => void) => {
    const timer = setTimeout(fire, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};

export type Shown = {
  /** Facts from before the view. */
  readonly past: readonly Fact[];
  readonly interrupt: Interrupt;
  readonly controls: Controls;
};

/** Shows a run while it goes on, and its end. Progress goes to stderr, the end to stdout; with `--json` stdout has the facts and nothing else. */
export async function present(view: RunView, request: Request, shown: Shown) {
  const { env, output } = request;
  const mode = await modeOf(request);
  const stream = patientStream(mode === "json" ? "stdout" : "stderr");
  const ink = inkOf(request, mode);
  // Of a run that has ended nothing is left to be done.
  const hasKeys = mode === "terminal" && view.state().ended === null;
  const keyboard = hasKeys ? await openKeyboard() : null;
  let { glyphs } = output;
  const follower = followRun(view, mode, {
    ...shown,
    io: streamIo(stream, { ...ink, glyphs, keyboard }),
    clock: progressClock,
    head: paint([plainHead(view.state(), version)], ink),
    onGlyphs: (better) => {
      glyphs = better;
    },
  });
  const annotator =
    env.githubActions && mode === "plain" ? annotateFailures(view, follower.say, glyphs) : null;
  // What comes next goes another way to the same terminal: it must not overtake what clears the place for it.
  const close = async (): Promise<void> => {
    annotator?.close();
    follower.close();
    await settleSoon(stream.settled());
  };
  return {
    end: async (tails: Tails, files: RunFiles): Promise<void> => {
      if (mode === "json") return follower.close();
      await close();
      const state = view.state();
      // A run that has ended is shown at its end, here as in its status and report.
      const now = timeShown(state, view.now(), state.ended === null);
      const end = { state, now, tails, files };
      const lines = endLines(end, { ...output.look, glyphs, height: null });
      if (!env.githubActions) return output.result(lines);
      output.annotate(githubFailures(end.state, tails, { glyphs, ...annotator }));
      output.result(withoutCommands(lines));
    },
    /** The terminal is left as it was found. */
    abandon: close,
  };
}

/** `auto` moves only where somebody watches, at a terminal that can, and not over what others write there. */
async function modeOf({ options, env }: Request): Promise<FollowMode> {
  if (options.json === true) return "json";
  if (options.quiet === true) return "quiet";
  const { isTerminal } = errorStream(env.columns);
  const { progress = "auto" } = options;
  if (progress === "plain" || !isTerminal) return "plain";
  if (progress === "tty") return "terminal";
  return env.ci || env.isDumb || !(await isInForeground()) ? "plain" : "terminal";
}

/** Where nobody wants colours on a terminal, bold stays. */
function inkOf({ options, env }: Request, mode: FollowMode): Required<Ink> {
  const stream = errorStream(env.columns);
  const colours = mode !== "json" && hasColours(stream, env, options);
  const hues = !env.trueColor ? "basic" : env.isLight === true ? "light" : "dark";
  return { colours, hues, weights: mode === "terminal" && !env.isDumb };
}

/** Failures as GitHub shows them, each where it happens in the log: a folded group and an annotation. */
function annotateFailures(view: RunView, put: (text: string) => void, glyphs: Glyphs) {
  /** So that the end does not tell them again. */
  const told: ToldFailures = new Set();
  let isReading = false;
  let isDue = false;
  let isOver = false;

  /** What failed meanwhile is told by the next round: the texts are read once for all that failed at a time. */
  async function tell(): Promise<void> {
    isDue = true;
    if (isReading) return;
    isReading = true;
    while (isDue && !isOver) {
      isDue = false;
      const state = view.state();
      const tails = await failureTails(view.folder, state).catch(() => null); // the end tries again, and tells what is wrong
      if (tails !== null && !isOver) put(githubFailures(state, tails, { glyphs, told }));
    }
    isReading = false;
  }

  const off = view.subscribe({
    fact: (fact, after, before) => {
      if (findNotices(fact, before, after).some(({ kind }) => kind === "failed")) void tell();
    },
  });
  return {
    told,
    close: () => {
      isOver = true;
      off();
    },
  };
}
