import { useEffect, useMemo, useState } from "preact/hooks";
import type { TaskId } from "../../core/ids.ts";
import {
  claimMeetings,
  clashes,
  clashMap,
  landingClash,
  type Pair,
  refusals,
  tasksAtWork,
} from "../../core/select/clashes.ts";
import { mergeQueue } from "../../core/select/merge-queue.ts";
import { verdictsOf } from "../../core/select/queue-checks.ts";
import { useMoment } from "../context.ts";
import type { Moment } from "../run/run-store.ts";
import { useRowKeys } from "../task-keys.ts";
import { Conflicts, PastConflicts } from "./conflicts.tsx";
import { PairView } from "./pair-view.tsx";
import { QueueCard } from "./queue-card.tsx";
import "./queue.css";
import "./conflicts.css"; // after it: conflicts are in its cards

/** The merge queue; beside it conflicts, overlaps, and both sides of each. */
export function QueueView({ selected }: { readonly selected: TaskId | null }) {
  const moment = useMoment();
  const { state, facts, upTo } = moment;
  const verdicts = useMemo(() => verdictsOf(facts, upTo), [facts, upTo]);
  const queue = mergeQueue({ ...moment, verdicts });
  const { happened, map } = useConflicts(moment);
  const landing = landingClash(state);
  const [chosen, choose] = useState<readonly [TaskId, TaskId] | null>(null);
  const pair = shownPair(map.pairs, chosen);
  const showPair = (a: TaskId, b: TaskId) => choose([a, b]);
  useRowKeys({ view: "queue", run: state.run, tasks: queue.entries.map(({ task }) => task), selected });
  useEffect(() => {
    if (selected !== null) document.getElementById(`queue-${selected}`)?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  return (
    <div class="queue">
      <QueueCard
        queue={queue}
        selected={selected}
        onBothSides={(task) => {
          const clash = happened.find((one) => one.task === task);
          if (clash?.with[0] !== undefined) showPair(task, clash.with[0]);
        }}
      />
      <div class="queue-right">
        <Conflicts {...{ happened, map, pair, landing }} onPair={({ a, b }) => showPair(a, b)} />
        {pair !== null && (
          <PairView key={`${pair.a} ${pair.b}`} pair={pair} clash={happened.find((one) => isOf(one, pair))} />
        )}
        <PastConflicts {...{ happened, landing }} />
      </div>
    </div>
  );
}

const isOf = ({ task, with: others }: { task: TaskId; with: readonly TaskId[] }, { a, b }: Pair): boolean =>
  (task === a && others.includes(b)) || (task === b && others.includes(a));

/** The selected one, else the first conflict or overlap. */
function shownPair(pairs: readonly Pair[], chosen: readonly [TaskId, TaskId] | null): Pair | null {
  const isChosen = ({ a, b }: Pair) => chosen?.includes(a) === true && chosen.includes(b);
  const of = (kind: Pair["kind"]) => pairs.find((pair) => pair.kind === kind);
  return pairs.find(isChosen) ?? of("clash") ?? of("may") ?? null;
}

/** Paths are compared when other tasks run, not every second. */
function useConflicts({ state, rows, facts, upTo }: Moment) {
  const happened = useMemo(() => clashes(state, rows, refusals(facts, upTo)), [state, rows, facts, upTo]);
  const { plan, indexOf } = state.index;
  const names = tasksAtWork(state, rows);
  const atWork = useMemo(
    () => names.map((name) => plan.tasks[indexOf.get(name) ?? -1]).filter((task) => task !== undefined),
    [plan, names.join(" ")],
  );
  const meetings = useMemo(() => claimMeetings(atWork), [atWork]);
  const map = useMemo(() => clashMap(atWork, happened, meetings), [atWork, happened, meetings]);
  return { happened, map };
}
