import type { JSX } from "preact";

/** As an attribute: some browsers look for a fragment that a style sheet names in the style sheet. */
export const HATCHES: { readonly [look: string]: string } = {
  queue: "url(#hatch-plait)",
  parked: "url(#hatch-clock)",
  held: "url(#hatch-you)",
};

const box = (look: string, height = 10) => (
  <rect
    class={`timeline-${look}`}
    fill={HATCHES[look]}
    x=".5"
    y={(14 - height) / 2}
    width="21"
    height={height}
    rx="2"
  />
);

const entries: readonly (readonly [string, JSX.Element])[] = [
  ["agent", box("agent")],
  ["gates, merge", box("plait")],
  ["queued", box("queue", 6)],
  [
    "red gate or conflict",
    <>
      {box("red")}
      <path class="timeline-cross" d="M8.5 4.5l5 5m0 -5l-5 5" />
    </>,
  ],
  ["retrying", <path class="timeline-backoff" d="M0 7h22" />],
  ["paused", box("parked", 8)],
  ["held", box("held", 8)],
  ["ready, not started", <path class="timeline-ready" d="M0 7h22" />],
  ["expected", box("expected-agent")],
  ["critical path", <path class="timeline-path" d="M0 7h22" />],
];

export function Legend() {
  return (
    <ul class="timeline-legend small quiet" aria-label="Legend">
      {entries.map(([name, shape]) => (
        <li key={name}>
          <svg width="22" height="14" aria-hidden="true">
            {shape}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

/** Once per page. Hatches tell waiting from working without color. */
export function Patterns() {
  return (
    <defs>
      {(["plait", "clock", "you"] as const).map((color) => (
        <pattern
          key={color}
          id={`hatch-${color}`}
          class={`actor-${color}`}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="skewX(-45)"
        >
          <rect class="timeline-hatch-ground" width="6" height="6" />
          <rect class="timeline-hatch" width="3" height="6" />
        </pattern>
      ))}
    </defs>
  );
}
