import type { JSX } from "preact";
import { hatchOf } from "./patterns.tsx";

const box = (look: string, height = 10) => (
  <rect
    class={`timeline-${look}`}
    fill={hatchOf[look]}
    x=".5"
    y={(14 - height) / 2}
    width="21"
    height={height}
    rx="2"
  />
);

const entries: readonly (readonly [string, JSX.Element])[] = [
  ["agent", box("agent")],
  ["gate, merge", box("plait")],
  ["in the queue", box("queue", 6)],
  [
    "red gate or conflict",
    <>
      {box("red")}
      <path class="timeline-cross" d="M8.5 4.5l5 5m0 -5l-5 5" />
    </>,
  ],
  ["back-off", <path class="timeline-backoff" d="M0 7h22" />],
  ["parked", box("parked", 8)],
  ["waits for you", box("held", 8)],
  ["ready, not started", <path class="timeline-ready" d="M0 7h22" />],
  ["expected", box("expected-agent")],
  ["critical path", <path class="timeline-path" d="M0 7h22" />],
];

export function Legend() {
  return (
    <ul class="timeline-legend" aria-label="Legend">
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
