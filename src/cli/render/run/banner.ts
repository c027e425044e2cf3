import type { Overview } from "../../../core/select/overview.ts";
import { listBanners } from "../../../core/select/run-banner.ts";
import type { NextActor } from "../../../core/select/task-status.ts";
import { plainText } from "../../../core/text/sentence.ts";
import { localTime } from "../../../report/local-times.ts";
import { dim, type Line, type Style, styled } from "../line.ts";
import { shown } from "../visible.ts";
import { cells } from "../width.ts";
import { cutLine, type Interrupt, type Look, measureLastColumn } from "./look.ts";

const styles: { readonly [B in NextActor]: Style } = {
  you: "red",
  clock: "yellow",
  plait: "magenta",
  agents: "cyan",
  later: "dim",
  done: "green",
};

export type BannerLook = Look & {
  readonly interrupt?: Interrupt;
  /** Lines at most; left out, all of them. */
  readonly most?: number;
};

/** What holds for the run as a whole just now: who, until when, why. A line each; the end of a run is shown elsewhere. */
export function banner({ state, now, rows, waits, progress }: Overview, look: BannerLook): Line[] {
  if (state.ended !== null) return [];
  const harder = formatHarderStop(look.interrupt ?? "stops");
  const told = listBanners(state, { now, isRunning: true, rows, waits, progress, harder });
  const { most = told.length } = look;
  return told.slice(0, most).map(({ actor, text }, n): Line => {
    const left = n === most - 1 ? told.length - most : 0;
    // How many more there are is never cut.
    const more = left === 0 ? "" : ` +${left} more`;
    const width = measureLastColumn(look.width - cells(more), look);
    const line = cutLine([styled(styles[actor], shown(plainText(text, localTime(now)), look.glyphs))], {
      ...look,
      width,
    });
    return left === 0 ? line : [...line, dim(more)];
  });
}

/** In a block of so many lines: most belong to tasks, and the last few to the figures and to what needs a person. */
export function countBannerLines(room: number): number {
  return room < 5 ? 0 : Math.max(1, Math.min(4, Math.floor(room / 6)));
}

export const formatHarderStop = (interrupt: Interrupt): string =>
  interrupt === "stops" ? "Press ^C again to kill at once." : "";
