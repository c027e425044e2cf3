// Why a gate may be red before anything was done: what it needs is in the user's checkout, and git does not bring it along.

import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { RunState } from "../core/run-state.ts";
import { findRepository, type Host } from "./host.ts";

/** Folders that tools fill and projects ignore, and what fills them again. */
const FILLED_BY: { readonly [folder: string]: string } = {
  node_modules: "npm ci",
  ".venv": "uv sync",
  venv: "python3 -m venv venv && venv/bin/pip install -e .",
  vendor: "the command that fills it",
};

/** One sentence a folder that worktrees do not have. */
export async function baseHints(host: Host, { index: { plan } }: RunState): Promise<string[]> {
  const found = await findRepository(host);
  const checkout = found.ok ? found.repository.workTree : null;
  if (checkout === null || plan.prepare.setup.length > 0) return [];
  const missing: string[] = [];
  for (const [folder, command] of Object.entries(FILLED_BY)) {
    const isCopied = [...plan.prepare.copy, ...plan.prepare.include].some((copy) =>
      (typeof copy === "string" ? copy : copy.to).includes(folder),
    );
    const entry = isCopied ? null : await lstat(join(checkout, folder)).catch(() => null);
    if (entry?.isDirectory())
      missing.push(
        `${folder} is in your checkout and not in worktrees: if the gate needs it, say setup: ${command}, or copy: [${folder}]`,
      );
  }
  return missing;
}
