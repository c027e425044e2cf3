import type { RunAction } from "../decide.ts";
import { isOverBudget, landingRevision, staysOnIntegration } from "../landing.ts";
import type { RunState } from "../run-state.ts";
import { listTasks } from "../run-tasks.ts";
import { plait } from "../text/command.ts";
import { count, shortRef } from "../text/figures.ts";
import {
  capitalize,
  command,
  gateName,
  money,
  name,
  paragraph,
  type Sentence,
  sentence,
  sentenceForRun,
  task as taskPart,
  withPeriod,
} from "../text/sentence.ts";
import { baseGate } from "./blocking.ts";
import { budgetStep, landOntoStep } from "./next-steps.ts";
import { offered, offers } from "./offers.ts";
import type { Overview } from "./overview.ts";
import {
  type EndedStatus,
  findRunStatus,
  findStatusObstacle,
  isEnded,
  type Obstacle,
  type RunStatus,
} from "./run-status.ts";
import { formatCounts, formatObstacle, formatRunStatus } from "./run-status-text.ts";
import type { NextActor } from "./task-status.ts";
import { formatWait, isLimit, pickSharedWaits, type RunWait, type WaitKind } from "./waits.ts";

/** Something that holds for the run as a whole now, on one line, and one thing to do about it. */
export type RunBanner = {
  readonly actor: NextActor;
  readonly text: Sentence;
  readonly action: RunAction | null;
};

type Look = Pick<Overview, "now" | "rows" | "waits" | "progress"> & {
  readonly isRunning: boolean;
  /** How the viewer can stop harder, by a key. */
  readonly harder?: string;
};

/** The gravest first. Each shared wait has a line; plain progress has one where nothing else does. */
export function listBanners(state: RunState, look: Look): RunBanner[] {
  return findBanners(state, look).map((one) => ({ ...one, text: sentenceForRun(state, one.text) }));
}

function findBanners(state: RunState, look: Look): RunBanner[] {
  const status = findRunStatus(state, look.now, look.isRunning);
  if (isEnded(status)) return [buildEndBanner(state, status, look)];
  if (status.kind === "interrupted") {
    const text = sentence`Interrupted. All work is saved; ${command(plait("resume", state.run))} continues the run.`;
    return [banner("you", text, offered(offers(state, null, { isRunning: false }), "resume"))];
  }
  const own = buildStatusBanner(state, status, look);
  const waits = pickSharedWaits(look.waits).map((wait) => buildWaitBanner(state, wait));
  const found = [...(own === null ? [] : [own]), ...waits];
  const rest = found.length > 0 ? null : (buildHeldBanner(state, true) ?? buildWorkBanner(state, look));
  return rest === null ? found : [rest];
}

function banner(actor: NextActor, text: Sentence, action: RunAction | null = null): RunBanner {
  return { actor, text, action };
}

function buildEndBanner(state: RunState, status: EndedStatus, { rows, progress }: Look): RunBanner {
  const actions = offers(state, null, { isRunning: false });
  const resume = offered(actions, "resume");
  const land = offered(actions, "land");
  const undo = offered(actions, "undo");
  const ended = status.kind === "not-landed" && status.obstacle === null ? "ended, " : "";
  const text = sentence`${capitalize(sentence`${ended}${formatRunStatus(status)}`)}. ${formatCounts(rows, progress, "tasks")}.`;
  // Work that others review already does not land here beside it.
  if (status.exit === 0)
    return banner("done", text, undo ?? (state.published.kind === "published" ? null : land));
  const held = buildHeldBanner(state, false);
  if (held !== null && status.kind === "not-landed")
    return banner("you", paragraph([text, held.text]), held.action ?? resume ?? land);
  const obstacle = findStatusObstacle(status);
  const why = obstacle === null ? "" : capitalize(withPeriod(formatObstacle(obstacle)));
  const next = resume ?? land ?? undo;
  const again = plait("resume", state.run);
  const more =
    obstacle?.kind === "budget"
      ? sentence`Continue with more: ${command(budgetStep(state).command)}`
      : obstacle === null && resume !== null
        ? sentence`To continue: ${command(again)}`
        : formatLandOnto(state, obstacle);
  const isSettled = status.kind === "undone" && !rows.some(({ actor }) => actor === "you");
  return banner(isSettled ? "later" : "you", paragraph([text, why, more]), next);
}

/** Where the work is that has no branch of its own, and how it lands. */
function formatLandOnto(state: RunState, obstacle: Obstacle | null): Sentence {
  if (obstacle?.kind !== "refused" || obstacle.why !== "no-target") return "";
  return sentence`The work is on ${name(`plait/${state.run}/integration`)}. To land it: ${command(landOntoStep(state).command)}`;
}

function buildStatusBanner(state: RunState, status: RunStatus, look: Look): RunBanner | null {
  const actions = offers(state, null, { isRunning: true });
  switch (status.kind) {
    case "held": {
      const prefix = status.obstacle.kind === "refused" ? "Not landed: " : "The run needs you: ";
      const why = withPeriod(sentence`${prefix}${formatObstacle(status.obstacle)}`);
      const text = paragraph([why, formatLandOnto(state, status.obstacle)]);
      return banner("you", text, status.obstacle.kind === "refused" ? offered(actions, "land") : null);
    }
    case "stopping":
      return banner("clock", formatStopping(state, look.harder), offered(actions, "stop"));
    case "paused": {
      if (status.until !== null) return null; // the wait itself has a line
      const text = `Paused: running attempts continue, no new ones start${formatHeldBy(look.waits, "paused")}.`;
      return banner("clock", text, offered(actions, "unpause"));
    }
    case "running":
      return status.doing === "undoing"
        ? banner("plait", sentence`Undoing the landing on ${name(shortRef(state.target ?? "its branch"))}.`)
        : null;
    default:
      return null;
  }
}

type Stopping = Pick<RunState, "run" | "indices" | "failedFast" | "stopping">;

/** `harder`: how the viewer stops harder by a key. */
export const formatStopping = (state: Stopping, harder = ""): Sentence =>
  state.stopping === "kill" && state.indices.liveAttempts > 0
    ? capitalize(formatStoppingRest(state))
    : sentence`Stopping${state.indices.liveAttempts === 0 ? ":" : ""} ${formatStoppingRest(state, harder)}`;

/** Behind the word `stopping`. */
export function formatStoppingRest({ run, indices, failedFast, stopping }: Stopping, harder = ""): Sentence {
  const resume = sentence`To continue later: ${command(plait("resume", run))}`;
  const n = indices.liveAttempts;
  if (n === 0) return paragraph(["nothing is running.", resume]);
  const attempts = count(n, "attempt");
  const their = n === 1 ? "its" : "their";
  if (failedFast && stopping !== "kill")
    return `${attempts} and saving ${their} work, because a task failed (--fail-fast).`;
  if (stopping === "drain")
    return `once ${attempts} ${n === 1 ? "finishes" : "finish"}; no new ones start and nothing lands.`;
  if (stopping === "kill")
    return sentence`killing ${attempts}. To save ${their} work: ${command(plait("resume", run))}`;
  return paragraph([`${attempts} and saving ${their} work.`, harder, resume]);
}

function buildWaitBanner(state: RunState, wait: RunWait): RunBanner {
  const actor = wait.kind === "base" ? "plait" : PERSONS.has(wait.kind) ? "you" : "clock";
  const text = paragraph([withPeriod(capitalize(formatWait(wait))), ADVICE[wait.kind] ?? ""]);
  const action = isLimit(wait) ? offered(offers(state, null, { isRunning: true }), "retry-now") : null;
  return banner(actor, text, action);
}

const PERSONS: ReadonlySet<WaitKind> = new Set<WaitKind>(["auth", "billing", "network", "disk"]);

const ADVICE: { readonly [K in WaitKind]?: string } = {
  auth: "Log in; plait rechecks automatically.",
  billing: "Fix the account's billing; plait rechecks automatically.",
  disk: "Free some disk space; plait retries automatically.",
  base: "Nothing merges until it is green.",
  network: "Check the connection; plait rechecks automatically.",
};

function buildHeldBanner(state: RunState, isRunning: boolean): RunBanner | null {
  if (state.indices.phases.held === 0) return null;
  const held = listTasks(state).flatMap(({ task: { id }, of: { phase } }) =>
    phase.kind === "held" ? [{ task: id, reason: phase.why }] : [],
  );
  const [first] = held;
  if (first === undefined) return null;
  const actions = offers(state, first.task, { isRunning });
  const action = offered(actions, "accept") ?? offered(actions, "approve");
  const more =
    held.length === 1
      ? ""
      : `${count(held.length - 1, "more task")} ${held.length === 2 ? "needs" : "need"} you.`;
  const text = withPeriod(sentence`${taskPart(first.task)} needs you: ${first.reason}`);
  const verb = action?.kind === "accept" ? "submit" : action?.kind === "approve" ? "approve" : null;
  const typed = verb === null ? null : plait(verb, first.task, { run: state.run });
  const step = typed === null ? "" : sentence`To ${verb ?? ""}: ${command(typed)}`;
  return banner("you", paragraph([text, more, step]), action);
}

/** `; 3 tasks waiting`; empty where none is. */
function formatHeldBy(waits: readonly RunWait[], kind: WaitKind): string {
  const held = waits.filter((wait) => wait.kind === kind).flatMap(({ tasks }) => tasks).length;
  return held === 0 ? "" : `; ${count(held, "task")} waiting`;
}

function buildWorkBanner(state: RunState, { waits }: Look): RunBanner | null {
  const target = name(shortRef(state.target ?? ""));
  if (isOverBudget(state)) {
    const spent = sentence`${money(state.spentUsd)} of ${money(state.policy.budgetUsd ?? 0)}`;
    const held = formatHeldBy(waits, "budget");
    return banner("you", sentence`Over budget: spent ${spent}; no new attempts start${held}.`);
  }
  const gate = baseGate(state);
  if (gate !== null)
    return banner("plait", sentence`Running gate ${gateName(gate)} on the base commit. ${ADVICE.base ?? ""}`);
  if (state.landing.kind === "built")
    return banner(
      "plait",
      sentence`${target} has new commits; merging them and running the gates again before landing.`,
    );
  if (landingRevision(state) === null) return null;
  if (!staysOnIntegration(state)) return banner("plait", sentence`Landing on ${target}.`);
  const branch = name(`plait/${state.run}/integration`);
  return banner("plait", sentence`Checking the merged result on ${branch}.`);
}
