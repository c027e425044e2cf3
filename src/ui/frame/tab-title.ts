import { useEffect } from "preact/hooks";
import { formatActorCount } from "../../core/select/actor-text.ts";
import { findRunSign, formatDone, formatRunWord } from "../../core/select/run-status-text.ts";
import { nextActorByKind } from "../../core/select/task-status.ts";
import { capital } from "../../core/text/figures.ts";
import { useMoment } from "../context.ts";

/** The browser tab shows the status of the run while another page is open. */
export function useTabTitle(): void {
  const { state, status, progress, actors, replay } = useMoment();
  const need =
    actors.you === 0 ? "" : `, ${actors.you} ${formatActorCount("you", actors.you, { isRunning: true })}`;
  const word = replay === null ? capital(formatRunWord(status)) : "Replay";
  const title = `${formatDone(progress)}${need} · ${state.run} · ${word}`;
  const actor = actors.you > 0 ? "you" : nextActorByKind[findRunSign(status)];
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => setIcon(COLORS[actor], actors.you > 0), [actor]);
}

/** Visible on dark and light tabs alike. */
const COLORS = {
  you: "#e5484d",
  agents: "#3b82f6",
  plait: "#b45fc4",
  clock: "#c8940f",
  done: "#12a67c",
  later: "#848c95",
} as const;

function setIcon(color: string, needsYou: boolean): void {
  const inside = needsYou
    ? '<path d="M8 4.5v4.2M8 11.3v.2" stroke="#fff" stroke-width="2" stroke-linecap="round"/>'
    : '<path d="M6 3.5c0 2.2 4 2.2 4 4.5s-4 2.3-4 4.5M10 3.5c0 2.2-4 2.2-4 4.5s4 2.3 4 4.5" fill="none" stroke="#fff" stroke-width="1.5"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="${color}"/>${inside}</svg>`;
  const found = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const link =
    found ?? document.head.appendChild(Object.assign(document.createElement("link"), { rel: "icon" }));
  link.href = `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
