import { useState } from "preact/hooks";
import type { TaskId } from "../../core/ids.ts";
import { EventsUpTo } from "../frame/events-up-to.tsx";
import { useMedia } from "../parts/measured.ts";
import { ActorList, GroupList } from "./panel/actor-list.tsx";
import { NodePanel } from "./panel/node-panel.tsx";
import { RankList } from "./rank-list.tsx";
import { Stage } from "./stage.tsx";
import { type GraphModel, useGraph } from "./use-graph.ts";
import { useGraphKeys } from "./use-graph-keys.ts";
import "./graph.css";
import "./panel/panel.css";

/** The plan as a graph with a list beside it; on a narrow page as lists. */
export function GraphView({ selected }: { readonly selected: TaskId | null }) {
  const model = useGraph(selected);
  const isNarrow = useMedia("(max-width: 699px)");
  return isNarrow ? <NarrowGraph model={model} /> : <WideGraph model={model} />;
}

function WideGraph({ model }: { readonly model: GraphModel }) {
  return (
    <div class="graph">
      <Stage model={model} />
      <div class="graph-beside">
        <RankList model={model} isSeen={false} />
      </div>
      <aside class="graph-side" aria-label="Tasks">
        <SidePanel model={model} />
      </aside>
    </div>
  );
}

const TABS = [
  ["actors", "By status"],
  ["ranks", "By rank"],
] as const;

function NarrowGraph({ model }: { readonly model: GraphModel }) {
  const [tab, setTab] = useState<"actors" | "ranks">("actors");
  useGraphKeys({ model, view: null, layout: model.picture.layout });
  return (
    <div class="graph-narrow">
      <fieldset class="graph-switch choices" aria-label="Tasks">
        {TABS.map(([name, label]) => (
          <button key={name} type="button" aria-pressed={tab === name} onClick={() => setTab(name)}>
            {label}
          </button>
        ))}
      </fieldset>
      {tab === "actors" ? <SidePanel model={model} /> : <RankList model={model} isSeen={true} />}
    </div>
  );
}

/** Beside the graph: the selected task; in a replay the events so far; else tasks by who moves them next. */
function SidePanel({ model }: { readonly model: GraphModel }) {
  const row = model.selected === null ? undefined : model.rowOf(model.selected);
  if (row !== undefined && model.selected !== null)
    return <NodePanel model={model} row={row} i={model.selected} />;
  if (model.moment.replay !== null) return <EventsUpTo />;
  if (model.groups !== null) return <GroupList model={model} groups={model.groups} />;
  return <ActorList model={model} />;
}
