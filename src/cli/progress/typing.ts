import { createKeyReader, type Key, type Report } from "../keys/read-keys.ts";
import type { ProgressClock, ProgressIo } from "./io.ts";

/** What comes from the keyboard of a terminal: keys, and what the terminal itself answers. */
export type Typing = { readonly close: () => void };

type Heard = {
  /** What is worth asking the terminal. */
  readonly asks: { readonly isUnicode: boolean; readonly background: boolean };
  readonly key: (key: Key) => void;
  readonly known: (traits: Traits) => void;
  /** The first frame may be drawn: the terminal has answered, or takes long. */
  readonly ready: () => void;
  readonly ask: (text: string) => void;
  readonly rest: (rested: () => void) => void;
  readonly goOn: () => void;
};

/** An answer that is still on its way would be typed into the shell. */
const LAST_ANSWER_MS = 200;

/** Null where nobody sits there: then nothing is asked either. */
export function listenTo({ keyboard = null }: ProgressIo, clock: ProgressClock, heard: Heard): Typing | null {
  if (keyboard === null) return null;
  let isOpen = true;
  const probe = heard.asks.isUnicode ? ask() : null;
  let isAnswered = probe === null;
  let closeNow: (() => void) | null = null;

  function ask() {
    return createProbe({
      clock,
      asksBackground: heard.asks.background,
      answered: (traits) => {
        if (!isOpen) return;
        if (traits !== null) heard.known(traits);
        heard.ready();
      },
      late: (traits) => {
        if (isOpen) heard.known(traits);
      },
    });
  }

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
  keyboard.drawnBy({ rest: heard.rest, goOn: heard.goOn });
  if (probe === null) heard.ready();
  else heard.ask(probe.question);

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
type Probe = {
  /** What is written first. */
  readonly question: string;
  readonly take: (report: Report) => void;
};

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

type Options = {
  readonly clock: ProgressClock;
  /** Whether its background matters. */
  readonly asksBackground: boolean;
  /** Called once, in time: null when there was no answer until then. */
  readonly answered: (traits: Traits | null) => void;
  /** An answer that came later. */
  readonly late: (traits: Traits) => void;
};

function createProbe({ clock, asksBackground, answered, late }: Options): Probe {
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
