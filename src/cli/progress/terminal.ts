import type { RunView } from "../../app/run-view.ts";
import { count } from "../../core/select/preview/words.ts";
import { agentsAtWork } from "../../core/select/task-rows.ts";
import { paint } from "../render/line.ts";
import { happened } from "../render/run/happened.ts";
import { drawBlock, type LiveRun, readRun } from "../render/run/live.ts";
import type { Follower, ProgressIo, ProgressPlace } from "./io.ts";
import { createPacer, FRAME_MS } from "./pacer.ts";
import { createPainter } from "./painter.ts";

/** Where nothing turns, only the seconds count. */
const SECOND_MS = 1_000;

/** What stays is kept for a terminal that takes no text (a stopped one, a slow line), up to this many texts. */
const MOST_KEPT = 1_000;

/** The run as a block that moves, below lines that stay. */
export function followInTerminal(view: RunView, { io, clock, interrupt }: ProgressPlace): Follower {
  const painter = createPainter(io);
  const latest = latestRun(view);
  const kept = keptLines();
  const pacer = createPacer(clock, draw);
  const size = () => ({ columns: io.columns(), rows: io.rows() });

  function draw(): void {
    const { columns: width, rows: height } = size();
    const frame = Math.floor(clock.now() / FRAME_MS);
    const block = drawBlock(latest(), { width, height, glyphs: io.glyphs, frame, interrupt });
    const text = painter.frame(block, kept.take(), size());
    if (text === null) pacer.after(untilChangeMs(view, io));
    else write(text);
  }

  /** A slow terminal sees fewer frames, and nothing piles up. */
  function write(text: string): void {
    pacer.hold();
    io.write(text, (ok) => {
      pacer.release();
      if (!ok) end();
      else if (kept.isEmpty()) pacer.after(untilChangeMs(view, io));
      else pacer.soon();
    });
  }

  function stay(text: string): void {
    if (text !== "") kept.add(text);
    pacer.soon();
  }

  function end(): void {
    pacer.end();
    for (const off of offs.splice(0)) off();
  }

  const offs = [
    io.onResize(pacer.soon),
    view.subscribe({
      fact: (fact, after, before) => {
        const look = { width: io.columns(), glyphs: io.glyphs, mode: "terminal", interrupt } as const;
        stay(paint(happened(fact, before, after, look), io));
      },
      activity: pacer.soon,
    }),
  ];
  pacer.soon();
  return {
    say: stay,
    close: () => {
      if (offs.length === 0) return;
      end();
      io.write(painter.close(kept.take(), size()), () => undefined);
    },
  };
}

/** A sign that turns is a change; without one, the next is that of the seconds. */
function untilChangeMs(view: RunView, { glyphs }: ProgressIo): number {
  return glyphs.spinner.length > 1 && agentsAtWork(view.state()) > 0 ? FRAME_MS : SECOND_MS;
}

/**
 * The run as it was read last, as long as that holds: most frames only turn a sign, and need not cost the number of
 * tasks. Figures hold for a second; what agents do is looked up for each frame.
 */
function latestRun(view: RunView): () => LiveRun {
  let read: LiveRun | null = null;
  return () => {
    const [state, now, activity] = [view.state(), view.now(), view.activity()];
    const holds = read !== null && read.state === state && sameSecond(read.now, now);
    read = read !== null && holds ? { ...read, activity } : readRun({ state, now, activity });
    return read;
  };
}

const sameSecond = (a: number, b: number): boolean => Math.floor(a / SECOND_MS) === Math.floor(b / SECOND_MS);

/** Texts that wait for the next frame. The oldest go first when nobody takes them, and their number is told. */
function keptLines() {
  let lines: string[] = [];
  let lost = 0;
  return {
    add: (text: string) => {
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
