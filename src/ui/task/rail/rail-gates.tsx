import type { StatusKind } from "../../../core/select/task-status.ts";
import { visible } from "../../parts/ansi.ts";
import { StateIcon } from "../../parts/icon.tsx";
import { formatRoute } from "../../route.ts";
import { listGateRows } from "../gates/gate-rows.ts";
import type { ShownAttempt, ShownTask } from "../use-task.ts";
import { Section } from "./section.tsx";

/** The gates of the task on the work of this attempt, in the order in which they run. */
export function RailGates({ shown, attempt }: { readonly shown: ShownTask; readonly attempt: ShownAttempt }) {
  const rows = listGateRows(shown, attempt);
  if (rows.length === 0) return null;
  const { run } = shown.state;
  const href = formatRoute({ view: "task", run, task: shown.row.task, tab: "gates", attempt: attempt.n });
  return (
    <Section title={`Gates on attempt ${attempt.n}`}>
      <ul>
        {rows.map(({ name, sign, text }) => (
          <li key={name}>
            <a class="task-rail-line row" href={href}>
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
