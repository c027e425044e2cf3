// GitHub's own program, as the user would call it: their login, their default repository, no question asked.

import { otherCommand, plait } from "../../core/text/command.ts";
import { command, plainText, sentence } from "../../core/text/sentence.ts";
import { uniqueMarker } from "../../process/markers.ts";
import { runCommand } from "../../process/run-command.ts";
import { lastLines } from "../../process/tail.ts";
import type { RunContext } from "./run-context.ts";

const GH_LIMIT_MS = 2 * 60_000;
const MOST_STDOUT = 64 * 1024;

/** The last line that it printed: an address, or why not. */
export async function runGh(
  site: RunContext,
  args: readonly string[],
): Promise<{ readonly ok: boolean; readonly line: string; readonly stdout: string }> {
  const { masker, lifeline, clock, run, shadow, folder, env } = site;
  const end = await runCommand(
    {
      command: { kind: "argv", argv: ["gh", ...args] },
      cwd: shadow.repository.workTree ?? folder.path,
      env: { ...env, GH_PROMPT_DISABLED: "1" },
    },
    {
      ...{ masker, lifeline, clock, marker: uniqueMarker(run, "gh"), runMarker: run },
      ...{ timeoutMs: GH_LIMIT_MS, stdoutBytes: MOST_STDOUT },
    },
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
export async function findPullRequest(site: RunContext, branch: string): Promise<string | null> {
  const { ok, stdout } = await runGh(site, ["pr", "view", branch, "--json", "url,state"]);
  if (!ok) return null;
  const found = readJson(stdout);
  const isClosed = found["state"] === "CLOSED";
  return typeof found["url"] === "string" && !isClosed ? found["url"] : null;
}

function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
