import type { AttemptLine } from "../../../core/select/task-attempts.ts";
import { dollars, elapsed } from "../../../core/text/figures.ts";
import { fullTime, hourAndMinute } from "../../../report/local-times.ts";
import { stripAnsi } from "../../parts/ansi.ts";
import { StateIcon } from "../../parts/icon.tsx";
import { formatRoute } from "../../route.ts";
import { type RailProps, Section } from "./section.tsx";

type AttemptsProps = Pick<RailProps, "shown" | "route"> & { readonly lines: readonly AttemptLine[] };

export function Attempts({ lines, shown: { attempt }, route }: AttemptsProps) {
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
