import type { JSX } from "preact";
import { nextActorByKind, type StatusKind } from "../../core/select/task-status.ts";

// All signs are drawn on 16 units. A state has its own shape, so that nobody needs its color.

const ring = <circle cx="8" cy="8" r="5.6" class="icon-line" />;
const disc = <circle cx="8" cy="8" r="6.6" class="icon-fill" />;
const octagon = "M5.2 1.4h5.6L14.6 5.2v5.6L10.8 14.6H5.2L1.4 10.8V5.2z";
const check = "M5 8.2l2.2 2.2L11 6";

const states: { readonly [S in StatusKind]: JSX.Element } = {
  waiting: ring,
  running: (
    <>
      <circle cx="8" cy="8" r="5.6" class="icon-faint" />
      <path d="M8 2.4a5.6 5.6 0 0 1 5.6 5.6" class="icon-line" />
      <circle cx="8" cy="8" r="1.8" class="icon-fill" />
    </>
  ),
  fixing: (
    <>
      <circle cx="8" cy="8" r="5.6" class="icon-faint" />
      <path d="M8 2.4a5.6 5.6 0 0 1 5.6 5.6" class="icon-line" />
      <path d="M8 5.6v4.8M5.6 8h4.8" class="icon-line" />
    </>
  ),
  preparing: (
    <>
      {ring}
      <path d="M8 5v6M5 8h6" class="icon-line" />
    </>
  ),
  saving: <path d="M8 2.5v7M5 7l3 3 3-3M3 13.2h10" class="icon-line" />,
  checking: (
    <>
      <path d="M8 1.6L14.4 8 8 14.4 1.6 8z" class="icon-line" />
      <path d="M5.6 8.1l1.7 1.7 3.1-3.4" class="icon-line" />
    </>
  ),
  queued: <path d="M2.5 4h11M2.5 8h11M2.5 12h7" class="icon-line" />,
  merging: <path d="M2.5 3.5c4 0 4 4.5 8 4.5M2.5 12.5c4 0 4-4.5 8-4.5M10 5l3.2 3L10 11" class="icon-line" />,
  retrying: <path d="M13.4 8A5.4 5.4 0 1 1 11 3.5M13.6 2v3.4h-3.4" class="icon-line" />,
  paused: (
    <>
      {ring}
      <path d="M8 4.8V8l2.2 1.6" class="icon-line" />
    </>
  ),
  held: (
    <>
      <path d={octagon} class="icon-line" />
      <path d="M8 4.6v4M8 11v.4" class="icon-line" />
    </>
  ),
  failed: (
    <>
      <path d={octagon} class="icon-fill" />
      <path d="M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6" class="icon-cut" />
    </>
  ),
  merged: (
    <>
      {disc}
      <path d={check} class="icon-cut" />
    </>
  ),
  passed: (
    <>
      {ring}
      <path d={check} class="icon-line" />
    </>
  ),
  skipped: (
    <>
      <circle cx="8" cy="8" r="5.6" class="icon-line icon-dashed" />
      <path d="M4.6 11.4l6.8-6.8" class="icon-line" />
    </>
  ),
  dropped: (
    <>
      {ring}
      <path d="M5 8h6" class="icon-line" />
    </>
  ),
  stopped: <path d="M4 4h8v8H4z" class="icon-line" />,
  interrupted: <path d="M3 8h3M10 8h3M7 4l-1.5 8M10.5 4L9 12" class="icon-line" />,
};

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
  logo: (
    <path
      d="M5 2c0 3 6 3 6 6s-6 3-6 6M11 2c0 3-6 3-6 6s6 3 6 6M2.5 5.5l2 1M13.5 5.5l-2 1M2.5 10.5l2-1M13.5 10.5l-2-1"
      class="icon-line"
    />
  ),
  find: <path d="M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.4 10.4l3.2 3.2" class="icon-line" />,
  pause: <path d="M5 3v10M11 3v10" class="icon-line icon-thick" />,
  play: <path d="M4 2.5v11l9.5-5.5z" class="icon-fill" />,
  stop: <path d="M4 4h8v8H4z" class="icon-fill" />,
  theme: <path d="M13 9.6A5.6 5.6 0 1 1 6.4 3 4.6 4.6 0 0 0 13 9.6z" class="icon-line" />,
  sun: (
    <path
      d="M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.4v1.4M8 13.2v1.4M1.4 8h1.4M13.2 8h1.4M3.3 3.3l1 1M11.7 11.7l1 1M12.7 3.3l-1 1M4.3 11.7l-1 1"
      class="icon-line"
    />
  ),
  close: <path d="M4 4l8 8M12 4l-8 8" class="icon-line" />,
  file: <path d="M4 2h5l3 3v9H4zM9 2v3h3" class="icon-line" />,
  edit: <path d="M3 13l.6-2.8L10.8 3l2.2 2.2-7.2 7.2z" class="icon-line" />,
  shell: <path d="M2.5 4l4 4-4 4M8 12h5.5" class="icon-line" />,
  text: <path d="M2.5 3.5h11v7.5H8l-3 2.5V11H2.5z" class="icon-line" />,
  tool: <path d="M8 2.5v11M2.5 8h11M4.5 4.5l7 7M11.5 4.5l-7 7" class="icon-line" />,
  warning: <path d="M8 2.5L14.5 13.5h-13zM8 6.5v3.2M8 11.6v.3" class="icon-line" />,
  landed: <path d="M8 2v7.5M4.5 6.5L8 10l3.5-3.5M3 13.4h10" class="icon-line" />,
  pulse: <path d="M1.5 8h3l2-5 3 10 2-5h3" class="icon-line" />,
  next: <path d="M6 3.5L10.5 8 6 12.5" class="icon-line" />,
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
