import type { RunState } from "../../../core/run-state.ts";
import { baseGate } from "../../../core/select/base-words.ts";
import { shortRef } from "../../../core/select/run-words.ts";
import { stoppingText as textOfStop } from "../../../core/select/stopping-text.ts";
import { type Line, type Style, styled } from "../line.ts";
import { shown } from "../visible.ts";
import { cutLine, type Interrupt, type Look } from "./look.ts";

/** What holds for the run as a whole just now: who, why, and what to do about it. One line, or none. */
export function banner(state: RunState, look: Look & { readonly interrupt?: Interrupt }): Line[] {
  const told = bannerText(state, look.interrupt ?? "stops");
  if (told === null) return [];
  return [cutLine([styled(told.style, shown(told.text, look.glyphs))], look)];
}

function bannerText(state: RunState, interrupt: Interrupt): Told | null {
  if (state.ended !== null) return null;
  if (state.held !== null) return { style: "red", text: `Held: ${state.held}` };
  if (state.stopping !== null) {
    return {
      style: "yellow",
      text: stoppingText(state, state.stopping, interrupt),
    };
  }
  if (state.landing.kind === "refused") return { style: "red", text: `Not landed: ${state.landing.detail}` };
  if (state.paused) return { style: "yellow", text: "Paused: what runs goes on, nothing starts." };
  if (state.landing.kind === "landed") return null;
  const gate = baseGate(state);
  if (gate !== null) return { style: "magenta", text: `Checking the base first: gate ${gate}.` };
  if (isLanding(state)) return { style: "magenta", text: `Landing on ${shortRef(state.target ?? "")}.` };
  return null;
}

type Told = { readonly style: Style; readonly text: string };

/** The words for a stop, here and in the line that stays. */
export function stoppingText(
  state: Pick<RunState, "run" | "indices" | "failedFast">,
  mode: NonNullable<RunState["stopping"]>,
  interrupt: Interrupt,
): string {
  return textOfStop(state, mode, interrupt === "stops" ? " ^C again kills at once." : "");
}

/** Everything that was selected is done, and it is not yet where it was asked for. */
function isLanding({ indices, policy, target, landingAsked, tip, base, selected, index }: RunState): boolean {
  const wanted = policy.land !== "never" || landingAsked;
  const total = selected?.size ?? index.plan.tasks.length;
  return wanted && target !== null && tip.commit !== base.commit && indices.done === total;
}
