import type { RunTexts } from "../../app/index.ts";
import type { RunAction } from "../../core/decide.ts";
import type { Keyboard } from "../keys/keyboard.ts";
import type { Glyphs } from "../render/glyphs.ts";
import type { Hues } from "../render/line.ts";
import type { Interrupt } from "../render/run/look.ts";
import type { PatientStream } from "../streams.ts";

/** Where progress goes, and what can be shown there. */
export type ProgressIo = {
  /**
   * Takes the text and never throws. `flushed` is called once: with true when it is on its way, with false when nobody
   * reads any more (EPIPE, a closed terminal). Until then nothing else is written, so a slow reader costs no memory.
   */
  readonly write: (text: string, flushed: (ok: boolean) => void) => void;
  readonly columns: () => number;
  readonly rows: () => number;
  /** Gives the function that ends it. */
  readonly onResize: (listener: () => void) => () => void;
  readonly colours: boolean;
  /** Which colours, and whether bold may stand where nobody wants any. */
  readonly hues?: Hues;
  readonly weights?: boolean;
  readonly glyphs: Glyphs;
  /** Of whoever sits there; left out where nobody does. */
  readonly keyboard?: Keyboard | null;
};

/** The part of a clock that is needed here; times to be shown come from the view. */
export type ProgressClock = {
  readonly now: () => number;
  readonly setTimer: (delayMs: number, fire: () => void) => { readonly cancel: () => void };
};

export type ProgressPlace = {
  readonly io: ProgressIo;
  readonly clock: ProgressClock;
  readonly interrupt: Interrupt;
  /** What a log begins with. */
  readonly head?: string;
  /** What whoever watches can do; left out where they can only watch. */
  readonly controls?: Controls | null;
  /** Told when the terminal cannot show the signs that it was thought to show. */
  readonly onGlyphs?: (glyphs: Glyphs) => void;
};

export type Controls = {
  /** Null when it is done, else why not. */
  readonly act: (action: RunAction) => Promise<string | null>;
  /** Ends the watching, and nothing else. */
  readonly leave: () => void;
  readonly texts: RunTexts;
};

/** What shows a run. Whoever began it ends it. */
export type Follower = {
  /** Lines from elsewhere, which stay. They never tear what moves. */
  readonly say: (text: string) => void;
  /** What moves is gone, what stays is written, nothing is heard any more. */
  readonly close: () => void;
};

/** The part of a stream that is needed here: process.stdout is one. */
export type ProgressStream = Omit<PatientStream, "settled">;

type StreamLook = Pick<ProgressIo, "colours" | "hues" | "weights" | "glyphs" | "keyboard">;

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

export function streamIo(stream: ProgressStream, look: StreamLook): ProgressIo {
  return {
    write: (text, flushed) => void stream.write(text, (error) => flushed(error == null)),
    // Some terminals say 0 before they know.
    columns: () => stream.columns || DEFAULT_COLUMNS,
    rows: () => stream.rows || DEFAULT_ROWS,
    onResize: (listener) => {
      stream.on("resize", listener);
      return () => void stream.off("resize", listener);
    },
    ...look,
  };
}
