import { useEffect, useRef } from "preact/hooks";
import { doneText } from "../../core/select/end-words.ts";
import { happeningWords } from "../../core/select/happening-words.ts";
import type { Happening } from "../../core/select/happenings.ts";
import { progress } from "../../core/select/progress.ts";
import { untilText } from "../../report/local-times.ts";
import { type Toast, useMoment, useToast } from "../context.ts";
import type { Moment } from "../run/run-store.ts";
import { useAnnounce } from "./live-region.tsx";
import { useOutdate } from "./toasts.tsx";

/** Tells what happens while somebody looks: at the edge for the eye, and in words for readers. */
export function HappeningToasts() {
  const moment = useMoment();
  const { happened, known, latest } = moment;
  const toast = useToast();
  const outdate = useOutdate();
  const announce = useAnnounce();
  const told = useRef(happened.length);
  useEffect(() => {
    // More may have come since this moment was read: that is told with its own.
    const news = happened
      .slice(told.current)
      .filter(({ n }) => n < known)
      .map(({ happening }) => happening);
    told.current += news.length;
    for (const one of news) {
      outdate(one.task ?? one.run);
      const said = toastOf(one, moment);
      if (said === null) continue;
      toast(said);
      announce({ text: said.text.replaceAll("`", ""), isUrgent: said.stays === true, about: one.task });
    }
    if (news.some(({ kind }) => kind === "merged" || kind === "passed"))
      announce({ text: doneText(progress(latest)), isUrgent: false, about: "how far" });
  }, [known]);
  return null;
}

/** Null for what is no news to anybody who looks. */
function toastOf(one: Happening, { state }: Moment): Toast | null {
  const { shown, text } = happeningWords(one, untilText);
  const { run } = state;
  const told = { shown, text: `\`${one.task ?? run}\` ${text}` };
  switch (one.kind) {
    case "merged":
    case "passed": {
      const route = { view: "task", run, task: one.task, tab: "diff", attempt: null } as const;
      return { shown, text: `\`${one.task}\` ${one.kind}`, about: one.task, link: { label: "Diff", route } };
    }
    case "failed":
    case "held": {
      const route = { view: "task", run, task: one.task, tab: "transcript", attempt: null } as const;
      return { ...told, stays: true, about: one.task, link: { label: "Open", route } };
    }
    case "parked":
      return { ...told, about: one.task, text: `${told.text}. Other agents go on.` };
    case "landed":
      return { ...told, about: run };
    case "refused":
    case "not-undone":
    case "run-held":
      return { ...told, stays: true, about: run };
    default:
      return null;
  }
}
