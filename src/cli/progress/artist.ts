import type { RunView } from "../../app/run-view.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import { type Glyphs, glyphs as signs } from "../render/glyphs.ts";
import type { Hues, Ink } from "../render/line.ts";
import { rowsInOrder } from "../render/run/groups.ts";
import { drawBlock, type LiveRun, readRun } from "../render/run/live.ts";
import type { Operator } from "../screen/operator.ts";
import { blockFoot, type Picture, pictureOf } from "../screen/pictures.ts";
import type { Scrolled } from "../screen/scroll.ts";
import type { Place } from "../screen/ui.ts";
import type { KeptLines } from "./frames.ts";
import type { ProgressPlace } from "./io.ts";
import { FRAME_MS } from "./pacer.ts";
import { createPainter, createScreenPainter, type PaintLook } from "./painter.ts";

/** Draws a run, as the block or on a screen of its own, and knows what of it is seen. */
export type Artist = {
  /** What turns the screen into what it should be; null when nothing would change. */
  readonly draw: (operator: Operator | null) => string | null;
  /** All that moves is gone, what stays is written, the cursor is back. */
  readonly clear: () => string;
  readonly look: () => { readonly glyphs: Glyphs; readonly ink: Ink };
  readonly becomeAscii: () => void;
  readonly becomeLight: () => void;
  /** As they are drawn. */
  readonly rows: () => readonly TaskRow[];
  /** What is scrolled; null while the block is shown. */
  readonly body: () => Scrolled | null;
};

export function createArtist(view: RunView, place: ProgressPlace, kept: KeptLines): Artist {
  const { io, clock, interrupt } = place;
  const [painter, screen, latest] = [createPainter(), createScreenPainter(), latestRun(view)];
  const look = lookOf(place);
  let picture: Picture | null = null;

  const paintLook = (): PaintLook => ({ ...sizeOf(io), ink: look.now().ink, ascii: look.now().glyphs.ascii });

  function leaveScreen(): string {
    const left = screen.leave();
    if (left !== "") io.keyboard?.screen("main");
    picture = null;
    return left;
  }

  function block(operator: Operator | null): string | null {
    const { columns: width, rows: height } = sizeOf(io);
    const run = latest();
    const frame = Math.floor(clock.now() / FRAME_MS);
    const blockLook = { width, height, glyphs: look.now().glyphs, interrupt, frame };
    const ui = operator?.ui();
    const foot = ui === undefined ? {} : { foot: blockFoot(ui, run.state, run.summary.rows, blockLook) };
    const lines = drawBlock(run, { ...blockLook, selected: ui?.selected ?? null, ...foot });
    const left = leaveScreen();
    const text = painter.frame(lines, kept.take(), paintLook());
    return left === "" ? text : left + (text ?? "");
  }

  /** What stays waits until the block is back: this screen belongs to what is read here. */
  function whole(at: Exclude<Place, { kind: "run" }>, operator: Operator): string | null {
    const { columns: width, rows: height } = sizeOf(io);
    const screenLook = { width, height, glyphs: look.now().glyphs };
    const drawn = pictureOf(operator.ui(), at, { view, texts: operator.texts, interrupt, look: screenLook });
    if (drawn === null) {
      operator.take("q"); // its task has left the plan
      return block(operator);
    }
    picture = drawn;
    io.keyboard?.screen("alternate");
    return screen.frame(drawn.lines, paintLook());
  }

  return {
    draw: (operator) => {
      const at = operator?.ui().place;
      return operator === null || at === undefined || at.kind === "run"
        ? block(operator)
        : whole(at, operator);
    },
    clear: () => leaveScreen() + painter.close(kept.take(), sizeOf(io)),
    look: look.now,
    becomeAscii: look.becomeAscii,
    becomeLight: look.becomeLight,
    rows: () => rowsInOrder(latest().groups),
    body: () => picture?.body ?? null,
  };
}

const sizeOf = (io: ProgressPlace["io"]) => ({ columns: io.columns(), rows: io.rows() });

/** What the terminal was thought to show, until it has said itself what it can. */
function lookOf({ io, onGlyphs }: ProgressPlace) {
  let { glyphs } = io;
  let hues: Hues = io.hues ?? "basic";
  return {
    now: (): { readonly glyphs: Glyphs; readonly ink: Ink } => ({
      glyphs,
      ink: { colours: io.colours, hues, weights: io.weights ?? false },
    }),
    becomeAscii: () => {
      glyphs = signs.ascii;
      onGlyphs?.(glyphs);
    },
    becomeLight: () => {
      if (hues === "dark") hues = "light";
    },
  };
}

const SECOND_MS = 1_000;

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
