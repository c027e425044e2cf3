// Who holds a lock, and whether that process still lives. A pid alone does not say: pids come again, machines restart,
// and containers count their own. So a holder is pid + when it started + which boot, and the rules below take "dead" only
// from evidence. Whatever cannot be known counts as alive: a wrong "alive" costs a person one command, a
// wrong "dead" two drivers on one run (I6).
//
//   other host name                     unknown: the folder is shared, its processes are not ours to see
//   other boot id                       dead: the machine was restarted
//   other pid namespace                 unknown: the pid means another process there
//   no process with the pid             dead
//   same pid, other start time          dead: the pid came again
//   zombie without other threads        dead. With threads it may still finish a rename or a write on one of them
//
// Without a /proc of our own (macOS; or a sandbox that shows the /proc of its host) there is no start time to compare. A
// live pid is then alive if the boot times agree, dead if the machine has been up for less time than when the holder
// started, and else unknown: the computed boot time also moves when somebody sets the clock.

import { readFile, readlink } from "node:fs/promises";
import { hostname, uptime } from "node:os";
import { onErrno } from "../util/errno.ts";

/** The process that holds a lock, as its lock file says. */
export type Holder = {
  /** 128 random bits: this taking of this lock, and no other. */
  readonly nonce: string;
  readonly pid: number;
  /** `ticks:` of /proc/<pid>/stat, else `uptime:` in seconds. */
  readonly startTime: string;
  /** The kernel's boot id, else `boottime:` in seconds since 1970. */
  readonly bootId: string;
  readonly pidNamespace?: string;
  readonly host: string;
  readonly at: string;
  readonly command: string;
};

/** Whether a holder lives; `because` is a clause that a message can end with. */
export type Verdict =
  | { readonly kind: "alive" }
  | { readonly kind: "dead"; readonly because: string }
  | { readonly kind: "unknown"; readonly because: string };

/** Finds out whether a holder lives. */
export type Liveness = (holder: Holder) => Promise<Verdict>;

/** What the rules ask of the machine. */
export type Machine = {
  readonly host: string;
  readonly bootId: string;
  readonly pidNamespace: string | undefined;
  readonly uptimeSeconds: number;
  /** Whether a signal would find somebody. */
  readonly exists: (pid: number) => boolean;
  /** /proc/<pid>/stat, undefined if it is not shown; no function without a /proc of our own. */
  readonly stat: ((pid: number) => Promise<string | undefined>) | undefined;
};

export const probe: Liveness = async (holder) => judge(holder, await thisMachine());

/** This process as the holder of a lock. */
export async function identify(nonce: string, command: string): Promise<Holder> {
  const { host, bootId, pidNamespace, uptimeSeconds, stat } = await thisMachine();
  const self = await stat?.(process.pid);
  const startTime = self
    ? parseStat(self).startTime
    : `uptime:${Math.floor(uptimeSeconds - process.uptime())}`;
  const at = new Date().toISOString();
  const who = { nonce, pid: process.pid, startTime, bootId, host, at, command };
  return pidNamespace === undefined ? who : { ...who, pidNamespace };
}

export async function judge(holder: Holder, machine: Machine): Promise<Verdict> {
  const { pid } = holder;
  if (holder.host !== machine.host) return unknown(`it runs on another host, ${holder.host}`);
  if (isExact(holder.bootId) && isExact(machine.bootId) && holder.bootId !== machine.bootId) {
    return dead("the machine was restarted");
  }
  if (holder.pidNamespace !== machine.pidNamespace) return unknown("it runs in another container or sandbox");
  if (!machine.exists(pid)) return dead(`process ${pid} is gone`);
  if (!machine.stat || !holder.startTime.startsWith("ticks:")) return judgeByUptime(holder, machine);

  const stat = await machine.stat(pid);
  if (stat === undefined) {
    return machine.exists(pid)
      ? unknown(`process ${pid} is not visible to this user`)
      : dead(`process ${pid} is gone`);
  }
  const { startTime, state, threads } = parseStat(stat);
  if (startTime !== holder.startTime) return dead(`process ${pid} is now another program`);
  return "ZX".includes(state) && threads <= 1 ? dead(`process ${pid} has ended`) : { kind: "alive" };
}

function judgeByUptime(holder: Holder, machine: Machine): Verdict {
  const startedAt = numberAfter("uptime:", holder.startTime);
  if (startedAt !== undefined && machine.uptimeSeconds + 2 < startedAt)
    return dead("the machine was restarted");
  const [theirs, ours] = [holder.bootId, machine.bootId].map((id) => numberAfter("boottime:", id));
  const sameBoot =
    theirs !== undefined && ours !== undefined
      ? Math.abs(theirs - ours) <= 60
      : holder.bootId === machine.bootId;
  if (sameBoot) return { kind: "alive" };
  return unknown(
    `process ${holder.pid} may be another program: the machine was restarted or its clock was set`,
  );
}

/** The fields of /proc/<pid>/stat that matter. The program's name may hold spaces and brackets: count from its last one. */
export function parseStat(text: string): { startTime: string; state: string; threads: number } {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, threads, startTime] = [fields[0], fields[17], fields[19]]; // fields 3, 20 and 22 in proc(5)
  if (!state || !threads || !startTime) throw new Error(`cannot read process state: ${text}`);
  return { state, threads: Number(threads), startTime: `ticks:${startTime}` };
}

async function thisMachine(): Promise<Machine> {
  const uptimeSeconds = uptime();
  const kernelBootId = await optional(readFile("/proc/sys/kernel/random/boot_id", "utf8"));
  const self = await optional(readFile("/proc/self/stat", "utf8"));
  const ownProc = self !== undefined && Number.parseInt(self, 10) === process.pid;
  return {
    host: hostname(),
    bootId: kernelBootId?.trim() ?? `boottime:${Math.round(Date.now() / 1000 - uptimeSeconds)}`,
    pidNamespace: await optional(readlink("/proc/self/ns/pid")),
    uptimeSeconds,
    exists: isAlive,
    stat: ownProc ? (pid) => optional(readFile(`/proc/${pid}/stat`, "utf8")) : undefined,
  };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return onErrno({ ESRCH: false, EPERM: true })(error); // EPERM: somebody else's process
  }
}

/** Undefined without /proc, or without such a process; ESRCH: it ended between open and read. */
function optional(text: Promise<string>): Promise<string | undefined> {
  return text.catch(onErrno({ ENOENT: undefined, ESRCH: undefined }));
}

const isExact = (bootId: string): boolean => !bootId.startsWith("boottime:");

function numberAfter(label: string, text: string): number | undefined {
  return text.startsWith(label) ? Number(text.slice(label.length)) : undefined;
}

const dead = (because: string): Verdict => ({ kind: "dead", because });
const unknown = (because: string): Verdict => ({ kind: "unknown", because });
