import { formatRoute, type TaskTab, taskTabs } from "../route.ts";
import type { TaskRoute } from "./tab-props.ts";

const WORDS: { readonly [T in TaskTab]: string } = {
  transcript: "Transcript",
  log: "Log",
  diff: "Diff",
  gates: "Gates",
  prompt: "Prompt",
};

export function TaskTabs({
  route,
  files,
  attempt,
}: {
  readonly route: TaskRoute;
  readonly files: number | null;
  readonly attempt: number | null;
}) {
  return (
    <div class="task-tabs ruled row">
      <nav aria-label="Views of the task">
        {taskTabs.map((tab) => (
          <a
            key={tab}
            href={formatRoute({ ...route, tab })}
            class="task-tab quiet row"
            aria-current={tab === route.tab ? "page" : undefined}
          >
            {WORDS[tab]}
            {tab === "diff" && files !== null && (
              <span class="task-count quiet">
                {files}
                <span class="unseen"> files</span>
              </span>
            )}
          </a>
        ))}
      </nav>
      {attempt !== null && (
        <span class="task-which quiet">
          attempt <span class="task-number framed mono">#{attempt}</span>
        </span>
      )}
    </div>
  );
}
