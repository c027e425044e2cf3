import type { TaskId } from "../../core/ids.ts";
import type { Clash, ClashMap, LandingClash, Pair, PairKind } from "../../core/select/clashes.ts";
import { count } from "../../core/text/figures.ts";
import { fullTime, hourAndMinute } from "../../report/local-times.ts";
import { useMoment } from "../context.ts";
import { Icon, StateIcon } from "../parts/icon.tsx";

type ConflictsProps = {
  readonly happened: readonly Clash[];
  readonly map: ClashMap;
  readonly pair: Pair | null;
  readonly landing: LandingClash | null;
  readonly onPair: (pair: Pair) => void;
};

/** Which tasks conflict, and which own the same paths. */
export function Conflicts({ happened, map, pair, landing, onPair }: ConflictsProps) {
  const open = happened.filter(({ isSettled }) => !isSettled).length + Number(landing !== null);
  return (
    <section class="queue-card card" aria-labelledby="conflicts-title">
      <header class="queue-head ruled row">
        <h2 id="conflicts-title">Conflicts</h2>
        <p>
          {map.more > 0 && `${map.tasks.length} of `}
          {count(map.tasks.length + map.more, "task")}, {count(map.pairs.length, "pair")}
        </p>
        {open > 0 && (
          <span class="badge actor-you push">
            <Icon sign="warning" size={14} /> {count(open, "conflict")}
          </span>
        )}
      </header>
      {map.tasks.length < 2 ? (
        <p class="queue-none wrap quiet">{QUIET}</p>
      ) : (
        <ConflictMatrix map={map} pair={pair} onPair={onPair} />
      )}
    </section>
  );
}

const QUIET = "Fewer than two tasks are running, so none can conflict.";

/** Every conflict, and how it was resolved. */
export function PastConflicts({ happened, landing }: Pick<ConflictsProps, "happened" | "landing">) {
  if (happened.length === 0 && landing === null) return null;
  return (
    <section class="queue-card card conflict-list" aria-labelledby="past-title">
      <h3 id="past-title">Past conflicts</h3>
      <ol>
        {landing !== null && (
          <li class="open">
            <p>
              The run conflicts with <span class="mono">{landing.target}</span>{" "}
              <Paths paths={landing.paths} />
            </p>
            <p class="quiet">{landing.detail}</p>
          </li>
        )}
        {happened.map((clash) => (
          <PastConflict key={clash.attempt} clash={clash} />
        ))}
      </ol>
    </section>
  );
}

function PastConflict({ clash }: { readonly clash: Clash }) {
  const { state } = useMoment();
  const isRest = state.ended !== null;
  return (
    <li class={clash.isSettled || isRest ? "" : "open"}>
      <p>
        <span class="mono">{clash.attempt.replace("/", " #")}</span>
        {clash.with.length > 0 && (
          <>
            {" "}
            with <span class="mono">{clash.with.join(", ")}</span>
          </>
        )}{" "}
        <Paths paths={clash.paths} />
        <span class="queue-when mono" title={fullTime(clash.at)}>
          {hourAndMinute(clash.at)}
        </span>
      </p>
      <p class="quiet">{clash.followed}</p>
    </li>
  );
}

const SOME = 3;

function Paths({ paths }: { readonly paths: readonly string[] }) {
  if (paths.length === 0) return null;
  const more = paths.length - SOME;
  return (
    <>
      in <span class="mono conflict-path">{paths.slice(0, SOME).join(", ")}</span>
      {more > 0 && ` and ${more} more`}
    </>
  );
}

const NAMES: { readonly [K in PairKind]: readonly [word: string, meaning: string] } = {
  clash: ["conflict", "git could not merge"],
  may: ["overlap", "both own the same paths"],
  unknown: ["unclear", "owns no paths"],
  apart: ["no overlap", ""],
};

type ConflictMatrixProps = Omit<ConflictsProps, "happened" | "landing">;

/** Each pair of tasks once. It is a table, so that screen readers name both tasks of a cell. */
function ConflictMatrix({ map: { tasks, pairs }, pair, onPair }: ConflictMatrixProps) {
  const { rows } = useMoment();
  const shown = new Map(rows.map((row) => [row.task, row.status.kind]));
  const byKey = new Map(pairs.map((one) => [`${one.a} ${one.b}`, one]));
  const kinds = new Set(pairs.map(({ kind }) => kind));
  return (
    <div class="conflict-map">
      <table class="conflict-matrix">
        <caption class="unseen">Conflicts and overlaps by task</caption>
        <thead>
          <tr>
            <td />
            {tasks.slice(0, -1).map((task) => (
              <th key={task} scope="col" class="mono">
                <span>{task}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tasks.slice(1).map((task, n) => (
            <tr key={task}>
              <th scope="row" class="conflict-row-sign mono">
                <StateIcon shown={shown.get(task) ?? "waiting"} size={14} />
                <span>{task}</span>
              </th>
              {tasks.slice(0, n + 1).map((other) => (
                <Cell key={other} pair={byKey.get(`${other} ${task}`)} shown={pair} onPair={onPair} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <ul class="conflict-legend">
        {(Object.keys(NAMES) as PairKind[])
          .filter((kind) => kinds.has(kind))
          .map((kind) => (
            <li key={kind}>
              <MarkedCell kind={kind} />
              <span>
                {NAMES[kind][0]}
                <br />
                <span class="quiet">{NAMES[kind][1]}</span>
              </span>
            </li>
          ))}
      </ul>
    </div>
  );
}

type CellProps = Pick<ConflictsProps, "onPair"> & {
  readonly pair: Pair | undefined;
  readonly shown: Pair | null;
};

function Cell({ pair, shown, onPair }: CellProps) {
  if (pair === undefined) return <td />;
  const { a, b, kind, paths } = pair;
  const isShown = shown !== null && shown.a === a && shown.b === b;
  if (kind === "apart" || kind === "unknown")
    return (
      <td>
        <MarkedCell kind={kind} />
        <span class="unseen">{NAMES[kind][0]}</span>
      </td>
    );
  return (
    <td>
      <button
        type="button"
        class={`conflict-cell faint row ${kind}`}
        aria-pressed={isShown}
        aria-label={`${formatPair(a, b)}: ${NAMES[kind][0]}`}
        title={`${formatPair(a, b)}: ${paths.join(", ")}`}
        onClick={() => onPair(pair)}
      >
        <Mark kind={kind} />
      </button>
    </td>
  );
}

const MarkedCell = ({ kind }: { readonly kind: PairKind }) => (
  <i class={`conflict-cell faint row ${kind}`}>
    <Mark kind={kind} />
  </i>
);

const formatPair = (a: TaskId, b: TaskId): string => `${a} and ${b}`;

/** Each has its own shape, readable without color. */
function Mark({ kind }: { readonly kind: PairKind }) {
  if (kind === "apart") return null;
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" class="icon">
      {kind === "clash" && <path d="M4 4l8 8M12 4l-8 8" class="icon-line" />}
      {kind === "may" && <circle cx="8" cy="8" r="4.2" class="icon-line" />}
      {kind === "unknown" && <path d="M6 8h4" class="icon-line" />}
    </svg>
  );
}
