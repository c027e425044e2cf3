import type { Clash, ClashMap, LandingClash, Pair } from "../../core/select/clashes.ts";
import { count } from "../../core/text/figures.ts";
import { fullTime, hourAndMinute } from "../../report/local-times.ts";
import { useMoment } from "../context.ts";
import { Icon } from "../parts/icon.tsx";
import { ConflictMatrix } from "./conflict-matrix.tsx";

/** Which tasks conflict, and which own the same paths. */
export function Conflicts({
  happened,
  map,
  pair,
  landing,
  onPair,
}: {
  readonly happened: readonly Clash[];
  readonly map: ClashMap;
  readonly pair: Pair | null;
  readonly landing: LandingClash | null;
  readonly onPair: (pair: Pair) => void;
}) {
  const open = happened.filter(({ isSettled }) => !isSettled).length + Number(landing !== null);
  return (
    <section class="queue-card" aria-labelledby="conflicts-title">
      <header class="queue-head">
        <h2 id="conflicts-title">Conflicts</h2>
        <p>
          {map.more > 0 && `${map.tasks.length} of `}
          {count(map.tasks.length + map.more, "task")}, {count(map.pairs.length, "pair")}
        </p>
        {open > 0 && (
          <span class="badge actor-you queue-window">
            <Icon sign="warning" size={14} /> {count(open, "conflict")}
          </span>
        )}
      </header>
      {map.tasks.length < 2 ? (
        <p class="queue-none">{QUIET}</p>
      ) : (
        <ConflictMatrix map={map} pair={pair} onPair={onPair} />
      )}
    </section>
  );
}

const QUIET = "Fewer than two tasks are running, so none can conflict.";

/** Every conflict, and how it was resolved. */
export function PastConflicts({
  happened,
  landing,
}: {
  readonly happened: readonly Clash[];
  readonly landing: LandingClash | null;
}) {
  if (happened.length === 0 && landing === null) return null;
  return (
    <section class="queue-card conflict-list" aria-labelledby="past-title">
      <h3 id="past-title">Past conflicts</h3>
      <ol>
        {landing !== null && (
          <li class="open">
            <p>
              The run conflicts with <span class="mono">{landing.target}</span>{" "}
              <Paths paths={landing.paths} />
            </p>
            <p class="conflict-then">{landing.detail}</p>
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
      <p class="conflict-then">{clash.followed}</p>
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
