import type { PlanDraft } from "../../core/draft.ts";
import type { Price } from "../../core/plan.ts";
import type { SourceRange } from "../../core/source.ts";
import type { Path } from "../yaml/tree.ts";
import type { PlanFile } from "./schema.ts";
import { located, preparationOf, settingsOf } from "./settings-draft.ts";
import { gatesOf, taskOf } from "./task-draft.ts";

/** Where the file comes from and where its values stand. */
export type DraftSource = {
  readonly path: string;
  /** The plan's name if the file gives none. */
  readonly name: string;
  readonly at: (...path: Path) => SourceRange;
  readonly keyAt: (...path: Path) => SourceRange;
};

/** The checked file as a draft: short forms become long ones, and what was not said stays null. */
export function draftOf(file: PlanFile, { path, name, at, keyAt }: DraftSource): PlanDraft {
  return {
    format: "native",
    path,
    name: file.name ?? name,
    context: (file.context ?? []).map((text, i) => ({
      value: { kind: "file", file: text },
      at: at("context", i),
    })),
    tasks: file.tasks.map((task, i) => taskOf(task, (...rest) => at("tasks", i, ...rest))),
    defaults: settingsOf(file.defaults ?? {}, (...rest) => at("defaults", ...rest)),
    limits: Object.entries(file.limits ?? {}).map(([group, max]) => ({
      group: { value: group, at: keyAt("limits", group) },
      max: { value: max, at: at("limits", group) },
    })),
    gates: gatesOf(file.gates ?? [], (...rest) => at("gates", ...rest)),
    prepare: preparationOf(file, at),
    hooks: {
      start: file.hooks?.start ?? [],
      end: file.hooks?.end ?? [],
      failed: file.hooks?.failed ?? [],
      held: file.hooks?.held ?? [],
    },
    budgetUsd: file.budget ?? null,
    land: file.land ?? null,
    enforce: file.enforce ?? null,
    slots: located(file.concurrency, at, "concurrency"),
    saveMaxBytes: file.save?.["max-bytes"] ?? null,
    prices: (file.prices ?? []).map(priceOf),
  };
}

function priceOf(price: NonNullable<PlanFile["prices"]>[number]): Price {
  return { agent: price.agent, model: price.model ?? null, usdPerHour: price["usd-per-hour"] };
}
