import { useEffect, useMemo, useState } from "preact/hooks";
import type { RunId } from "../../core/ids.ts";
import { type ComparedTask, type Comparison, comparison } from "../../core/select/comparison.ts";
import { elapsed } from "../../core/text/figures.ts";
import { navigate, usePage } from "../context.ts";
import { useKeys } from "../keys.ts";
import { Blank, Loading } from "../parts/blank.tsx";
import { StateIcon } from "../parts/icon.tsx";
import { linkRun, linkTask } from "../route.ts";
import { createRunStore, type Moment } from "../run/run-store.ts";
import { browserClock } from "../run/store-clock.ts";
import type { Connection } from "../source/source.ts";
import { roundScale } from "./round-scale.ts";
import "./compare.css";

/** Compares two runs: changes are from the first to the second. */
export function CompareView({ runs: [a, b] }: { readonly runs: readonly [RunId, RunId] }) {
  const [from, to] = [useRunMoment(a), useRunMoment(b)];
  useKeys({ Escape: () => navigate({ view: "runs", compare: null }) });
  const refused = [from, to].find(({ connection }) => connection.kind === "refused")?.connection;
  if (refused?.kind === "refused") return <Blank title="Not connected">{refused.message}</Blank>;
  const unread = [from, to].find(({ moment }) => moment?.unreadable != null)?.moment?.unreadable;
  if (from.moment === null || to.moment === null) return <Loading what={`${a} and ${b}`} />;
  const compared = comparison(from.moment, to.moment);
  return (
    <section class="compare" aria-labelledby="compare-title">
      <div class="compare-head row">
        <h1 id="compare-title">Compare</h1>
        <p class="compare-runs mono">
          <RunLink run={a} mark="a" /> <span class="compare-with quiet">with</span>{" "}
          <RunLink run={b} mark="b" />
        </p>
        <button type="button" class="button" onClick={() => navigate({ view: "runs", compare: [b, a] })}>
          Swap
        </button>
        <p class="compare-differs quiet">{compared.differs}</p>
      </div>
      {unread && (
        <p class="runs-problem warn" role="status">
          {unread.problem}; compared up to that event. {unread.hint}
        </p>
      )}
      <div class="compare-cards">
        <Figures compared={compared} moments={[from.moment, to.moment]} />
        <div class="compare-card card">
          <h2>
            By task <span>start to end, largest gain first</span>
          </h2>
          <Dumbbells tasks={compared.tasks} run={b} />
          <OnlyIn run={a} tasks={compared.onlyA} />
          <OnlyIn run={b} tasks={compared.onlyB} />
        </div>
      </div>
    </section>
  );
}

function RunLink({ run, mark }: { readonly run: RunId; readonly mark: "a" | "b" }) {
  return (
    <a class="link" href={linkRun(run)}>
      <i class={`runs-dot-${mark}`} /> {run}
    </a>
  );
}

/** Where both names begin alike, the part that differs: `h3c1`. */
function shortNames([a, b]: readonly [Moment, Moment]): readonly [string, string] {
  const [one, other] = [a.state.run, b.state.run];
  const cut = one.lastIndexOf("-");
  const isAlike = cut > 0 && other.startsWith(one.slice(0, cut + 1)) && other.lastIndexOf("-") === cut;
  return isAlike ? [one.slice(cut + 1), other.slice(cut + 1)] : [one, other];
}

type FiguresProps = { readonly compared: Comparison; readonly moments: readonly [Moment, Moment] };

function Figures({ compared, moments }: FiguresProps) {
  const [a, b] = shortNames(moments);
  return (
    <div class="compare-card card">
      <h2>Run</h2>
      <table class="compare-figures">
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">Figure</span>
            </th>
            <th scope="col" class="mono">
              {a}
            </th>
            <th scope="col" class="mono">
              {b}
            </th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {compared.figures.map(({ name, a: before, b: after, change, is }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="mono">{before}</td>
              <td class="mono">{after}</td>
              <td class={`mono is-${is}`}>{change}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function OnlyIn({ run, tasks }: { readonly run: RunId; readonly tasks: Comparison["onlyA"] }) {
  if (tasks.length === 0) return null;
  return (
    <p class="compare-only quiet">
      Started only in <span class="mono">{run}</span>: <span class="mono">{tasks.join(", ")}</span>
    </p>
  );
}

/** A run that is looked at beside another: null until its past is told. */
function useRunMoment(run: RunId): {
  readonly moment: Moment | null;
  readonly connection: Connection;
} {
  const { source } = usePage();
  const store = useMemo(() => createRunStore(browserClock), [run]);
  const [moment, setMoment] = useState<Moment | null>(null);
  const [connection, setConnection] = useState<Connection>({ kind: "connecting" });
  useEffect(() => {
    const abort = new AbortController();
    const stop = store.subscribe(() => setMoment(store.moment()));
    const connected = (next: Connection) => {
      setConnection(next);
      store.connected(next);
    };
    source.follow(run, 0, { event: store.receive, connection: connected }, abort.signal);
    return () => {
      abort.abort();
      stop();
      store.close();
    };
  }, [source, run, store]);
  return { moment, connection };
}

/** How long each task took in both runs, on one scale. */
function Dumbbells({ tasks, run }: { readonly tasks: readonly ComparedTask[]; readonly run: RunId }) {
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
