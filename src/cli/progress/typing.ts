import { createProbe, type Traits } from "../keys/probe.ts";
import { createKeyReader, type Key } from "../keys/read-keys.ts";
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
