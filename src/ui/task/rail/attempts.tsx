import { dollars, elapsed } from "../../../core/select/run-words.ts";
import type { AttemptLine } from "../../../core/select/task-attempts.ts";
import { fullTime, hourAndMinute } from "../../../report/local-times.ts";
import { plainText } from "../../parts/ansi.ts";
import { StateIcon } from "../../parts/icon.tsx";
import { formatRoute } from "../../route.ts";
import { type RailProps, Section } from "./section.tsx";

type AttemptsProps = Pick<RailProps, "shown" | "route"> & { readonly lines: readonly AttemptLine[] };

export function Attempts({ lines, shown: { attempt }, route }: AttemptsProps) {
  if (lines.length === 0) return null;
  return (
    <Section title="Attempts" right={spanText(lines)}>
      <ol class="task-rail-attempts">
        {lines.map((one) => {
          const { head, rest } = resultWords(one);
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
                <span class="task-rail-result">
                  <span class="mono">#{one.n}</span> {head}
                </span>
                <span class="mono">{elapsed(one.ms)}</span>
                <span class="task-rail-rest">{rest}</span>
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
function spanText(lines: readonly AttemptLine[]): string {
  const [first, last] = [lines[0] as AttemptLine, lines.at(-1) as AttemptLine];
  return `${hourAndMinute(first.startedAt)} to ${last.endedAt === null ? "now" : hourAndMinute(last.endedAt)}`;
}

/** `gate test:tax red` and below it `2 of 41 tests`: a clause is cut where it says more. */
function resultWords({ kind, says }: AttemptLine): { readonly head: string; readonly rest: string } {
  const text = plainText(says);
  if (kind !== "") return { head: kind, rest: text };
  const [head = "", ...rest] = text.split(/, |: /);
  return { head, rest: rest.join(", ") };
}
