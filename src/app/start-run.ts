// From a loaded plan to a run that is begun: the repository is looked at, the agents are asked, and only then something is
// made.

import { randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Keep } from "../config/merge.ts";
import { defaultKeep } from "../config/settings.ts";
import type { Policy } from "../core/facts.ts";
import { parseRunId, type RefName, type RunId, type TextHash } from "../core/ids.ts";
import type { Plan } from "../core/plan.ts";
import { formatNotIgnored, initSubmodules } from "../core/select/base-steps.ts";
import { otherCommand } from "../core/text/command.ts";
import { count } from "../core/text/figures.ts";
import { command, fix, plainText, sentence } from "../core/text/sentence.ts";
import { openAccounts } from "../engines/local/accounts-file.ts";
import { findControlPath } from "../engines/local/control-path.ts";
import { canKeepAwake } from "../engines/local/keep-awake.ts";
import { beginRun, type LocalRun, type Surroundings } from "../engines/local/local-run.ts";
import { writeWhole } from "../engines/local/run-folder.ts";
import type { SandboxHere } from "../engines/local/sandbox/run-sandbox.ts";
import { checkSubmodules, listUncommitted, pushProblem, type Repository, retryGit } from "../git/index.ts";
import { secretsOf } from "../process/mask/secrets.ts";
import { findMissingFiles } from "./base-hints.ts";
import { checkAgents, describeCheck } from "./check-agents.ts";
import { describeCarriedCommits, findTargetBranch } from "./check-landing.ts";
import { checkGh, checkPrograms, portsRefusal } from "./check-machine.ts";
import { checkSandbox } from "./check-sandbox.ts";
import { addDependencies, describeUncopied, formatDependencies } from "./dependencies.ts";
import {
  agentsFor,
  clockOf,
  describeDriver,
  findRepository,
  type Host,
  nestedRefusal,
  type OrRefusal,
  portLocks,
  type Refusal,
  refuse,
  runsFolder,
  runtimeFolder,
  stateFolder,
  temporaryFolder,
  valuesKey,
} from "./host.ts";
import { removeCutOffStarts, runSlug } from "./runs.ts";
import { selectTasks, type TaskChoice } from "./select-tasks.ts";
import { choiceFor, type SubAgentChoice, withoutMissing } from "./sub-agents.ts";
import { markRun, tidyRuns } from "./tidy-runs.ts";
import { exportTrace, keepTraceParent, traceEnv, tracingOf } from "./tracing.ts";
import { unfinishedWarning } from "./unfinished.ts";
import { findWorkFolder, folderElsewhere, startOutside } from "./without-repository.ts";
import { proposalText, writeReport } from "./write-report.ts";

export type StartInput = TaskChoice & {
  readonly plan: Plan;
  readonly texts: ReadonlyMap<TextHash, string>;
  readonly policy: Policy;
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
  /** Which dependency folders worktrees get unasked, in one sentence; null where there are none. */
  readonly dependencies: string | null;
};

export async function startRun(host: Host, input: StartInput): Promise<OrRefusal<Started>> {
  const nested = nestedRefusal(host);
  if (nested !== null) return { ok: false, refusal: nested };
  const chosen = selectTasks(input.plan, input);
  if (!chosen.ok) return chosen;
  const { selected, plan: chosenPlan } = chosen;
  const found = await findRepository(host, (refusal) => startOutside(host, chosenPlan, refusal));
  if (!found.ok) return found;
  const { repository } = found;
  const unfit = (await folderElsewhere(repository, input.plan)) ?? (await findMissingCommit(repository));
  if (unfit !== null) return { ok: false, refusal: unfit };
  const place = await findWorkFolder(repository, input.plan);
  const landing = await retryGit(() => checkTarget(repository, input.policy));
  if (!landing.ok) return landing;
  const missing =
    (await checkGh(host, repository, input.policy)) ?? (await checkPrograms(chosenPlan, host.env));
  if (missing !== null) return { ok: false, refusal: missing };
  const walls = await checkSandbox(host, input.plan);
  if (!walls.ok) return walls;
  await removeCutOffStarts(repository, clockOf(host).now());
  const unfinished = await unfinishedWarning(repository, input.plan);
  const prepared = await retryGit(() => addDependencies(repository, input.plan));
  const placed = await listStartWarnings(host, repository, input);
  for (;;) {
    const run = newRunId(input.plan.name);
    // As in a worktree: programs may be named relative to its root.
    const cwd = place?.folder ?? repository.workTree ?? host.cwd;
    const check = { ...describeCheck(host, { cwd, run }), ...choiceFor(input) };
    const checked = await checkAgents(chosenPlan, check);
    if (!checked.ok) return checked;
    const noPorts = await portsRefusal(host, run, input);
    if (noPorts !== null) return { ok: false, refusal: noPorts };
    const path = join(runsFolder(repository), run);
    const around = await surroundings(host, repository, { run, path, sandbox: walls.sandbox });
    const { accounts, warnings } = checked;
    const { plan, policy } = withoutMissing({ ...input, plan: prepared.plan }, checked.replaced);
    const { target } = landing;
    const furnish = (folder: string) => furnishRun(host, folder);
    const asks = { texts: input.texts, run, path, place, plan, policy, accounts, selected, target, furnish };
    const begun = await retryGit(() => beginRun(around, asks));
    if (begun === null) continue;
    // The run holds its lock and its socket from here on: nothing may throw before its driver starts.
    const { keep } = input;
    const tidied = keep === undefined ? null : await tidyRuns(host, repository, { keep, own: run });
    const leftOut = formatNotIgnored(prepared.notIgnored);
    const unwalled = walls.warning === null ? [] : [walls.warning];
    const others = [
      ...unwalled,
      ...(leftOut === null ? [] : [leftOut]),
      ...placed,
      ...(tidied?.warnings ?? []),
    ];
    const all = [...unfinished, ...landing.warnings, ...warnings, ...others];
    const dependencies = formatDependencies(prepared.added);
    return { ok: true, run: begun, warnings: all, removed: tidied?.removed ?? null, dependencies };
  }
}

async function furnishRun(host: Host, folder: string): Promise<void> {
  if (host.claude !== undefined) await writeWhole(claudeFile(folder), host.claude);
  await keepTraceParent(host, folder);
}

/** Found out before a token is spent, not when all is done. `target`: null where the user names none. */
async function checkTarget(
  repository: Repository,
  { publish, land, landStyle }: Policy,
): Promise<OrRefusal<{ target: RefName | null; warnings: readonly string[] }>> {
  const { onto } = landStyle;
  const named = onto === undefined ? null : await findTargetBranch(repository, onto);
  if (named?.ok === false) return named;
  const { head } = repository;
  const target = named?.target ?? null;
  const { as } = landStyle;
  const carried =
    target === null || land === "never"
      ? null
      : await describeCarriedCommits(repository, { base: repository.head.at.commit, target, as });
  const landing = { ok: true, target, warnings: carried === null ? [] : [carried] } as const;
  if (publish === "no" || land === "never") return landing;
  const pushed = landing.target ?? (head.kind === "branch" ? head.ref : null);
  if (pushed === null) {
    const hint = fix("check out a branch first", otherCommand("git", "switch", { placeholder: "branch" }));
    return refuse("environment", "no branch to push: HEAD is detached", hint);
  }
  const problem = pushProblem(repository, pushed);
  return problem === null ? landing : refuse("environment", "cannot push the result", problem);
}

export async function surroundings(
  host: Host,
  repository: Repository,
  { run, path, sandbox }: { readonly run: RunId; readonly path: string; readonly sandbox: SandboxHere },
): Promise<Surroundings> {
  const control = await findControlPath({
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
    rights: { isRoot: process.getuid?.() === 0, allowRoot: host.allowRoot },
    sandbox,
    worktrees: join(stateFolder(host), "worktrees"),
    keptCopyBytes: host.keptCopyBytes ?? defaultKeep.copies,
    portLocks: portLocks(host),
    valuesKey: valuesKey(host),
    clock: clockOf(host),
    driver: describeDriver(host),
    accounts: openAccounts(host.accounts ?? join(stateFolder(host), "accounts.json"), {
      clock: clockOf(host),
    }),
    controlPath: control.ok ? control.path : null,
    command: host.command,
    proposal: (end) => proposalText(repository, end),
    findMissing: (asked) => findMissingFiles(repository, asked),
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
  if (!parsed.ok) throw new Error(`cannot make a run name from ${JSON.stringify(name)}`);
  return parsed.id;
}

/** Of a submodule, which no worktree could be filled with. */
async function findMissingCommit(repository: Repository): Promise<Refusal | null> {
  const { missing } = await retryGit(() => checkSubmodules(repository, repository.head.at.tree));
  return missing === null ? null : { kind: "environment", message: missing.problem, hint: missing.hint };
}

async function listStartWarnings(
  { env }: Host,
  repository: Repository,
  { plan, policy, takesLand = true }: StartInput,
): Promise<string[]> {
  const { head, workTree, largeFiles, standsInFor } = repository;
  const { empty } = await retryGit(() => checkSubmodules(repository, head.at.tree));
  const uncopied = await retryGit(() => describeUncopied(repository, plan));
  const own = workTree === null ? "" : relative(workTree, plan.source.absolute ?? "");
  const files = await retryGit(() => listUncommitted(repository));
  const uncommitted = files.filter((file) => file !== own).length; // agents get their prompts from the plan as it is
  const stays = "the result stays on the integration branch.";
  const isPretended = plan.tasks.some(({ work }) => work.kind === "agent" && work.agent.use === "demo");
  const warnings: [boolean, string][] = [
    [
      standsInFor !== null,
      `${plan.folder ?? standsInFor} is not in a git repository; tasks run directly in it.`,
    ],
    [workTree === null && standsInFor === null, `This repository is bare: ${stays}`],
    [
      workTree !== null && head.kind === "detached" && policy.landStyle.onto === undefined,
      `HEAD is detached: ${stays}`,
    ],
    [
      uncommitted > 0,
      `${count(uncommitted, "file")} with uncommitted changes, which agents will not see; they start from the last commit.`,
    ],
    [
      isPretended && policy.land !== "never" && head.kind === "branch" && standsInFor === null,
      `The demo agent does no real work, but its files land like any other work${takesLand ? "; to prevent that: --land never" : "."}`,
    ],
    [uncopied !== null, uncopied ?? ""],
    [
      empty.length > 0,
      plainText(
        sentence`Submodules not initialized in your checkout are also empty for agents: ${empty.join(", ")}; to fill them: ${command(initSubmodules)}`,
      ),
    ],
    [
      plan.keepAwake && !(await canKeepAwake(env)),
      "Cannot keep this machine awake. If it sleeps, the run continues on wake.",
    ],
    [largeFiles === "missing", "Git LFS is not installed: its files are pointers in the worktrees."],
  ];
  return warnings.flatMap(([holds, text]) => (holds ? [text] : []));
}
