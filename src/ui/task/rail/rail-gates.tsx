import type { ShownState } from "../../../core/select/task-rows.ts";
import { visible } from "../../parts/ansi.ts";
import { StateIcon } from "../../parts/icon.tsx";
import { formatRoute } from "../../route.ts";
import { gateRows } from "../gates/gate-rows.ts";
import type { ShownAttempt, ShownTask } from "../use-task.ts";
import { Section } from "./section.tsx";

/** The gates of the task, in the order in which they are asked, on the work of this attempt. */
export function RailGates({ shown, attempt }: { readonly shown: ShownTask; readonly attempt: ShownAttempt }) {
  const rows = gateRows(shown, attempt);
  if (rows.length === 0) return null;
  const { run } = shown.state;
  const href = formatRoute({ view: "task", run, task: shown.row.task, tab: "gates", attempt: attempt.n });
  return (
    <Section title={`Gates on attempt ${attempt.n}`}>
      <ul>
        {rows.map(({ name, sign, says }) => (
          <li key={name}>
            <a class="task-rail-line" href={href}>
              <StateIcon shown={sign} />
              <span class="mono task-rail-name">{visible(name)}</span>
              <span class="unseen">{WORDS[sign] ?? ""}</span>
              <span class="mono task-rail-fact">{says}</span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const WORDS: { readonly [S in ShownState]?: string } = {
  merged: "green",
  failed: "red",
  backoff: "flaky",
  waiting: "not run",
  gating: "running",
};
