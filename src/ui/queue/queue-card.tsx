import { useState } from "preact/hooks";
import type { AttemptId, TaskId } from "../../core/ids.ts";
import { formatAction } from "../../core/select/action-text.ts";
import type { MergedEntry, MergeQueue, QueueEntry } from "../../core/select/merge-queue.ts";
import { offered } from "../../core/select/offers.ts";
import type { ShownCheck } from "../../core/select/queue-checks.ts";
import type { StatusKind } from "../../core/select/task-status.ts";
import { count, countdown, elapsed, shortOid } from "../../core/text/figures.ts";
import { fullTime, hourAndMinute } from "../../report/local-times.ts";
import { useAsk, useMoment, useOffers } from "../context.ts";
import { StateIcon } from "../parts/icon.tsx";
import { SentenceText } from "../parts/sentence-text.tsx";
import { linkTask } from "../route.ts";
import { loadedDiff, useDiff } from "./pair-view.tsx";

type QueueCardProps = {
  readonly queue: MergeQueue;
  readonly selected: TaskId | null;
  readonly onBothSides: (task: TaskId) => void;
};

/** The queue in order, tasks on their way to it, and merged tasks. */
export function QueueCard({ queue, selected, onBothSides }: QueueCardProps) {
  const { branch, window, entries, merged } = queue;
  return (
    <section class="queue-card card" aria-labelledby="queue-title">
      <header class="queue-head ruled row">
        <h2 id="queue-title">Merge queue</h2>
        <p>
          onto <span class="mono">{branch}</span>
        </p>
        <p class="push" title="Merges that may be checked on top of each other">
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

function Entry({ entry, isSelected, onBothSides }: EntryActionsProps & { readonly isSelected: boolean }) {
  const { state } = useMoment();
  const { task, title, shown, place, note, checks, attempt } = entry;
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
          <a class="link mono" href={linkTask(state.run, task)}>
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
            <a class="link mono" href={linkTask(state.run, task, { tab: "diff" })}>
              {task}
            </a>
            <span class="quiet mono" title={commit}>
              {shortOid(commit)}
            </span>
            {isTip && <span class="queue-tip framed quiet mono">tip</span>}
            <span class="queue-when push mono" title={fullTime(at)}>
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

type EntryActionsProps = { readonly entry: QueueEntry; readonly onBothSides: (task: TaskId) => void };

/** What a person can do about a task that left the queue. */
function EntryActions({ entry: { task, shown, isClash }, onBothSides }: EntryActionsProps) {
  const ask = useAsk();
  const moment = useMoment();
  const kind = ACTIONS[shown];
  const offers = useOffers(task);
  const action = kind === undefined ? null : offered(offers, kind);
  if (!isClash && action === null) return null;
  return (
    <p class="queue-actions">
      {isClash && (
        <button type="button" class="button" onClick={() => onBothSides(task)}>
          Show both sides
        </button>
      )}
      {action !== null && (
        <button type="button" class="button" onClick={() => ask(action)}>
          {formatAction(moment.state, action, moment).verb}…
        </button>
      )}
    </p>
  );
}

const ACTIONS: { readonly [S in QueueEntry["shown"]]?: "retry" | "approve" } = {
  retrying: "retry",
  failed: "retry",
  held: "approve",
};

/** ` 11 files, +642 −31.` */
function EntrySize({ attempt }: { readonly attempt: AttemptId }) {
  const diff = loadedDiff(useDiff(attempt, ""));
  if (diff === null) return null;
  const sum = (of: "added" | "removed") => diff.stat.reduce((total, file) => total + (file[of] ?? 0), 0);
  return (
    <>
      {" "}
      {count(diff.stat.length, "file")}, +{sum("added").toLocaleString("en")} −
      {sum("removed").toLocaleString("en")}.
    </>
  );
}

const SIGNS: { readonly [S in ShownCheck["state"]]: StatusKind } = {
  waiting: "waiting",
  running: "running",
  green: "merged",
  red: "failed",
};

/** One gate of a tree: its sign, its name, how long it took. */
function GateChip({ check }: { readonly check: ShownCheck }) {
  const { name, state, isFlaky } = check;
  const look = isFlaky ? "flaky actor-clock" : state;
  return (
    <li class={`queue-gate framed quiet mono ${look}`}>
      <StateIcon shown={isFlaky ? "retrying" : SIGNS[state]} size={11} />
      {name}
      <span class="unseen"> {state} </span>
      {formatTime(check)}
    </li>
  );
}

function formatTime({ state, ms, isCached, isFlaky }: ShownCheck): string {
  if (isFlaky) return "flaky";
  if (isCached) return "cached";
  if (ms === null) return "";
  // In seconds when it has ended; as a clock while it runs.
  return state === "running" || ms >= 60_000 ? elapsed(ms) : formatSeconds(ms);
}

const formatSeconds = (ms: number): string =>
  ms < 9_950 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;
