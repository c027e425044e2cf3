// Writes facts 1, 2, 3 … without end, a number of them in flight, and prints the number of each that has become durable.
// Arguments: the folder, and how many at once. What it prints goes out by a blocking write: when the line is there, the
// fact was durable before.

import { writeSync } from "node:fs";
import { join } from "node:path";
import { acquireLock } from "../../../src/journal/lock.ts";
import { openJournal } from "../../../src/journal/open.ts";

const [folder = ".", inFlight = "1"] = process.argv.slice(2);
const taken = await acquireLock(join(folder, "driver.lock"), { command: "writer" });
if (!taken.ok) throw new Error(taken.refusal.message);
const journal = await openJournal(join(folder, "journal.ndjson"), {
  lock: taken.lock,
  parse: (value) => value as { v: number; type: string; i: number },
});
let i = journal.facts.at(-1)?.i ?? 0;

async function writeOn(): Promise<never> {
  for (;;) {
    i += 1;
    const mine = i;
    await journal.append([{ v: 1, type: "test.counted", i: mine, text: "x".repeat(mine % 700) } as never]);
    writeSync(1, `${mine}\n`);
  }
}

await Promise.all(Array.from({ length: Number(inFlight) }, writeOn));
