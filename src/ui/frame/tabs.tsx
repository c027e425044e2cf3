import { useMoment } from "../context.ts";
import { formatRoute, type Route, type RunView, runViews } from "../route.ts";

const NAMES: { readonly [V in RunView]: string } = {
  graph: "Graph",
  timeline: "Timeline",
  queue: "Queue",
  costs: "Costs",
};

/** The views of a run. What is selected stays so from one to the next. */
export function Tabs({ route }: { readonly route: Exclude<Route, { view: "runs" }> }) {
  const { progress } = useMoment();
  const selected = route.view === "task" ? null : route.selected;
  return (
    <nav class="tabs" aria-label="Views">
      {runViews.map((view) => (
        <a
          key={view}
          class="tab quiet row"
          href={formatRoute({ view, run: route.run, selected })}
          aria-current={route.view === view ? "page" : undefined}
        >
          {NAMES[view]}
          {view === "queue" && progress.phases.queued > 0 && (
            <span class="tab-count quiet">{progress.phases.queued}</span>
          )}
        </a>
      ))}
    </nav>
  );
}
