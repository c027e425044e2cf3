// The walls made by bubblewrap (bwrap). Measured: 5 ms a start. Everything that a program in it started ends with it (I5), also
// when plait is killed, because all of it lives in a process namespace that ends with its first process.

import { constants } from "node:os";
import { childrenByProc } from "../proc-files.ts";
import type { Child, ChildExit, Invocation, SpawnFailure } from "../spawn.ts";
import { send } from "../tree.ts";
import type { Attended, Enclose, ProgramEnd } from "./enclosure.ts";
import { buildSeccompFilter } from "./seccomp.ts";
import { readStatus, STATUS_FD } from "./status.ts";
import { listMounts, type Mount, type Walls } from "./walls.ts";

export const BUBBLEWRAP = "bwrap";

const FILTER_FD = 4;

/** Surrounding each start of a program with these walls. */
export function encloseByBubblewrap(walls: Walls): Enclose {
  const filter = buildSeccompFilter();
  const options = bubblewrapOptions(walls, { isRoot: process.getuid?.() === 0, hasFilter: filter !== null });
  const files = walls.files.map(({ text }) => Buffer.from(text));
  return ({ argv, cwd }: Invocation) => ({
    argv: [BUBBLEWRAP, ...options, "--chdir", cwd, "--", ...argv],
    pipes: [null, ...(filter === null ? [] : [filter]), ...files],
    attend: (child) => attend(child),
  });
}

type Surrounding = { readonly isRoot: boolean; readonly hasFilter: boolean };

/** Later mounts win, so their order is the policy. */
function bubblewrapOptions(walls: Walls, { isRoot, hasFilter }: Surrounding): string[] {
  const mounts = listMounts(walls);
  const closed = mounts.filter(({ kind }) => kind === "hidden");
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...["--die-with-parent", "--disable-userns"],
    // As root it would keep all of them, and could take the hiding mounts away.
    ...["--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    // Root may write core_pattern there, which is root on the host.
    ...(isRoot ? ["--ro-bind", "/proc/sys", "/proc/sys"] : []),
    ...mounts.flatMap(mountOption),
    ...walls.files.flatMap(({ path }, i) => [
      ...["--perms", "0600", "--file", String((hasFilter ? FILTER_FD : STATUS_FD) + 1 + i), path],
    ]),
    // Only now: the mounts below had to find or make their folders. A write there fails instead of vanishing.
    ...closed.flatMap(({ path }) => ["--remount-ro", path]),
    ...["--json-status-fd", String(STATUS_FD)],
    ...(hasFilter ? ["--seccomp", String(FILTER_FD)] : []),
  ];
}

function mountOption({ path, kind, source }: Mount): string[] {
  if (source === null) return ["--tmpfs", path];
  return [kind === "writable" ? "--bind" : "--ro-bind", source, path];
}

function attend(child: Child): Attended {
  const status = readStatus(child); // child-pid once it has forked, exit-code only if the program was run
  return {
    signal: (signal) => {
      const init = status.number("child-pid");
      // Killing bubblewrap ends all of it; any other signal would end bubblewrap and with it the program, unasked.
      if (signal === "SIGKILL" || init === null) send(-child.pid, signal) || send(child.pid, signal);
      else for (const pid of listGroup(init, child.pid)) send(pid, signal);
    },
    readEnd: async (exit, stderrTail) => {
      await status.ended;
      return readWalledEnd(exit, status.number("exit-code"), stderrTail);
    },
  };
}

/** The processes below the first of the namespace that are in the program's process group, as the host counts them. */
function listGroup(init: number, group: number): number[] {
  const children = childrenByProc(init);
  return children.flatMap(({ pid, pgid }) => [...(pgid === group ? [pid] : []), ...listGroup(pid, group)]);
}

function readWalledEnd(exit: ChildExit, code: number | null, stderrTail: string): ProgramEnd {
  if (code !== null) return { ...splitCode(code), left: [], notRun: null };
  if (exit.signal !== null || exit.code === null) return { ...exit, left: [], notRun: null };
  return { ...exit, left: [], notRun: describeFailure(stderrTail) };
}

/** It hands on 128 and the number of the signal that ended the program. */
function splitCode(code: number): ChildExit {
  const found = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  if (found === undefined) return { code, signal: null };
  return { code: null, signal: found[0] as NodeJS.Signals };
}

/** bubblewrap's own failure ends with 1, as a red gate does: only its words tell them apart. */
function describeFailure(stderrTail: string): SpawnFailure {
  const said = /^bwrap: (.*)$/m.exec(stderrTail)?.[1] ?? "it ended without running the program";
  const missing = /^execvp (.*): (No such file or directory|Permission denied)$/.exec(said);
  if (missing === null)
    return { reason: "no-walls", errno: null, message: `cannot make the sandbox: ${said}` };
  const [, program = "", why = ""] = missing;
  const isMissing = why.startsWith("No such");
  const reason = isMissing ? "not-found" : "not-allowed";
  const errno = isMissing ? "ENOENT" : "EACCES";
  return { reason, errno, message: `cannot start ${program} in the sandbox: ${why}` };
}
