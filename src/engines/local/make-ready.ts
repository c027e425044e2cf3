// How a folder with the files of a commit becomes one in which programs can run: copies of what is not in git, the set-up commands,
// and the proof that nothing there leads back to the user's checkout. The same for worktrees of a run and for other copies of a commit.

import { join } from "node:path";
import type { Command, SetupCommand } from "../../core/plan.ts";
import { commandText } from "../../core/select/preview/commands.ts";
import { removeFolder } from "../../git/index.ts";
import type { CommandEnd } from "../../process/run-command.ts";
import { throwIfNoRoom } from "../../process/spawn.ts";
import { lastLines } from "../../process/tail.ts";
import type { CopyList } from "./copies.ts";
import { copyPaths, type PlaceFolder } from "./copy-tree.ts";
import { describeLinks, findLinksToCheckout, type LinkToCheckout } from "./links-to-checkout.ts";
import type { BeginStep } from "./prepared/set-ups.ts";
import { type SetupStep, splitSetup } from "./prepared/setup-steps.ts";

export type ToMakeReady = {
  readonly folder: string;
  /** The user's, where copies come from; null where there is none. */
  readonly checkout: string | null;
  readonly copies: CopyList;
  readonly isCopied: (path: string) => boolean;
  /** How a folder of the checkout comes to its place. */
  readonly placeFolder: PlaceFolder;
  /** Copies that are done without where they lead back to the checkout. */
  readonly optional: readonly string[];
  readonly onOptionalRemoved: (path: string) => void;
  readonly setup: readonly SetupCommand[];
  /** Brings in what another tree has made by the same step, where there is such a result. */
  readonly beginStep: BeginStep;
  /** Runs a command there. */
  readonly call: (command: Command, timeoutMs: number) => Promise<CommandEnd>;
  /** Everything in the folder that is not in git, see `untrackedIn`. */
  readonly untracked: () => Promise<readonly string[]>;
  readonly signal: AbortSignal;
};

export type Prepared = { readonly ok: true } | Unprepared;

export type Unprepared = {
  readonly ok: false;
  readonly detail: string;
  /** It comes out the same each time. */
  readonly isFinal: boolean;
  /** The end of what a failed command printed, masked. */
  readonly output?: string;
  /** Lock files that a task changed and that could not be installed from. */
  readonly locks?: readonly string[];
};

/** Why a tree could not be prepared; `by`: the tasks that changed its lock files, where these are the reason. */
export function formatUnprepared({ detail, locks = [] }: Unprepared, by: readonly string[] = []): string {
  if (locks.length === 0) return detail;
  return `${locks.join(", ")} changed${by.length === 0 ? "" : ` by ${by.join(", ")}`}: ${detail}`;
}

const SETUP_TIMEOUT_MS = 30 * 60_000;
export const TEARDOWN_TIMEOUT_MS = 5 * 60_000;

export async function makeReady(asked: ToMakeReady): Promise<Prepared> {
  const { folder, checkout, copies, isCopied, placeFolder, untracked, signal } = asked;
  if (checkout !== null) await copyPaths({ from: checkout, to: folder, ...copies, placeFolder, signal });
  const failed = await setUp(asked);
  if (failed !== null) return { ok: false, ...failed, isFinal: false };
  if (signal.aborted) return { ok: false, detail: "stopped during preparation", isFinal: false };
  if (checkout === null) return { ok: true };
  const found = await findLinksToCheckout({ folder, checkout, paths: await untracked() });
  const leads = await withoutOptional(asked, found);
  if (leads.length === 0) return { ok: true };
  return { ok: false, detail: describeLinks(leads, isCopied), isFinal: true };
}

type Failed = Pick<Unprepared, "detail" | "output">;

/** Says what went wrong. */
async function setUp(asked: ToMakeReady): Promise<Failed | null> {
  for (const step of splitSetup(asked.setup)) {
    const failed = await runStep(asked, step);
    if (failed !== null) return failed;
  }
  return null;
}

async function runStep(asked: ToMakeReady, step: SetupStep): Promise<Failed | null> {
  const { isPlaced, settle } = await asked.beginStep(step);
  if (isPlaced) return null;
  let failed: Failed | null = { detail: "interrupted" };
  let problem: string | null = null;
  try {
    failed = await callAll(asked, step.commands);
  } finally {
    problem = await settle(failed === null);
  }
  if (failed !== null || problem === null) return failed;
  return { detail: `the setup ${step.commands.map(formatName).join(", ")} ${problem}` };
}

const formatName = (command: Command): string => JSON.stringify(commandText(command));

async function callAll({ call, signal }: ToMakeReady, commands: readonly Command[]): Promise<Failed | null> {
  for (const command of commands) {
    const end = await call(command, SETUP_TIMEOUT_MS);
    if (signal.aborted) return { detail: "stopped during setup" };
    if (end.kind === "not-started") throwIfNoRoom(end.failure);
    if (end.kind === "not-started") return { detail: `setup: ${end.failure.message}` };
    if (end.exit.code === 0) continue;
    const said = listReasons(end.output).join("; ");
    const how =
      end.exit.code === null ? `was killed by ${end.exit.signal}` : `exited with code ${end.exit.code}`;
    const detail = `the setup ${formatName(command)} ${how}${said === "" ? "" : `: ${said}`}`;
    return { detail, output: end.output };
  }
  return null;
}

/** Installers report errors first and end with advice. */
function listReasons(output: string): string[] {
  const errors = output.split(/\r?\n/).filter((line) => /\berr(?:or)?\b[:!]? *\S/i.test(line));
  return errors.length === 0 ? lastLines(output, 3) : errors.slice(0, 2);
}

/** Removes optional copies that lead back; what is left of the leads counts. */
async function withoutOptional(
  asked: ToMakeReady,
  leads: readonly LinkToCheckout[],
): Promise<LinkToCheckout[]> {
  const { folder, optional, onOptionalRemoved } = asked;
  const isIn = (path: string) => (lead: LinkToCheckout) =>
    lead.path === path || lead.path.startsWith(`${path}/`);
  for (const path of optional) {
    if (!leads.some(isIn(path))) continue;
    await removeFolder(join(folder, path));
    onOptionalRemoved(path);
  }
  return leads.filter((lead) => !optional.some((path) => isIn(path)(lead)));
}
