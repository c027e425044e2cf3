import { useEffect, useRef } from "preact/hooks";
import { runBanner } from "../../core/select/run-banner.ts";
import { runStatus } from "../../core/select/run-status.ts";
import { useMoment } from "../context.ts";
import type { Moment } from "../run/run-store.ts";
import { useAnnounce } from "./live-region.tsx";

/** Tells readers when the run stands otherwise than before: it pauses, ends, is cut off, or is not heard any more. */
export function StatusNews() {
  const moment = useMoment();
  const announce = useAnnounce();
  const word = wordOf(moment);
  const before = useRef(word);
  useEffect(() => {
    if (moment.replay !== null || word === before.current) return;
    before.current = word;
    announce({ text: word === LOST ? LOST : textOf(moment, word), isUrgent: true, about: "the run" });
  }, [word, moment.replay === null]);
  return null;
}

const LOST = "Connection lost";

function wordOf({ connection, state, rows, isDriven }: Moment): string {
  const isLost = connection.kind === "lost" || connection.kind === "refused";
  return isLost ? LOST : runStatus(state, rows, isDriven).word;
}

/** As the line below the figures has it, where there is one; several of these make one message, so without the last dot. */
function textOf({ state, now, isDriven, rows }: Moment, word: string): string {
  const text = runBanner(state, { now, isDriven, rows })?.text ?? word;
  return text.replaceAll("`", "").replace(/\.$/, "");
}
