import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LocalRun, Policy } from "../../src/app/index.ts";
import type { Place } from "./place.ts";
import { root } from "./plait.ts";

/** Real runs of the demo agent in small real repositories, begun through the library, looked at through the program. */

/** As it is built: a few hundred sources, made ready anew for each file of tests, take longer than some of the runs. */
const lib = join(root, "dist/lib");
const { actOnRun, findRun, loadPlan, runTexts, startRun }: typeof import("../../src/app/index.ts") =
  await import(join(lib, "app/index.js"));
const { defaultCaps, defaultLayers, defaultPolicy }: typeof import("../../src/config/settings.ts") =
  await import(join(lib, "config/settings.js"));

export { actOnRun, defaultCaps, defaultLayers, findRun, loadPlan, runTexts };

/** One attempt at a time unless a test wants more: then everything happens in the same order each time. */
export async function begin(
  place: Place,
  text: string,
  policy: Partial<Policy> = {},
  hasRootFlag = false,
): Promise<LocalRun> {
  const path = join(dirname(place.repo), "plan.yaml");
  writeFileSync(path, text);
  const { plan, texts, diagnostics } = await loadPlan("../plan.yaml", {
    ...{ caps: defaultCaps, layers: defaultLayers(), cwd: place.repo },
  });
  if (plan === null) throw new Error(JSON.stringify(diagnostics));
  const host = {
    ...{ cwd: place.repo, env: place.env, version: "test", command: "a test" },
    ...{ allowRoot: true, hasRootFlag, allowNested: true },
  };
  const usual: Policy = { ...defaultPolicy, slots: 1, failFast: false, land: "end", budgetUsd: null };
  const started = await startRun(host, { plan, texts, policy: { ...usual, ...policy }, only: null });
  if (!started.ok) throw new Error(started.refusal.message);
  return started.run;
}

/** Drives it to its end; gives its name. */
export async function finish(place: Place, text: string, policy: Partial<Policy> = {}): Promise<string> {
  const run = await begin(place, text, policy);
  await run.drive();
  return run.view.run;
}

/** What differs from one run to the next, in words of the same width. */
export function steady(text: string, run: string, { repo }: Place): string {
  return text
    .replaceAll(dirname(repo), "/place")
    .replaceAll(run, run.replace(/....$/, "0000"))
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "2026-11-15 14:02")
    .replace(/\b\d\d:\d\d:\d\d\b/g, "14:02:03")
    .replace(
      /(process) \d+( on \S+)?/g,
      (_, word, host) => `${word} 4242${host === undefined ? "" : " on host"}`,
    )
    .replace(/(?<![:\d])\d:\d\d(?![:\d])/g, "0:01")
    .replace(/\b\d+\.\ds\b/g, "0.1s")
    .replace(/(as|on|at|is at|merged .*|candidate) [0-9a-f]{7}\b/g, (found) =>
      found.replace(/[0-9a-f]{7}$/, "0123456"),
    )
    .replace(/candidate [0-9a-f]{7}/g, "candidate 0123456");
}
