// Attempts that were made while nobody wrote the logs of the folder: with plait's own commands.

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Fact } from "../../core/facts.ts";
import { type RunId, splitAttemptId } from "../../core/ids.ts";
import { formatAttemptLine } from "../../report/cpo/task-log.ts";
import { onErrno } from "../../util/errno.ts";

export type Started = Extract<Fact, { type: "attempt.started" }>;

/** Of these attempts, those that the log does not have; each has a line of its own in the format of the file. */
export async function findUnlogged(
  log: string,
  run: RunId,
  started: readonly Started[],
): Promise<readonly Started[]> {
  const unlogged = new Map(
    started.map((fact) => [formatAttemptLine(run, splitAttemptId(fact.attempt).n), fact] as const),
  );
  await eachLine(log, (line) => void unlogged.delete(line));
  return [...unlogged.values()];
}

export async function lastLineOf(log: string): Promise<string | null> {
  let last: string | null = null;
  await eachLine(log, (line) => {
    last = line;
  });
  return last;
}

/** One by one: a log may be large. Links are not followed, and where there is no file there are no lines. */
async function eachLine(path: string, hear: (line: string) => void): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(onErrno({ ENOENT: null, ELOOP: null }));
  if (file === null) return;
  const input = file.createReadStream({ encoding: "utf8" }); // closes the file at its end
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) hear(line);
}

export function startedByLog(facts: readonly Fact[]): ReadonlyMap<string, readonly Started[]> {
  const found = new Map<string, Started[]>();
  for (const fact of facts) {
    if (fact.type !== "attempt.started") continue;
    const name = `${splitAttemptId(fact.attempt).task}.log`;
    found.set(name, [...(found.get(name) ?? []), fact]);
  }
  return found;
}
