import * as z from "zod";
import type { PlanDraft, TaskDraft } from "../../core/draft.ts";
import type { Consent } from "../../core/ownership/guarded.ts";
import { type Places, placesIn } from "../native/places.ts";
import { gatesOf, taskGatesOf } from "../native/task-draft.ts";
import { gates, taskGates } from "../native/task-schema.ts";
import { guards } from "../native/values.ts";
import { find, keyRangeAt, plain, rangeAt } from "../yaml/tree.ts";
import { type Doc, textAt } from "./fields.ts";

/** Keys of plait's own format in the files of an artifact folder. Values that are wrong have been reported and count as not given. */
export type PlanRules = Pick<PlanDraft, "gates" | "enforce"> & { readonly consent: readonly Consent[] };

export function readPlanRules(doc: Doc): PlanRules {
  const enforce = textAt(doc, "enforce")?.value;
  return {
    gates: gatesOf(readValue(doc, "gates", gates) ?? [], placesIn(placesOf(doc), "gates")),
    enforce: enforce === "fail" || enforce === "report" ? enforce : null,
    consent: readValue(doc, "consent", guards) ?? [],
  };
}

export type TaskRules = Pick<TaskDraft, "gates"> & {
  readonly consent: readonly Consent[];
  /** The task succeeds without a change, too. */
  readonly allowEmpty: boolean;
};

export const noTaskRules: TaskRules = {
  gates: { mode: "add", gates: [] },
  consent: [],
  allowEmpty: false,
};

export function readTaskRules(doc: Doc): TaskRules {
  return {
    gates: taskGatesOf(readValue(doc, "gates", taskGates), placesIn(placesOf(doc), "gates")),
    consent: readValue(doc, "consent", guards) ?? [],
    allowEmpty: readValue(doc, "allow-empty", z.boolean()) ?? false,
  };
}

type Schema<T> = {
  readonly safeParse: (
    value: unknown,
  ) => { readonly success: true; readonly data: T } | { readonly success: false };
};

function readValue<T>({ tree }: Doc, key: string, schema: Schema<T>): T | undefined {
  const node = find(tree, [key]);
  const parsed = node === null ? null : schema.safeParse(plain(node));
  return parsed?.success ? parsed.data : undefined;
}

function placesOf({ index, tree }: Doc): Places {
  return {
    at: (...path) => rangeAt(index, tree, path),
    keyAt: (...path) => keyRangeAt(index, tree, path),
  };
}
