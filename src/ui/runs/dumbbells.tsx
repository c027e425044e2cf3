import type { RunId } from "../../core/ids.ts";
import type { ComparedTask } from "../../core/select/comparison.ts";
import { elapsed } from "../../core/text/figures.ts";
import { StateIcon } from "../parts/icon.tsx";
import { linkTask } from "../route.ts";
import { roundScale } from "./round-scale.ts";

/** How long each task took in both runs, on one scale. */
export function Dumbbells({ tasks, run }: { readonly tasks: readonly ComparedTask[]; readonly run: RunId }) {
  if (tasks.length === 0) return <p class="compare-only quiet">No task started in both runs.</p>;
  const longest = Math.max(...tasks.map(({ aMs, bMs }) => Math.max(aMs, bMs)));
  const { ticks, end } = roundScale(longest);
  const part = (ms: number): string => `${(ms / end) * 100}%`;
  return (
    <div class="bells">
      <div class="bells-axis" aria-hidden="true">
        <span class="bells-track">
          {ticks.map(({ ms, text }) => (
            <span key={ms} class="bells-tick faint" style={{ left: part(ms) }}>
              {text}
            </span>
          ))}
        </span>
      </div>
      <ol>
        {tasks.map((task) => (
          <Bell key={task.task} task={task} run={run} part={part} ticks={ticks.map(({ ms }) => ms)} />
        ))}
      </ol>
    </div>
  );
}

type BellProps = {
  readonly task: ComparedTask;
  readonly run: RunId;
  readonly part: (ms: number) => string;
  readonly ticks: readonly number[];
};

function Bell({ task: { task, shown, aMs, bMs, change, is }, run, part, ticks }: BellProps) {
  const [from, to] = [Math.min(aMs, bMs), Math.max(aMs, bMs)];
  return (
    <li class={`bells-row is-${is}`}>
      <StateIcon shown={shown} />
      <a class="link cut mono" href={linkTask(run, task)}>
        {task}
      </a>
      <span class="bells-track">
        {ticks.map((ms) => (
          <i key={ms} class="bells-line" style={{ left: part(ms) }} />
        ))}
        <i class="bells-bar" style={{ left: part(from), width: `calc(${part(to)} - ${part(from)})` }} />
        <i class="runs-dot-a" style={{ left: part(aMs) }} />
        <i class="runs-dot-b" style={{ left: part(bMs) }} />
        <span class="unseen">
          {elapsed(aMs)}, then {elapsed(bMs)},
        </span>
      </span>
      <span class="bells-change mono">{change}</span>
    </li>
  );
}
