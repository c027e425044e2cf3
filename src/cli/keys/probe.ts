import type { ProgressClock } from "../progress/io.ts";
import type { Report } from "./read-keys.ts";

/**
 * What is asked of a terminal before the first frame. Bars and rules are of ambiguous width: one cell for most, two where the
 * terminal is set up for East Asian text. One is printed and the cursor asked for; nothing of it stays to be seen.
 */
export type Probe = {
  /** What is written first. */
  readonly question: string;
  readonly take: (report: Report) => void;
};

export type Traits = {
  /** A rule takes two cells. */
  readonly isWide: boolean;
  /** Null where it does not say. */
  readonly isLight: boolean | null;
};

/** A terminal on this machine answers at once, one far away later: then the first frame does not wait for it. */
const WAIT_MS = 100;

const CURSOR = "\r─\u001b[6n\r\u001b[K";
/** Asked first: what does not know the question is silent, and the answer to the other one says so. */
const BACKGROUND = "\u001b]11;?\u001b\\";

type Options = {
  readonly clock: ProgressClock;
  /** Whether its background matters. */
  readonly asksBackground: boolean;
  /** Called once, in time: null when there was no answer until then. */
  readonly answered: (traits: Traits | null) => void;
  /** An answer that came later. */
  readonly late: (traits: Traits) => void;
};

export function createProbe({ clock, asksBackground, answered, late }: Options): Probe {
  let isLight: boolean | null = null;
  let isWaiting = true;
  let isDone = false;
  const timer = clock.setTimer(WAIT_MS, () => {
    isWaiting = false;
    answered(null);
  });
  return {
    question: `${asksBackground ? BACKGROUND : ""}${CURSOR}`,
    take: (report) => {
      if (isDone) return;
      if (report.kind === "background") {
        isLight = report.isLight;
        return;
      }
      isDone = true;
      const traits = { isWide: report.column > 2, isLight };
      timer.cancel();
      (isWaiting ? answered : late)(traits);
    },
  };
}
