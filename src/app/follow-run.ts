// A run that another process drives, or that nobody drives any more, as a view: through the driver's control socket while it lives,
// else from the journal.

import type { Decision, RunCommand } from "../core/decide.ts";
import { evolve } from "../core/evolve.ts";
import type { Fact } from "../core/facts.ts";
import type { RunView } from "../core/run-view.ts";
import { plait } from "../core/text/command.ts";
import { fix } from "../core/text/sentence.ts";
import { connectToRun } from "../engines/local/connect-to-run.ts";
import type { ControlConnection } from "../engines/local/control-connection.ts";
import { readControlFile } from "../engines/local/control-path.ts";
import { fedView } from "../engines/local/live-view.ts";
import type { ControlCommand } from "../engines/local/protocol-command.ts";
import type { Holder } from "../journal/holder.ts";
import { systemClock } from "../util/clock.ts";
import { deferred } from "../util/deferred.ts";
import { type OrRefusal, refuse } from "./host.ts";
import { refuseInsideRun } from "./refuse-inside-run.ts";
import { findRunProcess, type KnownRun } from "./runs.ts";

export type Followed = {
  readonly view: RunView;
  /** Every fact from before the view, those that came while it was opened too. */
  readonly past: readonly Fact[];
  /** Resolves when there is nothing more to see: the run ended, or its driver did. */
  readonly ended: Promise<void>;
  /** Resolves when nobody drives it any more: its report is written by then. */
  readonly left: Promise<void>;
  readonly close: () => void;
};

/** A driver that answers at its control socket; null when there is none. */
export async function visitDriver(
  known: Pick<KnownRun, "folder" | "driver">,
): Promise<ControlConnection | null> {
  const path = known.driver === null ? null : await readControlFile(known.folder.path);
  const connected = path === null ? null : await connectToRun(path);
  return connected?.ok ? connected.connection : null;
}

export async function askableDriver(known: KnownRun): Promise<boolean> {
  const connection = await visitDriver(known);
  connection?.close();
  return connection !== null;
}

export async function followRun(known: KnownRun): Promise<Followed> {
  const { state, facts, folder } = known;
  const view = fedView(state, {
    folder: folder.path,
    now: () => Math.max(view.state().clock, systemClock.now()),
  });
  const connection = await visitDriver(known);
  if (connection === null) {
    const over = Promise.resolve();
    return { view, past: facts, ended: over, left: over, close: () => undefined };
  }
  const past = [...facts];
  const off = view.subscribe({ fact: (fact) => past.push(fact) });
  const [ended, gone] = [deferred<void>(), deferred<void>()];
  const finish = (): void => {
    ended.resolve();
    gone.resolve();
  };
  const answer = await connection.follow(facts.length, {
    onFact: (fact) => {
      const after = evolve(view.state(), fact);
      if (after !== null) view.fold(fact, after);
      if (fact.type === "run.ended") ended.resolve();
    },
    onActivity: view.tell,
    onEnd: finish,
  });
  if (!answer.ok) finish();
  off();
  return { view, past, ended: ended.promise, left: gone.promise, close: () => connection.close() };
}

export type AskedDriver =
  | { readonly kind: "decided"; readonly decision: Decision }
  /** Nobody drives the run: whoever asks may take it over. */
  | { readonly kind: "nobody" };

/** Asks the driver of a run. One that only puts the run away is waited for: what is asked is for whoever comes next. */
export async function askDriver(
  known: KnownRun,
  command: RunCommand,
): Promise<OrRefusal<{ asked: AskedDriver }>> {
  if (known.driver === null) return { ok: true, asked: { kind: "nobody" } };
  const inside = await refuseInsideRun(known);
  if (inside !== null) return inside;
  const connection = await visitDriver(known);
  if (connection === null) {
    const { pid, host } = known.driver;
    const hint = `wait for it to end, or end it: kill ${pid}`;
    return refuse("environment", `${known.run} is not responding (process ${pid} on ${host})`, hint);
  }
  try {
    const answer = await connection.ask(command as ControlCommand);
    const isEnding = answer.ok && !answer.value.ok && answer.value.isEnding === true;
    if (isEnding && (await hasLeft(known))) return { ok: true, asked: { kind: "nobody" } };
    if (answer.ok) return { ok: true, asked: { kind: "decided", decision: answer.value } };
    return refuse("environment", answer.problem, fix("see the run", plait("status", known.run)));
  } finally {
    connection.close();
  }
}

/**
 * Whether somebody drives the run, and will. One that only puts it away is waited for, by whoever wants to be the next:
 * `onWait` hears that.
 */
export async function staysDriven(
  known: KnownRun,
  onWait: (driver: Holder) => void = () => undefined,
): Promise<boolean> {
  const { driver, state } = known;
  if (driver === null || state.ended === null) return driver !== null;
  onWait(driver);
  return !(await hasLeft(known));
}

const LOOK_MS = 50;
/** For its report, its trace and its messages. A hook of the user may take longer than anybody who asks waits. */
const LEAVE_MS = 20_000;

/** Whether the driver leaves the run soon, or has left it. */
async function hasLeft({ folder }: Pick<KnownRun, "folder">): Promise<boolean> {
  const until = systemClock.monotonic() + LEAVE_MS;
  while ((await findRunProcess(folder)) !== null) {
    if (systemClock.monotonic() > until) return false;
    await new Promise<void>((resolve) => void systemClock.setTimer(LOOK_MS, resolve));
  }
  return true;
}
