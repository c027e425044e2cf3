import type { TaskId } from "../../core/ids.ts";
import type { ClashMap, Pair, PairKind } from "../../core/select/clashes.ts";
import { useMoment } from "../context.ts";
import { StateIcon } from "../parts/icon.tsx";

const NAMES: { readonly [K in PairKind]: readonly [word: string, meaning: string] } = {
  clash: ["conflict", "git could not merge"],
  may: ["overlap", "both own the same paths"],
  unknown: ["unclear", "owns no paths"],
  apart: ["no overlap", ""],
};

/** Each pair of tasks once. It is a table, so that screen readers name both tasks of a cell. */
export function ConflictMatrix({
  map: { tasks, pairs },
  pair,
  onPair,
}: {
  readonly map: ClashMap;
  readonly pair: Pair | null;
  readonly onPair: (pair: Pair) => void;
}) {
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
              <i class={`conflict-cell ${kind}`}>
                <Mark kind={kind} />
              </i>
              <span>
                {NAMES[kind][0]}
                <br />
                <span class="conflict-then">{NAMES[kind][1]}</span>
              </span>
            </li>
          ))}
      </ul>
    </div>
  );
}

function Cell({
  pair,
  shown,
  onPair,
}: {
  readonly pair: Pair | undefined;
  readonly shown: Pair | null;
  readonly onPair: (pair: Pair) => void;
}) {
  if (pair === undefined) return <td />;
  const { a, b, kind, paths } = pair;
  const isShown = shown !== null && shown.a === a && shown.b === b;
  if (kind === "apart" || kind === "unknown")
    return (
      <td>
        <i class={`conflict-cell ${kind}`}>
          <Mark kind={kind} />
        </i>
        <span class="unseen">{NAMES[kind][0]}</span>
      </td>
    );
  return (
    <td>
      <button
        type="button"
        class={`conflict-cell ${kind}`}
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
