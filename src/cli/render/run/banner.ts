import type { RunState } from "../../../core/run-state.ts";
import type { Overview } from "../../../core/select/overview.ts";
import { runBanner } from "../../../core/select/run-banner.ts";
import { inText } from "../../../core/select/run-words.ts";
import { stoppingText as textOfStop } from "../../../core/select/stopping-text.ts";
import type { Ball } from "../../../core/select/task-rows.ts";
import { type Line, type Style, styled } from "../line.ts";
import { shown } from "../visible.ts";
import { cutLine, type Interrupt, type Look } from "./look.ts";

const styles: { readonly [B in Ball]: Style } = {
  you: "red",
  clock: "yellow",
  plait: "magenta",
  agents: "cyan",
  later: "dim",
  done: "green",
};

/** What holds for the run as a whole just now: who, why, until when. One line, or none; its end is told elsewhere. */
export function banner(
  { state, now, rows }: Overview,
  look: Look & { readonly interrupt?: Interrupt },
): Line[] {
  if (state.ended !== null) return [];
  const harder = harderText(look.interrupt ?? "stops");
  const told = runBanner(state, { now, isDriven: true, rows, harder });
  if (told === null) return [];
  const wait = told.until === null ? "" : ` Looked at again ${inText(told.until - now)}.`;
  return [cutLine([styled(styles[told.ball], shown(told.text + wait, look.glyphs))], look)];
}

/** The words for a stop, here and in the line that stays. */
export function stoppingText(
  state: Pick<RunState, "run" | "indices" | "failedFast">,
  mode: NonNullable<RunState["stopping"]>,
  interrupt: Interrupt,
): string {
  return textOfStop(state, mode, harderText(interrupt));
}

const harderText = (interrupt: Interrupt): string =>
  interrupt === "stops" ? " ^C again kills at once." : "";
