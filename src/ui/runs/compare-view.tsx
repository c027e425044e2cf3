import type { RunId } from "../../core/ids.ts";
import { type Comparison, comparison } from "../../core/select/comparison.ts";
import { navigate } from "../context.ts";
import { useKeys } from "../keys.ts";
import { Blank, Loading } from "../parts/blank.tsx";
import { formatRoute } from "../route.ts";
import type { Moment } from "../run/run-store.ts";
import { Dumbbells } from "./dumbbells.tsx";
import { useMomentOf } from "./use-moment-of.ts";
import "./compare.css";

/** Two runs side by side: the first is what was, the second what became of it. */
export function CompareView({ runs: [a, b] }: { readonly runs: readonly [RunId, RunId] }) {
  const [from, to] = [useMomentOf(a), useMomentOf(b)];
  useKeys({ Escape: () => navigate({ view: "runs", compare: null }) });
  const refused = [from, to].find(({ connection }) => connection.kind === "refused")?.connection;
  if (refused?.kind === "refused") return <Blank title="Not connected">{refused.message}</Blank>;
  const unread = [from, to].find(({ moment }) => moment?.unreadable != null)?.moment?.unreadable;
  if (from.moment === null || to.moment === null) return <Loading what={`${a} and ${b}`} />;
  const told = comparison(from.moment, to.moment);
  return (
    <section class="compare" aria-labelledby="compare-title">
      <div class="compare-head">
        <h1 id="compare-title">Compare</h1>
        <p class="compare-runs mono">
          <RunLink run={a} mark="a" /> <span class="compare-with">with</span> <RunLink run={b} mark="b" />
        </p>
        <button type="button" class="button" onClick={() => navigate({ view: "runs", compare: [b, a] })}>
          Swap
        </button>
        <p class="compare-differs">{told.differs}</p>
      </div>
      {unread && (
        <p class="runs-problem" role="status">
          {unread.problem}: compared up to there. {unread.hint}
        </p>
      )}
      <div class="compare-cards">
        <Figures told={told} moments={[from.moment, to.moment]} />
        <div class="compare-card">
          <h2>
            Task by task <span>time from start to end, most gained first</span>
          </h2>
          <Dumbbells tasks={told.tasks} run={b} />
          <OnlyIn run={a} tasks={told.onlyA} />
          <OnlyIn run={b} tasks={told.onlyB} />
        </div>
      </div>
    </section>
  );
}

function RunLink({ run, mark }: { readonly run: RunId; readonly mark: "a" | "b" }) {
  return (
    <a href={formatRoute({ view: "graph", run, selected: null })}>
      <i class={`runs-dot-${mark}`} /> {run}
    </a>
  );
}

/** The part of a name that tells one from the other, where both begin alike: `h3c1`. */
function shortNames([a, b]: readonly [Moment, Moment]): readonly [string, string] {
  const [one, other] = [a.state.run, b.state.run];
  const cut = one.lastIndexOf("-");
  const isAlike = cut > 0 && other.startsWith(one.slice(0, cut + 1)) && other.lastIndexOf("-") === cut;
  return isAlike ? [one.slice(cut + 1), other.slice(cut + 1)] : [one, other];
}

function Figures({
  told,
  moments,
}: {
  readonly told: Comparison;
  readonly moments: readonly [Moment, Moment];
}) {
  const [a, b] = shortNames(moments);
  return (
    <div class="compare-card">
      <h2>The run</h2>
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
          {told.figures.map(({ name, a: before, b: after, change, is }) => (
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
    <p class="compare-only">
      Begun only in <span class="mono">{run}</span>: <span class="mono">{tasks.join(", ")}</span>
    </p>
  );
}
