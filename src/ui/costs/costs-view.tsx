import { useEffect, useMemo, useRef } from "preact/hooks";
import type { RunId, TaskId } from "../../core/ids.ts";
import { type CostFigures, costFigures, type TaskCost } from "../../core/select/cost-figures.ts";
import { gapsOf } from "../../core/select/timeline/segment.ts";
import { dollars, tokenCount } from "../../core/text/figures.ts";
import { useMoment } from "../context.ts";
import { HeadRow } from "../parts/blank.tsx";
import { StateIcon } from "../parts/icon.tsx";
import { linkTask } from "../route.ts";
import { useRowKeys } from "../task-keys.ts";
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

type ByTaskProps = {
  readonly run: RunId;
  readonly figures: Pick<CostFigures, "byTask" | "noTask">;
  readonly selected: TaskId | null;
};

/** Most expensive first; merged or running work is solid, other work an outline. */
function ByTask({ run, figures: { byTask, noTask }, selected }: ByTaskProps) {
  const most = Math.max(0.01, byTask[0]?.usd ?? 0);
  return (
    <section class="costs-card card costs-tasks" aria-labelledby="costs-tasks">
      <header>
        <h2 id="costs-tasks">By task</h2>
        <span class="costs-key small quiet row">
          <i class="costs-solid" /> merged or running
        </span>
        <span class="costs-key small quiet row">
          <i class="costs-outline" /> not merged
        </span>
      </header>
      {byTask.length === 0 && <p>{noTask}</p>}
      <table>
        <thead class="unseen">
          <HeadRow names={["Task", "Agent", "Not merged", "Tokens", "Cost"]} />
        </thead>
        <tbody>
          {byTask.map((cost) => (
            <CostRow key={cost.row.task} {...{ cost, run, most }} isSelected={cost.row.task === selected} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

type CostRowProps = {
  readonly cost: TaskCost;
  readonly run: RunId;
  readonly most: number;
  readonly isSelected: boolean;
};

function CostRow({ cost: { row, usd, lostUsd, tokens }, run, most, isSelected }: CostRowProps) {
  const href = linkTask(run, row.task);
  const width = (value: number) => ({ width: `${(100 * value) / most}%` });
  const lost = lostUsd > 0 ? `${dollars(lostUsd)} not merged` : "";
  const ref = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isSelected) ref.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    <tr ref={ref} class={isSelected ? "costs-selected" : ""} aria-current={isSelected}>
      <th scope="row">
        <a href={href} title={`${row.task}: ${row.title}, ${row.status.kind}`}>
          <StateIcon shown={row.status.kind} />
          <span class="mono">{row.task}</span>
          <span class="unseen">{row.status.kind}</span>
        </a>
      </th>
      <td class="costs-agent">{row.agent?.use ?? "command"}</td>
      <td class="costs-bars" title={lost}>
        <span class="unseen">{lost}</span>
        <span aria-hidden="true">
          {usd - lostUsd > 0.004 && <i class="costs-solid" style={width(usd - lostUsd)} />}
          {lostUsd > 0.004 && <i class="costs-outline" style={width(lostUsd)} />}
        </span>
      </td>
      <td class="costs-tokens mono">{tokens === 0 ? "–" : tokenCount(tokens)}</td>
      <td class="mono">{row.usage.costUsd === null ? "–" : dollars(usd)}</td>
    </tr>
  );
}

function ByAgent({ figures }: { readonly figures: CostFigures }) {
  const { byAgent, usd, total, tokens, lostUsd, remarks } = figures;
  const share = usd === null || usd === 0 ? 0 : Math.round((100 * lostUsd) / usd);
  return (
    <section class="costs-card card costs-agents" aria-labelledby="costs-agents">
      <header>
        <h2 id="costs-agents">By agent</h2>
      </header>
      {byAgent.length > 0 && (
        <table class="mono">
          <thead>
            <HeadRow names={["Agent", "Tasks", "Tokens", "Not merged", "Cost"]} />
          </thead>
          <tbody>
            {byAgent.map((one) => (
              <tr key={one.agent}>
                <th scope="row">{one.agent}</th>
                <td>{one.tasks}</td>
                <td>{one.tokens === 0 ? "–" : tokenCount(one.tokens)}</td>
                <td class={one.lostUsd > 0 ? "bad" : ""}>{dollars(one.lostUsd)}</td>
                <td>{one.usd === null ? "–" : dollars(one.usd)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">All</th>
              <td>{byAgent.reduce((sum, one) => sum + one.tasks, 0)}</td>
              <td>{tokens === null ? "–" : tokenCount(tokens)}</td>
              <td class={lostUsd > 0 ? "bad" : ""}>{dollars(lostUsd)}</td>
              <td>{total}</td>
            </tr>
          </tfoot>
        </table>
      )}
      {byAgent.length === 0 && <p>No agent has started.</p>}
      {lostUsd > 0 && <p>Not merged: attempts that failed or were retried, {share}% of the cost.</p>}
      {remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
    </section>
  );
}
