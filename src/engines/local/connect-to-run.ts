// The other side of the control socket: a process that does not drive the run asks the one that does.

import { lstat } from "node:fs/promises";
import { createConnection, type Socket } from "node:net";
import { systemClock } from "../../util/clock.ts";
import { errnoOf, errorText } from "../../util/errno.ts";
import { ControlConnection } from "./control-connection.ts";
import { pathProblem, unlessMissing } from "./control-path.ts";
import type { DriverHere } from "./protocol.ts";

export type ConnectOptions = {
  /** How long the driver may take to say who it is. */
  readonly timeoutMs?: number;
  readonly uid?: number;
};

export type ConnectResult =
  | { readonly ok: true; readonly driver: DriverHere; readonly connection: ControlConnection }
  | {
      readonly ok: false;
      /**
       * `nobody`: no driver listens there, take the lock. `not-ours`: it is no socket of this user. `silent`: somebody
       * listens and does not answer (stopped, or busy for long). `strange`: something answers that is no driver of this version.
       */
      readonly reason: "nobody" | "not-ours" | "silent" | "strange";
      readonly problem: string;
    };

const DEFAULT_TIMEOUT_MS = 5000;

/** Connects to the socket at this path (readControlFile tells it) and finds out who is there. */
export async function connectToRun(path: string, options: ConnectOptions = {}): Promise<ConnectResult> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, uid = process.getuid?.() } = options;
  const wrong = pathProblem(path);
  if (wrong !== null) return no("not-ours", wrong);
  const found = await unlessMissing(lstat(path));
  if (found === null) return no("nobody", `no socket at ${path}`);
  if (!found.isSocket()) return no("not-ours", `${path} is not a socket`);
  if (uid !== undefined && found.uid !== uid)
    return no("not-ours", `${path} belongs to user ${found.uid}, not to ${uid}`);

  const socket = createConnection({ path });
  const failed = await connected(socket);
  if (failed !== null) return refused(path, failed);
  return introduce(new ControlConnection(socket), path, timeoutMs);
}

async function introduce(
  connection: ControlConnection,
  path: string,
  timeoutMs: number,
): Promise<ConnectResult> {
  let isLate = false;
  const timer = systemClock.setTimer(timeoutMs, () => {
    isLate = true;
    connection.close();
  });
  const answer = await connection.ping();
  timer.cancel();
  if (answer.ok) return { ok: true, driver: answer.value, connection };
  connection.close();
  return isLate
    ? no("silent", `the process at ${path} is not responding`)
    : no(answer.reason === "lost" ? "nobody" : "strange", answer.problem);
}

/** Waits for the connection; gives the error when there is none. */
function connected(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => {
    const fail = (error: unknown) => resolve(error);
    socket.once("error", fail);
    socket.once("connect", () => {
      socket.off("error", fail);
      resolve(null);
    });
  });
}

function refused(path: string, error: unknown): ConnectResult {
  const errno = errnoOf(error);
  if (errno === "ECONNREFUSED" || errno === "ENOENT") return no("nobody", `no process listens at ${path}`);
  if (errno === "EACCES" || errno === "EPERM") return no("not-ours", `permission denied: ${path}`);
  // EAGAIN: more wait to be let in than the system holds.
  return no(errno === "EAGAIN" ? "silent" : "strange", `cannot connect to ${path}: ${errorText(error)}`);
}

function no(reason: Extract<ConnectResult, { ok: false }>["reason"], problem: string): ConnectResult {
  return { ok: false, reason, problem };
}
