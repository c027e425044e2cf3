import { taskAt } from "../../../core/run-index.ts";
import { taskState } from "../../../core/run-tasks.ts";
import { shortOid } from "../../../core/select/run-words.ts";
import { stateWord } from "../../../core/select/state-words.ts";
import { useMoment } from "../../context.ts";
import { StateIcon } from "../../parts/icon.tsx";
import { formatRoute } from "../../route.ts";
import { CopyText } from "../copy-text.tsx";
import type { ShownTask } from "../use-task.ts";
import { Section } from "./section.tsx";

/** Around the task: what it waits for, what waits for it, where it began and where its work is. */
export function GraphContext({ shown }: { readonly shown: ShownTask }) {
  const { state, i, attempt, row } = shown;
  const { needs, dependents } = state.index.graph;
  const { past, live } = taskState(state, i);
  const base = [...past, ...live].find(({ id }) => id === attempt?.attempt)?.base.commit ?? null;
  return (
    <Section title="In the graph" isLate>
      <dl class="task-rail-figures task-rail-context">
        <Neighbours name="Needs" tasks={needs[i] ?? []} shown={shown} />
        <Neighbours name="Blocks" tasks={dependents[i] ?? []} shown={shown} />
        {base !== null && <Copied name="Base" text={base} short={shortOid(base)} />}
        {attempt?.ref != null && <Copied name="Kept at" text={attempt.ref} short={shortKept(attempt.ref)} />}
        {row.commit !== null && <Copied name="Merged as" text={row.commit} short={shortOid(row.commit)} />}
        {attempt?.worktree != null && (
          <Copied name="Worktree" text={attempt.worktree} short={shortKept(attempt.worktree)} />
        )}
      </dl>
    </Section>
  );
}

function Neighbours({
  name,
  tasks,
  shown,
}: {
  readonly name: string;
  readonly tasks: readonly number[];
  readonly shown: ShownTask;
}) {
  const { rows } = useMoment();
  const ids = tasks.map((n) => taskAt(shown.state.index, n).id);
  const found = ids.flatMap((id) => rows.find(({ task }) => task === id) ?? []);
  return (
    <div>
      <dt>{name}</dt>
      <dd class="task-rail-chips">
        {found.length === 0 && <span class="task-rail-none">nothing</span>}
        {found.map(({ task, shown: state }) => (
          <a
            key={task}
            class="task-chip mono"
            title={stateWord(state)}
            href={formatRoute({ view: "task", run: shown.state.run, task, tab: "transcript", attempt: null })}
          >
            <StateIcon shown={state} size={11} />
            {task}
            <span class="unseen">, {stateWord(state)}</span>
          </a>
        ))}
      </dd>
    </div>
  );
}

function Copied({
  name,
  text,
  short,
}: {
  readonly name: string;
  readonly text: string;
  readonly short: string;
}) {
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
function shortKept(path: string): string {
  const parts = path.split("/");
  return parts.length <= 3 ? path : `${parts[0]}/…/${parts.slice(-2).join("/")}`;
}
