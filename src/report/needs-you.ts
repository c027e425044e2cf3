import type { AccountLimitReason, LandingRefusal } from "../core/facts.ts";
import type { AttemptFailure } from "../core/failure.ts";
import type { RunId, TaskId } from "../core/ids.ts";
import { isLimited, limitOfAccount } from "../core/queries.ts";
import { taskAt } from "../core/run-index.ts";
import type { OpenTask, RunState, TaskState } from "../core/run-state.ts";
import { isSelected } from "../core/run-tasks.ts";
import { redBaseText } from "../core/select/base-words.ts";
import { failureText, limitText } from "../core/select/failure-text.ts";
import { type NextCommand, nextCommands, RESUMES } from "../core/select/next-commands.ts";
import { count } from "../core/select/preview/words.ts";
import { listed, shortOid } from "../core/select/run-words.ts";
import { entries, values } from "../core/sorted-map.ts";
import type { Need } from "./model.ts";
import { changedText } from "./report-words.ts";
import { type Beside, toldAttempt } from "./task-report.ts";

type NeedsBeside = { readonly isDriven: boolean; readonly changed: Beside["changed"] };

/** Everything that goes on only when a person does something, the widest first: each with what to type. */
export function needsOf(state: RunState, { isDriven, changed }: NeedsBeside): Need[] {
  const skipped = skippedFor(state);
  const found = [...entries(state.tasks)].flatMap(([i, of]): Need[] => {
    const { id } = taskAt(state.index, i);
    if (!isSelected(state, id) || state.gone.has(id)) return [];
    return ofTask(state, { task: id, of, skipped: skipped.get(id) ?? 0 });
  });
  const of = (...kinds: readonly Need["kind"][]) => found.filter(({ kind }) => kinds.includes(kind));
  return [
    ...baseNeeds(state),
    ...landingNeeds(state),
    ...heldNeeds(state),
    ...accountNeeds(state),
    ...of("approve"),
    ...of("conflict"),
    ...of("failed"),
    ...of("planted"),
    ...changedNeeds(state, changed),
    ...of("worktree"),
    ...(isDriven ? [] : resumeNeeds(state)),
  ];
}

function baseNeeds(state: RunState): Need[] {
  const says = redBaseText(state);
  if (says === null) return [];
  const details = [...values(state.redOnBase)].map(({ name, summary }) => `${name}: ${summary}`);
  return [{ kind: "base", task: null, says, details, commands: nextCommands(state) }];
}

function landingNeeds({ landing, published, run }: RunState): Need[] {
  const again = { command: `plait land ${run}`, says: "once that is put right" };
  if (published.kind === "refused") {
    const says = "the run is not on the server";
    return [{ kind: "landing", task: null, says, details: [published.detail], commands: [again] }];
  }
  if (landing.kind !== "refused") return [];
  return [
    {
      kind: "landing",
      task: null,
      says: `the run has not landed: ${REFUSALS[landing.why]}`,
      details: [landing.detail],
      commands: landing.why === "no-target" ? [integration(run)] : [again],
    },
  ];
}

const REFUSALS: { readonly [R in LandingRefusal]: string } = {
  "no-target": "there is no branch to land on",
  dirty: "files of yours that it would change are not clean",
  moved: "the branch moved while it landed",
  conflict: "the branch moved, and does not merge with the run",
  gate: "a gate is red on the tree that would land",
  hook: "a hook refused",
  busy: "another landing was under way",
  sign: "git could not sign it",
  identity: "git does not know who you are",
};

const integration = (run: RunId): NextCommand => ({
  command: `git merge plait/${run}/integration`,
  says: "take it to a branch of yours",
});

/** What only a setting is that runs nothing is among the remarks. */
function changedNeeds({ run }: RunState, changed: Beside["changed"]): Need[] {
  const running = changed.filter(({ weight }) => weight !== "quiet");
  if (running.length === 0) return [];
  const says = "hooks or config of the repository are not as they were when the run started";
  const details = running.map(changedText);
  const commands = [{ command: `plait restore ${run}`, says: "put back what was there" }];
  return [{ kind: "planted", task: null, says, details, commands }];
}

function heldNeeds({ held, run }: RunState): Need[] {
  if (held === null) return [];
  const commands = [{ command: `plait resume ${run}`, says: "once that is put right" }];
  return [{ kind: "run", task: null, says: "the run waits for you", details: [held], commands }];
}

/** These do not end by time alone. */
const BY_PEOPLE: { readonly [R in AccountLimitReason]: string | null } = {
  auth: "log in again",
  billing: "see to the account",
  network: null,
  "rate-limit": null,
  "usage-limit": null,
  overloaded: null,
};

function accountNeeds(state: RunState): Need[] {
  return state.index.lanes.flatMap(({ account }, lane): Need[] => {
    const limit = limitOfAccount(state, account);
    const isFirst = state.index.lanes.findIndex((other) => other.account === account) === lane;
    if (!isFirst || !isLimited(limit, state.clock) || BY_PEOPLE[limit.why] === null) return [];
    const tasks = state.index.plan.tasks.filter(
      (_, i) => state.index.lanes[state.index.laneOf[i] ?? -1]?.account === account,
    );
    const [first] = tasks;
    const agent = first?.work.kind === "agent" ? first.work.agent.use : null;
    return [
      {
        kind: "account",
        task: null,
        says: `${limitText(agent, limit.why)}: ${count(tasks.length, "task")} of the plan ${tasks.length === 1 ? "uses" : "use"} it`,
        details: [`${BY_PEOPLE[limit.why]}, then go on`],
        commands: [{ command: `plait resume ${state.run}`, says: "go on" }],
      },
    ];
  });
}

type TaskSource = {
  readonly task: TaskId;
  readonly of: TaskState;
  /** How many tasks were skipped for its sake. */
  readonly skipped: number;
};

function ofTask(state: RunState, source: TaskSource): Need[] {
  const { task, of } = source;
  const { phase, past } = of;
  const needs: Need[] = [];
  const at = (command: string): string => `plait ${command} ${task} --run ${state.run}`;
  if (phase.kind === "held") {
    const look = phase.proven === null ? [] : [{ command: at("diff"), says: "what it changed" }];
    const goOn =
      of.open === null
        ? [{ command: at("approve"), says: "let it go on" }]
        : [
            { command: at("accept"), says: "hand in what is there" },
            { command: at("drop"), says: "give it up; what is there is saved" },
          ];
    const commands = [...look, ...goOn];
    needs.push({
      kind: "approve",
      task,
      says: `${task} waits for your word: ${phase.why}`,
      details: of.open === null ? [] : openDetails(of.open),
      commands,
    });
  }
  if (phase.kind === "failed") needs.push(failedNeed(state, source, phase.failure));
  const told = toldAttempt(of);
  const planted = told?.saved.findings.filter(({ kind, blocks }) => kind === "planted" && blocks) ?? [];
  if (planted.length > 0) {
    const details = planted.map(({ path, detail }) => `${path}: ${detail}`);
    const says = `${task} changed hooks or configuration of the repository: look before you run git there`;
    const commands = [
      { command: `plait restore ${state.run} --dry-run`, says: "what changed, and what would be put back" },
    ];
    needs.push({ kind: "planted", task, says, details, commands });
  }
  for (const { saved } of past) {
    if (saved.kept === null) continue;
    const says = `${task} left more than may be saved: its worktree stays`;
    const commands = [
      { command: `plait clean ${state.run}`, says: "remove it, once you have what you want" },
    ];
    needs.push({ kind: "worktree", task, says, details: [saved.kept], commands });
  }
  return needs;
}

function openDetails({ worktree, conflicts }: OpenTask): string[] {
  const both = conflicts.length === 0 ? [] : [`files with both sides in them: ${listed(conflicts)}`];
  return worktree === null ? both : [`you have it open, in ${worktree}`, ...both];
}

function failedNeed(state: RunState, { task, of, skipped }: TaskSource, failure: AttemptFailure): Need {
  const { limits } = taskAt(state.index, state.index.indexOf.get(task) as number);
  const at = (command: string, whom: string = task): string => `plait ${command} ${whom} --run ${state.run}`;
  const told = toldAttempt(of);
  const kept = told?.saved.changed === true ? [`its work is saved on ${told.saved.ref}`] : [];
  const followers =
    skipped === 0 ? [] : [`${count(skipped, "task")} ${skipped === 1 ? "was" : "were"} skipped for its sake`];
  const isConflict = failure.reason === "conflict";
  const others = isConflict ? failure.with : [];
  return {
    kind: isConflict ? "conflict" : "failed",
    task,
    says: `${task} failed: ${failureText(failure, limits)}`,
    details: [...(isConflict ? sides(state, failure) : []), ...kept, ...followers],
    commands: [
      ...(isConflict ? [{ command: at("open"), says: "resolve it, with both sides in the files" }] : []),
      { command: at("logs"), says: "what it did, and why it failed" },
      ...(kept.length === 0
        ? []
        : [{ command: at("diff"), says: isConflict ? "one side" : "what it changed" }]),
      ...others.slice(0, 2).map((other) => ({ command: at("diff", other), says: "the other side" })),
      { command: at("retry"), says: skipped === 0 ? "try again" : "try again, with what was skipped" },
      ...(isConflict ? [] : [{ command: at("open"), says: "finish it yourself" }]),
    ],
  };
}

const MOST_PATHS = 20;

/** Whose work stands against it, and where it is. */
function sides(
  state: RunState,
  { with: others, paths }: Extract<AttemptFailure, { reason: "conflict" }>,
): string[] {
  const shown = paths.slice(0, MOST_PATHS);
  const more = paths.length - shown.length;
  const merged = [...entries(state.tasks)].flatMap(([i, { phase }]) => {
    const { id } = taskAt(state.index, i);
    return phase.kind === "merged" && others.includes(id)
      ? [`${id} is merged as ${shortOid(phase.commit)}`]
      : [];
  });
  return [
    // The sentence above names the first two.
    ...(shown.length <= 2 ? [] : [`in ${listed(shown)}${more > 0 ? ` and ${more} more` : ""}`]),
    ...merged,
  ];
}

function skippedFor(state: RunState): ReadonlyMap<TaskId, number> {
  const counts = new Map<TaskId, number>();
  for (const [, { phase }] of entries(state.tasks)) {
    if (phase.kind !== "skipped" || phase.because === null) continue;
    counts.set(phase.because, (counts.get(phase.because) ?? 0) + 1);
  }
  return counts;
}

/** A run that stopped, was cut off or ran out of budget goes on where it was. */
function resumeNeeds({ ended, run, held }: RunState): Need[] {
  const outcome = ended?.outcome ?? null;
  if (held !== null || outcome === "complete") return [];
  const commands = [{ command: `plait resume ${run}`, says: RESUMES }];
  const need = (says: string): Need[] => [{ kind: "resume", task: null, says, details: [], commands }];
  if (outcome === null) return need("the run was cut off, and nobody drives it");
  if (outcome === "over-budget") {
    return [
      { ...(need("the budget is spent")[0] as Need), details: ["a resume needs a larger one"], commands: [] },
    ];
  }
  return outcome === "stopped" || outcome === "drained" ? need("the run was stopped before its end") : [];
}
