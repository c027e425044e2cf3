// What the run made, on the server: the target that has landed is pushed, or the result goes to a branch of its own and is proposed
// for the target by `gh`. Both as the user would do it, with the user's own credentials.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunState } from "../../../core/run-state.ts";
import { values } from "../../../core/sorted-map.ts";
import { pushBranch, pushTarget } from "../../../git/index.ts";
import { uniqueMarker } from "../../../process/markers.ts";
import { runCommand } from "../../../process/run-command.ts";
import { lastLines } from "../../../process/tail.ts";
import type { Effects, Hands } from "../driver.ts";
import type { Site } from "../site.ts";
import { isBuiltFirst, placeOf } from "./landing.ts";

export function publishEffect(site: Site): Effects["publish"] {
  return async (want, hands) => {
    const { target, policy } = hands.state();
    const { tip, result } = want;
    const refuse = (detail: string) =>
      hands.record({ type: "publishing.refused", tip, detail: site.masker.text(inOneLine(detail)) });
    if (target === null) return refuse("The run has no target branch: HEAD was detached when it started.");
    const place = { ...placeOf(site), target, remote: null };
    if (policy.publish === "push") {
      const pushed = await pushTarget(site.shadow, { ...place, commit: result.commit });
      if (pushed.kind === "refused") return refuse(`It landed here, but was not pushed: ${pushed.detail}`);
      const { remote, branch } = pushed;
      return hands.record({ type: "run.published", tip, commit: result.commit, remote, branch, url: null });
    }
    if (await isBuiltFirst(site, want, hands)) return;
    const pushed = await pushBranch(site.shadow, { ...place, commit: result.commit });
    if (pushed.kind === "refused") return refuse(pushed.detail);
    const { remote, branch, base } = pushed;
    const proposed = await propose(site, hands, { base, branch });
    if ("problem" in proposed) {
      return refuse(`${branch} is pushed to ${remote}, but there is no pull request: ${proposed.problem}`);
    }
    await hands.record({
      type: "run.published",
      tip,
      commit: result.commit,
      remote,
      branch,
      url: proposed.url,
    });
  };
}

/** Servers say it in several lines. */
const inOneLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, "; ");

type Proposal = { readonly base: string; readonly branch: string };

const GH_LIMIT_MS = 2 * 60_000;

/** A pull request that is there already is as good: a driver that was killed may have opened it. */
async function propose(
  site: Site,
  hands: Hands,
  { base, branch }: Proposal,
): Promise<{ readonly url: string } | { readonly problem: string }> {
  const body = join(site.folder.path, "pull-request.md");
  await mkdir(site.folder.path, { recursive: true });
  await writeFile(body, await bodyText(site, hands.state()), { mode: 0o600 });
  const { name } = hands.state().index.plan;
  const view = await gh(site, ["pr", "view", branch, "--json", "url", "--jq", ".url"]);
  if (view.ok && view.line.startsWith("http")) return { url: view.line };
  const about = ["--base", base, "--head", branch, "--title", name, "--body-file", body];
  const made = await gh(site, ["pr", "create", ...about]);
  return made.ok ? { url: made.line } : { problem: made.line };
}

async function gh(
  site: Site,
  args: readonly string[],
): Promise<{ readonly ok: boolean; readonly line: string }> {
  const { masker, lifeline, clock, run, shadow, folder, env } = site;
  const end = await runCommand(
    {
      command: { kind: "argv", argv: ["gh", ...args] },
      cwd: shadow.repository.workTree ?? folder.path,
      env: { ...env, GH_PROMPT_DISABLED: "1" },
    },
    { masker, lifeline, clock, marker: uniqueMarker(run, "gh"), runMarker: run, timeoutMs: GH_LIMIT_MS },
  );
  if (end.kind === "not-started") {
    return {
      ok: false,
      line: `${end.failure.message}. Install gh and log in (gh auth login), then: plait land ${run}`,
    };
  }
  const [line = ""] = lastLines(end.output, 1);
  return { ok: end.exit.code === 0, line: line.trim() };
}

/** The report; a proposal does not wait for what keeps it from being made. */
async function bodyText({ folder, masker, proposal }: Site, state: RunState): Promise<string> {
  try {
    return await proposal({ folder, state, mask: masker.text });
  } catch {
    return masker.text(shortText(state)); // the end of the run tells why there is no report
  }
}

/** What it brings, a line a task. */
function shortText(state: RunState): string {
  const { run, index } = state;
  const done: string[] = [];
  let i = 0;
  for (const { phase } of values(state.tasks)) {
    const task = index.plan.tasks[i];
    i += 1;
    if (phase.kind === "merged" && task !== undefined) done.push(`- ${task.id}: ${task.title}`);
  }
  return `plait run ${run} of ${index.plan.source.path}\n\n${done.join("\n")}\n`;
}
