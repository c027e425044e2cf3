import { taskAt } from "../../../core/run-index.ts";
import { taskState } from "../../../core/run-tasks.ts";
import { shortOid } from "../../../core/text/figures.ts";
import { useMoment } from "../../context.ts";
import { CopyText } from "../../parts/copy-text.tsx";
import { StateIcon } from "../../parts/icon.tsx";
import { linkTask } from "../../route.ts";
import type { ShownTask } from "../use-task.ts";
import { Section } from "./section.tsx";

/** Its needs and dependents, its base commit and where its work is. */
export function GraphContext({ shown }: { readonly shown: ShownTask }) {
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

function Neighbors({
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
function shortenPath(path: string): string {
  const parts = path.split("/");
  return parts.length <= 3 ? path : `${parts[0]}/…/${parts.slice(-2).join("/")}`;
}
