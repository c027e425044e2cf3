import type { RunView } from "../../app/run-view.ts";
import { paint } from "../render/line.ts";
import { happened } from "../render/run/happened.ts";
import { createOperator, type Operator } from "../screen/operator.ts";
import { type Artist, createArtist } from "./artist.ts";
import { createFrames, type Frames, keptLines } from "./frames.ts";
import type { Follower, ProgressPlace } from "./io.ts";
import { listenTo, type Typing } from "./typing.ts";

/**
 * The run as a block that moves, below lines that stay. Whoever sits there can choose a task and look into it on a screen of its
 * own; the run goes on underneath, and what happened meanwhile is told when they come back.
 */
export function followInTerminal(view: RunView, place: ProgressPlace): Follower {
  const { io, interrupt } = place;
  const kept = keptLines();
  const artist = createArtist(view, place, kept);
  const frames = createFrames(place, { view, artist, kept, operator: () => operator, gone: end });
  const operator = operatorOf(view, place, { artist, frames });
  const typing = listen(place, { artist, frames, operator });

  function stay(text: string): void {
    if (text !== "") kept.add(text);
    frames.soon();
  }

  function end(): void {
    frames.end();
    operator?.close();
    for (const off of offs.splice(0)) off();
    typing?.close();
  }

  const offs = [
    io.onResize(frames.soon),
    view.subscribe({
      fact: (fact, after, before) => {
        const { glyphs, ink } = artist.look();
        operator?.heard(fact);
        const look = { width: io.columns(), glyphs, mode: "terminal", interrupt } as const;
        stay(paint(happened(fact, before, after, look), ink));
      },
      activity: frames.soon,
    }),
  ];
  // Where somebody sits, the terminal says first what it can show.
  if (typing === null) frames.begin();
  return {
    say: stay,
    close: () => {
      if (offs.length === 0) return;
      const last = artist.clear();
      end();
      frames.write(last);
    },
  };
}

type Drawing = { readonly artist: Artist; readonly frames: Frames };

/** Null where nobody sits there. */
function listen(
  { io, clock }: ProgressPlace,
  { artist, frames, operator }: Drawing & { readonly operator: Operator | null },
): Typing | null {
  return listenTo(io, clock, {
    asks: { isUnicode: !io.glyphs.ascii, background: io.colours && io.hues === "dark" },
    known: ({ isWide, isLight }) => {
      if (isWide) artist.becomeAscii();
      if (isLight === true) artist.becomeLight();
      frames.soon();
    },
    frames,
    key: (key) => operator?.take(key),
  });
}

/** Null where nobody can do anything but watch. */
function operatorOf(view: RunView, place: ProgressPlace, { artist, frames }: Drawing): Operator | null {
  const { io, clock, interrupt, controls } = place;
  if (io.keyboard == null || controls == null) return null;
  return createOperator({
    ...{ view, controls, clock, interrupt },
    seen: () => ({ rows: artist.rows(), body: artist.body() }),
    changed: frames.soon,
  });
}
