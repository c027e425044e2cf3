import { useState } from "preact/hooks";
import type { TaskId } from "../../core/ids.ts";
import type { MergedEntry, MergeQueue, QueueEntry } from "../../core/select/merge-queue.ts";
import { countdown, shortOid } from "../../core/text/figures.ts";
import { fullTime, hourAndMinute } from "../../report/local-times.ts";
import { useMoment } from "../context.ts";
import { StateIcon } from "../parts/icon.tsx";
import { SentenceText } from "../parts/sentence-text.tsx";
import { formatRoute } from "../route.ts";
import { EntryActions } from "./entry-actions.tsx";
import { EntrySize } from "./entry-size.tsx";
import { GateChip } from "./gate-chip.tsx";

/** The queue in order, tasks on their way to it, and merged tasks. */
export function QueueCard({
  queue,
  selected,
  onBothSides,
}: {
  readonly queue: MergeQueue;
  readonly selected: TaskId | null;
  readonly onBothSides: (task: TaskId) => void;
}) {
  const { branch, window, entries, merged } = queue;
  return (
    <section class="queue-card card" aria-labelledby="queue-title">
      <header class="queue-head ruled row">
        <h2 id="queue-title">Merge queue</h2>
        <p>
          onto <span class="mono">{branch}</span>
        </p>
        <p class="queue-window" title="Merges that may be checked on top of each other">
          window {window.ahead}
          {window.batch > 1 ? `, ${window.batch} together` : ""}
        </p>
      </header>
      {entries.length === 0 && <p class="queue-none wrap quiet">The queue is empty.</p>}
      <ol class="queue-entries">
        {entries.map((entry) => (
          <Entry
            key={entry.task}
            entry={entry}
            isSelected={entry.task === selected}
            onBothSides={onBothSides}
          />
        ))}
      </ol>
      <Merged merged={merged} />
    </section>
  );
}

function Entry({
  entry,
  isSelected,
  onBothSides,
}: {
  readonly entry: QueueEntry;
  readonly isSelected: boolean;
  readonly onBothSides: (task: TaskId) => void;
}) {
  const { state } = useMoment();
  const { task, title, shown, place, note, checks, attempt } = entry;
  const route = { view: "task", run: state.run, task, tab: "transcript", attempt: null } as const;
  const isBuilt = place !== null && checks.length > 0;
  return (
    <li
      id={`queue-${task}`}
      class={`queue-entry ruled ${isSelected ? "selected" : ""}`}
      aria-current={isSelected}
    >
      <span class="queue-place quiet mono">{place ?? "–"}</span>
      <span class="queue-sign">
        <StateIcon shown={shown} />
      </span>
      <div class="queue-body">
        <p class="queue-name">
          <a class="mono" href={formatRoute(route)}>
            {task}
          </a>{" "}
          <span class="unseen">{shown},</span>
          {title !== task && <span class="queue-title quiet">{title}</span>}
        </p>
        <p class="queue-note wrap small quiet">
          <SentenceText text={note} />
          {isBuilt && attempt !== null && <EntrySize attempt={attempt} />}
        </p>
        {checks.length > 0 && (
          <ul class="queue-gates">
            {checks.map((check) => (
              <GateChip key={check.name} check={check} />
            ))}
          </ul>
        )}
        <EntryActions entry={entry} onBothSides={onBothSides} />
      </div>
      <When entry={entry} />
    </li>
  );
}

function When({ entry: { until, aboutMs } }: { readonly entry: QueueEntry }) {
  const { now } = useMoment();
  if (until !== null)
    return (
      <span class="queue-when actor-clock mono" title={fullTime(until)}>
        {until > now ? `in ${countdown(until - now)}` : "now"}
      </span>
    );
  return <span class="queue-when mono">{aboutMs === null ? "" : `about ${countdown(aboutMs)}`}</span>;
}

const FIRST = 4;

function Merged({ merged }: { readonly merged: readonly MergedEntry[] }) {
  const { state } = useMoment();
  const [isAll, showAll] = useState(false);
  const shown = isAll ? merged : merged.slice(0, FIRST);
  if (merged.length === 0) return null;
  return (
    <div class="queue-merged">
      <h3>Merged, newest first</h3>
      <ol>
        {shown.map(({ task, commit, at, isTip }) => (
          <li key={task}>
            <StateIcon shown="merged" />
            <a
              class="mono"
              href={formatRoute({ view: "task", run: state.run, task, tab: "diff", attempt: null })}
            >
              {task}
            </a>
            <span class="quiet mono" title={commit}>
              {shortOid(commit)}
            </span>
            {isTip && <span class="queue-tip framed quiet mono">tip</span>}
            <span class="queue-when mono" title={fullTime(at)}>
              {hourAndMinute(at)}
            </span>
          </li>
        ))}
      </ol>
      {merged.length > FIRST && (
        <button
          type="button"
          class="queue-more plain quiet"
          onClick={() => showAll(!isAll)}
          aria-expanded={isAll}
        >
          {isAll ? "Show fewer" : `Show ${merged.length - FIRST} more`}
        </button>
      )}
    </div>
  );
}
