// Why a gate may be red before anything was done: what it needs is in the user's checkout, and git does not bring it along.

import { basename, dirname } from "node:path";
import type { Plan } from "../core/plan.ts";
import type { RunState } from "../core/run-state.ts";
import { plait, shellWord } from "../core/text/command.ts";
import { shortOid } from "../core/text/figures.ts";
import { command, plainText, sentence } from "../core/text/sentence.ts";
import { copiesFor, isAmong } from "../engines/local/copies.ts";
import { type Repository, readRef, shortName, untrackedInClone } from "../git/index.ts";
import { findRepository, type Host } from "./host.ts";

/** Folders that tools fill and projects ignore, and the command that fills them; null: it depends on the project. */
const FILLED_BY: { readonly [folder: string]: string | null } = {
  node_modules: "npm ci",
  ".venv": "uv sync",
  venv: "python3 -m venv venv && venv/bin/pip install -e .",
  vendor: null,
};

/** Of a repository with many packages the first ones are enough. */
const MOST_HINTS = 3;

/** For a run that stopped at a red base: the branch has new commits, but the run keeps its base commit. */
export async function describeMovedBranch(
  repository: Repository,
  { ended, target, base, run, index }: RunState,
): Promise<string | null> {
  if (ended?.outcome !== "red-base" || target === null) return null;
  const now = await readRef(repository, target);
  if (now === null || now === base.commit) return null;
  const { format, path } = index.plan.source;
  const plan =
    format === "prompts" ? plait("run", [], { prompt: { placeholder: "prompt" } }) : plait("run", path);
  const moved = `${shortName(target)} is now at ${shortOid(now)}; ${run} keeps its base commit ${shortOid(base.commit)}`;
  return plainText(sentence`${moved}. To start from ${shortOid(now)}: ${command(plan)}`);
}

/** One sentence for each folder that worktrees do not have. Submodules are not among them: worktrees have those. */
export async function baseHints(host: Host, { index: { plan } }: RunState): Promise<string[]> {
  const found = await findRepository(host);
  const checkout = found.ok ? found.repository.workTree : null;
  if (!found.ok || checkout === null || plan.prepare.setup.length > 0) return [];
  const copied = new Set((await copiesFor(found.repository, plan.prepare)).paths);
  const untracked = (await untrackedInClone(found.repository, checkout)).map((path) =>
    path.replace(/\/$/, ""),
  );
  const missing = untracked.filter((path) => basename(path) in FILLED_BY && !isAmong(copied, path));
  return missing.slice(0, MOST_HINTS).map((folder) => formatMissing(folder, plan));
}

/** A plan without a file has flags in place of keys. */
function formatMissing(folder: string, { source }: Plan): string {
  const where = `${folder} is in your checkout but not in worktrees. If a gate needs it`;
  const parent = dirname(folder);
  const filler = FILLED_BY[basename(folder)] ?? null;
  const install = filler === null || parent === "." ? filler : `cd ${shellWord(parent)} && ${filler}`;
  if (source.format === "prompts") {
    const setup = install === null ? "" : `--setup ${shellWord(install)} or `;
    return `${where}, add ${setup}--copy ${shellWord(folder)}`;
  }
  return `${where}, set ${install === null ? "" : `setup: ${install}, or `}copy: [${folder}]`;
}
