import type { EnvDraft } from "../draft.ts";
import type { Env } from "../plan.ts";
import type { ReportFinding } from "./findings.ts";

/** Layer over layer; the last word counts. Without a prototype, so that no variable is one that objects have anyway. */
export function envFrom(...layers: readonly (EnvDraft | null)[]): Env {
  const env: Record<string, string> = Object.create(null);
  for (const { name, value } of layers.flatMap((layer) => layer ?? [])) env[name.value] = value.value;
  return { ...env };
}

/** `subject` is who sets the variables, as the beginning of a sentence. */
export function checkEnv(env: EnvDraft | null, subject: string, report: ReportFinding): void {
  for (const { name, value } of env ?? []) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name.value)) {
      report("bad-env-name", { subject, name: name.value }, name.at);
      continue;
    }
    const reason = refusalOf(name.value);
    if (reason !== null) report("env-refused", { subject, name: name.value, reason }, name.at);
    if (value.value.includes("\0")) report("bad-env-value", { subject, name: name.value }, value.at);
  }
}

const PROGRAMS = "decides which programs run";
const LOADED = "loads code into other programs";
const SHELL = "changes how shells read every command";
const GIT = "changes what git does";
const GUARD = "prevents nested runs";

/** Names that a plan may not set, with the reason. */
const refused: ReadonlyMap<string, string> = new Map([
  ["PATH", PROGRAMS],
  ["SHELL", PROGRAMS],
  ["CDPATH", SHELL],
  ["IFS", SHELL],
  ["ENV", SHELL],
  ["BASH_ENV", SHELL],
  ["ZDOTDIR", SHELL],
  ["SHELLOPTS", SHELL],
  ["BASHOPTS", SHELL],
  ["PS4", SHELL],
  ["PROMPT_COMMAND", SHELL],
  ["NODE_OPTIONS", LOADED],
  ["NODE_PATH", LOADED],
  ["PYTHONPATH", LOADED],
  ["PYTHONHOME", LOADED],
  ["PYTHONSTARTUP", LOADED],
  ["PERL5LIB", LOADED],
  ["PERL5OPT", LOADED],
  ["PERL5DB", LOADED],
  ["RUBYOPT", LOADED],
  ["RUBYLIB", LOADED],
  ["JAVA_TOOL_OPTIONS", LOADED],
  ["JDK_JAVA_OPTIONS", LOADED],
  ["_JAVA_OPTIONS", LOADED],
  ["GCONV_PATH", LOADED],
  ["CAST_SUBPROCESS", GUARD],
]);

const refusedBeginnings: readonly (readonly [beginning: string, reason: string])[] = [
  ["LD_", LOADED],
  ["DYLD_", LOADED],
  ["BASH_FUNC_", SHELL],
  ["GIT_", GIT],
  ["PLAIT_", "belongs to plait"],
];

function refusalOf(name: string): string | null {
  const beginning = refusedBeginnings.find(([text]) => name.startsWith(text));
  return refused.get(name) ?? beginning?.[1] ?? null;
}
