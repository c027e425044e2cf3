// Opens a journal, appends, closes, and prints what it did to the disk, in order: one JSON line for each operation that
// changes or syncs something. Argument: the journal's path, in a folder that need not exist.

import fsp, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, join } from "node:path";
import { acquireLock } from "../../../src/journal/lock.ts";
import { openJournal } from "../../../src/journal/open.ts";

const [path = ""] = process.argv.slice(2);
const say = (...words: string[]) => process.stdout.write(`${JSON.stringify(words)}\n`);

const names = new WeakMap<object, string>();
const { open } = fsp;
fsp.open = async (...args: Parameters<typeof open>): Promise<FileHandle> => {
  const handle = await open(...args);
  names.set(handle, basename(String(args[0])));
  return handle;
};
const probe = await open(process.execPath, "r");
const methods = Object.getPrototypeOf(probe) as Record<string, (...args: unknown[]) => Promise<unknown>>;
await probe.close();
for (const name of ["write", "sync", "datasync", "truncate"]) {
  const real = methods[name];
  methods[name] = async function (this: FileHandle, ...args) {
    const result = await real?.apply(this, args);
    say(name, names.get(this) ?? "?");
    return result;
  };
}
syncBuiltinESMExports();

const taken = await acquireLock(join(dirname(path), "driver.lock"), { command: "test" });
if (!taken.ok) throw new Error(taken.refusal.message);
say("locked");
const journal = await openJournal(path, { lock: taken.lock, parse: (value) => value });
say("opened");
await journal.append([{ v: 1, type: "test.counted" }]);
say("appended");
await journal.close();
await taken.lock.release();
