import { type AttemptLine, attemptLines } from "../../../core/select/task-attempts.ts";
import { dollars, tokenCount } from "../../../core/text/figures.ts";
import { useMoment } from "../../context.ts";
import type { ShownTask } from "../use-task.ts";
import { Attempts } from "./attempts.tsx";
import { GraphContext } from "./graph-context.tsx";
import { Ownership } from "./ownership.tsx";
import { RailGates } from "./rail-gates.tsx";
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
