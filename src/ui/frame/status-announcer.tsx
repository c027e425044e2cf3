import { useEffect, useRef } from "preact/hooks";
import { listBanners } from "../../core/select/run-banner.ts";
import { formatRunWord } from "../../core/select/run-status-text.ts";
import { useMoment } from "../context.ts";
import { formatLocal } from "../parts/sentence-text.tsx";
import type { Moment } from "../run/run-store.ts";
import { useAnnounce } from "./live-region.tsx";

/** Announces to screen readers that the status of the run, or the connection, has changed. */
export function StatusAnnouncer() {
  const moment = useMoment();
  const announce = useAnnounce();
  const word = findWord(moment);
  const before = useRef(word);
  useEffect(() => {
    if (moment.replay !== null || word === before.current) return;
    before.current = word;
    announce({ text: word === LOST ? LOST : formatStatus(moment, word), isUrgent: true, about: "the run" });
  }, [word, moment.replay === null]);
  return null;
}

const LOST = "Connection lost";

function findWord({ connection, status }: Moment): string {
  const isLost = connection.kind === "lost" || connection.kind === "refused";
  return isLost ? LOST : formatRunWord(status);
}

/** The banner, where there is one. */
function formatStatus(moment: Moment, word: string): string {
  return formatLocal(listBanners(moment.state, moment)[0]?.text ?? word, moment.now);
}
