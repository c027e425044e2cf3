import type { RunAction } from "../../../core/decide.ts";
import type { TaskId } from "../../../core/ids.ts";
import { formatAction } from "../../../core/select/action-text.ts";
import { useAsk } from "../../context.ts";
import { formatRoute, type TaskTab } from "../../route.ts";
import { useOffers } from "../../use-offers.ts";
import type { GraphModel } from "../use-graph.ts";

type ActionsProps = {
  readonly model: GraphModel;
  readonly task: TaskId;
  /** In a row only the main actions; the panel has all. */
  readonly isCompact: boolean;
};

const COMPACT: ReadonlySet<RunAction["kind"]> = new Set(["retry", "approve", "accept"]);

/** Open a task, or do something about it. In a replay or a file there are no actions. */
export function TaskActions({ model, task, isCompact }: ActionsProps) {
  const ask = useAsk();
  const asked = useOffers(task);
  const { moment } = model;
  const href = (tab: TaskTab) =>
    formatRoute({ view: "task", run: moment.state.run, task, tab, attempt: null });
  const hasWork = (model.rowOf(model.picture.indexOf.get(task) ?? -1)?.attempts ?? 0) > 0;
  return (
    <div class="graph-actions">
      <a class={isCompact ? "button" : "button primary"} href={href("transcript")}>
        {isCompact ? "Open" : "Open task"}
        <span class="unseen"> {task}</span>
      </a>
      {asked
        .filter(({ kind }) => !isCompact || COMPACT.has(kind))
        .map((action) => (
          <button key={action.kind} type="button" class="button" onClick={() => ask(action)}>
            {formatAction(moment.state, action, moment).verb}…<span class="unseen"> {task}</span>
          </button>
        ))}
      {!isCompact && hasWork && (
        <a class="button" href={href("diff")}>
          Diff<span class="unseen"> of {task}</span>
        </a>
      )}
    </div>
  );
}
