import { createKeyReader, type Key, type Report } from "../keys/read-keys.ts";
import type { Frames } from "./frames.ts";
import type { ProgressClock, ProgressIo } from "./io.ts";

/** What comes from the keyboard of a terminal: keys, and what the terminal itself answers. */
export type Typing = { readonly close: () => void };

type Heard = {
  /** What is worth asking the terminal. */
  readonly asks: { readonly isUnicode: boolean; readonly background: boolean };
  readonly key: (key: Key) => void;
  readonly known: (traits: Traits) => void;
  /** They begin when the terminal has answered, or takes long. */
  readonly frames: Pick<Frames, "begin" | "rest" | "write">;
};

/** An answer that is still on its way would be typed into the shell. */
const LAST_ANSWER_MS = 200;

/** Null where nobody sits there: then nothing is asked either. */
export function listenTo({ keyboard = null }: ProgressIo, clock: ProgressClock, heard: Heard): Typing | null {
  if (keyboard === null) return null;
  const { asks, frames } = heard;
  let isOpen = true;
  const answered = (traits: Traits | null, isLate: boolean): void => {
    if (!isOpen) return;
    if (traits !== null) heard.known(traits);
    if (!isLate) frames.begin();
  };
  const probe = asks.isUnicode ? createProbe(clock, asks.background, answered) : null;
  let isAnswered = probe === null;
  let closeNow: (() => void) | null = null;

  const reader = createKeyReader(
    {
      key: (key) => isOpen && heard.key(key),
      report: (report) => {
        probe?.take(report);
        if (report.kind !== "cursor") return;
        isAnswered = true;
        closeNow?.();
      },
    },
    clock,
  );
  const off = keyboard.listen(reader.take);
  keyboard.drawnBy({ rest: frames.rest, goOn: frames.begin });
  if (probe === null) frames.begin();
  else frames.write(probe.question);

  const shut = (): void => {
    off();
    reader.close();
    keyboard.close();
  };
  return {
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      if (isAnswered) return shut();
      const timer = clock.setTimer(LAST_ANSWER_MS, shut);
      closeNow = () => {
        timer.cancel();
        shut();
      };
    },
  };
}

/**
 * What is asked of a terminal before the first frame. Bars and rules are of ambiguous width: one cell for most, two where the
 * terminal is set up for East Asian text. One is printed and the cursor asked for; nothing of it stays to be seen.
 */
type Traits = {
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

/** `answered` is called once in time, with null when there was no answer until then, and again for an answer that came later. */
function createProbe(
  clock: ProgressClock,
  asksBackground: boolean,
  answered: (traits: Traits | null, isLate: boolean) => void,
) {
  let isLight: boolean | null = null;
  let isWaiting = true;
  let isDone = false;
  const timer = clock.setTimer(WAIT_MS, () => {
    isWaiting = false;
    answered(null, false);
  });
  return {
    /** What is written first. */
    question: `${asksBackground ? BACKGROUND : ""}${CURSOR}`,
    take: (report: Report): void => {
      if (isDone) return;
      if (report.kind === "background") {
        isLight = report.isLight;
        return;
      }
      isDone = true;
      timer.cancel();
      answered({ isWide: report.column > 2, isLight }, !isWaiting);
    },
  };
}
