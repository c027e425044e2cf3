import type { RunAction } from "../../core/decide.ts";
import { formatAction } from "../../core/select/action-text.ts";
import { listBanners, type RunBanner } from "../../core/select/run-banner.ts";
import type { NextActor, StatusKind } from "../../core/select/task-status.ts";
import { plainText } from "../../core/text/sentence.ts";
import { useAsk, useMoment } from "../context.ts";
import { useOffers } from "../use-offers.ts";
import { Banner } from "./banner.tsx";

const SIGNS: { readonly [A in NextActor]: StatusKind } = {
  you: "held",
  clock: "paused",
  plait: "checking",
  agents: "running",
  later: "dropped",
  done: "merged",
};

/** What holds for the run as a whole now. */
export function RunBanners() {
  const { state, replay } = useMoment();
  const banners = useBanners();
  if (replay !== null && state.ended === null) return null;
  return (
    <>
      {banners.map((banner) => (
        <OneBanner key={plainText(banner.text)} {...banner} />
      ))}
    </>
  );
}

export function useBanners(): readonly RunBanner[] {
  const moment = useMoment();
  return listBanners(moment.state, moment);
}

function OneBanner({ actor, text, action }: RunBanner) {
  const ask = useAsk();
  const { state, isRunning } = useMoment();
  const offersOfRun = useOffers(null);
  const canAsk = useOffers(findTask(action)).length + offersOfRun.length > 0;
  return (
    <Banner actor={actor} shown={SIGNS[actor]} text={text}>
      {action !== null && canAsk && (
        <button type="button" class="button notice-button" onClick={() => ask(action)}>
          {formatAction(state, action, { isRunning }).verb}…
        </button>
      )}
    </Banner>
  );
}

const findTask = (action: RunAction | null) => (action !== null && "task" in action ? action.task : null);
