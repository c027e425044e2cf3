import type {
  FactBody,
  Finding,
  LandingRefusal,
  MergedAttempt,
  Revision,
  Usage,
} from "../../src/core/facts.ts";
import type { AttemptFailure, EffectFailureCause } from "../../src/core/failure.ts";
import { type AttemptId, type Oid, refName, splitAttemptId, type TaskId } from "../../src/core/ids.ts";
import type { Task } from "../../src/core/plan.ts";
import { get } from "../../src/core/sorted-map.ts";
import type { Want } from "../../src/core/want.ts";
import { ENDED_BLANKS, JUDGED_BLANKS, SAVED_BLANKS } from "./blanks.ts";
import type { Effect, EffectContext, Effects, Pause } from "./driver.ts";
import { reportHash } from "./plans.ts";
import { authorsOf, STRAY } from "./worktrees.ts";
import { INTEGRATION, markerOf, type Process, savedRef, TARGET } from "./world.ts";

/** Each want, done in the world. Every effect may be cut off at any pause and done again by the next driver. */
type WantOf<K extends Want["kind"]> = Extract<Want, { kind: K }>;

export const EFFECTS: Effects = {
  start,
  attend,
  stop,
  save: needsGit(save),
  gate: needsGit(gate),
  merge: needsGit(merge),
  advance: needsGit(advance),
  probe,
  land: needsGit(land),
  open: needsGit(open),
  publish,
  undo: needsGit(undo),
  finish,
  reconcile,
};

/** While git fails, so does the step: it is wanted again when the core says so. */
function needsGit<W extends Want>(effect: (hands: EffectContext, want: W) => Effect) {
  return function* (hands: EffectContext, want: W): Effect {
    yield { sleep: hands.world.pace.git };
    const cause = hands.world.gitFailure();
    if (cause !== null) return yield failed(want.key, cause);
    yield* effect(hands, want);
  };
}

const failed = (key: string, cause: EffectFailureCause): Pause =>
  say({ type: "effect.failed", key, detail: "git fails", cause });

/** Intent first: the attempt is on disk before there is a process, and its end before anything is saved. */
function* start(hands: EffectContext, { attempt, task: id, base, fix, key }: WantOf<"start">): Effect {
  const { world, live, stops } = hands;
  const task = taskOf(hands, id);
  const worktree = task.race > 1 ? `/worktrees/${attempt}` : `/worktrees/${id}`;
  const continues = fix?.attempt ?? null;
  const where = { base, worktree, marker: markerOf(attempt), worker: null };
  yield say({ type: "attempt.started", attempt, author: "agent", continues, ...where });
  if (live(attempt)?.author !== "agent") return;
  yield { sleep: world.pace.prepare };
  if (!(yield* waitForGit(hands, attempt, key))) return;
  const goesOn = fix?.because ? { task: id, result: saved(hands, fix.attempt) } : null;
  world.worktrees.prepare(worktree, attempt, base, goesOn);
  if (stops.has(attempt)) return yield* end(hands, attempt, null);
  const process = world.spawn(attempt, task, worktree);
  yield say({ type: "attempt.spawned", attempt, pid: attempt.length, startTime: "0", bootId: "boot" });
  yield { exit: process, limitMs: task.limits.totalMs };
  const isOverdue = process.alive;
  if (isOverdue) yield* endProcess(hands, process);
  yield* end(hands, attempt, { process, isOverdue });
}

/** The worktree is retried in the same attempt; a stop ends the wait, and so does a run that is held. */
function* waitForGit(hands: EffectContext, attempt: AttemptId, key: string): Generator<Pause, boolean, void> {
  const { world, stops, state, now } = hands;
  for (let cause = world.gitFailure(); cause !== null; cause = world.gitFailure()) {
    if (!stops.has(attempt)) yield failed(key, cause);
    while (!stops.has(attempt) && state().held === null && (get(state().failing, key)?.until ?? 0) > now())
      yield { sleep: [100, 500] };
    if (stops.has(attempt)) {
      yield* end(hands, attempt, null);
      return false;
    }
    if (state().held === null) continue;
    const failure: AttemptFailure = { reason: "not-started", detail: "git fails" };
    const nothing = { usage: usageOf(undefined), conversation: null, ...ENDED_BLANKS };
    yield say({ type: "attempt.ended", attempt, failure, ...nothing });
    return false;
  }
  return true;
}

/** Found in the journal of a driver that is gone: what still lives is ended, and nobody knows how it went. */
function* attend(hands: EffectContext, { attempt }: WantOf<"attend">): Effect {
  const process = hands.world.processes.get(markerOf(attempt));
  yield { sleep: [1, 2_000] };
  if (process?.alive) yield* endProcess(hands, process);
  const failure: AttemptFailure = { reason: "orphaned", detail: "found after a crash" };
  yield say({
    type: "attempt.ended",
    attempt,
    failure,
    usage: usageOf(process),
    conversation: null,
    ...ENDED_BLANKS,
  });
}

function* stop(hands: EffectContext, { attempt, kill }: WantOf<"stop">): Effect {
  hands.stops.add(attempt);
  const process = hands.world.processes.get(markerOf(attempt));
  if (process?.alive) hands.world.kill(process, kill);
  while (isRunning(hands, attempt)) yield { sleep: [500, 500] };
  yield { sleep: [1, 1] };
}

/** Writes what is there to a ref, then says so. A git that fails once is asked again by the next want. */
function* save(hands: EffectContext, { attempt, key }: WantOf<"save">): Effect {
  const { world, live } = hands;
  const found = live(attempt);
  yield { sleep: world.pace.save };
  if (found === undefined) return;
  const isDiskFull = world.theCase.faults.length > 0 && world.random.chance(0.02);
  if (isDiskFull) return yield say({ type: "effect.failed", key, detail: "no space left" });
  const { task: id } = splitAttemptId(attempt);
  const tree = world.worktrees.snapshot(found.worktree, attempt, found.base);
  const result = world.git.commit({ parents: [found.base.commit], tree, trailers: [{ task: id, attempt }] });
  world.git.swap(savedRef(attempt), world.git.ref(savedRef(attempt)), result.commit);
  world.worktrees.markSaved(found.worktree, attempt);
  const changed = tree !== found.base.tree;
  const findings = world.worktrees.hasStray(found.worktree, attempt) ? [STRAYED] : [];
  const report = taskOf(hands, id).access === "read-only" ? reportHash : null;
  yield say({
    type: "attempt.saved",
    attempt,
    ref: refName(savedRef(attempt)),
    result,
    changed,
    ...SAVED_BLANKS,
    findings,
    report,
  });
}

function* gate({ world }: EffectContext, { tree, check, asked }: WantOf<"gate">): Effect {
  world.beginGate(check.key);
  try {
    yield { sleep: world.pace.gate };
  } finally {
    world.gates.left(check.key);
  }
  const { verdict, tries } = world.gates.judge(tree, check);
  const { key: gate, preparation } = check;
  const words = { name: check.gate.name, summary: `it is ${verdict}`, ...JUDGED_BLANKS } as const;
  yield say({ type: "gate.judged", tree, gate, preparation, verdict, tries, asked, ...words });
}

/** Joins one after the other; the first that does not fit ends the candidate before it, or is the conflict. */
function* merge(hands: EffectContext, { from, tasks }: WantOf<"merge">): Effect {
  const { git, pace } = hands.world;
  yield { sleep: pace.merge };
  let tip = git.revision(from);
  const joined: MergedAttempt[] = [];
  for (const entry of tasks) {
    const result = saved(hands, entry.attempt);
    const merged = git.merge(tip.commit, result.commit);
    if (!merged.ok && joined.length > 0) break;
    if (!merged.ok) {
      const others = authorsOf(git.files(tip.tree), merged.paths).filter((id) => id !== entry.task);
      const failure = {
        reason: "conflict",
        with: others,
        paths: merged.paths,
        detail: "it does not fit",
      } as const;
      return yield say({ type: "candidate.refused", from, task: entry, failure });
    }
    tip = git.commit({ parents: [tip.commit, result.commit], tree: merged.tree, trailers: [entry] });
    joined.push({ ...entry, commit: tip.commit });
  }
  const parents = [from, ...joined.map(({ attempt }) => saved(hands, attempt).commit)];
  const result = git.commit({ parents, tree: tip.tree, trailers: joined });
  yield say({ type: "candidate.built", from, result, tasks: joined });
}

function* advance({ world }: EffectContext, { from, to, tasks }: WantOf<"advance">): Effect {
  yield { sleep: world.pace.advance };
  const isThere = world.moveIntegration({ from, to, tasks });
  if (isThere) yield say({ type: "integration.advanced", from, to, tasks });
  else yield say({ type: "run.held", why: "somebody else moved the integration branch" });
}

function* probe(hands: EffectContext, { account }: WantOf<"probe">): Effect {
  const { outages, timeline, pace } = hands.world;
  yield { sleep: pace.probe };
  const isDown = (outages.get(account) ?? 0) > timeline.now();
  yield say({ type: "account.probed", account, ok: !isDown });
}

/** Fast-forward where the target is behind; a join, to be gated first, where it has moved. */
function* land(hands: EffectContext, { result, tip }: WantOf<"land">): Effect {
  const { world } = hands;
  const { git, pace, theCase } = world;
  yield { sleep: pace.land };
  if (!theCase.hasTarget) return yield refusal(tip, "no-target");
  const at = git.ref(TARGET)!;
  const { targetAt, base } = hands.state();
  const from = targetAt ?? base.commit;
  // Who commits there may be the person or an agent.
  const isExplained = at.charCodeAt(at.length - 1) % 2 === 0;
  if (at !== from) yield say({ type: "target.moved", target: refName(TARGET), from, to: at, isExplained });
  if (hands.state().unexplained !== null) return yield refusal(tip, "unexplained");
  const landed = say({ type: "run.landed", tip, target: refName(TARGET), from: at, to: result, notes: [] });
  if (git.isAncestor(result.commit, at)) return yield landed;
  if (!git.isAncestor(at, result.commit)) {
    const merged = git.merge(at, result.commit);
    if (!merged.ok) {
      const { paths } = merged;
      const tasks = authorsOf(git.files(git.look(tip).tree), paths);
      const join = { onto: at, result: git.join(at, tip, paths), at: hands.now(), tasks };
      return yield say({ type: "landing.refused", tip, why: "conflict", detail: "conflict", paths, join });
    }
    const joined = git.commit({ parents: [at, result.commit], tree: merged.tree, trailers: [] });
    return yield say({ type: "landing.built", tip, onto: at, result: joined });
  }
  if (world.dirty > 0) {
    world.dirty -= 1;
    return yield refusal(tip, "dirty");
  }
  world.moveTarget(at, result.commit);
  yield landed;
}

/** A folder of the person's own, with what the attempt left that they go on with. */
function* open(hands: EffectContext, { task, open: { attempt, after, base } }: WantOf<"open">): Effect {
  const { world } = hands;
  yield { sleep: world.pace.prepare };
  const worktree = `/person/${task}`;
  const goesOn = after === null ? null : { task, result: saved(hands, after.attempt) };
  world.worktrees.prepare(worktree, attempt, base, goesOn);
  yield say({ type: "worktree.opened", attempt, worktree, conflicts: [] });
}

function* publish({ world }: EffectContext, { tip, result }: WantOf<"publish">): Effect {
  yield { sleep: world.pace.land };
  const isRefused = world.theCase.faults.length > 0 && world.random.chance(0.3);
  if (isRefused) return yield say({ type: "publishing.refused", tip, detail: "the server says no" });
  const where = { remote: "origin", branch: "main", url: null };
  yield say({ type: "run.published", tip, commit: result.commit, ...where });
}

/** By compare-and-swap; a target that went on stays. */
function* undo({ world }: EffectContext, { tip, target, from, to }: WantOf<"undo">): Effect {
  const { git, pace } = world;
  yield { sleep: pace.land };
  const at = git.ref(TARGET)!;
  if (at !== to.commit && at !== from)
    return yield say({ type: "undo.refused", tip, detail: "the target went on" });
  if (at === to.commit) git.swap(TARGET, at, from);
  const how = "moved-back";
  yield say({ type: "landing.undone", tip, target, how, from: to.commit, to: git.revision(from), notes: [] });
}

function* finish({ world, state }: EffectContext, { outcome, key }: WantOf<"finish">): Effect {
  const cause = world.gitFailure();
  if (cause !== null) {
    yield failed(key, cause);
    const { held, stopping, failing } = state();
    if (held === null && stopping !== "kill" && get(failing, key)?.isGivenUp === false) return;
  }
  yield say({ type: "run.ended", outcome });
}

/** git is believed over the journal: what the ref already has is said before anything else is asked. */
function* reconcile(hands: EffectContext): Effect {
  const { git, disk } = hands.world;
  const last = disk.durable.findLast(({ type }) => type === "integration.caught-up");
  if (last?.type === "integration.caught-up" && last.to.commit === hands.state().tip.commit)
    hands.world.catchUp(last.from, last.to);
  const at = git.ref(INTEGRATION)!;
  for (const commit of git.path(hands.state().tip.commit, at) ?? []) {
    const from = hands.state().tip.commit;
    const tasks = git.look(commit).trailers.map((entry) => ({ ...entry, commit }));
    // Not plait's commit: the next advance will fail, and a person is asked.
    if (tasks.length === 0) break;
    yield say({ type: "integration.advanced", from, to: git.revision(commit), tasks });
  }
  yield { sleep: [0, 0] };
}

function* end(hands: EffectContext, attempt: AttemptId, ended: Ended): Effect {
  const failure = failureOf(hands, attempt, ended);
  const usage = usageOf(ended?.process);
  yield say({ type: "attempt.ended", attempt, failure, usage, conversation: "talk", ...ENDED_BLANKS });
}

/** Null where there never was a process. */
type Ended = { readonly process: Process; readonly isOverdue: boolean } | null;

function failureOf({ live, stops }: EffectContext, attempt: AttemptId, ended: Ended): AttemptFailure | null {
  const because = live(attempt)?.stop ?? "stop";
  if (ended === null) return { reason: "cancelled", because, detail: "before it began" };
  const { process, isOverdue } = ended;
  if (!process.killed) return process.failure;
  if (stops.has(attempt)) return { reason: "cancelled", because, detail: "ended on request" };
  if (isOverdue) return { reason: "timeout", clock: "total", detail: "it took too long" };
  return { reason: "crash", detail: "killed" };
}

function* endProcess(hands: EffectContext, process: Process): Effect {
  hands.world.kill(process, false);
  while (process.alive) yield { sleep: [500, 500] };
}

function isRunning(hands: EffectContext, attempt: AttemptId): boolean {
  const stage = hands.live(attempt)?.stage.kind;
  return stage === "prepare" || stage === "run";
}

function saved({ world }: EffectContext, attempt: AttemptId): Revision {
  return world.git.revision(world.git.ref(savedRef(attempt))!);
}

export function taskOf(hands: EffectContext, id: TaskId): Task {
  const { index } = hands.state();
  return index.plan.tasks[index.indexOf.get(id)!]!;
}

const STRAYED: Finding = { kind: "outside-claims", path: STRAY, detail: "not its own", blocks: true };

const say = (fact: FactBody): Pause => ({ append: fact });

const refusal = (tip: Oid, why: LandingRefusal): Pause =>
  say({ type: "landing.refused", tip, why, detail: why });

function usageOf(process: Process | undefined): Usage {
  return { costUsd: process?.costUsd ?? null, inputTokens: null, outputTokens: null };
}
