import type { RunAction } from "../../core/run-action.ts";
import { actionWords } from "../../core/select/action-words.ts";
import { runBanner } from "../../core/select/run-banner.ts";
import { countdown } from "../../core/select/run-words.ts";
import type { Ball, ShownState } from "../../core/select/task-rows.ts";
import { useAsk, useMoment } from "../context.ts";
import { useOffers } from "../use-offers.ts";
import { Notice } from "./notice.tsx";

const SIGNS: { readonly [B in Ball]: ShownState } = {
  you: "held",
  clock: "parked",
  plait: "gating",
  agents: "running",
  later: "cancelled",
  done: "merged",
};

/** What holds for the run as a whole just now. */
export function RunBanner() {
  const ask = useAsk();
  const { state, now, isDriven, rows, replay } = useMoment();
  const ofRun = useOffers(null);
  const banner = runBanner(state, { now, isDriven, rows });
  const canAsk = useOffers(taskOf(banner?.action ?? null)).length + ofRun.length > 0;
  if (banner === null || (replay !== null && state.ended === null)) return null;
  const { ball, text, until, action } = banner;
  const wait = until === null ? "" : ` Looked at again in ${countdown(until - now)}.`;
  return (
    <Notice ball={ball} shown={SIGNS[ball]} text={`${text}${wait}`}>
      {action !== null && canAsk && (
        <button type="button" class="button notice-button" onClick={() => ask(action)}>
          {actionWords(state, action, { isDriven }).verb}…
        </button>
      )}
    </Notice>
  );
}

const taskOf = (action: RunAction | null) => (action !== null && "task" in action ? action.task : null);
