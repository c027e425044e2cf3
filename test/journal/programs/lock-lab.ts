// The lock under a scheduler. Some contenders take, hold, release and die in one process; each of their file operations
// waits for its turn, and a seeded die says whose turn it is, or who is killed. So each seed is one order of
// events, down to the single system call, on a real folder. The file operations are replaced from outside, which is
// why this is a program of its own.
// Arguments: first seed, how many. Prints one JSON line: what happened, and what broke with which seed.

import { AsyncLocalStorage } from "node:async_hooks";
import fsp, { type FileHandle, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identify, type Liveness } from "../../../src/journal/holder.ts";
import { acquireLock } from "../../../src/journal/lock.ts";

type Contender = {
  readonly name: string;
  /** Waiting for its turn; calling it lets one operation happen. */
  go: (() => void) | undefined;
  state: "busy" | "done" | "killed";
  holds: boolean;
  /** The file that it is about to write: closed by its death, as the kernel would. */
  open: FileHandle | undefined;
};

const acting = new AsyncLocalStorage<Contender>();

/** Waits until the scheduler lets this contender act; the killed wait for ever. */
function turn(): Promise<void> {
  const me = acting.getStore();
  if (!me) return Promise.resolve();
  return new Promise((resolve) => {
    me.go = () => {
      me.go = undefined;
      resolve();
    };
  });
}

type Operation = (...args: unknown[]) => Promise<unknown>;
const gated = (real: Operation): Operation =>
  async function (this: unknown, ...args) {
    await turn();
    const me = acting.getStore();
    if (me) me.open = undefined;
    return real.apply(this, args);
  };

async function replaceFileOperations(): Promise<void> {
  const handle = await fsp.open(process.execPath, "r");
  const methods = Object.getPrototypeOf(handle) as { writeFile: Operation; sync: Operation };
  await handle.close();
  const functions = fsp as unknown as {
    [name in "link" | "rename" | "unlink" | "open" | "readdir"]: Operation;
  };
  for (const name of ["link", "rename", "unlink", "open", "readdir"] as const)
    functions[name] = gated(functions[name]);
  const write = gated(methods.writeFile);
  methods.writeFile = function (this: unknown, ...args) {
    const me = acting.getStore();
    if (me) me.open = this as FileHandle;
    return write.apply(this, args);
  };
  methods.sync = () => Promise.resolve(); // no power is cut here
  syncBuiltinESMExports();
}

const tally = { schedules: 0, turns: 0, kills: 0, wins: 0, refusals: 0, broken: [] as string[] };

type Run = {
  readonly path: string;
  readonly contenders: readonly Contender[];
  readonly liveness: Liveness;
  readonly releasing: boolean;
  readonly broke: (what: string) => unknown;
  wins: number;
  kills: number;
};

async function schedule(seed: number, folder: string): Promise<void> {
  const random = dice(seed);
  const killing = random() < 0.6 ? 0.02 + random() * 0.1 : 0;
  const contenders = Array.from({ length: 2 + Math.floor(random() * 4) }, (_, i) => newcomer(`${i}`));
  const living = (name: string) => contenders.some((one) => one.name === name && one.state !== "killed");
  const run: Run = {
    path: join(folder, "driver.lock"),
    contenders,
    liveness: async ({ command }) =>
      command === "checker" || living(command) ? { kind: "alive" } : { kind: "dead", because: "killed" },
    releasing: random() < 0.5,
    broke: (what) => tally.broken.push(`seed ${seed}: ${what}`),
    wins: 0,
    kills: 0,
  };
  if (random() < 0.8)
    await writeFile(run.path, JSON.stringify(await identify("d".repeat(32), "dead before")));

  for (const me of contenders) {
    void acting
      .run(me, live, me, run)
      .catch((error: Error) => run.broke(`threw ${error.stack}`))
      .then(() => {
        me.state = "done";
      });
  }
  for (;;) {
    while (contenders.some((one) => one.state === "busy" && !one.go))
      await new Promise((next) => setImmediate(next));
    const ready = contenders.filter((one) => one.state === "busy");
    const one = ready[Math.floor(random() * ready.length)];
    if (!one) break;
    tally.turns += 1;
    if (random() < killing) await kill(one, run);
    else one.go?.();
  }
  await check(run, folder);
  tally.schedules += 1;
  tally.kills += run.kills;
  tally.wins += run.wins;
}

/** One contender's life: take, hold for a while, release. */
async function live(me: Contender, run: Run): Promise<void> {
  const taken = await acquireLock(run.path, { command: me.name, liveness: run.liveness });
  if (!taken.ok) {
    tally.refusals += 1;
    return;
  }
  run.wins += 1;
  if (run.contenders.some((other) => other.holds)) run.broke("two hold the lock");
  me.holds = true;
  if (!run.releasing) return;
  for (let held = 0; held < 5; held += 1) await turn();
  me.holds = false;
  await taken.lock.release();
}

async function kill(one: Contender, run: Run): Promise<void> {
  one.state = "killed";
  one.holds = false;
  await one.open?.close();
  run.kills += 1;
}

/** When nobody moves any more: the lock is where it should be, takeable if it is free, and nothing lies about (I8). */
async function check({ path, contenders, liveness, broke, wins, kills }: Run, folder: string): Promise<void> {
  if (kills === 0 && wins === 0) broke("nobody was killed and nobody got the lock");
  const holder = contenders.find((one) => one.holds);
  if (holder) {
    if (JSON.parse(await readFile(path, "utf8")).command !== holder.name)
      broke("the file names another holder");
    if (kills === 0 && (await readdir(folder)).length > 1) broke(`left behind: ${await readdir(folder)}`);
    return;
  }
  const last = await acquireLock(path, { command: "checker", liveness });
  if (!last.ok) {
    broke(`free, but refused: ${last.refusal.message}`);
    return;
  }
  const left = (await readdir(folder)).filter((name) => name !== "driver.lock");
  if (left.length > 0) broke(`left behind: ${left}`);
  await last.lock.release();
  if ((await readdir(folder)).includes("driver.lock")) broke("the lock was not released");
}

function newcomer(name: string): Contender {
  return { name, go: undefined, state: "busy", holds: false, open: undefined };
}

/** mulberry32 */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const [first = "1", count = "1"] = process.argv.slice(2);
const parent = await mkdtemp(join(tmpdir(), "plait-lock-lab-"));
await replaceFileOperations();
for (let seed = Number(first); seed < Number(first) + Number(count); seed += 1) {
  const folder = join(parent, `${seed}`);
  await fsp.mkdir(folder);
  await schedule(seed, folder);
  await rm(folder, { recursive: true });
}
await rm(parent, { recursive: true });
console.log(JSON.stringify(tally));
