import { EventsUpTo } from "../../frame/events-up-to.tsx";
import type { GraphModel } from "../use-graph.ts";
import { ActorList } from "./actor-list.tsx";
import { GroupList } from "./group-list.tsx";
import { NodePanel } from "./node-panel.tsx";

/** Beside the graph: the selected task; in a replay the events so far; else tasks by who moves them next. */
export function SidePanel({ model }: { readonly model: GraphModel }) {
  const row = model.selected === null ? undefined : model.rowOf(model.selected);
  if (row !== undefined && model.selected !== null)
    return <NodePanel model={model} row={row} i={model.selected} />;
  if (model.moment.replay !== null) return <EventsUpTo />;
  if (model.groups !== null) return <GroupList model={model} groups={model.groups} />;
  return <ActorList model={model} />;
}
