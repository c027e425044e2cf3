// What the run made, as pull requests: one for all of it, or one a task. Each branch is pushed and looked up before a pull request is
// opened for it, so that a driver that was killed in between is continued and nothing is opened twice.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Oid, RefName, TaskId } from "../../../core/ids.ts";
import type { PushByHand } from "../../../core/landing-types.ts";
import {
  findStackOf,
  type ProposalScope,
  type PullRequest,
  type PushedBranch,
  type StackStep,
  WHOLE_RUN,
} from "../../../core/proposal.ts";
import type { RunState } from "../../../core/run-state.ts";
import { taskState } from "../../../core/run-tasks.ts";
import { formatPullRequestTitle } from "../../../core/select/pull-request-title.ts";
import { otherCommand, plait } from "../../../core/text/command.ts";
import { count } from "../../../core/text/figures.ts";
import { command, fix, plainText, sentence } from "../../../core/text/sentence.ts";
import { pushBranch } from "../../../git/index.ts";
import { runCommand } from "../../../process/run-command.ts";
import { lastLines } from "../../../process/tail.ts";
import { parseJson } from "../../../util/parse-json.ts";
import { readTaskTitle } from "../commit-message.ts";
import type { EffectContext } from "../driver.ts";
import { type RunContext, supervision } from "../run-context.ts";
import { buildLandingInput } from "./landing.ts";

type ProposalInput = { readonly target: RefName; readonly commit: Oid };

type Proposed = {
  readonly remote: string;
  readonly branch: string;
  readonly url: string | null;
  readonly pullRequests: readonly PullRequest[];
  readonly notes?: readonly string[];
};

/** `said`: what the server printed, where that is more. */
export type Problem = {
  readonly problem: string;
  readonly said?: string;
  readonly byHand?: PushByHand;
  /** Branches that are on the server all the same. */
  readonly pushed?: readonly PushedBranch[];
};

export async function proposeResult(
  site: RunContext,
  hands: EffectContext,
  { target, commit }: ProposalInput,
): Promise<Proposed | Problem> {
  const state = hands.state();
  const { landing, policy, run } = state;
  const titles = await readMergedTitles(site, state);
  const context = { site, state, target, titles, formatBody: await buildBodies(site, state, titles) };
  if (policy.publish === "pull-request-per-task" && landing.kind === "built")
    return proposeStack(context, landing.stack ?? []);
  const title = formatPullRequestTitle(state.index.plan.name, [...titles.values()]);
  const whole = { commit, branch: `plait/${run}`, base: null, title, scope: WHOLE_RUN };
  const opened = await openPullRequest(context, whole);
  if ("problem" in opened) return opened;
  const { remote, branch, base, url, notes } = opened;
  return { remote, branch, url, pullRequests: [{ task: null, branch, base, url }], ...listNotes(notes) };
}

const listNotes = (notes: readonly string[]) => (notes.length === 0 ? {} : { notes });

/** From the lowest up: a pull request needs the branch that it is based on. */
async function proposeStack(context: Context, stack: readonly StackStep[]): Promise<Proposed | Problem> {
  const { run } = context.state;
  const opened: (PullRequest & { readonly title: string; readonly remote: string })[] = [];
  const notes: string[] = [];
  const pushed: PushedBranch[] = [];
  for (const step of stack) {
    const { task, on, result } = step;
    const below = opened.find((one) => one.task === on) ?? null;
    const own = findStackOf(stack, step);
    const title = formatPullRequestTitle("", [context.titles.get(task) ?? task]);
    const place = { n: own.indexOf(step) + 1, of: own.length, below };
    const pull = await openPullRequest(context, {
      ...{ commit: result.commit, title, scope: { task, place, tree: result.tree } },
      ...{ branch: `plait/${run}-${task}`, base: below?.branch ?? null },
    });
    if ("problem" in pull)
      return {
        ...pull,
        problem: `${opened.length} of ${count(stack.length, "pull request")} open. ${pull.problem}`,
        pushed: [...pushed, ...(pull.pushed ?? [])],
      };
    const { remote, branch, base, url } = pull;
    notes.push(...pull.notes);
    pushed.push({ branch, commit: result.commit });
    opened.push({ task, branch, base, url, title, remote });
  }
  const last = opened.at(-1);
  return {
    ...{ remote: last?.remote ?? "", branch: last?.branch ?? "", url: last?.url ?? null },
    pullRequests: opened.map(({ task, branch, base, url }) => ({ task, branch, base, url })),
    ...listNotes(notes),
  };
}

type Context = {
  readonly site: RunContext;
  readonly state: RunState;
  readonly target: RefName;
  readonly titles: Titles;
  readonly formatBody: (scope: ProposalScope) => string;
};

type PullRequestInput = {
  readonly commit: Oid;
  readonly branch: string;
  /** The branch below it; null: the target. */
  readonly base: string | null;
  readonly title: string;
  readonly scope: ProposalScope;
};

type Opened = {
  readonly remote: string;
  readonly branch: string;
  readonly base: string;
  readonly url: string;
  readonly notes: readonly string[];
};

async function openPullRequest(
  { site, state, target, formatBody }: Context,
  input: PullRequestInput,
): Promise<Opened | Problem> {
  const { commit, branch, title, scope } = input;
  const place = { ...buildLandingInput(site), target, remote: null };
  const pushed = await pushBranch(site.shadow, {
    ...place,
    commit,
    branch,
    last: state.pushed.get(branch) ?? null,
  });
  if (pushed.kind === "refused")
    return { problem: `not pushed: ${pushed.detail}`, ...(pushed.said && { said: pushed.said }) };
  const { remote } = pushed;
  const base = input.base ?? pushed.base;
  const at = { remote, branch, base };
  const known = await findPullRequest(site, branch);
  const { reviewers = [], labels = [], draft } = state.policy.landStyle;
  const names = { reviewers, labels };
  if (known !== null) return { ...at, url: known, notes: await addNames(site, known, names) };
  const body = join(site.folder.path, "pull-request.md");
  await mkdir(site.folder.path, { recursive: true });
  await writeFile(body, formatBody(scope), { mode: 0o600 });
  const about = ["--base", base, "--head", branch, "--title", site.masker.text(title), "--body-file", body];
  const create = ["pr", "create", ...about, ...(draft === true ? ["--draft"] : [])];
  const made = await runGh(site, [...create, ...listFlags("--", names)]);
  if (made.ok) return { ...at, url: made.line, notes: [] };
  // gh may have opened it before it failed, and a label or a reviewer that is missing must not keep it from being opened.
  const again = await findPullRequest(site, branch);
  if (again !== null) return { ...at, url: again, notes: [formatMissingNames(again, names, made.line)] };
  const hasNames = reviewers.length + labels.length > 0;
  const bare = hasNames ? await runGh(site, create) : made;
  if (bare.ok) return { ...at, url: bare.line, notes: [formatMissingNames(bare.line, names, made.line)] };
  const problem = `pushed ${branch} to ${remote}, but gh could not open a pull request: ${bare.line}`;
  return { problem, pushed: [{ branch, commit }] };
}

type PullRequestNames = { readonly reviewers: readonly string[]; readonly labels: readonly string[] };

/** To a pull request that is open already. Those that it has are not added twice. */
async function addNames(site: RunContext, url: string, names: PullRequestNames): Promise<string[]> {
  const flags = listFlags("--add-", names);
  if (flags.length === 0) return [];
  const added = await runGh(site, ["pr", "edit", url, ...flags]);
  return added.ok ? [] : [formatMissingNames(url, names, added.line)];
}

function formatMissingNames(url: string, names: PullRequestNames, reason: string): string {
  const which = [
    ...(names.reviewers.length === 0 ? [] : ["reviewers"]),
    ...(names.labels.length === 0 ? [] : ["labels"]),
  ].join(" and ");
  if (which === "") return `gh opened ${url} but reported: ${reason}`;
  const add = otherCommand("gh", "pr edit", [url, ...listFlags("--add-", names)]);
  return plainText(sentence`${which} of ${url} not added: ${reason}. ${fix("Add them", add)}`);
}

function listFlags(lead: "--" | "--add-", { reviewers, labels }: PullRequestNames): string[] {
  return [
    ...reviewers.flatMap((name) => [`${lead}reviewer`, name]),
    ...labels.flatMap((name) => [`${lead}label`, name]),
  ];
}

/** The report; a proposal does not wait for what keeps it from being made. */
async function buildBodies(
  { folder, masker, proposal }: RunContext,
  state: RunState,
  titles: Titles,
): Promise<(scope: ProposalScope) => string> {
  try {
    return await proposal({ folder, state, mask: masker.text });
  } catch {
    // The end of the run tells why there is no report.
    return ({ task: only }) =>
      [...titles]
        .flatMap(([task, title]) => (only === null || only === task ? [`- ${title}\n`] : []))
        .join("");
  }
}

type Titles = ReadonlyMap<TaskId, string>;

/** In the order of the plan. */
async function readMergedTitles({ folder, masker }: RunContext, state: RunState): Promise<Titles> {
  const merged = state.index.plan.tasks.filter((_, i) => taskState(state, i).phase.kind === "merged");
  const titles = merged.map(
    async (task) => [task.id, await readTaskTitle({ folder, mask: masker.text }, task)] as const,
  );
  return new Map(await Promise.all(titles));
}

const GH_LIMIT_MS = 2 * 60_000;
const MOST_STDOUT = 64 * 1024;

/**
 * GitHub's own program, as the user would call it: their login, their default repository, no question asked. The last
 * line that it printed: an address, or why not.
 */
async function runGh(
  site: RunContext,
  args: readonly string[],
): Promise<{ readonly ok: boolean; readonly line: string; readonly stdout: string }> {
  const { run, shadow, folder, env } = site;
  const end = await runCommand(
    {
      command: { kind: "argv", argv: ["gh", ...args] },
      cwd: shadow.repository.workTree ?? folder.path,
      env: { ...env, GH_PROMPT_DISABLED: "1" },
    },
    { ...supervision(site, "gh"), timeoutMs: GH_LIMIT_MS, stdoutBytes: MOST_STDOUT },
  );
  if (end.kind === "not-started") {
    const [logIn, land] = [command(otherCommand("gh", "auth login")), command(plait("land", run))];
    const line = plainText(sentence`${end.failure.message}. Install gh, log in: ${logIn}, then: ${land}`);
    return { ok: false, line, stdout: "" };
  }
  const ok = end.exit.code === 0;
  const stdout = (end.stdout ?? "").trim();
  const [line = ""] = lastLines(ok && stdout !== "" ? stdout : end.output, 1);
  return { ok, line: line.trim(), stdout };
}

/** The address of the pull request of a branch; null where there is none, or it was closed without being merged. */
async function findPullRequest(site: RunContext, branch: string): Promise<string | null> {
  const { ok, stdout } = await runGh(site, ["pr", "view", branch, "--json", "url,state"]);
  if (!ok) return null;
  const { url, state } = Object(parseJson(stdout)) as { readonly url?: unknown; readonly state?: unknown };
  return typeof url === "string" && state !== "CLOSED" ? url : null;
}
