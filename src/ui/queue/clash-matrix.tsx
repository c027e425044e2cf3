import type { TaskId } from "../../core/ids.ts";
import type { ClashMap, Pair, PairKind } from "../../core/select/clash-map.ts";
import { useMoment } from "../context.ts";
import { StateIcon } from "../parts/icon.tsx";

const WORDS: { readonly [K in PairKind]: readonly [word: string, meaning: string] } = {
  clash: ["clash", "did not merge"],
  may: ["may clash", "same files claimed"],
  unknown: ["not known", "claims no files"],
  apart: ["apart", ""],
};

/** Everybody against everybody, each pair once. It is a table, so that readers hear who meets whom. */
export function ClashMatrix({
  map: { tasks, pairs },
  pair,
  onPair,
}: {
  readonly map: ClashMap;
  readonly pair: Pair | null;
  readonly onPair: (pair: Pair) => void;
}) {
  const { rows } = useMoment();
  const shown = new Map(rows.map((row) => [row.task, row.shown]));
  const byKey = new Map(pairs.map((one) => [`${one.a} ${one.b}`, one]));
  const kinds = new Set(pairs.map(({ kind }) => kind));
  return (
    <div class="clash-map">
      <table class="clash-matrix">
        <caption class="unseen">Which tasks clash with which</caption>
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
              <th scope="row" class="clash-row-sign mono">
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
      <ul class="clash-legend">
        {(Object.keys(WORDS) as PairKind[])
          .filter((kind) => kinds.has(kind))
          .map((kind) => (
            <li key={kind}>
              <i class={`clash-cell ${kind}`}>
                <Mark kind={kind} />
              </i>
              <span>
                {WORDS[kind][0]}
                <br />
                <span class="clash-then">{WORDS[kind][1]}</span>
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
        <i class={`clash-cell ${kind}`}>
          <Mark kind={kind} />
        </i>
        <span class="unseen">{WORDS[kind][0]}</span>
      </td>
    );
  return (
    <td>
      <button
        type="button"
        class={`clash-cell ${kind}`}
        aria-pressed={isShown}
        aria-label={`${nameOf(a, b)}: ${WORDS[kind][0]}`}
        title={`${nameOf(a, b)}: ${paths.join(", ")}`}
        onClick={() => onPair(pair)}
      >
        <Mark kind={kind} />
      </button>
    </td>
  );
}

const nameOf = (a: TaskId, b: TaskId): string => `${a} and ${b}`;

/** A shape for each, so that nobody needs the colour. */
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
