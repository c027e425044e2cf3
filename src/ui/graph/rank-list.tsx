import { formatRowReason } from "../../core/select/actor-text.ts";
import { endsByCheck, formatPauseEnd } from "../../core/select/failure-text.ts";
import { formatDone } from "../../core/select/run-status-text.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import { dollars, elapsed, formatDelay } from "../../core/text/figures.ts";
import { isEmpty, type Sentence, sentence } from "../../core/text/sentence.ts";
import { StateIcon } from "../parts/icon.tsx";
import { SentenceText } from "../parts/sentence-text.tsx";
import { linkTask } from "../route.ts";
import { byRank } from "./picture/walk.ts";
import type { GraphModel } from "./use-graph.ts";

type RankListProps = {
  readonly model: GraphModel;
  /** Beside the graph it is for screen readers only, and one stop for the tab key; arrows move from there. */
  readonly isSeen: boolean;
};

/** All tasks by rank: the graph as a list. */
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
                <b>Rank {rank + 1}</b>{" "}
                <span>{formatDone({ done: countDone(rows), total: rows.length })}</span>
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
  return (
    <li class={`graph-row actor-${row.actor}`}>
      <a
        href={linkTask(model.moment.state.run, row.task)}
        data-task={row.task}
        tabIndex={isStop ? 0 : -1}
        aria-current={i === model.selected ? "true" : undefined}
        onFocus={() => model.focus(i)}
        onBlur={() => model.focus(null)}
      >
        {isSeen && <StateIcon shown={row.status.kind} />}
        <b class="mono">{row.task}</b>
        <span class="unseen">, {row.status.kind},</span>
        <span class="graph-row-time quiet mono">{row.workMs > 0 ? elapsed(row.workMs) : ""}</span>
        <span class="graph-row-why">
          <SentenceText text={formatReason(model, row)} isStatic={true} />
        </span>
        <span class="unseen">
          {formatRelation("needs", model.names(needs[i] ?? []))}
          {formatRelation("needed by", model.names(dependents[i] ?? []))}
        </span>
      </a>
    </li>
  );
}

function formatReason(model: GraphModel, row: TaskRow): Sentence {
  const { costUsd } = row.usage;
  if (row.actor === "done") return costUsd === null ? "" : dollars(costUsd);
  const reason = formatRowReason(row, model.moment.activity);
  if (isEmpty(reason)) return model.nodeText(row).line;
  if (row.until === null) return reason;
  if (row.status.kind === "retrying")
    return sentence`${reason}, ${formatDelay(row.until - model.moment.now)}`;
  const isCheck = row.status.kind === "paused" && endsByCheck(row.status.reason);
  return sentence`${reason}${formatPauseEnd(row.until, isCheck)}`;
}

const countDone = (rows: readonly TaskRow[]): number => rows.filter(({ actor }) => actor === "done").length;

const formatRelation = (word: string, names: string): string => (names === "" ? "" : `, ${word} ${names}`);
