import { useEffect } from "preact/hooks";
import { doneText } from "../../core/select/end-words.ts";
import { runStatus } from "../../core/select/run-status.ts";
import { ballOf } from "../../core/select/state-words.ts";
import { useMoment } from "../context.ts";

/** The title and the sign of the browser's tab say how the run stands, for whoever looks at something else. */
export function useTabSign(): void {
  const { state, rows, isDriven, progress, balls, replay } = useMoment();
  const { word, shown } = runStatus(state, rows, isDriven);
  const need = balls.you === 0 ? "" : `, ${balls.you} need${balls.you === 1 ? "s" : ""} you`;
  const how = replay === null ? word : "Replay";
  const title = `${doneText(progress)}${need} · ${state.run} · ${how}`;
  const ball = balls.you > 0 ? "you" : ballOf[shown];
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => setIcon(COLOURS[ball], balls.you > 0), [ball]);
}

/** A tab may be dark or light, whatever the page is: these are seen on both. */
const COLOURS = {
  you: "#e5484d",
  agents: "#3b82f6",
  plait: "#b45fc4",
  clock: "#c8940f",
  done: "#12a67c",
  later: "#848c95",
} as const;

function setIcon(colour: string, needsYou: boolean): void {
  const inside = needsYou
    ? '<path d="M8 4.5v4.2M8 11.3v.2" stroke="#fff" stroke-width="2" stroke-linecap="round"/>'
    : '<path d="M6 3.5c0 2.2 4 2.2 4 4.5s-4 2.3-4 4.5M10 3.5c0 2.2-4 2.2-4 4.5s4 2.3 4 4.5" fill="none" stroke="#fff" stroke-width="1.5"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="${colour}"/>${inside}</svg>`;
  const found = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const link =
    found ?? document.head.appendChild(Object.assign(document.createElement("link"), { rel: "icon" }));
  link.href = `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
