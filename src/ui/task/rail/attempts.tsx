import { dollars, elapsed } from "../../../core/select/run-words.ts";
import type { ShownState } from "../../../core/select/task-rows.ts";
import type { AttemptReport } from "../../../report/model.ts";
import { StateIcon } from "../../parts/icon.tsx";
import { stateWord } from "../../parts/state-words.ts";
import { fullTime, hourAndMinute } from "../../parts/times.ts";
import { formatRoute } from "../../route.ts";
import { plainText } from "../log/ansi.ts";
import type { ShownTask } from "../use-task.ts";
import { type RailProps, Section } from "./section.tsx";

export function Attempts({ shown, route }: RailProps) {
  const { attempts } = shown.report;
  if (attempts.length === 0) return null;
  return (
    <Section title="Attempts" right={spanText(attempts, shown)}>
      <ol class="task-rail-attempts">
        {attempts.map((one) => {
          const state = attemptState(shown, one);
          const { head, rest } = resultWords(one, state);
          const isLast = one === attempts.at(-1);
          return (
            <li key={one.attempt}>
              <a
                class="task-rail-attempt"
                href={formatRoute({ ...route, attempt: isLast ? null : one.n })}
                aria-current={one.attempt === shown.attempt?.attempt ? "true" : undefined}
                title={`Started ${fullTime(one.startedAt)}`}
              >
                <StateIcon shown={state} />
                <span class="task-rail-result">
                  <span class="mono">#{one.n}</span> {head}
                </span>
                <span class="mono">{elapsed(one.agentMs + one.gatesMs)}</span>
                <span class="task-rail-rest">{rest}</span>
                <span class="task-rail-usd mono">
                  {one.usage.costUsd === null ? "" : dollars(one.usage.costUsd)}
                </span>
              </a>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

/** `14:18 to 14:36`. */
function spanText(attempts: readonly AttemptReport[], { state }: ShownTask): string {
  const [first, last] = [attempts[0] as AttemptReport, attempts.at(-1) as AttemptReport];
  const end = last.startedAt + last.agentMs + last.gatesMs;
  const until = last.endedAt === null || end >= state.clock ? "now" : hourAndMinute(end);
  return `${hourAndMinute(first.startedAt)} to ${until}`;
}

/** What became of one attempt, in the signs of tasks. */
function attemptState({ row }: ShownTask, one: AttemptReport): ShownState {
  if (one.failure !== null) return one.failure.reason === "cancelled" ? "cancelled" : "failed";
  if (one.attempt === row.attempt) return row.shown;
  return one.endedAt === null ? "running" : "passed";
}

/** `gate test:tax red` and below it `2 of 41 tests`: a clause is cut where it says more. */
function resultWords(
  one: AttemptReport,
  state: ShownState,
): { readonly head: string; readonly rest: string } {
  const kind =
    one.author === "person" ? "by a person" : one.continues === null ? "" : `fix round on #${one.continues}`;
  const says = plainText(one.failure?.says ?? stateWord(state));
  const [head = "", ...rest] = says.split(/, |: /);
  const more = rest.join(", ");
  return kind === "" ? { head, rest: more } : { head: kind, rest: says };
}
