// The control socket of a driver: a Unix socket where other terminals send commands and follow the run. A run does without it if it must:
// that it cannot be opened is a value, and no client can slow or end the driver (control-client.ts says how).
//
// The caller holds the run's lock from before `openControlSocket` until after `close`. So whoever listened at the path before is dead,
// and its socket may go; and nobody else's socket is removed by `close`.

import { chmod } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import type { Decision, RunCommand } from "../../core/decide.ts";
import type { Driver, Fact } from "../../core/facts.ts";
import { parseFact } from "../../core/parse-fact.ts";
import type { RunView } from "../../core/run-view.ts";
import { readJournal } from "../../journal/read.ts";
import { type Clock, systemClock } from "../../util/clock.ts";
import { errnoOf, errorText } from "../../util/errno.ts";
import { ControlClient, type ControlHandlers, type QueueLimits } from "./control-client.ts";
import { clearSocket, pathProblem, removeControlFile, writeControlFile } from "./control-path.ts";
import { encodeMessage, type Message } from "./protocol.ts";
import type { RunFolder } from "./run-folder.ts";

export type ControlSocketOptions = {
  /** From findControlPath. */
  readonly path: string;
  /** Where the file `door` tells others of the path. */
  readonly runDir: string;
  readonly handlers: ControlHandlers;
  readonly clock?: Pick<Clock, "setTimer">;
  /** How long `close` waits for clients to take what they were promised. */
  readonly closeMs?: number;
  readonly queue?: QueueLimits;
};

export type OpenedControlSocket =
  | { readonly ok: true; readonly socket: ControlSocket }
  | { readonly ok: false; readonly problem: string };

export type ControlSocket = {
  readonly path: string;
  /** Answers what is being worked on, ends everybody, and removes the socket and the file `door`. */
  readonly close: () => Promise<void>;
};

const DEFAULT_CLOSE_MS = 1000;
const DEFAULT_QUEUE: QueueLimits = { activityBytes: 64 * 1024, factBytes: 4 * 1024 * 1024 };
// With the queue above, an upper bound for the memory of all clients together.
const MAX_CLIENTS = 128;

export async function openControlSocket(options: ControlSocketOptions): Promise<OpenedControlSocket> {
  const { path, runDir, handlers, queue = DEFAULT_QUEUE } = options;
  const wrong = pathProblem(path);
  if (wrong !== null) return { ok: false, problem: wrong };
  const clients = new Set<ControlClient>();
  const server = createServer((socket) => {
    const client = new ControlClient(socket, handlers, queue);
    clients.add(client);
    socket.on("close", () => clients.delete(client));
  });
  server.maxConnections = MAX_CLIENTS;
  try {
    const stale = await clearSocket(path);
    if (stale !== null) return { ok: false, problem: stale };
    await listen(server, path);
    await chmod(path, 0o600); // until now only the folder kept others out, whatever the umask
    await writeControlFile(runDir, path);
  } catch (error) {
    server.close();
    if (errnoOf(error) === undefined) throw error;
    return { ok: false, problem: `cannot listen on ${path}: ${errorText(error)}` };
  }
  const unsubscribe = broadcast(handlers, clients);
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeControlSocket({ ...options, server, clients }).finally(unsubscribe);
    return closing;
  };
  return { ok: true, socket: { path, close } };
}

async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ path }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  // A connection could not be accepted (no more file descriptors): that one client is told by its own system.
  server.on("error", () => undefined);
}

/** One line for all: a fact is encoded once, and only if somebody is there to get it. */
function broadcast({ subscribe }: ControlHandlers, clients: ReadonlySet<ControlClient>): () => void {
  const tell = (message: Message, give: (client: ControlClient, line: string) => void): void => {
    const followers = [...clients].filter((client) => client.isLive);
    const line = followers.length === 0 ? "" : encodeMessage(message);
    for (const client of followers) give(client, line);
  };
  return subscribe({
    fact: (n, fact) => tell({ n, fact }, (client, line) => client.giveFact(n, line)),
    activity: (activity) => tell({ activity }, (client, line) => client.giveActivity(line)),
  });
}

type Closing = ControlSocketOptions & {
  readonly server: Server;
  readonly clients: ReadonlySet<ControlClient>;
};

async function closeControlSocket({ runDir, server, clients, ...options }: Closing): Promise<void> {
  const { clock = systemClock, closeMs = DEFAULT_CLOSE_MS } = options;
  try {
    await removeControlFile(runDir); // first: whoever looks from now on finds nobody
  } catch (error) {
    if (errnoOf(error) === undefined) throw error; // else it names a path where nobody listens, as after a crash
  }
  const ended = new Promise<void>((resolve) => void server.close(() => resolve())); // Node removes the socket
  const timer = clock.setTimer(closeMs, () => {
    for (const client of clients) client.cutOff();
  });
  await Promise.race([Promise.all([...clients].map((client) => client.finish())), ended]);
  for (const client of clients) client.cutOff();
  await ended;
  timer.cancel();
}

type RunSocketInput = {
  readonly folder: RunFolder;
  readonly view: RunView;
  readonly ask: (command: RunCommand) => Promise<Decision>;
  /** How many facts the run has already. */
  readonly facts: number;
};

/** The control socket of a run that is driven here; null where there can be none: a run does without it if it must. */
export async function openRunSocket(
  { controlPath: path, driver }: { readonly controlPath: string | null; readonly driver: Driver },
  { folder, view, ask, facts }: RunSocketInput,
): Promise<ControlSocket | null> {
  if (path === null) return null;
  let count = facts;
  view.subscribe({
    fact: () => {
      count += 1;
    },
  });
  const handlers: ControlHandlers = {
    ask,
    factsSince: async (n) => (await readJournal<Fact>(folder.journal, { parse: parseFact })).facts.slice(n),
    // The count above is subscribed first, so it is past this fact already.
    subscribe: ({ fact, activity }) => view.subscribe({ fact: (one) => fact(count - 1, one), activity }),
    describe: () => ({ run: view.run, pid: driver.pid, version: driver.version, facts: count }),
    doing: () => view.activity().values(),
  };
  const opened = await openControlSocket({ path, runDir: folder.path, handlers });
  return opened.ok ? opened.socket : null;
}
