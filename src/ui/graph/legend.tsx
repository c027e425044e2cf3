import type { ViewControl } from "./use-view.ts";

const STEP = 1.25;

export function Controls({ view }: { readonly view: ViewControl }) {
  return (
    <div class="graph-controls">
      <button type="button" aria-label="Zoom out" onClick={() => view.zoom(1 / STEP)}>
        −
      </button>
      <button type="button" aria-label="Fit the graph" onClick={view.fit}>
        Fit
      </button>
      <button type="button" aria-label="Zoom in" onClick={() => view.zoom(STEP)}>
        +
      </button>
    </div>
  );
}

const LINES = [
  ["is-done is-critical", "critical path"],
  ["is-waiting", "waiting"],
  ["is-blocked", "failed"],
] as const;

export function Legend() {
  return (
    <ul class="graph-legend small quiet" aria-label="Legend">
      {LINES.map(([look, word]) => (
        <li key={word}>
          <svg width="22" height="4" aria-hidden="true">
            <path class={`graph-edge ${look}`} d="M0 2h22" />
          </svg>
          {word}
        </li>
      ))}
    </ul>
  );
}
