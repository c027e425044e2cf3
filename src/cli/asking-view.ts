import { fitted, hasColours, warningLine } from "./output.ts";
import { askingLine } from "./progress/asking.ts";
import { createOutlet } from "./progress/outlet.ts";
import { paint } from "./render/line.ts";
import { shown } from "./render/visible.ts";
import type { Request } from "./request.ts";
import { errorStream, patientStream } from "./streams.ts";

/** What people see while they wait; programs see the end. */
export function askingView({ options, env, output }: Request, agent: string) {
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
