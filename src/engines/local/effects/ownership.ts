// What an attempt changed that is not its own: outside its claims, behind its boundary, or guarded without the plan's consent.
// It is judged by the attempt's own diff, before the work may queue; with `enforce: fail` it goes back to who did it.

import type { Finding } from "../../../core/facts.ts";
import type { Oid } from "../../../core/ids.ts";
import { type GateScripts, gateScripts, withPackages } from "../../../core/ownership/gate-scripts.ts";
import { GUARD_WORDS, type Guard, guardedChange, isNamed } from "../../../core/ownership/guarded.ts";
import { changedScripts } from "../../../core/ownership/package-scripts.ts";
import type { Plan, Task } from "../../../core/plan.ts";
import { type ChangedText, changedTexts, type Saved, type Shadow, textsAt } from "../../../git/index.ts";
import type { OwnershipFinding } from "../../../ownership/finding.ts";
import { judgeChange } from "../../../ownership/judge-change.ts";
import type { Site } from "../site.ts";

type Author = { readonly task: Task; readonly plan: Plan };

export async function ownershipFindings(
  { shadow, masker }: Pick<Site, "shadow" | "masker">,
  { since, result }: Pick<Saved, "since" | "result">,
  { task, plan }: Author,
): Promise<Finding[]> {
  const files = await changedTexts(shadow, since.tree, result.tree);
  const others = plan.tasks.filter(({ id }) => id !== task.id).map(({ id, owns }) => ({ task: id, owns }));
  const { attributes, scripts } = await asBefore(shadow, since.tree, plan);
  const found = await judgeChange(files, { owns: task.owns, boundary: task.boundary, others, attributes });
  const guarded = await guardedPaths(files, task, scripts);
  const blocks = plan.enforce === "fail";
  return [...findingsOf(found, guarded, blocks), ...guardedFindings(found, guarded, blocks)].map((one) => ({
    ...one,
    detail: cut(masker.text(one.detail)),
  }));
}

/** What gates run and which files are generated, as it was before the attempt: what it made of them is in question. */
async function asBefore(
  shadow: Shadow,
  tree: Oid,
  { gates, tasks }: Plan,
): Promise<{ attributes: string | null; scripts: GateScripts }> {
  const named = gateScripts([...gates, ...tasks.flatMap((task) => task.gates)]);
  const texts = await textsAt(shadow, tree, [ATTRIBUTES, ...named.packages.keys()]);
  const text = (file: string) => texts.get(file) ?? null;
  return { attributes: text(ATTRIBUTES), scripts: withPackages(named, text) };
}

const ATTRIBUTES = ".gitattributes";

/** A changed path that is guarded: what it is, and whether the plan allows it by `consent`. */
type GuardedPath = { readonly guard: Guard; readonly what: string; readonly isAllowed: boolean };

/** Without those that a claim names: these are the task's own like any other. */
async function guardedPaths(
  files: readonly ChangedText[],
  { owns, consent = [] }: Task,
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
  { path, change, before, after }: ChangedText,
  { packages }: GateScripts,
): Promise<readonly string[]> {
  const asked = packages.get(path);
  if (asked === undefined || change === "added") return [];
  return changedScripts(await before(), await after(), asked);
}

/** What the plan consents to is not outside; what it does not is told as what it is. */
function findingsOf(
  found: readonly OwnershipFinding[],
  guarded: ReadonlyMap<string, GuardedPath>,
  blocks: boolean,
): Finding[] {
  return found
    .filter(({ kind, path }) => kind !== "outside" || !guarded.has(path))
    .map((one) => ({
      kind: KINDS[one.kind],
      path: one.path,
      detail: detailOf(one),
      blocks: blocks && one.kind !== "unsure",
    }));
}

/** With all that somebody needs who is to take it back. */
function detailOf({ line, detail, owner }: OwnershipFinding): string {
  const place = line === null ? "" : `line ${line}: `;
  return `${place}${detail}${owner === null ? "" : `; it belongs to ${owner}`}`;
}

const KINDS = {
  outside: "outside-claims",
  symbol: "outside-claims",
  boundary: "boundary",
  unsure: "unsure",
} as const;

/** One of a path: a boundary says more. */
function guardedFindings(
  found: readonly OwnershipFinding[],
  guarded: ReadonlyMap<string, GuardedPath>,
  blocks: boolean,
): Finding[] {
  const told = new Set(found.filter(({ kind }) => kind === "boundary").map(({ path }) => path));
  return [...guarded]
    .filter(([path, { isAllowed }]) => !isAllowed && !told.has(path))
    .map(([path, { guard, what }]) => ({
      kind: "guarded",
      path,
      detail: `${what}: only the plan can allow this, by a claim that names the file or by consent: [${guard}]`,
      blocks,
    }));
}

const MOST_LETTERS = 300;

/** Names in a file may have any length. */
function cut(detail: string): string {
  return detail.length <= MOST_LETTERS ? detail : `${detail.slice(0, MOST_LETTERS - 1)}…`;
}
