import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Writable } from "node:stream";
import type { Env } from "../core/plan.ts";
import { errorText } from "../util/errno.ts";
import { keyOf } from "./descendants.ts";
import { checkedMarker } from "./markers.ts";
import { waitFor } from "./pause.ts";
import type { ProcessRef } from "./process-entry.ts";
import { REAPER_SCRIPT } from "./reaper-script.ts";
import type { Lifeline } from "./supervise.ts";

export type ReaperOptions = {
  readonly runMarker: string;
  /** The folder that holds all worktrees of the run and nothing else; null: the folder says nothing. */
  readonly worktrees: string | null;
  /** Where its few programs are found; nothing else of it is used. */
  readonly env: Env;
};

/** Ends every process of a run as soon as plait itself is gone, however it went (I5). One for each run. */
export type Reaper = Lifeline & {
  readonly pid: () => number | undefined;
  /** All is well: it leaves and ends nobody. */
  readonly close: () => Promise<void>;
};

export type StartedReaper =
  | { readonly ok: true; readonly reaper: Reaper }
  | { readonly ok: false; readonly message: string };

const CLOSE_MS = 2_000;
/** It is small and ignores signals; whoever still kills it this often means it. */
const MAX_RESTARTS = 5;
/** Until the next try when there was no room for a process. */
const NO_ROOM_MS = 1_000;

export async function startReaper(options: ReaperOptions): Promise<StartedReaper> {
  try {
    const first = spawnHelper(options, []);
    if (first.child.pid !== undefined) return { ok: true, reaper: createReaper(first, options) };
    const [error] = await once(first.child, "error");
    throw error;
  } catch (error) {
    const text = errorText(error);
    return { ok: false, message: `cannot start the process that ends leftover agents: ${text}` };
  }
}

function createReaper(first: Helper, options: ReaperOptions): Reaper {
  const watched = new Map<string, string>();
  let restarts = 0;
  let isClosing = false;
  let helper = attended(first);

  function attended(one: Helper): Helper {
    one.child.once("exit", restart);
    return one;
  }

  /** The next one knows from its first moment what the last one was told: plait may be gone in the one after. */
  function restart(): void {
    if (isClosing || restarts >= MAX_RESTARTS) return;
    restarts += 1;
    try {
      helper = attended(spawnHelper(options, [...watched.values()]));
      if (helper.child.pid !== undefined) return;
    } catch {
      // No memory: Node throws for some of what the system says, and tells of the rest later.
    }
    setTimeout(restart, NO_ROOM_MS).unref();
  }

  return {
    pid: () => helper.child.pid,
    watch: (started) => {
      if (!started.startTime?.startsWith("ticks:")) return; // a pid alone names nobody; the marker does
      watched.set(keyOf(started), wordOf(started));
      helper.input?.write(`watch ${wordOf(started)}\n`);
    },
    forget: (started) => {
      if (watched.delete(keyOf(started))) helper.input?.write(`forget ${wordOf(started)}\n`);
    },
    close: async () => {
      isClosing = true;
      helper.input?.end("bye\n");
      await gone(helper.child);
    },
  };
}

/** Its input is null where not even a pipe could be made. */
type Helper = { readonly child: ChildProcess; readonly input: Writable | null };

/** In a session of its own (Ctrl-C is not for it), in no folder that anybody wants to remove, with no marker to find it by. */
function spawnHelper({ runMarker, worktrees, env }: ReaperOptions, watched: readonly string[]): Helper {
  const { PATH = "" } = env;
  const args = ["-c", REAPER_SCRIPT, "plait-reaper", checkedMarker(runMarker), worktrees ?? "", ...watched];
  const child: ChildProcess = spawn("/bin/sh", args, {
    cwd: "/",
    env: { PATH: `${PATH}:/usr/bin:/bin:/usr/sbin:/sbin`, LC_ALL: "C" },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.on("error", () => undefined); // told by its pid, which is missing
  const input = child.stdin ?? null; // Node 20 makes none when no file may be opened any more, whatever its types say
  input?.on("error", () => undefined); // it was killed: its exit starts the next
  // It must not keep plait from ending; when plait ends, the pipe does.
  child.unref();
  if (input && "unref" in input && typeof input.unref === "function") input.unref();
  return { child, input };
}

async function gone(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const exited = once(child, "exit");
  await waitFor(exited, CLOSE_MS);
  if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
}

/** As the script reads it: without blanks. */
function wordOf({ pid, startTime }: ProcessRef): string {
  return `${pid}:${startTime}`;
}
