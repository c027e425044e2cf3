import { useEffect, useRef } from "preact/hooks";
import type { RunId, TaskId } from "../../core/ids.ts";
import type { CostFigures, TaskCost } from "../../core/select/cost-figures.ts";
import { dollars, tokenCount } from "../../core/text/figures.ts";
import { StateIcon } from "../parts/icon.tsx";
import { formatRoute } from "../route.ts";

type ByTaskProps = {
  readonly run: RunId;
  readonly figures: Pick<CostFigures, "byTask" | "noTask">;
  readonly selected: TaskId | null;
};

/** Most expensive first; merged or running work is solid, other work an outline. */
export function ByTask({ run, figures: { byTask, noTask }, selected }: ByTaskProps) {
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
          <tr>
            <th scope="col">Task</th>
            <th scope="col">Agent</th>
            <th scope="col">Not merged</th>
            <th scope="col">Tokens</th>
            <th scope="col">Cost</th>
          </tr>
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
  const href = formatRoute({ view: "task", run, task: row.task, tab: "transcript", attempt: null });
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
