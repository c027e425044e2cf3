// From a loaded plan to a run that is begun: the repository is looked at, the agents are asked, and only then something is
// made.

import { randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Keep } from "../config/merge.ts";
import type { Policy } from "../core/facts.ts";
import { graphOf } from "../core/graph.ts";
import { parseRunId, type RunId, type TaskId, type TextHash } from "../core/ids.ts";
import type { Plan } from "../core/plan.ts";
import { nearest } from "../core/suggest.ts";
import { openAccounts } from "../engines/local/accounts-file.ts";
import { doorPath } from "../engines/local/door-path.ts";
import { canKeepAwake } from "../engines/local/keep-awake.ts";
import { beginRun, type LocalRun, type Surroundings } from "../engines/local/local-run.ts";
import { writeWhole } from "../engines/local/run-folder.ts";
import { countUncommitted, pushProblem, type Repository } from "../git/index.ts";
import { secretsOf } from "../process/mask/secrets.ts";
import { checkAgents } from "./check-agents.ts";
import { portsRefusal } from "./check-ports.ts";
import { checkPrograms } from "./check-programs.ts";
import {
  agentsFor,
  clockOf,
  driverOf,
  findRepository,
  type Host,
  nestedRefusal,
  type OrRefusal,
  portLocks,
  refuse,
  runsFolder,
  runtimeFolder,
  stateFolder,
  temporaryFolder,
} from "./host.ts";
import { proposalText } from "./pull-request-text.ts";
import { markRun } from "./run-marks.ts";
import { runSlug } from "./run-slug.ts";
import { removeCutOffStarts } from "./runs.ts";
import { choiceFor, type SubAgentChoice, withoutMissing } from "./sub-agents.ts";
import { type Tidied, tidyRuns } from "./tidy-runs.ts";
import { exportTrace, keepTraceParent, traceEnv, tracingOf } from "./tracing.ts";
import { unfinishedWarning } from "./unfinished.ts";
import { folderElsewhere, placeOf, startOutside } from "./without-repository.ts";
import { writeReport } from "./write-report.ts";

export type StartInput = {
  readonly plan: Plan;
  readonly texts: ReadonlyMap<TextHash, string>;
  readonly policy: Policy;
  /** Only these tasks, and what they need; null is all. */
  readonly only: readonly string[] | null;
  /** What earlier runs leave is removed when it is beyond this; without it nothing is. */
  readonly keep?: Keep;
  /** Who asks could have said `--land`; so unless this is false. */
  readonly takesLand?: boolean;
  /** Asked about sub-agents that are not installed, unless the policy says it. */
  readonly subAgents?: SubAgentChoice;
};

export type Started = {
  readonly run: LocalRun;
  /** What the user should know before it goes on, one sentence each. */
  readonly warnings: readonly string[];
  /** Which earlier runs were removed, in one sentence; null where none was. */
  readonly removed: string | null;
};

export async function startRun(host: Host, input: StartInput): Promise<OrRefusal<Started>> {
  const nested = nestedRefusal(host);
  if (nested !== null) return { ok: false, refusal: nested };
  const chosen = selectTasks(input.plan, input.only);
  if (!chosen.ok) return chosen;
  const chosenPlan = selectedPlan(input.plan, chosen.selected);
  const found = await findRepository(host, (refusal) => startOutside(host, chosenPlan, refusal));
  if (!found.ok) return found;
  const { repository } = found;
  const elsewhere = await folderElsewhere(repository, input.plan);
  if (elsewhere !== null) return { ok: false, refusal: elsewhere };
  const place = await placeOf(repository, input.plan);
  const unpushable = publishProblem(repository, input.policy);
  if (unpushable !== null) return refuse("environment", ...unpushable);
  const missing = await checkPrograms(chosenPlan, host.env);
  if (missing !== null) return { ok: false, refusal: missing };
  await removeCutOffStarts(repository, clockOf(host).now());
  const unfinished = await unfinishedWarning(repository, input.plan);
  const isRoot = process.getuid?.() === 0;
  for (;;) {
    const run = newRunId(input.plan.name);
    const asked = {
      agents: agentsFor(host),
      env: host.env,
      cwd: place?.folder ?? repository.workTree ?? host.cwd, // as in a worktree: programs may be named relative to its root
      run,
      isRoot,
      allowRoot: host.allowRoot,
      ...choiceFor(input),
    };
    const checked = await checkAgents(chosenPlan, asked);
    if (!checked.ok) return checked;
    const noPorts = await portsRefusal(host, run, input);
    if (noPorts !== null) return { ok: false, refusal: noPorts };
    const path = join(runsFolder(repository), run);
    const around = await surroundings(host, repository, { run, path });
    const { texts } = input;
    const { accounts, warnings } = checked;
    const { plan, policy } = withoutMissing(input, checked.replaced);
    const begun = await beginRun(around, {
      run,
      path,
      place,
      plan,
      texts,
      policy,
      accounts,
      selected: chosen.selected,
    });
    if (begun === null) continue;
    if (host.claude !== undefined) await writeWhole(claudeFile(path), host.claude);
    await keepTraceParent(host, path);
    const { keep } = input;
    const tidied = keep === undefined ? NOT_TIDIED : await tidyRuns(host, repository, { keep, own: run });
    const placed = await placeWarnings(host, repository, input);
    const all = [...unfinished, ...warnings, ...placed, ...tidied.warnings];
    return { ok: true, run: begun, warnings: all, removed: tidied.removed };
  }
}

const NOT_TIDIED: Tidied = { removed: null, warnings: [] };

/** Found out before a token is spent, not when all is done. */
function publishProblem(repository: Repository, { publish, land }: Policy): [string, string] | null {
  const { head } = repository;
  if (publish === "no" || land === "never") return null;
  if (head.kind !== "branch")
    return ["there is no branch to push: HEAD is detached", "check a branch out first"];
  const problem = pushProblem(repository, head.ref);
  return problem === null ? null : ["the result cannot be pushed", problem];
}

export async function surroundings(
  host: Host,
  repository: Repository,
  { run, path }: { readonly run: RunId; readonly path: string },
): Promise<Surroundings> {
  const isRoot = process.getuid?.() === 0;
  const door = await doorPath({
    run,
    runDir: path,
    runtimeDir: runtimeFolder(host),
    tmpDir: temporaryFolder(host),
    uid: process.getuid?.() ?? 0,
  });
  // Who goes on with a run goes on with the program that it was started with.
  const claude = host.claude ?? (await readFile(claudeFile(path), "utf8").catch(() => undefined));
  const tracing = await tracingOf(host, { run, path });
  return {
    repository,
    attemptEnv: (attempt) => (tracing === null ? {} : traceEnv(tracing, attempt)),
    agents: agentsFor(claude === undefined ? host : { ...host, claude }),
    env: host.env,
    secrets: (host.agents ?? []).flatMap((agent) => secretsOf(agent.env)),
    rights: { isRoot, allowRoot: host.allowRoot },
    worktrees: join(stateFolder(host), "worktrees"),
    portLocks: portLocks(host),
    clock: clockOf(host),
    driver: driverOf(host),
    accounts: openAccounts(host.accounts ?? join(stateFolder(host), "accounts.json"), {
      clock: clockOf(host),
    }),
    door: door.ok ? door.path : null,
    command: host.command,
    proposal: (end) => proposalText(repository, end),
    report: async (end) => {
      const reported = await writeReport(repository, end);
      const warnings = tracing === null ? [] : await exportTrace(host, tracing, end);
      await markRun(end.folder, end.state).catch(() => undefined); // who tidies up reads the journal instead
      return reported.ok ? { ...reported, warnings } : reported;
    },
    terminal: host.terminal ?? null,
  };
}

/** Names the program that stands for Claude, where another one does. */
const claudeFile = (path: string): string => join(path, "claude-program");

/** Short enough to type, and unlike the last one: the plan's name and four letters. */
function newRunId(name: string): RunId {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789";
  const tail = Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  const parsed = parseRunId(`${runSlug(name)}-${tail}`);
  if (!parsed.ok) throw new Error(`no run id can be made of ${JSON.stringify(name)}`);
  return parsed.id;
}

/** What a task needs is part of what is asked for: without it the task could not start. */
function selectTasks(
  plan: Plan,
  only: readonly string[] | null,
): OrRefusal<{ selected: readonly TaskId[] | null }> {
  if (only === null) return { ok: true, selected: null };
  const ids = plan.tasks.map(({ id }) => id);
  const unknown = only.find((name) => !ids.includes(name as TaskId));
  if (unknown !== undefined) {
    const meant = nearest(unknown, ids);
    const hint = meant === null ? `the plan has ${ids.slice(0, 20).join(", ")}` : `did you mean ${meant}?`;
    return refuse("request", `there is no task ${JSON.stringify(unknown)} in the plan`, hint);
  }
  const { needs } = graphOf(plan.tasks);
  const wanted = new Set<number>();
  const visit = (i: number): void => {
    if (wanted.has(i)) return;
    wanted.add(i);
    for (const need of needs[i] ?? []) visit(need);
  };
  for (const name of only) visit(ids.indexOf(name as TaskId));
  return { ok: true, selected: ids.filter((_, i) => wanted.has(i)) };
}

function selectedPlan(plan: Plan, selected: readonly TaskId[] | null): Plan {
  return selected === null ? plan : { ...plan, tasks: plan.tasks.filter(({ id }) => selected.includes(id)) };
}

async function placeWarnings(
  { env }: Host,
  repository: Repository,
  { plan, policy, takesLand = true }: StartInput,
): Promise<string[]> {
  const { head, workTree, hasSubmodules, largeFiles, standsInFor } = repository;
  const uncommitted = await countUncommitted(repository);
  const stays = "the result stays on the integration branch.";
  const isPretended = plan.tasks.some(({ work }) => work.kind === "agent" && work.agent.use === "demo");
  const warnings: [boolean, string][] = [
    [
      standsInFor !== null,
      `${plan.folder ?? standsInFor} is in no git repository: the tasks work there directly.`,
    ],
    [workTree === null && standsInFor === null, `This repository is bare: ${stays}`],
    [workTree !== null && head.kind === "detached", `HEAD is detached: ${stays}`],
    [
      uncommitted > 0,
      `${uncommitted} of your files ${uncommitted === 1 ? "has" : "have"} uncommitted changes, which agents do not see: they start from the last commit.`,
    ],
    [
      isPretended && policy.land !== "never" && head.kind === "branch" && standsInFor === null,
      `The demo agent only pretends to work, and what it writes lands like any other work${takesLand ? "; --land never keeps it off your branch" : ""}.`,
    ],
    [hasSubmodules, "Submodules are not checked out in the worktrees of tasks."],
    [
      plan.keepAwake && !(await canKeepAwake(env)),
      "Nothing here can keep the machine awake: it may go to sleep, and the run goes on when it wakes up.",
    ],
    [largeFiles === "missing", "Git LFS was not found: its files are pointers in the worktrees."],
  ];
  return warnings.flatMap(([holds, text]) => (holds ? [text] : []));
}
