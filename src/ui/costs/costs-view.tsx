import { useMemo } from "preact/hooks";
import type { TaskId } from "../../core/ids.ts";
import { costFigures } from "../../core/select/cost-figures.ts";
import { gapsOf } from "../../core/select/timeline/stretch.ts";
import { useMoment } from "../context.ts";
import { useRowKeys } from "../use-row-keys.ts";
import { ByAgent } from "./by-agent.tsx";
import { ByTask } from "./by-task.tsx";
import { SpentChart } from "./spent-chart.tsx";
import "./costs.css";

/** Costs over time, by agent and by task. */
export function CostsView({ selected }: { readonly selected: TaskId | null }) {
  const moment = useMoment();
  const gaps = useMemo(() => gapsOf(moment.facts.slice(0, moment.upTo)), [moment.facts, moment.upTo]);
  const figures = useMemo(() => costFigures(moment, gaps), [moment, gaps]);
  const { run } = moment.state;
  useRowKeys({ view: "costs", run, tasks: figures.byTask.map(({ row }) => row.task), selected });
  const tasks = useMemo(
    () => <ByTask run={run} figures={figures} selected={selected} />,
    [moment.state, figures.usd, figures.tokens, selected],
  );
  return (
    <div class="costs">
      <SpentChart figures={figures} from={moment.state.startedAt} now={moment.now} gaps={gaps} />
      <ByAgent figures={figures} />
      {tasks}
    </div>
  );
}
