import { resolve } from "node:path";
import type { Lost, PlanDraft } from "../../core/draft.ts";
import { landStyleOf, publishOf } from "./land.ts";
import { notifyOf } from "./notify-schema.ts";
import { listOf, located, type Places, placesIn } from "./places.ts";
import type { PlanFile } from "./schema.ts";
import { preparationOf, settingsOf } from "./settings-draft.ts";
import { gatesOf, taskOf } from "./task-draft.ts";

export type DraftSource = Places & {
  readonly path: string;
  /** The plan's name if the file gives none. */
  readonly name: string;
  /** Where the file lies; what it says about folders starts there. */
  readonly folder: string;
  readonly lost: Lost;
};

/** The checked file as a draft: short forms become long ones, and what was not said stays null. */
export function draftOf(file: PlanFile, { path, name, folder, lost, at, keyAt }: DraftSource): PlanDraft {
  return {
    format: "native",
    path,
    name: file.name ?? name,
    context: (file.context ?? []).map((item, i) => ({
      value: typeof item === "string" ? { kind: "file", file: item } : { kind: "inline", text: item.text },
      at: at("context", i),
    })),
    ...(file.folder !== undefined && { folder: resolve(folder, file.folder) }),
    tasks: file.tasks.map((task, i) => taskOf(task, placesIn({ at, keyAt }, "tasks", i))),
    defaults: settingsOf(file.defaults ?? {}, placesIn({ at, keyAt }, "defaults")),
    limits: Object.entries(file.limits ?? {}).map(([group, max]) => ({
      group: { value: group, at: keyAt("limits", group) },
      max: { value: max, at: at("limits", group) },
    })),
    gates: gatesOf(file.gates ?? [], placesIn({ at, keyAt }, "gates")),
    prepare: preparationOf(file, { at, keyAt }),
    hooks: {
      start: listOf(file.hooks?.start, (i) => at("hooks", "start", i)),
      end: listOf(file.hooks?.end, (i) => at("hooks", "end", i)),
      failed: listOf(file.hooks?.failed, (i) => at("hooks", "failed", i)),
      held: listOf(file.hooks?.held, (i) => at("hooks", "held", i)),
    },
    ...(file.notify && { notify: notifyOf(file.notify) }),
    ...(file.isolation !== undefined && { isolation: file.isolation }),
    ...(file["keep-awake"] !== undefined && { keepAwake: file["keep-awake"] }),
    ...(file["warm-cache"] !== undefined && { warmCache: file["warm-cache"] }),
    ...(file.sandbox !== undefined && { sandbox: file.sandbox }),
    ...(file.grant && { grants: file.grant }),
    budgetUsd: file.budget ?? null,
    land: file.land?.when ?? null,
    landStyle: landStyleOf(file.land),
    publish: publishOf(file.land),
    enforce: file.enforce ?? null,
    ...(file.consent && { consent: file.consent }),
    slots: located(file.concurrency, { at, keyAt }, "concurrency"),
    ports: located(file.ports, { at, keyAt }, "ports"),
    saveMaxBytes: file.save?.["max-bytes"] ?? null,
    ...(file.webhooks && {
      webhooks: { complete: file.webhooks.complete ?? null, failure: file.webhooks.failure ?? null },
    }),
    ...(file["merge-message"] !== undefined && { mergeMessage: file["merge-message"] }),
    ...(file["commit-message"] !== undefined && { commitMessage: file["commit-message"] }),
    prices: (file.prices ?? []).map(({ agent, model = null, "usd-per-hour": usdPerHour }) => ({
      ...{ agent, model, usdPerHour },
    })),
    ...(lost.tasks.length + lost.groups.length > 0 && { lost }),
  };
}
