import { useMemo } from "preact/hooks";
import type { TaskId } from "../../core/ids.ts";
import { costFigures } from "../../core/select/cost-figures.ts";
import { gapsOf } from "../../core/select/timeline/gaps.ts";
import { navigate, useMoment } from "../context.ts";
import { useKeys } from "../keys.ts";
import { ByAgent } from "./by-agent.tsx";
import { ByTask } from "./by-task.tsx";
import { SpentChart } from "./spent-chart.tsx";
import "./costs.css";

/** Spent and expected first; then by task with what was not merged; then by agent. */
export function CostsView({ selected }: { readonly selected: TaskId | null }) {
  const moment = useMoment();
  const figures = useMemo(() => costFigures(moment), [moment]);
  const gaps = useMemo(() => gapsOf(moment.facts.slice(0, moment.upTo)), [moment.facts, moment.upTo]);
  const { run } = moment.state;
  const select = (by: 1 | -1): void => {
    const at = figures.byTask.findIndex(({ row }) => row.task === selected);
    const first = by === 1 ? 0 : figures.byTask.length - 1;
    const next = figures.byTask[at < 0 ? first : at + by]?.row.task;
    if (next !== undefined) navigate({ view: "costs", run, selected: next }, { instead: true });
  };
  useKeys({
    ArrowDown: () => select(1),
    ArrowUp: () => select(-1),
    j: () => select(1),
    k: () => select(-1),
    Enter: ({ target }) => {
      if (selected === null || (target instanceof Element && target.closest("a, button") !== null))
        return false;
      return navigate({ view: "task", run, task: selected, tab: "transcript", attempt: null });
    },
    Escape: () => selected !== null && navigate({ view: "costs", run, selected: null }, { instead: true }),
  });
  const tasks = useMemo(
    () => <ByTask run={run} byTask={figures.byTask} selected={selected} />,
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
