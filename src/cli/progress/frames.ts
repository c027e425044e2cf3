import type { RunView } from "../../app/run-view.ts";
import { countRunningAgents } from "../../core/select/task-rows.ts";
import { count } from "../../core/text/figures.ts";
import type { Operator } from "../screen/operator.ts";
import type { Artist } from "./artist.ts";
import type { ProgressIo, ProgressPlace } from "./io.ts";
import { createPacer, FRAME_MS } from "./pacer.ts";

/** Draws a run whenever something changed, one frame after another. A slow terminal sees fewer of them, and nothing piles up. */
export type Frames = ReturnType<typeof createFrames>;

type Drawn = {
  readonly view: RunView;
  readonly artist: Artist;
  readonly kept: KeptLines;
  readonly operator: () => Operator | null;
  /** Nobody reads any more. */
  readonly gone: () => void;
};

/** Where nothing turns, only the seconds count. */
const SECOND_MS = 1_000;

export function createFrames({ io, clock }: ProgressPlace, drawn: Drawn) {
  const { view, artist, kept, operator, gone } = drawn;
  const write = inOrder(io.write);
  const pacer = createPacer(clock, draw);
  let isStill = true;

  function draw(): void {
    if (isStill) return;
    const text = artist.draw(operator());
    if (text === null) pacer.after(untilChange());
    else send(text);
  }

  function send(text: string): void {
    pacer.hold();
    write(text, (ok) => {
      pacer.release();
      if (!ok) gone();
      else if (kept.isEmpty() || artist.body() !== null) pacer.after(untilChange());
      else pacer.soon();
    });
  }

  /** A sign that turns is a change; without one, the next is that of the seconds. */
  function untilChange(): number {
    const turns = artist.body() === null && artist.look().glyphs.spinner.length > 1;
    return turns && countRunningAgents(view.state()) > 0 ? FRAME_MS : SECOND_MS;
  }

  return {
    soon: pacer.soon,
    /** Before this nothing is drawn, nor after `rest`. */
    begin: (): void => {
      isStill = false;
      pacer.soon();
    },
    /** Takes away all that moves, and tells when it is gone. */
    rest: (rested: () => void): void => {
      isStill = true;
      write(artist.clear(), rested);
    },
    /** Besides the frames, in its turn. */
    write: (text: string): void => write(text, () => undefined),
    end: pacer.end,
  };
}

/** Writes go one after another: the next begins when the one before it is on its way. When nobody reads, none does. */
function inOrder(write: ProgressIo["write"]): ProgressIo["write"] {
  type Text = { readonly text: string; readonly flushed: (ok: boolean) => void };
  const waiting: Text[] = [];
  let isWriting = false;
  let isOver = false;

  function next(): void {
    const one = isWriting ? undefined : waiting.shift();
    if (one === undefined) return;
    if (isOver) {
      one.flushed(false);
      next();
      return;
    }
    isWriting = true;
    write(one.text, (ok) => {
      isWriting = false;
      isOver ||= !ok;
      one.flushed(ok);
      next();
    });
  }

  return (text, flushed) => {
    waiting.push({ text, flushed });
    next();
  };
}

/** What stays is kept for a terminal that takes no text (a stopped one, a slow line), up to this many texts. */
const MOST_KEPT = 1_000;

/** Texts that wait for the next frame. The oldest go first when nobody takes them, and their number is told. */
export type KeptLines = {
  readonly add: (text: string) => void;
  readonly take: () => string;
  readonly isEmpty: () => boolean;
};

export function keptLines(): KeptLines {
  let lines: string[] = [];
  let lost = 0;
  return {
    add: (text) => {
      lines.push(text);
      if (lines.length > 2 * MOST_KEPT) {
        lost += lines.length - MOST_KEPT;
        lines = lines.slice(-MOST_KEPT);
      }
    },
    take: () => {
      const told = lost === 0 ? "" : `(${count(lost, "text")} left out: the terminal took none)\n`;
      const text = told + lines.join("");
      lines = [];
      lost = 0;
      return text;
    },
    isEmpty: () => lines.length === 0,
  };
}
