import { type AnalyzeContext, analyze } from "../../src/core/analyze/analyze.ts";
import type {
  BaseSettings,
  EnvDraft,
  GateDraft,
  PlanDraft,
  SettingsLayers,
  TaskDraft,
  TaskSettingsDraft,
  TextLookup,
} from "../../src/core/draft.ts";
import { textHash } from "../../src/core/ids.ts";
import type { Env, ToolRules } from "../../src/core/plan.ts";
import type { Diagnostic, Located, SourceRange } from "../../src/core/source.ts";
import { unprepared, unsaid, unset } from "../../src/formats/unsaid.ts";
import { PLAIN_STYLE } from "./plans.ts";

/**
 * Small drafts for tests. Places follow a scheme, so that a test can name them: task n (from 1) stands in line 10·n,
 * its needs one line below, then owns, boundary, wave, prompt or command, gates, settings; columns count from 1.
 */

export function at(line: number, col = 1): SourceRange {
  return { file: "plan.yaml", start: { line, col }, end: { line, col: col + 1 } };
}

export const START: SourceRange = { file: "plan.yaml", start: { line: 1, col: 1 }, end: { line: 1, col: 1 } };

/** A claim is its text; `create x`, `modify x` and `shared x` set the mode. */
export type TaskSample = {
  readonly id: string;
  readonly needs?: readonly string[];
  readonly owns?: readonly string[];
  readonly boundary?: readonly string[];
  readonly artifacts?: readonly string[];
  readonly reports?: readonly string[];
  readonly summaries?: TaskDraft["summaries"];
  readonly wave?: number;
  readonly prompt?: string;
  readonly command?: string;
  readonly title?: string;
  readonly gates?: readonly Partial<GateDraft>[];
  readonly only?: boolean;
  readonly group?: string;
  readonly env?: Env;
  readonly tools?: ToolRules;
} & Partial<Omit<TaskSettingsDraft, "group" | "env" | "agent" | "tools">> & { readonly agent?: object };

export function draftOf(tasks: readonly TaskSample[], plan: Partial<PlanDraft> = {}): PlanDraft {
  return {
    format: "native",
    path: "plan.yaml",
    name: "sample",
    ...unsaid,
    tasks: tasks.map(taskOf),
    ...plan,
  };
}

export const NO_SETTINGS = unset;
export const NO_PREPARATION = unprepared;

export const BASE: BaseSettings = {
  agent: { use: "claude", name: null, model: null },
  access: "write",
  retries: 1,
  fixRounds: 2,
  limits: { startMs: 1000, idleMs: 2000, totalMs: 3000 },
  gateTimeoutMs: 4000,
  history: "keep",
  saveMaxBytes: 5000,
  slots: null,
  ports: null,
  budgetUsd: null,
  land: "end",
  landStyle: PLAIN_STYLE,
  publish: "no",
  prepare: { copy: [], envFiles: true, setup: [], teardown: [] },
  notify: { bell: true, desktop: false, command: null, webhook: null, when: "needed" },
  keepAwake: false,
  isolation: "shared",
  sandbox: "off",
  grants: [],
  warmCache: true,
};

export const LAYERS: SettingsLayers = { base: BASE, overrides: {}, force: { agent: null, model: null } };

/** The text's length stands for it; a file named "missing" cannot be read. */
export const sampleText: TextLookup = (source) => {
  if (source.kind === "file" && source.file === "missing") return null;
  const text = source.kind === "inline" ? source.text : source.file;
  return {
    hash: textHash(text.length.toString(16).padStart(64, "0")),
    bytes: text.length,
    file: source.kind === "file" ? source.file : null,
  };
};

export const SOURCE_HASH = textHash("a".repeat(64));

export function analyzeSample(draft: PlanDraft, context: Partial<AnalyzeContext> = {}) {
  return analyze(draft, { layers: LAYERS, text: sampleText, sourceHash: SOURCE_HASH, ...context });
}

/** A draft and one finding about it; how severe it is stands in the table of codes. */
export type CodeSample = readonly [draft: PlanDraft, finding: Omit<Diagnostic, "severity">];

/** Findings as "severity code line:col", which is enough to see what was found and where. */
export function brief(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ severity, code, at: place }) => {
    return `${severity} ${code} ${place?.start.line}:${place?.start.col}`;
  });
}

/** All at one place. */
export function envAt(env: Env, place: SourceRange): EnvDraft {
  return Object.entries(env).map(([name, value]) => {
    return { name: { value: name, at: place }, value: { value, at: place } };
  });
}

export function gateOf(gate: Partial<GateDraft>, line = 1): GateDraft {
  return {
    name: null,
    run: { kind: "shell", line: "npm test" },
    dir: null,
    when: [],
    retries: null,
    slots: null,
    timeoutMs: null,
    env: null,
    knownRed: null,
    results: null,
    at: at(line),
    ...gate,
  };
}

function taskOf(sample: TaskSample, index: number): TaskDraft {
  const line = (index + 1) * 10;
  const {
    id,
    needs,
    owns,
    boundary,
    artifacts,
    reports,
    summaries,
    wave,
    prompt,
    command,
    title,
    gates,
    only,
    group,
    env,
    tools,
    agent,
    ...settings
  } = sample;
  return {
    id: { value: id, at: at(line) },
    title: title ?? null,
    needs: placed(needs, line + 1),
    owns: placed(owns, line + 2).map(claimOf),
    boundary: placed(boundary, line + 3),
    wave: wave === undefined ? null : { value: wave, at: at(line + 4) },
    work:
      command === undefined
        ? { kind: "agent", prompt: { value: { kind: "inline", text: prompt ?? "Do it." }, at: at(line + 5) } }
        : { kind: "command", run: { kind: "shell", line: command }, at: at(line + 5) },
    gates: {
      mode: only ? "only" : "add",
      gates: (gates ?? []).map((gate, i) => ({ ...gateOf(gate), at: at(line + 6, i + 1) })),
    },
    artifacts: placed(artifacts, line + 8),
    ...(reports && { reports: placed(reports, line + 9) }),
    ...(summaries && { summaries }),
    settings: {
      ...NO_SETTINGS,
      ...settings,
      group: group === undefined ? null : { value: group, at: at(line + 7, 1) },
      env: env === undefined ? null : envAt(env, at(line + 7, 2)),
      tools:
        tools === undefined
          ? null
          : { allow: placed(tools.allow, line + 7), deny: placed(tools.deny, line + 8) },
      agent: agent === undefined ? null : { value: agent, at: at(line + 7, 3) },
    },
  };
}

function placed(texts: readonly string[] | undefined, line: number): Located<string>[] {
  return (texts ?? []).map((value, i) => ({ value, at: at(line, i + 1) }));
}

function claimOf(text: Located<string>): TaskDraft["owns"][number] {
  const [, mode, path] = /^(create|modify|shared) (.*)$/.exec(text.value) ?? [];
  if (path === undefined) return { mode: "any", text };
  return { mode: mode as "create" | "modify" | "shared", text: { value: path, at: text.at } };
}
