// All runs on one line each. To fold every journal takes seconds where there are hundreds of runs, so what was made of a journal
// holds as long as the journal has the same length and the same driver.

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { runSummary } from "../../core/select/overview.ts";
import { runFolder } from "../../engines/local/run-folder.ts";
import type { Repository } from "../../git/index.ts";
import type { DamagedSummary, RunSummary, RunsDocument } from "../../report/page/wire.ts";
import { clockOf, type Host, runsFolder } from "../host.ts";
import { maskTexts, runMask } from "../run-mask.ts";
import { type KnownRun, readRunOrDamage, runNames } from "../runs.ts";

type Kept = { readonly stamp: string; readonly summary: RunSummary | DamagedSummary | null };

/** Gives the runs as they are now, the latest first. Whoever asks while others wait gets the same answer. */
export function runSummaries(host: Host, repository: Repository): () => Promise<RunsDocument> {
  const kept = new Map<string, Kept>();
  let asked: Promise<RunsDocument> | null = null;

  async function read(): Promise<RunsDocument> {
    const names = await runNames(repository);
    for (const name of kept.keys()) if (!names.includes(name)) kept.delete(name);
    // One after another: only one journal is in memory at a time.
    for (const name of names) await look(name);
    const all = [...kept.values()].flatMap(({ summary }) => summary ?? []);
    const runs = all.filter((one): one is RunSummary => !("problem" in one));
    const damaged = all.filter((one): one is DamagedSummary => "problem" in one);
    return { runs: runs.sort((a, b) => b.startedAt - a.startedAt), damaged };
  }

  async function look(name: string): Promise<void> {
    const path = join(runsFolder(repository), name);
    const stamp = await stampOf(path);
    const before = kept.get(name);
    if (stamp !== null && before?.stamp === stamp) return;
    const found = await readRunOrDamage(path, name);
    const isRunning = found !== null && "state" in found && found.driver !== null;
    // The figures of a run that goes on change by themselves.
    kept.set(name, {
      stamp: isRunning ? "" : (stamp ?? ""),
      summary: await summaryOf({ host, repository }, found),
    });
  }

  return () => {
    asked ??= read().finally(() => {
      asked = null;
    });
    return asked;
  };
}

async function summaryOf(
  { host, repository }: { readonly host: Host; readonly repository: Repository },
  found: KnownRun | DamagedSummary | null,
): Promise<RunSummary | DamagedSummary | null> {
  if (found === null || !("state" in found)) return found;
  const { state, driver, folder } = found;
  const isRunning = driver !== null;
  return maskTexts(
    runSummary(state, clockOf(host).now(), isRunning),
    await runMask(host, { repository, folder }),
  );
}

/** Null where it cannot be told whether anything changed. A new driver writes at once. */
async function stampOf(path: string): Promise<string | null> {
  const found = await stat(runFolder(path).journal).catch(() => null);
  return found === null ? null : `${found.size} ${found.mtimeMs}`;
}
