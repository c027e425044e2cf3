import { useEffect, useRef } from "preact/hooks";
import { formatNotice, formatNoticeSentence } from "../../core/select/notice-text.ts";
import type { Notice } from "../../core/select/notices.ts";
import { progress } from "../../core/select/progress.ts";
import { listBanners } from "../../core/select/run-banner.ts";
import { formatDone, formatRunWord } from "../../core/select/run-status-text.ts";
import { name, sentence, task } from "../../core/text/sentence.ts";
import { type Toast, useMoment, useToast } from "../context.ts";
import { formatLocal } from "../parts/sentence-text.tsx";
import { taskRoute } from "../route.ts";
import type { Moment } from "../run/run-store.ts";
import { useAnnounce, useOutdate } from "./messages.tsx";

/** Shows notices as they come: as toasts, and as announcements for screen readers. */
export function NoticeToasts() {
  const moment = useMoment();
  const { noticed, known, latest, now } = moment;
  const toast = useToast();
  const outdate = useOutdate();
  const announce = useAnnounce();
  const shown = useRef(noticed.length);
  useEffect(() => {
    // More may have come since this moment was read: it is shown with its own.
    const news = noticed
      .slice(shown.current)
      .filter(({ n }) => n < known)
      .map(({ notice }) => notice);
    shown.current += news.length;
    for (const one of news) {
      outdate(one.task ?? one.run);
      const built = buildToast(one, moment);
      if (built === null) continue;
      toast(built);
      announce({ text: formatLocal(built.text, now), isUrgent: built.stays === true, about: one.task });
    }
    if (news.some(({ kind }) => kind === "merged" || kind === "passed"))
      announce({ text: formatDone(progress(latest)), isUrgent: false, about: "progress" });
  }, [known]);
  return null;
}

/** Null for a notice that whoever looks sees anyway. */
function buildToast(one: Notice, { state }: Moment): Toast | null {
  const { sign: shown } = formatNotice(one);
  const { run } = state;
  const who = one.task === null ? name(run) : task(one.task);
  const toast = { shown, text: formatNoticeSentence(one) };
  switch (one.kind) {
    case "merged":
    case "passed": {
      const route = taskRoute(run, one.task, { tab: "diff" });
      const text = sentence`${who} ${one.kind}`;
      return { shown, text, about: one.task, link: { label: "Diff", route } };
    }
    case "failed":
    case "held":
      return {
        ...toast,
        stays: true,
        about: one.task,
        link: { label: "Open", route: taskRoute(run, one.task) },
      };
    case "paused":
      return one.task === null ? null : { ...toast, about: one.task };
    case "landed":
      return { ...toast, about: run };
    case "refused":
    case "not-undone":
    case "run-held":
      return { ...toast, stays: true, about: run };
    default:
      return null;
  }
}

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
