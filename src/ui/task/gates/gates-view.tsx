import { useCallback, useState } from "preact/hooks";
import type { RunId, TextHash } from "../../../core/ids.ts";
import { count } from "../../../core/select/preview/words.ts";
import { sizeText } from "../../../core/select/run-words.ts";
import { fullTime, timeOfDay } from "../../../report/local-times.ts";
import type { GateVerdict } from "../../../report/model.ts";
import { type Judged, verdictOf } from "../../../report/verdicts.ts";
import { usePage } from "../../context.ts";
import { plainText, visible } from "../../parts/ansi.ts";
import { Blank, Loading, Problem } from "../../parts/blank.tsx";
import { StateIcon } from "../../parts/icon.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Output } from "../log/output.tsx";
import type { TabProps } from "../tab-props.ts";
import type { ShownAttempt, ShownTask } from "../use-task.ts";
import { duration, gateRows, signOf } from "./gate-rows.ts";
import "./gates.css";

/** Everything that gates said about this attempt: on its own work and merged with others, red first. */
export function GatesView({ shown, attempt, route }: TabProps) {
  const { run } = route;
  const verdicts = allVerdicts(shown, attempt);
  const waiting = gateRows(shown, attempt).filter(({ sign }) => sign === "gating" || sign === "waiting");
  const { base, landing } = shown.judged;
  return (
    <div class="task-pane gates">
      <h3 class="unseen">Gates on attempt {attempt.n}</h3>
      {verdicts.length === 0 && waiting.length === 0 && (
        <Blank title="No gate has judged it">
          <p>{noGateWords(shown, attempt)}</p>
        </Blank>
      )}
      <ul class="task-gates-list">
        {verdicts.map((one, n) => (
          <Verdict key={`${n} ${one.verdict.name}`} told={one} run={run} startsOpen={n === 0} />
        ))}
        {waiting.map(({ name, sign, says }) => (
          <li key={name} class="task-gate">
            <div class="task-gate-head">
              <StateIcon shown={sign} />
              <b class="mono">{visible(name)}</b>
              <span class="task-gate-where">{says === "" ? "not run" : says}</span>
            </div>
          </li>
        ))}
      </ul>
      <Others title="Before the run, on the base" judged={base} run={run} />
      <Others title="Before landing, on the tree that lands" judged={landing} run={run} />
    </div>
  );
}

type Told = { readonly verdict: GateVerdict; readonly at: number | null; readonly output: TextHash | null };

const toldOf = (judged: Judged): Told => ({
  verdict: verdictOf(judged),
  at: judged.fact.at,
  output: judged.fact.output,
});

/** Red first, then the latest. What was green for the same tree before was not asked again, and has no time. */
function allVerdicts({ judged }: ShownTask, attempt: ShownAttempt): Told[] {
  const ran = judged.of(attempt.attempt).map(toldOf);
  const known = attempt.gates.filter(({ how }) => how === "known");
  const all: Told[] = [...ran, ...known.map((verdict) => ({ verdict, at: null, output: null }))];
  const isRed = ({ verdict }: Told) => Number(verdict.verdict === "red");
  return all.sort((a, b) => isRed(b) - isRed(a) || (b.at ?? 0) - (a.at ?? 0));
}

function noGateWords({ task }: ShownTask, { live, failure }: ShownAttempt): string {
  if (task.gates.length === 0) return "The task has no gate.";
  if (live !== null) return "Gates are asked when the work is saved.";
  return failure === null
    ? "Nothing was to be judged."
    : `It did not come to that: ${plainText(failure.says)}.`;
}

type OthersProps = { readonly title: string; readonly judged: readonly Judged[]; readonly run: RunId };

function Others({ title, judged, run }: OthersProps) {
  if (judged.length === 0) return null;
  const isRed = judged.some(({ fact }) => fact.verdict === "red");
  return (
    <details class="task-fold task-gates-others" open={isRed}>
      <summary>
        {title}, {count(judged.length, "verdict")}
      </summary>
      <ul class="task-gates-list">
        {judged.map((one, n) => (
          <Verdict key={n} told={toldOf(one)} run={run} startsOpen={false} />
        ))}
      </ul>
    </details>
  );
}

const WHERE: { readonly [O in GateVerdict["on"]]: string } = {
  work: "on its own work",
  merge: "on the merged tree",
  base: "on the base",
  landing: "before landing",
};

type VerdictProps = { readonly told: Told; readonly run: RunId; readonly startsOpen: boolean };

function Verdict({ told, run, startsOpen }: VerdictProps) {
  const { verdict, at, output } = told;
  const isRed = verdict.verdict === "red";
  const [isOpen, setOpen] = useState(isRed && startsOpen);
  return (
    <li class={isRed ? "task-gate task-gate-red" : "task-gate"}>
      <div class="task-gate-head">
        <StateIcon shown={signOf(verdict)} />
        <b class="mono">{visible(verdict.name)}</b>
        <span class={isRed ? "task-removed" : "task-added"}>{verdict.verdict}</span>
        <span class="task-gate-where">{WHERE[verdict.on]}</span>
        {howOf(verdict).map((word) => (
          <span key={word} class="task-chip">
            {word}
          </span>
        ))}
        <span class="task-gate-time mono">
          {verdict.how === "ran" && duration(verdict.durationMs)}
          {at !== null && (
            <time dateTime={new Date(at).toISOString()} title={fullTime(at)}>
              {timeOfDay(at)}
            </time>
          )}
        </span>
      </div>
      {verdict.summary !== "" && <p class="task-gate-summary">{plainText(verdict.summary)}</p>}
      {output !== null && (
        <details class="task-fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Output</summary>
          {isOpen && <GateOutput run={run} hash={output} name={verdict.name} />}
        </details>
      )}
    </li>
  );
}

function howOf({ how, tries, verdict }: GateVerdict): string[] {
  const words: string[] = [];
  if (how === "known") words.push("cached");
  if (how === "unaffected") words.push("unaffected");
  if (how === "no-new-failures") words.push("fails as before the run");
  if (tries > 1) words.push(verdict === "green" ? `flaky, green at try ${tries}` : `${tries} tries`);
  return words;
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
      {cutBytes > 0 && <p class="task-log-cut">{sizeText(cutBytes)} left out</p>}
      {text === "" ? <p>It printed nothing.</p> : <Output text={text} label={`Output of ${name}`} />}
    </>
  );
}
