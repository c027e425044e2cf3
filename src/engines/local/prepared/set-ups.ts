// The result of commands in a setup, once for all trees of a run in which all that the commands depend on is the same: the first tree
// runs them, what they made is copied aside, and the next trees get copies of that. Another lock file is another result.

import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { matcher } from "../../../core/ownership/match.ts";
import { parsePattern } from "../../../core/ownership/parse.ts";
import type { Env, Preparation, SetupCommand } from "../../../core/plan.ts";
import { type Lease, listIndexed, removeFolder, type Shadow, untrackedIn } from "../../../git/index.ts";
import { type Deferred, deferred } from "../../../util/deferred.ts";
import { copyOneFile } from "../copy-tree.ts";
import type { PreparedFolders } from "./prepared-folders.ts";
import { isInstallInput, mayRunProjectCode, type SetupStep, splitSetup } from "./setup-steps.ts";

/** A step of a setup in one tree. */
export type BegunStep = {
  /** Its result is in the tree: no command has to run. */
  readonly isPlaced: boolean;
  /** To be called once, after the commands ran or failed. The end of a sentence about the command: why its result is not right. */
  readonly settle: (isDone: boolean) => Promise<string | null>;
};

/** To be called for each step of the setup, in order. */
export type BeginStep = (step: SetupStep) => Promise<BegunStep>;

export type SetUps = Awaited<ReturnType<typeof openSetUps>>;

export type ToSetUp = {
  readonly lease: Lease;
  readonly prepare: Preparation;
  readonly env: Env;
  /** The files of the tree are not all as they are in its index. */
  readonly isContinued: boolean;
  readonly signal: AbortSignal;
};

type Options = {
  readonly shadow: Shadow;
  readonly prepared: PreparedFolders;
  /** Where the first results are kept until the run ends. */
  readonly folder: string;
};

/** Files and folders by their place in a tree, and the tree that they were made in. */
type Result = { readonly paths: readonly string[]; readonly folder: string; readonly root: string };

/** Null: the commands left more than can be copied, so they run in each tree. */
type Outcome = Result | "failed" | null;

type Indexed = Awaited<ReturnType<typeof listIndexed>>;

/** All that a result depends on, and whether installing runs code of the project. Null: not all of it is known to git. */
type StepKey = { readonly key: string; readonly runsCode: boolean } | null;

type Captured = { readonly before: ReadonlySet<string>; readonly runsCode: boolean };

/** For trees that share nothing. */
export const runEachStep: BeginStep = async () => ({ isPlaced: false, settle: async () => null });

const FILLED =
  /(?:^|\/)(?:node_modules|\.?venv|vendor|bower_components|\.yarn\/(?:cache|unplugged)|[^/]+\.egg-info)\/$/;

/** These keep environments outside of the tree, one for each path. */
const OUTSIDE = /\b(?:poetry|pipenv)\b/;

/** Made by commands of the setup whose result other trees get. */
export function isSetUpResult(setup: readonly SetupCommand[], path: string): boolean {
  return splitSetup(setup).some(
    (step) =>
      (step.kind === "installs" && FILLED.test(`${path}/`)) ||
      listOutputs(step).some((output) => path === output || path.startsWith(`${output}/`)),
  );
}

function listOutputs({ commands: [command] }: SetupStep): string[] {
  return (command?.outputs ?? []).map((path) => normalize(path).replace(/\/$/, ""));
}

export async function openSetUps({ shadow, prepared, folder }: Options) {
  await removeFolder(folder); // of a driver that was killed
  const results = new Map<string, Promise<Outcome>>();
  let kept = 0;
  const store: Store = { shadow, prepared, nextFolder: () => join(folder, String(kept++)) };

  /** The result of the first tree, once it is known; where this tree is the first, what it has to settle. */
  async function joinFirst(key: string): Promise<{ outcome: Result | null } | Deferred<Outcome>> {
    for (let known = results.get(key); known !== undefined; known = results.get(key)) {
      const outcome = await known;
      if (outcome !== "failed") return { outcome };
      if (results.get(key) === known) results.delete(key);
    }
    const first = deferred<Outcome>();
    results.set(key, first.promise);
    return first;
  }

  async function begin(asked: ToSetUp, step: SetupStep, { files, found }: Known): Promise<BegunStep> {
    if (found === null) return runEachStep(step);
    const { key, runsCode } = found;
    const joined = await joinFirst(key);
    if ("outcome" in joined) {
      const isPlaced = joined.outcome !== null && (await placeResult(store, asked, step, joined.outcome));
      return isPlaced ? { isPlaced, settle: async () => null } : runEachStep(step);
    }
    try {
      const before = new Set(await untrackedIn(shadow, asked.lease.slot));
      const settle = async (isDone: boolean) => {
        const problem = isDone ? findProblem(asked, step, files) : null;
        const isRight = isDone && problem === null;
        const keep = () => keepResult(store, asked, step, { before, runsCode }).catch(() => null);
        joined.resolve(isRight ? await keep() : "failed");
        return problem;
      };
      return { isPlaced: false, settle };
    } catch (error) {
      joined.resolve("failed");
      throw error;
    }
  }

  return {
    open: (asked: ToSetUp): BeginStep => {
      let listed: Promise<Indexed> | null = null;
      let earlier = "";
      return async (step) => {
        listed ??= listIndexed(shadow, asked.lease.slot);
        const files = await listed;
        const found = await findKey(asked, step, { files, earlier });
        earlier = found?.key ?? JSON.stringify([earlier, step.commands]);
        return begin(asked, step, { files, found: step.kind === "each-tree" ? null : found });
      };
    },
    close: () => removeFolder(folder),
  };
}

/** Where results are kept. */
type Store = {
  readonly shadow: Shadow;
  readonly prepared: PreparedFolders;
  /** For one result. */
  readonly nextFolder: () => string;
};

/** Null where it cannot be given to other trees. */
async function keepResult(
  store: Store,
  asked: ToSetUp,
  step: SetupStep,
  { before, runsCode }: Captured,
): Promise<Result | null> {
  if (step.kind === "declared") return keepPaths(store, asked, listOutputs(step));
  const made = (await untrackedIn(store.shadow, asked.lease.slot)).filter((path) => !before.has(path));
  if (made.some((path) => !FILLED.test(path))) return null;
  if (made.length === 0 && (runsCode || OUTSIDE.test(JSON.stringify(step.commands)))) return null;
  const paths = made.map((path) => path.slice(0, -1));
  return keepPaths(store, asked, paths);
}

async function keepPaths(
  { prepared, nextFolder }: Store,
  { lease }: ToSetUp,
  paths: readonly string[],
): Promise<Result> {
  const folder = nextFolder();
  for (const path of paths) {
    await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    const [from, to] = [join(lease.slot.path, path), join(folder, path)];
    await (isFolder(from) ? prepared.copyWhole(from, to) : copyOneFile(from, to));
  }
  return { paths, folder, root: lease.slot.path };
}

/** False where something is in the way. */
async function placeResult(
  { prepared }: Store,
  { lease, signal }: ToSetUp,
  step: SetupStep,
  { paths, folder, root }: Result,
): Promise<boolean> {
  const isTaken = (path: string) => findEntry(join(lease.slot.path, path)) !== undefined;
  // The outputs that a command declares replace what an earlier one left there.
  if (step.kind === "installs" && paths.some(isTaken)) return false;
  for (const path of paths) {
    const [source, to] = [join(folder, path), join(lease.slot.path, path)];
    await removeFolder(to);
    await mkdir(dirname(to), { recursive: true });
    await (isFolder(source) ? prepared.place({ lease, source, to, root, signal }) : copyOneFile(source, to));
  }
  return true;
}

type Known = { readonly files: Indexed; readonly found: StepKey };

/** Why outputs are not what the plan says. */
function findProblem({ lease }: ToSetUp, step: SetupStep, files: Indexed): string | null {
  const outputs = step.kind === "declared" ? listOutputs(step) : [];
  const isTracked = (output: string) =>
    files.some(({ path }) => path === output || path.startsWith(`${output}/`));
  const tracked = outputs.find(isTracked);
  if (tracked !== undefined) return `has the output ${tracked}, which git tracks; outputs must be ignored`;
  const missing = outputs.find((output) => findEntry(join(lease.slot.path, output)) === undefined);
  return missing === undefined ? null : `did not create its output ${missing}`;
}

const findEntry = (path: string) => lstatSync(path, { throwIfNoEntry: false });
const isFolder = (path: string) => findEntry(path)?.isDirectory() ?? false;

type Before = { readonly files: Indexed; readonly earlier: string };

/** The commands, those before them, their variables, and every file that they depend on. */
async function findKey(asked: ToSetUp, step: SetupStep, before: Before): Promise<StepKey> {
  const { prepare, env, isContinued } = asked;
  const around = [before.earlier, step.commands, Object.entries(env).sort(), prepare.copy, prepare.include];
  if (step.kind === "declared") {
    if (isContinued) return null;
    return { key: hash([around, findInputs(step, before.files)]), runsCode: false };
  }
  if (step.kind === "each-tree") return { key: hash(around), runsCode: false };
  const inputs = await Promise.all(
    before.files
      .filter(({ path }) => isInstallInput(path))
      .map(async ({ path }) => ({
        path,
        text: await readFile(join(asked.lease.slot.path, path), "latin1").catch(() => ""),
      })),
  );
  const runsCode = inputs.some(({ path, text }) => mayRunProjectCode(path, text));
  if (runsCode && isContinued) return null;
  return { key: hash([around, runsCode ? before.files : [], inputs]), runsCode };
}

const hash = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

const SUBMODULE = "160000 ";

/** What git has at the declared paths. Of submodules it has no files, so all of them count. */
function findInputs({ commands: [command] }: SetupStep, files: Indexed): Indexed {
  const patterns = (command?.inputs ?? []).map(parsePattern);
  const matchers = patterns.map((one) => (one.ok ? matcher(one.pattern) : () => true));
  return files.filter(
    ({ path, oid }) => oid.startsWith(SUBMODULE) || matchers.some((isMatch) => isMatch(path) !== false),
  );
}
