// Takes and gives back locks as it is told, line by line, and prints what came of it.
//   take <path>   →  {"won":true} or {"won":false,"reason":…,"names":[pids that the refusal names]}
//   release       →  {"released":true}

import { createInterface } from "node:readline";
import { acquireLock, type HeldLock } from "../../../src/journal/lock.ts";

let lock: HeldLock | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  const [verb, path = ""] = line.split(" ");
  if (verb === "release") {
    await lock?.release();
    answer({ released: true });
    continue;
  }
  const taken = await acquireLock(path, { command: "contender" });
  if (taken.ok) {
    lock = taken.lock;
    answer({ won: true });
  } else {
    const { refusal } = taken;
    const holders =
      "holder" in refusal ? [refusal.holder, ...("breaker" in refusal ? [refusal.breaker] : [])] : [];
    answer({ won: false, reason: refusal.reason, names: holders.map((who) => who.pid) });
  }
}

function answer(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
