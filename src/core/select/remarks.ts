import type { Finding, SharedMerge } from "../facts.ts";
import { groupBy } from "../group-by.ts";
import type { PastAttempt, RunState } from "../run-state.ts";
import { isSatisfied, isSelected, listTasks } from "../run-tasks.ts";
import { formatSandbox, formatWalled } from "../sandbox.ts";
import { entries } from "../sorted-map.ts";
import { formatCommand, plait } from "../text/command.ts";
import { count, cutList, formatGateName, listed } from "../text/figures.ts";
import { plainText } from "../text/sentence.ts";
import { findEndStatus } from "./run-status.ts";

/** Notes on what stopped nothing and is still worth knowing, in the order of the plan. `listed` are worktrees that are named elsewhere. */
export function remarks(state: RunState, listed: readonly string[] = []): string[] {
  const { landing, published } = state;
  const found: string[] = state.sandbox === undefined ? [] : [plainText(formatSandbox(state.sandbox))];
  if (landing.kind === "landed") found.push(...landing.notes);
  if (published.kind === "published") found.push(...(published.notes ?? []));
  for (const [gate, times] of entries(state.flaky)) {
    found.push(
      `gate ${formatGateName(gate)} is flaky: green only after a retry${times === 1 ? "" : `, ${times} times`}`,
    );
  }
  for (const {
    task: { id },
    of: { phase, past },
  } of listTasks(state)) {
    const last = isSatisfied(phase) ? past.find((one) => one.id === phase.attempt) : past.at(-1);
    if (last === undefined) continue;
    if (isSatisfied(phase)) found.push(...aboutDone(id, last));
    found.push(...(last.ended.walled ?? []).slice(0, MOST_PATHS).map((one) => `${id}: ${formatWalled(one)}`));
    if (last.saved.kept !== null && !listed.includes(last.saved.kept))
      found.push(`${id} left too much to save; its worktree was kept at ${last.saved.kept}`);
  }
  found.push(...formatSharedMerges(state.shared ?? []));
  const due = integrationDue(state);
  return due === null ? found : [...found, due];
}

const MOST_PATHS = 5;

/** `src/app.ts: additions of search, tax and mail kept`. */
function formatSharedMerges(merges: readonly SharedMerge[]): string[] {
  const texts = [...groupBy(merges, ({ path }) => path)].map(([path, same]) => {
    const tasks = new Set(same.flatMap(({ with: others, task }) => [...others, task]));
    return `${path}: additions of ${listed([...tasks])} kept`;
  });
  const more = texts.length - MOST_PATHS;
  return more > 0 ? [...texts.slice(0, MOST_PATHS), `${count(more, "more shared file")} merged`] : texts;
}

function aboutDone(task: string, { ended, saved: { findings } }: PastAttempt): string[] {
  const denied = [...new Set(ended.denials)];
  const submodules = findings.filter(({ kind, blocks }) => kind === "submodule" && !blocks);
  const about = (text: string, isMeant: (finding: Finding) => boolean): string[] => {
    const paths = [...new Set(findings.filter(isMeant).map(({ path }) => path))];
    return paths.length === 0 ? [] : [`${text}: ${cutList(paths, MOST_PATHS)}`];
  };
  return [
    ...submodules.map(({ path, detail }) => `${task} changed ${path}: ${detail}`),
    ...(denied.length === 0 ? [] : [`${task} was denied ${listed(denied)}`]),
    ...about(
      `${task} changed files outside \`owns\``,
      ({ kind }) => kind === "outside-claims" || kind === "boundary",
    ),
    ...about(`${task} changed protected files without consent`, ({ kind }) => kind === "guarded"),
    ...about(`unclear whether ${task} owns all it changed`, ({ kind }) => kind === "unsure"),
    ...about(
      `${task} has files too large to search for secrets`,
      ({ kind, blocks }) => kind === "secret" && !blocks,
    ),
  ];
}

/**
 * Tasks that were made from a spec keep to contracts that gates need not know: when all of them are done, it is time to look
 * whether the parts fit. One sentence; null where that is not due.
 */
export function integrationDue(state: RunState): string | null {
  const { plan } = state.index;
  const { format, path } = plan.source;
  if (format !== "cpo" || findEndStatus(state).exit !== 0) return null;
  if (plan.tasks.some(({ id }) => !isSelected(state, id))) return null; // more is to come
  const folder = path.replace(/\/manifest\.json$/, "");
  const check = plait("spec integrate", [], { "parallel-dir": folder });
  return `Integration is due: see whether the parts fit: ${formatCommand(check)}`;
}
