import { FactsUpTo } from "../../frame/facts-up-to.tsx";
import type { GraphModel } from "../use-graph.ts";
import { BallList } from "./ball-list.tsx";
import { GroupList } from "./group-list.tsx";
import { NodePanel } from "./node-panel.tsx";

/** Beside the graph: the selected task; else what happened, while a moment of the past is shown; else who has the ball. */
export function SidePanel({ model }: { readonly model: GraphModel }) {
  const row = model.selected === null ? undefined : model.rowOf(model.selected);
  if (row !== undefined && model.selected !== null)
    return <NodePanel model={model} row={row} i={model.selected} />;
  if (model.moment.replay !== null) return <FactsUpTo />;
  if (model.groups !== null) return <GroupList model={model} groups={model.groups} />;
  return <BallList model={model} />;
}
