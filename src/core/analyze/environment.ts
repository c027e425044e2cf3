import type { EnvDraft } from "../draft.ts";
import type { Env } from "../plan.ts";
import type { ReportFinding } from "./findings.ts";
import { findEnvRefusal } from "./variables.ts";

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
    const refusal = findEnvRefusal(name.value);
    if (refusal !== null) {
      const params = { subject, name: name.value, reason: refusal.reason };
      report(refusal.kind === "never" ? "env-refused" : "env-redirects", params, name.at);
    }
    if (value.value.includes("\0")) report("bad-env-value", { subject, name: name.value }, value.at);
  }
}
