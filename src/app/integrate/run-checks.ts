// The checks of a project on the commit that is judged, one after another, in a place that is made for it and gone afterwards. Each
// command is told before it runs.

import type { Oid } from "../../core/ids.ts";
import { GitError, setCloneBack } from "../../git/index.ts";
import type { CommandEnd } from "../../process/run-command.ts";
import { withoutColours } from "../../spec/integrate/checks/counts.ts";
import { uninstalledWords } from "../../spec/integrate/checks/missing.ts";
import { notRun, type Outcome, outcomeOf } from "../../spec/integrate/checks/outcome.ts";
import { uninstalledPackage } from "../../spec/integrate/checks/uninstalled.ts";
import type { CheckResult, StackCheck } from "../../spec/integrate/report.ts";
import type { PrintedText } from "../../spec/integrate/routes/judge-document.ts";
import type { Host, OrRefusal } from "../host.ts";
import { askedPackages } from "./asked-packages.ts";
import { printDocument } from "./print-document.ts";
import { inTrialPlace, type ToTry, type Trial } from "./trial-place.ts";

export type ToCheck = Omit<ToTry, "warning"> & {
  readonly checks: readonly StackCheck[];
  /** The command that prints the project's API document; null: none is asked for. */
  readonly openapi: string | null;
  /** For each of them. */
  readonly timeoutMs: number;
  readonly tell: CheckTelling;
};

/** What people see meanwhile. */
export type CheckTelling = {
  readonly warning: (text: string) => void;
  /** The copy is made ready by these commands; not told where there are none. */
  readonly preparing: (commands: readonly string[]) => void;
  /** Before it runs: the n-th, counted from 1. */
  readonly begins: (check: StackCheck, n: number) => void;
  readonly ended: (result: CheckResult) => void;
  /** Before the command runs that prints the API document. */
  readonly printing: (command: string) => void;
};

export type CheckedCommit = {
  readonly results: readonly CheckResult[];
  /** Null: it was not asked for. */
  readonly document: PrintedText | null;
};

/** Asked to end, what was not run by then is told as that. */
export async function runChecks(host: Host, asked: ToCheck): Promise<OrRefusal<CheckedCommit>> {
  const { checks, openapi, prepare, tell } = asked;
  if (checks.length === 0 && openapi === null) return { ok: true, results: [], document: null };
  const setup = prepare.setup.map((one) => (one.kind === "shell" ? one.line : one.argv.join(" ")));
  if (setup.length > 0) tell.preparing(setup);
  const tried = await inTrialPlace(host, { ...asked, warning: tell.warning }, async (trial) => {
    const document = openapi === null ? null : await printDocument(trial, openapi, asked);
    const results: CheckResult[] = [];
    for (const check of checks) {
      const n = results.length + 1;
      const result = await resultOf(trial, check, { ...asked, n, isUsed: n > 1 || document !== null });
      results.push(result);
      tell.ended(result);
    }
    return { results, document };
  });
  return tried.ok ? { ok: true, ...tried.result } : tried;
}

/** `isUsed`: another program may have changed files before. */
type Turn = ToCheck & { readonly n: number; readonly isUsed: boolean };

async function resultOf(
  { tree, prepared, call }: Trial,
  check: StackCheck,
  turn: Turn,
): Promise<CheckResult> {
  const { signal, timeoutMs, repository, commit, tell, n, isUsed } = turn;
  const without = (summary: string): CheckResult => ({
    ...check,
    ...notRun(summary),
    durationMs: 0,
    output: "",
  });
  if (signal.aborted) return without(STOPPED);
  if (!prepared.ok) return without(n === 1 ? `${UNREADY}: ${prepared.detail}` : `${UNREADY}, as said above`);
  if (isUsed) await setBack({ repository, commit, tree, tell });
  tell.begins(check, n);
  const end = await call({ kind: "shell", line: check.run }, { timeoutMs, outputTailBytes: COUNTED_BYTES });
  if (end.kind === "not-started") return without(end.failure.message);
  // The copy is gone afterwards: who reads the paths looks for them in a checkout.
  const said = { ...end, output: end.output.replaceAll(`${tree}/`, "") };
  const outcome = signal.aborted ? notRun(STOPPED) : await judged(check, said, { timeoutMs, tree });
  const durationMs = Math.round(end.exit.durationMs);
  return { ...check, ...outcome, durationMs, output: endOf(said) };
}

const STOPPED = "it was stopped";
const UNREADY = "the copy of the commit could not be made ready";

/** Programs count at their end, some once for each package. */
const COUNTED_BYTES = 1024 * 1024;
const KEPT_CHARS = 16_000;

type Ended = Extract<CommandEnd, { readonly kind: "ended" }>;

type Where = { readonly timeoutMs: number; readonly tree: string };

async function judged(
  check: StackCheck,
  { exit, output }: Ended,
  { timeoutMs, tree }: Where,
): Promise<Outcome> {
  const { code, signal, why } = exit;
  const outcome = outcomeOf(check, { code, signal, isLate: why === "total", output }, timeoutMs);
  if (outcome.status !== "red") return outcome;
  const lacks = uninstalledPackage(output, await askedPackages(tree, check.run));
  return lacks === null ? outcome : notRun(uninstalledWords(lacks, check.run));
}

/** Whole lines of it. */
function endOf({ output }: Ended): string {
  const text = withoutColours(output).trimEnd();
  if (text.length <= KEPT_CHARS) return text;
  const kept = text.slice(-KEPT_CHARS);
  return `[what comes before this is left out]\n${kept.slice(kept.indexOf("\n") + 1)}`;
}

type Copy = Pick<ToCheck, "repository" | "tell"> & { readonly commit: Oid; readonly tree: string };

/** A check sees the files of the commit and not what the one before wrote over them. */
async function setBack({ repository, commit, tree, tell }: Copy): Promise<void> {
  try {
    await setCloneBack(repository, tree, { commit, largeFiles: true });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    tell.warning("files that a check changed could not be set back: the next ones see them as they are.");
  }
}
