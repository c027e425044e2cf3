import type { Fact, RunFiles, RunView, Tails } from "../app/index.ts";
import { hasColours } from "./output.ts";
import { type FollowMode, followRun } from "./progress/follow.ts";
import { streamIo } from "./progress/io.ts";
import { paint } from "./render/line.ts";
import { endLines } from "./render/run/end.ts";
import type { Interrupt } from "./render/run/look.ts";
import { plainHead } from "./render/run/summary.ts";
import { githubFailures } from "./render/run/tails.ts";
import type { Request } from "./request.ts";
import { errorStream, patientStream } from "./streams.ts";
import { version } from "./version.ts";

/** Shows a run while it goes on, and its end. */
export type Presenter = {
  readonly end: (tails: Tails, files: RunFiles) => Promise<void>;
  /** The terminal is left as it was found. */
  readonly abandon: () => void;
};

/** What moves on a screen is timed by this. */
export const progressClock = {
  now: () => performance.now(),
  setTimer: (delayMs: number, fire: () => void) => {
    const timer = setTimeout(fire, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** A terminal that is stopped, or a reader that does not read, is not waited for. */
const LONGEST_WAIT_MS = 1_000;

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

export type Shown = {
  /** Facts from before the view. */
  readonly past: readonly Fact[];
  readonly interrupt: Interrupt;
};

/** Progress goes to stderr, the end to stdout; with `--json` stdout has the facts and nothing else. */
export function present(view: RunView, request: Request, shown: Shown): Presenter {
  const { options, env, output } = request;
  const mode = modeOf(request);
  const stream = patientStream(mode === "json" ? "stdout" : "stderr");
  const facts = errorStream(env.columns);
  const colours = mode !== "json" && hasColours(facts, env, options);
  const io = streamIo(stream, { colours, glyphs: output.glyphs });
  const follower = followRun(view, mode, { io, clock: progressClock, ...shown });
  if (mode === "plain") follower.say(paint([plainHead(view.state(), version)], { colours }));
  return {
    end: async (tails, files) => {
      follower.close();
      if (mode === "json") return;
      // The end goes another way to the same terminal: it must not overtake what clears the place for it.
      await Promise.race([stream.settled(), pause(LONGEST_WAIT_MS)]);
      const end = { state: view.state(), now: view.now(), tails, files };
      if (env.githubActions) output.annotate(githubFailures(end.state, tails, output.glyphs));
      output.result(endLines(end, { width: output.resultWidth, glyphs: output.glyphs, height: null }));
    },
    abandon: () => follower.close(),
  };
}

function modeOf({ options, env }: Request): FollowMode {
  if (options.json === true) return "json";
  if (options.quiet === true) return "quiet";
  const { isTerminal } = errorStream(env.columns);
  return isTerminal && !env.ci ? "terminal" : "plain";
}
