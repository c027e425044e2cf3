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

const LOADED = "can load code into other programs";
const SHELL = "changes how shells read every command";

const forbid = (reason: string, ...names: readonly string[]) => names.map((name) => [name, reason] as const);

/** Names that a plan may not set, with the reason. */
const refused: ReadonlyMap<string, string> = new Map([
  ...forbid("decides which programs run", "PATH", "SHELL"),
  ...forbid(SHELL, "CDPATH", "IFS", "ENV", "BASH_ENV", "ZDOTDIR", "SHELLOPTS", "BASHOPTS", "PS4"),
  ...forbid(SHELL, "PROMPT_COMMAND"),
  ...forbid(LOADED, "NODE_OPTIONS", "NODE_PATH", "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP"),
  ...forbid(LOADED, "PERL5LIB", "PERL5OPT", "PERL5DB", "RUBYOPT", "RUBYLIB", "GCONV_PATH"),
  ...forbid(LOADED, "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"),
  ...forbid("prevents nested runs", "CAST_SUBPROCESS"),
]);

const refusedBeginnings: readonly (readonly [beginning: string, reason: string])[] = [
  ["LD_", LOADED],
  ["DYLD_", LOADED],
  ["BASH_FUNC_", SHELL],
  ["GIT_", "changes what git does"],
  ["PLAIT_", "belongs to plait"],
];

function refusalOf(name: string): string | null {
  const beginning = refusedBeginnings.find(([text]) => name.startsWith(text));
  return refused.get(name) ?? beginning?.[1] ?? null;
}
