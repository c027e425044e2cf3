// Commands that the plan wants told about the run: at its start, at its end, when a task has failed for good, when something
// waits for a person. They run in the user's checkout or folder, one after another. What becomes of them changes nothing; what they print
// is in `hooks.log` of the run folder.

import { appendFile, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Env, Hooks } from "../../core/plan.ts";
import type { RunState } from "../../core/run-state.ts";
import { taskState } from "../../core/run-tasks.ts";
import type { RunView } from "../../core/run-view.ts";
import { endFigures } from "../../core/select/progress.ts";
import { findEndStatus } from "../../core/select/run-status.ts";
import { runCommand } from "../../process/run-command.ts";
import { userFolder } from "./place.ts";
import { programEnv, type RunContext, supervision } from "./run-context.ts";
import { writeWhole } from "./run-folder.ts";
import { type Delivery, failedDelivery, postMessage } from "./webhook.ts";

const HOOK_TIMEOUT_MS = 60_000;

export function runHooks(site: RunContext, view: RunView, isNew: boolean) {
  const { hooks } = view.state().index.plan;
  let last: Promise<void> = Promise.resolve();
  const call = (moment: keyof Hooks, about: Env): void => {
    for (const command of hooks[moment]) last = last.then(() => callHook(site, { moment, command, about }));
  };
  return {
    /** Calls the first ones, and the others as things happen. */
    begin: (): void => {
      if (isNew) call("start", {});
      view.subscribe({
        fact: (fact, after, before) => {
          // Who takes a task over knows that it waits for them.
          const changes = fact.type === "task.opened" ? [] : changesOf(before, after);
          for (const [moment, task] of changes) call(moment, { PLAIT_HOOK_TASK: task });
          if (after.held !== null && before.held === null) call("held", { PLAIT_HOOK_WHY: after.held });
        },
      });
    },
    /** Calls the last ones, who may read the report, and resolves when all that were called have ended. */
    end: (report: string | null): Promise<void> => {
      call("end", {
        PLAIT_HOOK_STATUS: findEndStatus(view.state()).kind,
        ...(report === null ? {} : { PLAIT_HOOK_REPORT: report }),
      });
      return last;
    },
  };
}

/** Tasks that came to wait for a person, or to their end, with this fact. */
function changesOf(before: RunState, after: RunState): [keyof Hooks, string][] {
  const { failed, held } = after.indices.phases;
  if (failed === before.indices.phases.failed && held === before.indices.phases.held) return [];
  if (before.index !== after.index) return [];
  return after.index.plan.tasks.flatMap(({ id }, i): [keyof Hooks, string][] => {
    const { kind } = taskState(after, i).phase;
    const isMoment = kind === "failed" || kind === "held";
    return isMoment && taskState(before, i).phase.kind !== kind ? [[kind, id]] : [];
  });
}

/** As much as the log of an attempt: a hook runs once a task, and there may be thousands (I10). */
const MOST_LOG_BYTES = 8 * 1024 * 1024;

type HookCall = {
  readonly moment: keyof Hooks | "notify";
  readonly command: Hooks["start"][number];
  readonly about: Env;
};

export async function callHook(site: RunContext, { moment, command, about }: HookCall): Promise<void> {
  const env = { ...programEnv(site, {}), PLAIT_HOOK: moment, PLAIT_HOOK_RUN: site.run, ...about };
  const call = { command, cwd: userFolder(site), env };
  const end = await runCommand(call, { ...supervision(site, "hook"), timeoutMs: HOOK_TIMEOUT_MS });
  const output = end.kind === "ended" ? end.output : end.failure.message;
  const how = end.kind === "ended" ? `exit code ${end.exit.code ?? end.exit.signal}` : "not started";
  await logHook(site, `${moment}: ${how}\n${output}`);
}

export async function logHook(
  { folder, masker }: Pick<RunContext, "folder" | "masker">,
  text: string,
): Promise<void> {
  const log = join(folder.path, "hooks.log");
  const { size } = await stat(log).catch(() => ({ size: 0 })); // not there yet
  if (size > MOST_LOG_BYTES) return;
  await appendFile(log, `${masker.text(text)}\n`, { mode: 0o600 }).catch(
    () => undefined, // a full disk costs the log of the hook
  );
}

type Place = Pick<RunContext, "folder" | "masker" | "values" | "clock">;

/**
 * The webhooks of a plan hear of each end once: `complete` of every end, `failure` where a task failed. That an end was
 * told is written down before it is: better not told than twice. For a run that has ended.
 */
export async function tellWebhooks(
  site: Place,
  state: RunState,
  post: typeof postMessage = postMessage,
): Promise<void> {
  const { ended, index } = state;
  const { complete, failure } = index.plan.webhooks;
  if (ended === null || (complete === null && failure === null)) return;
  if ((await readDeliveries(site.folder.path))?.endedAt === ended.at) return;
  await writeDeliveries(site, { endedAt: ended.at, deliveries: [] });
  const { durationMs, ...counts } = endFigures(state);
  const figures = {
    manifest: site.masker.text(index.plan.name),
    ...counts,
    duration_sec: Math.round(durationMs / 100) / 10,
  };
  const tell = async (event: WebhookDelivery["event"], sealed: string | null): Promise<WebhookDelivery[]> => {
    if (sealed === null) return [];
    const { url = sealed } = site.values.open({ url: sealed });
    const options = { clock: site.clock, only: "outside" } as const;
    const delivery = await post(url, { event, ...figures }, options).catch(failedDelivery);
    await logHook(site, `webhook ${event}: ${delivery.text}`);
    return [{ event, ...delivery, text: site.masker.text(delivery.text) }];
  };
  const all = [tell("complete", complete), ...(counts.failed > 0 ? [tell("failure", failure)] : [])];
  await writeDeliveries(site, { endedAt: ended.at, deliveries: (await Promise.all(all)).flat() });
}

export type WebhookDelivery = Delivery & { readonly event: "complete" | "failure" };
/** The last end that the webhooks of the plan were told of, and what became of it. */
type Deliveries = { readonly endedAt: number; readonly deliveries?: readonly WebhookDelivery[] };

const deliveriesIn = (folder: string): string => join(folder, "webhooks.json");

/** `folder` is that of the run. Null where no end was told. */
export async function readDeliveries(folder: string): Promise<Deliveries | null> {
  try {
    return JSON.parse(await readFile(deliveriesIn(folder), "utf8")) as Deliveries;
  } catch {
    return null; // no end was told
  }
}

async function writeDeliveries({ folder }: Place, deliveries: Deliveries): Promise<void> {
  const text = `${JSON.stringify(deliveries)}\n`;
  await writeWhole(deliveriesIn(folder.path), text).catch(() => undefined); // a full disk
}
