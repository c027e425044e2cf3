import { useCallback, useState } from "preact/hooks";
import type { RunId, TextHash } from "../../../core/ids.ts";
import { count, sizeText } from "../../../core/text/figures.ts";
import { fullTime, timeOfDay } from "../../../report/local-times.ts";
import type { GateVerdict } from "../../../report/model.ts";
import { type Judged, verdictOf } from "../../../report/verdicts.ts";
import { usePage } from "../../context.ts";
import { stripAnsi, visible } from "../../parts/ansi.ts";
import { Blank, Loading, Problem } from "../../parts/blank.tsx";
import { StateIcon } from "../../parts/icon.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Output } from "../log/output.tsx";
import type { ShownAttempt, ShownTask, TabProps } from "../use-task.ts";
import { findGateSign, formatGateTime, HOW, listGateRows } from "./gate-rows.ts";
import "./gates.css";

/** All gates on this attempt, alone and merged with others, red first. */
export function GatesView({ shown, attempt, route }: TabProps) {
  const { run } = route;
  const verdicts = allVerdicts(shown, attempt);
  const waiting = listGateRows(shown, attempt).filter(
    ({ sign }) => sign === "checking" || sign === "waiting",
  );
  const { base, landing } = shown.judged;
  return (
    <div class="task-pane gates">
      <h3 class="unseen">Gates on attempt {attempt.n}</h3>
      {verdicts.length === 0 && waiting.length === 0 && (
        <Blank title="No gates have run">
          <p>{explainNoGates(shown, attempt)}</p>
        </Blank>
      )}
      <ul class="task-gates-list">
        {verdicts.map((one, n) => (
          <Verdict key={`${n} ${one.verdict.name}`} entry={one} run={run} startsOpen={n === 0} />
        ))}
        {waiting.map(({ name, sign, text }) => (
          <li key={name} class="task-gate">
            <div class="task-gate-head row">
              <StateIcon shown={sign} />
              <b class="mono">{visible(name)}</b>
              <span class="quiet">{text === "" ? "not run" : text}</span>
            </div>
          </li>
        ))}
      </ul>
      <Others title="Base check" judged={base} run={run} />
      <Others title="Before landing" judged={landing} run={run} />
    </div>
  );
}

type VerdictEntry = {
  readonly verdict: GateVerdict;
  readonly at: number | null;
  readonly output: TextHash | null;
};

const toEntry = (judged: Judged): VerdictEntry => ({
  verdict: verdictOf(judged),
  at: judged.fact.at,
  output: judged.fact.output,
});

/** Red first, then the latest. A gate that was green on the same tree before did not run again, and has no time. */
function allVerdicts({ judged }: ShownTask, attempt: ShownAttempt): VerdictEntry[] {
  const ran = judged.of(attempt.attempt).map(toEntry);
  const known = attempt.gates.filter(({ how }) => how === "known");
  const all: VerdictEntry[] = [...ran, ...known.map((verdict) => ({ verdict, at: null, output: null }))];
  const isRed = ({ verdict }: VerdictEntry) => Number(verdict.verdict === "red");
  return all.sort((a, b) => isRed(b) - isRed(a) || (b.at ?? 0) - (a.at ?? 0));
}

function explainNoGates({ task }: ShownTask, { live, failure }: ShownAttempt): string {
  if (task.gates.length === 0) return "The task has no gates.";
  if (live !== null) return "Gates run once the work is saved.";
  return failure === null ? "There were no changes to check." : `Not run: ${stripAnsi(failure.text)}.`;
}

type OthersProps = { readonly title: string; readonly judged: readonly Judged[]; readonly run: RunId };

function Others({ title, judged, run }: OthersProps) {
  if (judged.length === 0) return null;
  const isRed = judged.some(({ fact }) => fact.verdict === "red");
  return (
    <details class="task-fold task-gates-others" open={isRed}>
      <summary>
        {title}, {count(judged.length, "gate")}
      </summary>
      <ul class="task-gates-list">
        {judged.map((one, n) => (
          <Verdict key={n} entry={toEntry(one)} run={run} startsOpen={false} />
        ))}
      </ul>
    </details>
  );
}

const WHERE: { readonly [O in GateVerdict["on"]]: string } = {
  work: "on its own work",
  merge: "on the merged tree",
  base: "on the base commit",
  landing: "before landing",
};

type VerdictProps = { readonly entry: VerdictEntry; readonly run: RunId; readonly startsOpen: boolean };

function Verdict({ entry, run, startsOpen }: VerdictProps) {
  const { verdict, at, output } = entry;
  const isRed = verdict.verdict === "red";
  const [isOpen, setOpen] = useState(isRed && startsOpen);
  return (
    <li class={isRed ? "task-gate task-gate-red" : "task-gate"}>
      <div class="task-gate-head row">
        <StateIcon shown={findGateSign(verdict)} />
        <b class="mono">{visible(verdict.name)}</b>
        <span class={isRed ? "bad" : "task-added"}>{verdict.verdict}</span>
        <span class="quiet">{WHERE[verdict.on]}</span>
        {listFlags(verdict).map((flag) => (
          <span key={flag} class="task-chip framed quiet">
            {flag}
          </span>
        ))}
        <span class="task-gate-time push quiet mono">
          {verdict.how === "ran" && formatGateTime(verdict.durationMs)}
          {at !== null && (
            <time dateTime={new Date(at).toISOString()} title={fullTime(at)}>
              {timeOfDay(at)}
            </time>
          )}
        </span>
      </div>
      {verdict.summary !== "" && <p class="task-gate-summary wrap quiet">{stripAnsi(verdict.summary)}</p>}
      {output !== null && (
        <details class="task-fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Output</summary>
          {isOpen && <GateOutput run={run} hash={output} name={verdict.name} />}
        </details>
      )}
    </li>
  );
}

function listFlags({ how, runs, verdict }: GateVerdict): string[] {
  const flaky = verdict === "green" ? `flaky, green on run ${runs}` : `run ${runs} times`;
  return [HOW[how] ?? "", runs > 1 ? flaky : ""].filter((flag) => flag !== "");
}

type GateOutputProps = { readonly run: RunId; readonly hash: TextHash; readonly name: string };

function GateOutput({ run, hash, name }: GateOutputProps) {
  const { source } = usePage();
  const ask = useCallback(() => source.text(run, hash), [source, run, hash]);
  const loaded = useLoaded(hash, ask);
  if (loaded.kind === "loading") return <Loading what="the output" />;
  if (loaded.kind === "problem") return <Problem error={loaded.error} />;
  const { text, cutBytes } = loaded.value;
  return (
    <>
      {cutBytes > 0 && <p class="warn">{sizeText(cutBytes)} omitted</p>}
      {text === "" ? <p>No output.</p> : <Output text={text} label={`Output of ${name}`} />}
    </>
  );
}
