// Shows a run as parallel-orchestra does: a block that is painted over itself in a terminal, one line at a time in a log, or,
// without a dashboard, a sign of life every five seconds. Where lines stay, one says when a task begins to wait, and for what.

import type { RunState, RunView } from "../../../app/index.ts";
import type { EpochMs } from "../../../core/facts.ts";
import { newWaits, type Waits, waitsIn } from "../../../report/parallel-orchestra/waits.ts";
import type { ProgressClock, ProgressIo } from "../../progress/io.ts";
import { createOutlet } from "../../progress/outlet.ts";
import { createPacer } from "../../progress/pacer.ts";
import { createPainter } from "../../progress/painter.ts";
import { cutEnd } from "../../render/width.ts";
import {
  blockLines,
  lastLine,
  signsOfLife,
  signsOfWaiting,
  statusLine,
  type TaskView,
  taskViews,
} from "./task-views.ts";

export type Dashboard = {
  /** Shows how it ended; nothing is heard any more. */
  readonly end: () => void;
};

export type DashboardMode = "block" | "lines" | "signs";

export type DashboardPlace = {
  readonly io: ProgressIo;
  readonly clock: ProgressClock;
  readonly resumed: ReadonlySet<string>;
};

export function showRun(view: RunView, mode: DashboardMode, place: DashboardPlace): Dashboard {
  const views = (): TaskView[] => taskViews(view.state(), view.now(), view.activity(), place.resumed);
  return mode === "block" ? showBlock(view, views, place) : showLines(view, views, { ...place, mode });
}

type Views = () => TaskView[];

const IDLE_MS = 5_000;

function showBlock(view: RunView, views: Views, { io, clock }: DashboardPlace): Dashboard {
  const painter = createPainter();
  const pacer = createPacer(clock, draw);
  const size = () => ({ columns: io.columns(), rows: io.rows() });
  function draw(): void {
    const room = Math.max(2, io.rows() - 1);
    const lines = blockLines(views(), false);
    const shown =
      lines.length <= room
        ? lines
        : [...lines.slice(0, room - 1), `  ... ${lines.length - room + 1} more lines`];
    const text = painter.frame(
      shown.map((line) => [cutEnd(line, io.columns() - 1, "…")]),
      "",
      { ...size(), ink: { colours: io.colours }, ascii: io.glyphs.ascii },
    );
    if (text === null) {
      pacer.after(IDLE_MS);
      return;
    }
    pacer.hold();
    io.write(text, (isOpen) => {
      pacer.release();
      if (isOpen) pacer.after(IDLE_MS);
      else pacer.end();
    });
  }
  const off = view.subscribe({ fact: pacer.soon, activity: pacer.soon });
  const unresize = io.onResize(pacer.soon);
  pacer.soon();
  return {
    end: () => {
      off();
      unresize();
      pacer.end();
      const last = blockLines(views(), true).map((line) => `${line}\n`);
      io.write(painter.close(last.join(""), size()), () => undefined);
    },
  };
}

/** A line is never closer to the one before than this, and never further than that. */
const CLOSEST_MS = 5_000;
const FURTHEST_MS = 30_000;
const MAX_CHARS = 200_000;

function showLines(
  view: RunView,
  views: Views,
  { io, clock, mode }: DashboardPlace & { readonly mode: "lines" | "signs" },
): Dashboard {
  const outlet = createOutlet({
    write: io.write,
    maxChars: MAX_CHARS,
    onFull: { kind: "skip", tell: () => "" },
  });
  const startedAt = clock.now();
  let saidAt = startedAt;
  let timer: { readonly cancel: () => void } | null = null;
  let isDue = false;
  const teller = tellWaits(clock);

  function push(lines: readonly string[]): void {
    if (lines.length > 0) outlet.push(lines.map((line) => `${line}\n`).join(""));
  }
  function wait(): void {
    timer?.cancel();
    const age = clock.now() - saidAt;
    const isSoon = mode === "signs" || isDue;
    timer = clock.setTimer(Math.max(0, (isSoon ? CLOSEST_MS : FURTHEST_MS) - age), say);
  }
  function say(): void {
    isDue = false;
    saidAt = clock.now();
    const seconds = Math.round((saidAt - startedAt) / 1000);
    push(teller.news(view.state(), view.now()));
    const all = views();
    push(mode === "lines" ? [statusLine(all, seconds)] : [...signsOfLife(all), ...teller.signs(all)]);
    wait();
  }
  const off = view.subscribe({
    fact: (_, after) => {
      isDue = true;
      push(teller.news(after, view.now()));
      if (mode === "lines") wait();
    },
  });
  wait();
  return {
    end: () => {
      off();
      timer?.cancel();
      if (mode === "lines") outlet.push(`${lastLine(views())}\n`);
    },
  };
}

function tellWaits(clock: ProgressClock) {
  let waits: Waits = new Map();
  let toldAt = clock.now();
  return {
    /** Of those that begin to wait. */
    news: (state: RunState, now: EpochMs): string[] => {
      const before = waits;
      waits = waitsIn(state, now);
      const lines = newWaits(before, waits);
      if (lines.length > 0) toldAt = clock.now();
      return lines;
    },
    /** In between, where nothing else is heard. */
    signs: (views: readonly TaskView[]): string[] => {
      if (clock.now() - toldAt < FURTHEST_MS) return [];
      toldAt = clock.now();
      return signsOfWaiting(views);
    },
  };
}
