import type { AskTelling } from "../../app/ask/asking.ts";
import type { TimeLimits } from "../../core/plan.ts";
import { formatFailure } from "../../core/select/failure-text.ts";
import { duration, elapsed } from "../../core/text/figures.ts";
import { plainText } from "../../core/text/sentence.ts";
import { fitted, hasColours, warningLine } from "../output.ts";
import { paint } from "../render/line.ts";
import { shown } from "../render/visible.ts";
import { cutEnd } from "../render/width.ts";
import type { Request } from "../request.ts";
import { errorStream, patientStream } from "../streams.ts";
import type { ProgressClock } from "./io.ts";
import { createOutlet, type Outlet } from "./outlet.ts";

/** What an agent that was asked does meanwhile. */
export type AskingLine = {
  readonly doing: (action: string) => void;
  /** A line that stays; the moving one goes on below it. */
  readonly say: (text: string) => void;
  readonly close: () => void;
};

type Look = {
  /** Nobody watches, or nothing can move there: then it says something only now and then. */
  readonly moves: boolean;
  readonly width: number;
  readonly mark: string;
  /** A stopped terminal (Ctrl-S) must stop neither the agent's clock nor what is heard of it. */
  readonly outlet: Outlet;
  readonly clock: ProgressClock;
};

const EVERY_MS = 1_000;
/** In a log: a sign of life, not every step. */
const SELDOM_MS = 30_000;
const ERASE = "\r\u001b[K";

export function askingLine(who: string, look: Look): AskingLine {
  const begun = look.clock.now();
  const text = (action: string) => `${who}  ${elapsed(look.clock.now() - begun)}  ${action}`;
  return look.moves ? movingLine(text, look) : plainLines(text, look);
}

function movingLine(text: (action: string) => string, { width, mark, clock, outlet }: Look): AskingLine {
  let action = "begins";
  let isShown = false;
  const paint = (): void => {
    if (!outlet.isIdle()) return; // nobody reads
    isShown = true;
    outlet.push(`${ERASE}${cutEnd(text(action), width - 1, mark)}`);
  };
  let timer = clock.setTimer(0, tick);
  function tick(): void {
    paint();
    timer = clock.setTimer(EVERY_MS, tick);
  }
  const rest = (): void => {
    if (isShown) outlet.push(ERASE);
    isShown = false;
  };
  return {
    doing: (now) => {
      action = now;
    },
    say: (line) => {
      rest();
      outlet.push(line);
    },
    close: () => {
      timer.cancel();
      rest();
    },
  };
}

function plainLines(text: (action: string) => string, { outlet, clock }: Look): AskingLine {
  let said = clock.now();
  return {
    doing: (action) => {
      if (clock.now() - said < SELDOM_MS) return;
      said = clock.now();
      outlet.push(`${text(action)}\n`);
    },
    say: outlet.push,
    close: () => undefined,
  };
}

/** What people see while they wait for an agent: opened when there is something to say, and again after `close`. */
export function createAskingView(request: Request, agent: string, limits: TimeLimits) {
  let view: ReturnType<typeof openView> | null = null;
  const seen = () => {
    view ??= openView(request, agent);
    return view;
  };
  const say = (text: string) => seen().say(text);
  const tell: AskTelling = {
    warning: (text) => seen().warn(text),
    doing: (action) => seen().doing(action),
    again: (failure, ms) => say(`${plainText(formatFailure(failure, limits))}; retrying in ${duration(ms)}`),
  };
  const close = async () => {
    const shown = view;
    view = null;
    await shown?.close();
  };
  return { say, tell, close };
}

/** Programs see only the end. */
function openView({ options, env, output }: Request, agent: string) {
  const stderr = errorStream(env.columns);
  const { glyphs } = output;
  const isForPeople = options.json !== true;
  const stream = patientStream("stderr");
  const outlet = createOutlet({
    write: (text, flushed) => stream.write(text, (error) => flushed(error == null)),
    maxChars: MOST_UNREAD,
    onFull: { kind: "skip", tell: () => "" },
  });
  const colours = hasColours(stderr, env, options);
  const line = askingLine(agent, {
    moves: stderr.isTerminal && !env.ci && isForPeople,
    ...{ width: stderr.width, mark: glyphs.cut, outlet },
    clock: { now: Date.now, setTimer: systemTimer },
  });
  return {
    say: (text: string) => {
      if (isForPeople) line.say(paint(fitted([[shown(text, glyphs)]], stderr), { colours }));
    },
    warn: (text: string) => line.say(paint(fitted([warningLine(text, glyphs)], stderr), { colours })),
    doing: (action: string) => {
      if (isForPeople) line.doing(shown(action, glyphs));
    },
    /** When all of it is written: what comes next stands below it. */
    close: () => {
      line.close();
      return stream.settled();
    },
  };
}

const MOST_UNREAD = 100_000;

const systemTimer = (ms: number, fire: () => void) => {
  const timer = setTimeout(fire, ms);
  timer.unref();
  return { cancel: () => clearTimeout(timer) };
};
