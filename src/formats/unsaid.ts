import type { PlanDraft, PreparationDraft, TaskDraft, TaskSettingsDraft } from "../core/draft.ts";

/** What a plan says of which it says nothing: the start of every draft. */

export const unprepared: PreparationDraft = { copy: null, envFiles: null, setup: null, teardown: null };

export const unset: TaskSettingsDraft = {
  agent: null,
  access: null,
  retries: null,
  fixRounds: null,
  race: null,
  startMs: null,
  idleMs: null,
  totalMs: null,
  group: null,
  env: null,
  tools: null,
  budgetUsd: null,
  estimate: null,
  priority: null,
  allowEmpty: null,
  approve: null,
  history: null,
  prepare: unprepared,
};

export const unsaid: Omit<PlanDraft, "format" | "path" | "name" | "tasks"> = {
  context: [],
  defaults: unset,
  limits: [],
  gates: [],
  prepare: unprepared,
  hooks: { start: [], end: [], failed: [], held: [] },
  budgetUsd: null,
  land: null,
  landStyle: {},
  publish: null,
  enforce: null,
  slots: null,
  ports: null,
  saveMaxBytes: null,
  prices: [],
};

export const plainTask: Omit<TaskDraft, "id" | "work"> = {
  title: null,
  needs: [],
  wave: null,
  owns: [],
  boundary: [],
  gates: { mode: "add", gates: [] },
  artifacts: [],
  settings: unset,
};
