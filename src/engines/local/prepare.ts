// What a fresh worktree gets before an agent or a gate sees it: copies of files that are not in git, and the set-up commands. And
// the commands that clear up after them. What is to be cleared up is on the disk before a set-up begins, so that the driver
// after a crash does it, for attempts and gates alike.

import { readFile, rm } from "node:fs/promises";
import type { Command, Env, Preparation } from "../../core/plan.ts";
import { type Lease, untrackedIn } from "../../git/index.ts";
import { runCommand } from "../../process/run-command.ts";
import { lastLines } from "../../process/tail.ts";
import { errnoOf } from "../../util/errno.ts";
import { copyPaths } from "./copy-tree.ts";
import { leadsBack, leadText } from "./leads-back.ts";
import { envIn } from "./program-env.ts";
import { writeWhole } from "./run-folder.ts";
import type { Site } from "./site.ts";

export type ToPrepare = {
  readonly prepare: Preparation;
  readonly lease: Lease;
  readonly env: SetUpEnv;
  readonly marker: string;
  readonly signal: AbortSignal;
};

/** What commands see beside the user's own environment: the plan's variables, their values sealed, and plait's. */
export type SetUpEnv = { readonly own: Env; readonly added: Env };

export type Prepared =
  | { readonly ok: true }
  /** `isFinal`: it comes out the same each time. */
  | { readonly ok: false; readonly detail: string; readonly isFinal: boolean };

const SETUP_TIMEOUT_MS = 30 * 60_000;
const TEARDOWN_TIMEOUT_MS = 5 * 60_000;

/** Whether a worktree with this preparation is more than the files of its commit. */
export function takesPreparing({ copies }: Site, prepare: Preparation): boolean {
  return copies.of(prepare).length + prepare.setup.length > 0;
}

export async function prepareTree(site: Site, asked: ToPrepare): Promise<Prepared> {
  const { prepare, lease, env, marker, signal } = asked;
  const { teardown } = prepare;
  if (teardown.length > 0)
    await writeWhole(
      site.folder.setUp(lease.slot.id),
      JSON.stringify({ teardown, env, marker } satisfies SetUp),
    );
  if (!takesPreparing(site, prepare)) return { ok: true };
  const { workTree } = site.shadow.repository;
  const { path } = lease.slot;
  if (workTree !== null)
    await copyPaths({ from: workTree, to: path, paths: site.copies.of(prepare), signal });
  const failed = await setUp(site, asked);
  if (failed !== null) return { ok: false, detail: failed, isFinal: false };
  if (signal.aborted) return { ok: false, detail: "it was stopped while it was prepared", isFinal: false };
  if (workTree === null) return { ok: true };
  const paths = await untrackedIn(site.shadow, lease.slot);
  const leads = await leadsBack({ folder: path, checkout: workTree, paths });
  if (leads.length === 0) return { ok: true };
  return { ok: false, detail: leadText(leads, site.copies.has), isFinal: true };
}

/** Says what went wrong. */
async function setUp(site: Site, { prepare, lease, env, marker, signal }: ToPrepare): Promise<string | null> {
  for (const command of prepare.setup) {
    const options = { ...optionsFor(site, lease), marker, signal, timeoutMs: SETUP_TIMEOUT_MS };
    const end = await runCommand(await callOf(site, lease, { command, env }), options);
    if (signal.aborted) return "it was stopped during its set-up";
    const name = command.kind === "shell" ? command.line : command.argv.join(" ");
    if (end.kind === "not-started") return `set-up: ${end.failure.message}`;
    if (end.exit.code === 0) continue;
    const said = lastLines(end.output, 3).join("; ");
    const how =
      end.exit.code === null ? `was ended by ${end.exit.signal}` : `ended with exit code ${end.exit.code}`;
    return `the set-up ${JSON.stringify(name)} ${how}${said === "" ? "" : `: ${said}`}`;
  }
  return null;
}

/** What is on the disk of a set-up, until it is cleared up. */
type SetUp = {
  readonly teardown: readonly Command[];
  readonly env: SetUpEnv;
  /** Commands see it as PLAIT_ATTEMPT. */
  readonly marker: string;
};

/**
 * What a set-up began (a database, a container) is ended, in the environment that the set-up had. A command that fails is the
 * user's to see in its own effects. Once: a driver that is killed in the middle of it leaves it to the next.
 */
export async function tearDown(site: Site, lease: Lease): Promise<void> {
  const path = site.folder.setUp(lease.slot.id);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  });
  if (text === null) return;
  const { teardown, env, marker } = JSON.parse(text) as SetUp; // written above, whole or not at all
  for (const command of teardown) {
    const options = { ...optionsFor(site, lease), marker, timeoutMs: TEARDOWN_TIMEOUT_MS };
    await runCommand(await callOf(site, lease, { command, env }), options);
  }
  await rm(path, { force: true });
}

async function callOf(
  site: Site,
  lease: Lease,
  { command, env }: { readonly command: Command; readonly env: SetUpEnv },
) {
  return { command, cwd: lease.slot.path, env: { ...(await envIn(site, lease, env.own)), ...env.added } };
}

function optionsFor({ masker, lifeline, clock, run }: Site, { slot }: Lease) {
  return { masker, lifeline, clock, runMarker: run, worktree: slot.path };
}
