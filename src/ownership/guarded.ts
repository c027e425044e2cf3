import { type GateScripts, gateScripts, withPackages } from "../core/ownership/gate-scripts.ts";
import { type Consent, GUARD_WORDS, type Guard, guardedChange, isNamed } from "../core/ownership/guarded.ts";
import { changedScripts } from "../core/ownership/package-scripts.ts";
import type { Claim } from "../core/ownership/pattern.ts";
import type { Plan } from "../core/plan.ts";
import type { ChangedFile, Ownership } from "./finding.ts";

/** What is judged by as it was before the work: what the work made of it is in question. */
export type RulesBefore = Pick<Ownership, "attributes"> & {
  /** What the gates of the plan run. */
  readonly scripts: GateScripts;
};

const ATTRIBUTES = ".gitattributes";

/** `textsOf` gives those of the files that are there, as they were before the work. */
export async function rulesBefore(
  { gates, tasks }: Pick<Plan, "gates" | "tasks">,
  textsOf: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<RulesBefore> {
  const named = gateScripts([...gates, ...tasks.flatMap((task) => task.gates)]);
  const texts = await textsOf([ATTRIBUTES, ...named.packages.keys()]);
  const text = (file: string) => texts.get(file) ?? null;
  return { attributes: text(ATTRIBUTES), scripts: withPackages(named, text) };
}

/** A changed path that is guarded: what it is, and whether the plan allows it by `consent`. */
export type GuardedPath = { readonly guard: Guard; readonly what: string; readonly isAllowed: boolean };

type Allowed = { readonly owns: readonly Claim[]; readonly consent: readonly Consent[] };

/** Without those that a claim names: these are the task's own like any other. */
export async function guardedPaths(
  files: readonly ChangedFile[],
  { owns, consent }: Allowed,
  scripts: GateScripts,
): Promise<ReadonlyMap<string, GuardedPath>> {
  const found = new Map<string, GuardedPath>();
  for (const file of files) {
    const guarded = guardedChange(file, scripts);
    if (guarded !== null) {
      if (isNamed(file.path, guarded, owns)) continue;
      const { guard } = guarded;
      found.set(file.path, { guard, what: GUARD_WORDS[guard], isAllowed: consent.includes(guard) });
      continue;
    }
    const names = await scriptsChanged(file, scripts);
    if (names.length === 0 || isNamed(file.path, { guard: "gate-scripts", name: "package.json" }, owns))
      continue;
    const what = `the script ${names.join(", ")}, which a gate runs`;
    found.set(file.path, { guard: "gate-scripts", what, isAllowed: consent.includes("gate-scripts") });
  }
  return found;
}

/** Of a package.json, what gates run of it and is no longer what it was. */
async function scriptsChanged(
  { path, change, before, after }: ChangedFile,
  { packages }: GateScripts,
): Promise<readonly string[]> {
  const asked = packages.get(path);
  if (asked === undefined || change === "added") return [];
  return changedScripts(await before(), await after(), asked);
}
