import type { AccountFacts, Probed, ProbeOutput } from "./adapter.ts";
import { lastLine } from "./text.ts";

/** What holds for every agent that is a program of a vendor: it tells a version, and logs in as somebody. */

type Version =
  | { readonly ok: true; readonly version: string; readonly parts: readonly number[] }
  | Extract<Probed, { ok: false }>;

export function versionOf(program: string, { stdout, stderr, code }: ProbeOutput, install: string): Version {
  if (code === null) return notUsable(`${program} is not installed or cannot be started`, install);
  const version = /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
  if (code === 0 && version !== undefined)
    return { ok: true, version, parts: version.split(".").map(Number) };
  const said = lastLine(stderr, 200) || lastLine(stdout, 200) || "nothing";
  return notUsable(`${program} --version failed with exit code ${code}: ${said}`, install);
}

export function notUsable(message: string, hint: string): Extract<Probed, { ok: false }> {
  return { ok: false, problem: { message, hint } };
}

/** Variables that decide as whom it logs in, each with its label. */
export type Identity = readonly (readonly [variable: string, label: string])[];

/** Which of them wins is the program's business, so all that are set make the account; a key makes the login unimportant. */
export function identityIn(identity: Identity, { env, login = null, fingerprint }: AccountFacts): string {
  const parts = identity.flatMap(([variable, label]) => {
    const value = env[variable];
    return value === undefined || value === "" ? [] : [`${label}:${fingerprint(value)}`];
  });
  const hasKey = parts.some((part) => /^[\w-]*(?:key|token):/.test(part));
  const who = login === null || hasKey ? [] : [`login:${fingerprint(login)}`];
  return [...parts, ...who].join(" ") || "login";
}

/** Whether a version such as `2.1.277-beta.1` is that one or a later one; one without numbers is not. */
export function isVersionSince(version: string, first: readonly number[]): boolean {
  const parts = version.split(/[.-]/, first.length).map(Number);
  const differs = first.findIndex((number, i) => parts[i] !== number);
  return differs === -1 || (parts[differs] ?? 0) > (first[differs] ?? 0);
}
