// plait as these tests need it: a process of its own that supervises, so that its memory can be measured and it can be killed.
//   flood <kind> <megabytes> <log>   supervises a child that prints that much; prints what was seen and how much memory it took
//   live <run marker> <worktree>     starts a reaper and a child with daemons, prints their pids, and stays until it is killed
//   leave <run marker>               the same, but says that all is well and ends
//   fill <path> <kilobytes>          writes that much to a log, closes it, and prints how that went
//   crowd <how many>                 supervises that many children at once, kills them all, and prints how that went
//   no-files                         starts a reaper when no file may be opened any more, and prints what came of it
//   log <path> <cap>                 writes numbered lines to a log without end, and prints the number of each

import { openSync, readFileSync, writeSync } from "node:fs";
import { openLog } from "../../../src/process/attempt-log.ts";
import { createMasker } from "../../../src/process/mask/masker.ts";
import { startReaper } from "../../../src/process/reaper.ts";
import { supervise } from "../../../src/process/supervise.ts";
import { deferred } from "../../../src/util/deferred.ts";
import { escapes, programs, staysInGroup } from "../children.ts";

const { PATH = "" } = process.env;
const env = { PATH, ...programs };
const say = (value: unknown): void => void writeSync(1, `${JSON.stringify(value)}\n`);

const floods: { readonly [kind: string]: string } = {
  lines: "b = Buffer.from(('x'.repeat(199) + '\\n').repeat(300))",
  "one line": "b = Buffer.alloc(65536, 'x')",
  "short lines": "b = Buffer.alloc(65536, '\\n')",
  binary: "b = require('crypto').randomBytes(65536)",
};

async function flood(kind = "", megabytes = "", path = ""): Promise<void> {
  const program = `const ${floods[kind]}; for (let n = 0; n < ${megabytes}e6; n += b.length) require('fs').writeSync(1, b);`;
  const opened = await openLog(path);
  if (!opened.ok) throw new Error(opened.failure.message);
  let [lines, cutBytes] = [0, 0];
  const child = await supervise(
    { argv: [process.execPath, "-e", program], cwd: "/", env, stdin: null },
    {
      marker: "flood",
      runMarker: "flood",
      log: opened.log,
      masker: createMasker(["some-secret-value", "another-secret-value"]),
      onLine: (line) => {
        lines += 1;
        cutBytes += line.cutBytes;
      },
    },
  );
  if (!child.ok) throw new Error(child.failure.message);
  const { code, stdoutBytes } = await child.ended;
  const log = await opened.log.close();
  say({ code, stdoutBytes, lines, cutBytes, log, maxRssMb: mostMemoryMb() });
}

/** Of this program: `resourceUsage` counts in what the process held that it began as a copy of. */
function mostMemoryMb(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS / 1024;
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

async function live(runMarker = "", worktrees = "", leaves = false): Promise<void> {
  const started = await startReaper({ runMarker, worktrees: worktrees || null, env });
  if (!started.ok) throw new Error(started.message);
  const children = [...Object.values(escapes), staysInGroup];
  const script = `trap '' INT TERM HUP; ${children.join("\n")}\nexec sleep 60`;
  const pids: number[] = [];
  const child = await supervise(
    { argv: ["sh", "-c", script], cwd: worktrees || "/", env, stdin: null },
    {
      marker: `${runMarker}-attempt`,
      runMarker,
      lifeline: started.reaper,
      onLine: ({ text }) => {
        pids.push(Number(text));
        if (pids.length < children.length) return;
        say({ reaper: started.reaper.pid(), pids: child.ok ? [child.started.pid, ...pids] : [] });
      },
    },
  );
  if (!child.ok) throw new Error(child.failure.message);
  if (!leaves) return;
  for await (const _ of process.stdin) break;
  await started.reaper.close();
  process.exit(0);
}

async function log(path = "", cap = ""): Promise<void> {
  const opened = await openLog(path, { maxBytes: Number(cap) });
  if (!opened.ok) throw new Error(opened.failure.message);
  for (let i = 0; ; i += 1) {
    await opened.log.write(Buffer.from(`line ${i}\n`));
    say(i);
  }
}

async function fill(path = "", kilobytes = ""): Promise<void> {
  const opened = await openLog(path);
  if (!opened.ok) throw new Error(opened.failure.message);
  for (let i = 0; i < Number(kilobytes); i += 1) await opened.log.write(Buffer.alloc(1024, "x"));
  say(await opened.log.close());
}

async function crowd(count = ""): Promise<void> {
  const argv = ["sh", "-c", "trap '' INT TERM; sleep 60 & echo ready; exec sleep 60"];
  const marker = `crowd-${process.pid}`;
  const one = async (n: number) => {
    const ready = deferred<void>();
    const options = { marker: `${marker}-${n}`, runMarker: marker, onLine: () => ready.resolve() };
    const child = await supervise({ argv, cwd: "/", env, stdin: null }, options);
    if (!child.ok) throw new Error(child.failure.message);
    await ready.promise;
    return child;
  };
  const children = await Promise.all(Array.from({ length: Number(count) }, (_, n) => one(n)));
  const exits = await Promise.all(children.map((child) => child.stop({ kill: true })));
  const left = exits.flatMap(({ leftOver }) => leftOver);
  const cut = exits.filter(({ stdoutCut }) => stdoutCut).length;
  say({ marker, signals: [...new Set(exits.map(({ signal }) => signal))], left, cut });
}

async function noFiles(): Promise<void> {
  try {
    for (;;) openSync("/dev/null", "r");
  } catch {
    // that was the last one
  }
  const started = await startReaper({ runMarker: "none", worktrees: null, env });
  say(started.ok ? { ok: true } : started);
  process.exit(0);
}

const [verb, first, second, third] = process.argv.slice(2);
if (verb === "flood") await flood(first, second, third);
if (verb === "live") await live(first, second);
if (verb === "leave") await live(first, "", true);
if (verb === "fill") await fill(first, second);
if (verb === "crowd") await crowd(first);
if (verb === "no-files") await noFiles();
if (verb === "log") await log(first, second);
