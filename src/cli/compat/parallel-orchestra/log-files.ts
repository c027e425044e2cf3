// The log files of each task, `<id>-stdout.log` and `<id>-stderr.log`: written when an attempt is over, a later one behind the one
// before. What cannot be written is told once and holds nothing up.

import { join } from "node:path";
import { type Checkout, printedBy, type RunState, type RunView, writePrivately } from "../../../app/index.ts";
import type { AttemptId, TaskId } from "../../../core/ids.ts";
import { pastAttempts } from "../../../core/select/task-lists.ts";

export type LogPlace = {
  readonly folder: string;
  readonly checkout: Checkout;
  /** Masked however short they are; what else is secret is masked in the run folder already. */
  readonly secrets: readonly string[];
  /** Tasks that were done before: what their logs hold stays. */
  readonly resumed: ReadonlySet<TaskId>;
};

export function keepLogs(view: RunView, { folder, checkout, secrets, resumed }: LogPlace) {
  const problems = new Set<string>();
  const written = earlierAttempts(view.state());
  let last: Promise<void> = Promise.resolve();

  const mask = (text: string): string =>
    secrets.reduce((so, secret) => so.replaceAll(secret, "[MASKED]"), text);

  async function write(state: RunState, id: AttemptId): Promise<void> {
    const found = pastAttempts(state).find(({ attempt }) => attempt.id === id);
    if (found === undefined) return;
    const { task, attempt } = found;
    const before = written.get(task) ?? 0;
    written.set(task, before + 1);
    const printed = await printedBy(view.folder, attempt);
    if (resumed.has(task) && `${printed.stdout}${printed.stderr}` === "") return;
    const isFirst = before === 0 && !resumed.has(task);
    const mark = before === 0 ? "" : `\n===== retry attempt ${before} =====\n`;
    for (const stream of ["stdout", "stderr"] as const) {
      const path = join(folder, `${task}-${stream}.log`);
      const isTracked = (await checkout.tracked([path])).has(path);
      const problem = isTracked
        ? "git tracks that file"
        : await writePrivately(path, `${mark}${mask(printed[stream])}`, isFirst ? "anew" : "append");
      if (problem !== null) problems.add(`could not write the log ${path}: ${problem}`);
    }
  }

  const off = view.subscribe({
    fact: (fact, after) => {
      if (fact.type !== "attempt.saved") return;
      last = last
        .then(() => write(after, fact.attempt))
        .catch((error: unknown) => {
          problems.add(
            `could not write a log of ${fact.attempt}: ${error instanceof Error ? error.message : error}`,
          );
        });
    },
  });
  return {
    /** Resolves when all is written; gives what is to be told, one sentence each. */
    end: async (): Promise<readonly string[]> => {
      off();
      await last;
      return [...problems];
    },
  };
}

/** Those of a run that goes on: their logs are there. */
function earlierAttempts(state: RunState): Map<TaskId, number> {
  const found = new Map<TaskId, number>();
  for (const { task } of pastAttempts(state)) found.set(task, (found.get(task) ?? 0) + 1);
  return found;
}
