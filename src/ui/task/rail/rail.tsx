import { taskAt } from "../../../core/run-index.ts";
import { taskState } from "../../../core/run-tasks.ts";
import { type AttemptLine, attemptLines } from "../../../core/select/task-attempts.ts";
import type { StatusKind } from "../../../core/select/task-status.ts";
import { dollars, elapsed, shortOid, tokenCount } from "../../../core/text/figures.ts";
import { fullTime, hourAndMinute } from "../../../report/local-times.ts";
import { useMoment } from "../../context.ts";
import { stripAnsi, visible } from "../../parts/ansi.ts";
import { StateIcon } from "../../parts/icon.tsx";
import { CopyText } from "../../parts/sentence-text.tsx";
import { formatRoute, linkTask } from "../../route.ts";
import { listGateRows } from "../gates/gate-rows.ts";
import type { ShownAttempt, ShownTask } from "../use-task.ts";
import { Ownership } from "./ownership.tsx";
import { type RailProps, Section } from "./section.tsx";
import "./rail.css";

/** The task so far. */
export function Rail(props: RailProps) {
  const { shown } = props;
  const lines = attemptLines(shown.state, shown.row, useMoment());
  return (
    <aside class="task-rail" aria-label="About the task">
      <Attempts {...props} lines={lines} />
      {shown.attempt !== null && <RailGates shown={shown} attempt={shown.attempt} />}
      <Ownership {...props} />
      <Cost shown={shown} lines={lines} />
      <GraphContext shown={shown} />
    </aside>
  );
}

type CostProps = { readonly shown: ShownTask; readonly lines: readonly AttemptLine[] };

function Cost({ shown: { row, attempt }, lines }: CostProps) {
  const { usage } = row;
  const tokens = (n: number | null) => (n === null ? null : tokenCount(n));
  const money = (usd: number | null) => (usd === null ? null : dollars(usd));
  const looked = lines.find(({ id }) => id === attempt?.attempt);
  const one = lines.length > 1 ? money(looked?.costUsd ?? null) : null;
  const figures: readonly (readonly [string, string | null])[] = [
    ["All attempts", money(usage.costUsd)],
    [`Attempt ${attempt?.n}`, one],
    ["Input", tokens(usage.inputTokens)],
    ["Output", tokens(usage.outputTokens)],
  ];
  const known = figures.filter(([, figure]) => figure !== null);
  if (lines.length === 0) return null;
  return (
    <Section title="Cost" isLate>
      {known.length === 0 ? (
        <p class="faint">{row.agent === null ? "Commands cost nothing." : "Not reported yet."}</p>
      ) : (
        <dl class="task-rail-figures">
          {known.map(([name, figure]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="mono">{figure}</dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  );
}

type AttemptsProps = Pick<RailProps, "shown" | "route"> & { readonly lines: readonly AttemptLine[] };

function Attempts({ lines, shown: { attempt }, route }: AttemptsProps) {
  if (lines.length === 0) return null;
  return (
    <Section title="Attempts" right={formatSpan(lines)}>
      <ol class="task-rail-attempts">
        {lines.map((one) => {
          const { head, rest } = splitResult(one);
          const isLast = one === lines.at(-1);
          return (
            <li key={one.id}>
              <a
                class="task-rail-attempt"
                href={formatRoute({ ...route, attempt: isLast ? null : one.n })}
                aria-current={one.id === attempt?.attempt ? "true" : undefined}
                title={`Started ${fullTime(one.startedAt)}`}
              >
                <StateIcon shown={one.shown} />
                <span class="task-rail-result wrap quiet">
                  <span class="mono">#{one.n}</span> {head}
                </span>
                <span class="mono">{elapsed(one.ms)}</span>
                <span class="task-rail-rest wrap small faint">{rest}</span>
                <span class="task-rail-usd mono">{one.costUsd === null ? "" : dollars(one.costUsd)}</span>
              </a>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

/** `14:18 to 14:36`. */
function formatSpan(lines: readonly AttemptLine[]): string {
  const [first, last] = [lines[0] as AttemptLine, lines.at(-1) as AttemptLine];
  return `${hourAndMinute(first.startedAt)} to ${last.endedAt === null ? "now" : hourAndMinute(last.endedAt)}`;
}

/** `retry 1 of 2` and below it `gate test:tax red, 2 of 41 tests`. */
function splitResult({ kind, shown, text }: AttemptLine): { readonly head: string; readonly rest: string } {
  const head = kind === "" ? shown : kind;
  return { head, rest: text === head ? "" : stripAnsi(text) };
}

/** The gates of the task on the work of this attempt, in the order in which they run. */
function RailGates({ shown, attempt }: { readonly shown: ShownTask; readonly attempt: ShownAttempt }) {
  const rows = listGateRows(shown, attempt);
  if (rows.length === 0) return null;
  const { run } = shown.state;
  const href = linkTask(run, shown.row.task, { tab: "gates", attempt: attempt.n });
  return (
    <Section title={`Gates on attempt ${attempt.n}`}>
      <ul>
        {rows.map(({ name, sign, text }) => (
          <li key={name}>
            <a class="task-rail-line link row" href={href}>
              <StateIcon shown={sign} />
              <span class="mono task-rail-name wrap">{visible(name)}</span>
              <span class="unseen">{VERDICTS[sign] ?? ""}</span>
              <span class="mono task-rail-fact push quiet">{text}</span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const VERDICTS: { readonly [S in StatusKind]?: string } = {
  merged: "green",
  failed: "red",
  retrying: "flaky",
  waiting: "not run",
  checking: "running",
};

/** Its needs and dependents, its base commit and where its work is. */
function GraphContext({ shown }: { readonly shown: ShownTask }) {
  const { state, i, attempt, row } = shown;
  const { needs, dependents } = state.index.graph;
  const { past, live } = taskState(state, i);
  const base = [...past, ...live].find(({ id }) => id === attempt?.attempt)?.base.commit ?? null;
  return (
    <Section title="In the graph" isLate>
      <dl class="task-rail-figures task-rail-context">
        <Neighbors name="Needs" tasks={needs[i] ?? []} shown={shown} />
        <Neighbors name="Dependents" tasks={dependents[i] ?? []} shown={shown} />
        {base !== null && <Copied name="Base commit" text={base} short={shortOid(base)} />}
        {attempt?.ref != null && (
          <Copied name="Saved at" text={attempt.ref} short={shortenPath(attempt.ref)} />
        )}
        {row.commit !== null && <Copied name="Merged as" text={row.commit} short={shortOid(row.commit)} />}
        {attempt?.worktree != null && (
          <Copied name="Worktree" text={attempt.worktree} short={shortenPath(attempt.worktree)} />
        )}
      </dl>
    </Section>
  );
}

type NeighborsProps = { readonly name: string; readonly tasks: readonly number[]; readonly shown: ShownTask };

function Neighbors({ name, tasks, shown }: NeighborsProps) {
  const { rows } = useMoment();
  const ids = tasks.map((n) => taskAt(shown.state.index, n).id);
  const found = ids.flatMap((id) => rows.find(({ task }) => task === id) ?? []);
  return (
    <div>
      <dt>{name}</dt>
      <dd class="task-rail-chips">
        {found.length === 0 && <span class="faint">none</span>}
        {found.map(({ task, status: { kind } }) => (
          <a
            key={task}
            class="task-chip framed quiet mono"
            title={kind}
            href={linkTask(shown.state.run, task)}
          >
            <StateIcon shown={kind} size={11} />
            {task}
            <span class="unseen">, {kind}</span>
          </a>
        ))}
      </dd>
    </div>
  );
}

type CopiedProps = { readonly name: string; readonly text: string; readonly short: string };

function Copied({ name, text, short }: CopiedProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <CopyText text={text} what={name.toLowerCase()}>
          {short}
        </CopyText>
      </dd>
    </div>
  );
}

/** `refs/…/tax/3`. */
function shortenPath(path: string): string {
  const parts = path.split("/");
  return parts.length <= 3 ? path : `${parts[0]}/…/${parts.slice(-2).join("/")}`;
}
