import { ballReason, ballTime } from "../../core/select/ball-words.ts";
import { doneOf } from "../../core/select/end-words.ts";
import { dollars, elapsed } from "../../core/select/run-words.ts";
import { stateWord } from "../../core/select/state-words.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import type { Word } from "../../core/select/typed-words.ts";
import { hourAndMinute } from "../../report/local-times.ts";
import { StateIcon } from "../parts/icon.tsx";
import { formatRoute } from "../route.ts";
import { Phrase } from "./phrase.tsx";
import { byRank } from "./picture/walk.ts";
import type { GraphModel } from "./use-graph.ts";

type RankListProps = {
  readonly model: GraphModel;
  /** Beside the graph it is only for who reads, and one stop for the tab key: from there the arrows lead on. */
  readonly isSeen: boolean;
};

/** All tasks, rank by rank: the graph in words. */
export function RankList({ model, isSeen }: RankListProps) {
  const order = byRank(model.picture);
  const stop = model.selected ?? order[0];
  return (
    <div class={isSeen ? "graph-ranks" : "graph-ranks unseen"}>
      {[...new Set(model.picture.rank)]
        .sort((a, b) => a - b)
        .map((rank) => {
          const tasks = order.filter((i) => model.picture.rank[i] === rank);
          const rows = tasks.flatMap((i) => model.rowOf(i) ?? []);
          return (
            <section key={rank}>
              <h2>
                <b>Rank {rank + 1}</b> <span>{doneOf(rows)}</span>
              </h2>
              <ul>
                {tasks.map((i) => (
                  <RankItem key={i} model={model} i={i} isSeen={isSeen} isStop={isSeen || i === stop} />
                ))}
              </ul>
            </section>
          );
        })}
    </div>
  );
}

type RankItemProps = RankListProps & { readonly i: number; readonly isStop: boolean };

function RankItem({ model, i, isSeen, isStop }: RankItemProps) {
  const row = model.rowOf(i);
  if (row === undefined) return null;
  const { needs, dependents } = model.picture;
  const href = formatRoute({
    ...{ view: "task", run: model.moment.state.run, task: row.task, tab: "transcript", attempt: null },
  });
  return (
    <li class={`graph-row ball-${row.ball}`}>
      <a
        href={href}
        data-task={row.task}
        tabIndex={isStop ? 0 : -1}
        aria-current={i === model.selected ? "true" : undefined}
        onFocus={() => model.focus(i)}
        onBlur={() => model.focus(null)}
      >
        {isSeen && <StateIcon shown={row.shown} />}
        <b class="mono">{row.task}</b>
        <span class="unseen">, {stateWord(row.shown)},</span>
        <span class="graph-row-time mono">{row.workMs > 0 ? elapsed(row.workMs) : ""}</span>
        <span class="graph-row-why">
          <Reason model={model} row={row} />
        </span>
        <span class="unseen">
          {relation("needs", model.names(needs[i] ?? []))}
          {relation("blocks", model.names(dependents[i] ?? []))}
        </span>
      </a>
    </li>
  );
}

function Reason({ model, row }: { readonly model: GraphModel; readonly row: TaskRow }) {
  const { costUsd } = row.usage;
  if (row.ball === "done") return <Phrase words={plain(costUsd === null ? "" : dollars(costUsd))} />;
  const words = ballReason(model.moment.state, row, model.moment.activity);
  if (row.until !== null && words.length > 0) {
    const until = ballTime(row, { now: model.moment.now, timeOfDay: hourAndMinute });
    return (
      <Phrase words={[...words, ...plain(row.shown === "parked" ? `, until ${until}` : `, ${until}`)]} />
    );
  }
  return <Phrase words={words.length > 0 ? words : plain(model.wordsOf(row).line)} />;
}

const relation = (word: string, names: string): string => (names === "" ? "" : `, ${word} ${names}`);

const plain = (text: string): Word[] => [{ text, isTyped: false }];
