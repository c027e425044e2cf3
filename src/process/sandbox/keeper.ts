import { constants } from "node:os";
import { identifyByProc } from "../proc-files.ts";
import type { ChildExit, Invocation, SpawnFailure } from "../spawn.ts";
import { send } from "../tree.ts";
import type { Enclosure, ProgramEnd } from "./enclosure.ts";
import { KEEPER_SCRIPT } from "./keeper-script.ts";
import { readStatus, type Status } from "./status.ts";

/** The number of prctl. */
const PRCTL: { readonly [arch: string]: number } = { x64: 157, arm64: 167 };

/** What encloses programs that have no walls: the keeper, where perl is found there; null: nothing can. */
export function findKeeper(perl: string | null): ((invocation: Invocation) => Enclosure) | null {
  const prctl = process.platform === "linux" ? PRCTL[process.arch] : undefined;
  if (perl === null || prctl === undefined) return null;
  return ({ argv }) => ({
    argv: [perl, "-e", KEEPER_SCRIPT, String(prctl), ...argv],
    pipes: [null],
    attend: (child) => {
      const status = readStatus(child);
      return {
        signal: (signal) => {
          // A killed keeper would let go of those that it keeps.
          if (signal === "SIGKILL") send(child.pid, "SIGUSR1");
          else send(-child.pid, signal) || send(child.pid, signal);
        },
        readEnd: async (exit) => {
          await status.ended;
          return readKeptEnd(exit, status, argv[0] ?? "");
        },
      };
    },
  });
}

function readKeptEnd(exit: ChildExit, status: Status, program: string): ProgramEnd {
  const left = status.list("left").map((pid) => identifyByProc(pid));
  const [errno, code, signal] = [status.number("errno"), status.number("exit-code"), status.number("signal")];
  if (errno !== null) return { ...exit, left, notRun: describeErrno(errno, program) };
  if (code !== null) return { code, signal: null, left, notRun: null };
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0];
  if (name !== undefined) return { code: null, signal: name as NodeJS.Signals, left, notRun: null };
  // It was asked to kill all of it, or was killed itself.
  return { code: null, signal: "SIGKILL", left, notRun: null };
}

function describeErrno(errno: number, program: string): SpawnFailure {
  const name = Object.entries(constants.errno).find(([, number]) => number === errno)?.[0] ?? null;
  const reason = {
    ENOENT: "not-found",
    ENOTDIR: "not-found",
    EACCES: "not-allowed",
    EPERM: "not-allowed",
    ENOEXEC: "not-allowed",
    E2BIG: "too-big",
    EAGAIN: "no-room",
    ENOMEM: "no-room",
  } as const;
  const known = name !== null && Object.hasOwn(reason, name) ? reason[name as keyof typeof reason] : "other";
  return { reason: known, errno: name, message: `cannot start ${program}: ${name ?? `error ${errno}`}` };
}
