import type { ComponentChildren } from "preact";
import { type NextActor, nextActorByKind, type StatusKind } from "../../core/select/task-status.ts";

// All signs are drawn on 16 units. A state has its own shape, so that nobody needs its color.

const line = (d: string, look = "") => <path d={d} class={`icon-line${look}`} />;
const fill = (d: string) => <path d={d} class="icon-fill" />;
const cut = (d: string) => <path d={d} class="icon-cut" />;
const circle = (r: string, look: string) => <circle cx="8" cy="8" r={r} class={look} />;

const ring = circle("5.6", "icon-line");
const turning = [circle("5.6", "icon-faint"), line("M8 2.4a5.6 5.6 0 0 1 5.6 5.6")];
const octagon = "M5.2 1.4h5.6L14.6 5.2v5.6L10.8 14.6H5.2L1.4 10.8V5.2z";
const check = "M5 8.2l2.2 2.2L11 6";

const states: { readonly [S in StatusKind]: ComponentChildren } = {
  waiting: ring,
  running: [...turning, circle("1.8", "icon-fill")],
  fixing: [...turning, line("M8 5.6v4.8M5.6 8h4.8")],
  preparing: [ring, line("M8 5v6M5 8h6")],
  saving: line("M8 2.5v7M5 7l3 3 3-3M3 13.2h10"),
  checking: [line("M8 1.6L14.4 8 8 14.4 1.6 8z"), line("M5.6 8.1l1.7 1.7 3.1-3.4")],
  queued: line("M2.5 4h11M2.5 8h11M2.5 12h7"),
  merging: line("M2.5 3.5c4 0 4 4.5 8 4.5M2.5 12.5c4 0 4-4.5 8-4.5M10 5l3.2 3L10 11"),
  retrying: line("M13.4 8A5.4 5.4 0 1 1 11 3.5M13.6 2v3.4h-3.4"),
  paused: [ring, line("M8 4.8V8l2.2 1.6")],
  held: [line(octagon), line("M8 4.6v4M8 11v.4")],
  failed: [fill(octagon), cut("M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6")],
  merged: [circle("6.6", "icon-fill"), cut(check)],
  passed: [ring, line(check)],
  skipped: [circle("5.6", "icon-line icon-dashed"), line("M4.6 11.4l6.8-6.8")],
  dropped: [ring, line("M5 8h6")],
  stopped: line("M4 4h8v8H4z"),
  interrupted: line("M3 8h3M10 8h3M7 4l-1.5 8M10.5 4L9 12"),
};

/** Who moves a task next, from done to not started. */
export const ACTORS: readonly NextActor[] = ["done", "agents", "plait", "clock", "you", "later"];

type IconProps = { readonly size?: 11 | 14 | 16 | 22 };

/** The whole sign turns, which a browser does without painting it again. */
const TURNS: ReadonlySet<StatusKind> = new Set(["running", "fixing"]);

/** The sign of a state. It stands beside its word, so a reader does not hear it. */
export function StateIcon({ shown, size = 14 }: IconProps & { readonly shown: StatusKind }) {
  return (
    <svg
      class={`icon actor-${nextActorByKind[shown]}${TURNS.has(shown) ? " icon-turns" : ""}`}
      viewBox="0 0 16 16"
      width={size}
      height={size}
      aria-hidden="true"
    >
      {states[shown]}
    </svg>
  );
}

const signs = {
  logo: line(
    "M5 2c0 3 6 3 6 6s-6 3-6 6M11 2c0 3-6 3-6 6s6 3 6 6M2.5 5.5l2 1M13.5 5.5l-2 1M2.5 10.5l2-1M13.5 10.5l-2-1",
  ),
  find: line("M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.4 10.4l3.2 3.2"),
  pause: line("M5 3v10M11 3v10", " icon-thick"),
  play: fill("M4 2.5v11l9.5-5.5z"),
  stop: fill("M4 4h8v8H4z"),
  theme: line("M13 9.6A5.6 5.6 0 1 1 6.4 3 4.6 4.6 0 0 0 13 9.6z"),
  sun: line(
    "M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.4v1.4M8 13.2v1.4M1.4 8h1.4M13.2 8h1.4M3.3 3.3l1 1M11.7 11.7l1 1M12.7 3.3l-1 1M4.3 11.7l-1 1",
  ),
  close: line("M4 4l8 8M12 4l-8 8"),
  file: line("M4 2h5l3 3v9H4zM9 2v3h3"),
  edit: line("M3 13l.6-2.8L10.8 3l2.2 2.2-7.2 7.2z"),
  shell: line("M2.5 4l4 4-4 4M8 12h5.5"),
  text: line("M2.5 3.5h11v7.5H8l-3 2.5V11H2.5z"),
  tool: line("M8 2.5v11M2.5 8h11M4.5 4.5l7 7M11.5 4.5l-7 7"),
  warning: line("M8 2.5L14.5 13.5h-13zM8 6.5v3.2M8 11.6v.3"),
  landed: line("M8 2v7.5M4.5 6.5L8 10l3.5-3.5M3 13.4h10"),
  pulse: line("M1.5 8h3l2-5 3 10 2-5h3"),
  next: line("M6 3.5L10.5 8 6 12.5"),
} as const;

export type Sign = keyof typeof signs;

/** A sign that stands beside words, or in a button that has a name. */
export function Icon({ sign, size = 16 }: IconProps & { readonly sign: Sign }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
      {signs[sign]}
    </svg>
  );
}

type StateBadgeProps = {
  readonly shown: StatusKind;
  readonly word?: string;
  readonly children?: ComponentChildren;
};

/** A state as sign and word on its tint; `children` say until when, or how often. */
export function StateBadge({ shown, word = shown, children }: StateBadgeProps) {
  return (
    <span class={`badge actor-${nextActorByKind[shown]}`}>
      <StateIcon shown={shown} />
      {word}
      {children}
    </span>
  );
}
