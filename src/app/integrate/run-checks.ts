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
import type { Host, OrRefusal } from "../host.ts";
import { askedPackages } from "./asked-packages.ts";
import { inTrialPlace, type ToTry, type Trial } from "./trial-place.ts";

export type ToCheck = Omit<ToTry, "warning"> & {
  readonly checks: readonly StackCheck[];
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
};

/** Asked to end, what was not run by then is told as that. */
export async function runChecks(
  host: Host,
  asked: ToCheck,
): Promise<OrRefusal<{ readonly results: readonly CheckResult[] }>> {
  const { checks, prepare, tell } = asked;
  if (checks.length === 0) return { ok: true, results: [] };
  const setup = prepare.setup.map((one) => (one.kind === "shell" ? one.line : one.argv.join(" ")));
  if (setup.length > 0) tell.preparing(setup);
  const tried = await inTrialPlace(host, { ...asked, warning: tell.warning }, async (trial) => {
    const results: CheckResult[] = [];
    for (const check of checks) {
      const result = await resultOf(trial, check, { ...asked, n: results.length + 1 });
      results.push(result);
      tell.ended(result);
    }
    return results;
  });
  return tried.ok ? { ok: true, results: tried.result } : tried;
}

type Turn = ToCheck & { readonly n: number };

async function resultOf(
  { tree, prepared, call }: Trial,
  check: StackCheck,
  turn: Turn,
): Promise<CheckResult> {
  const { signal, timeoutMs, repository, commit, tell, n } = turn;
  const without = (summary: string): CheckResult => ({
    ...check,
    ...notRun(summary),
    durationMs: 0,
    output: "",
  });
  if (signal.aborted) return without(STOPPED);
  if (!prepared.ok) return without(n === 1 ? `${UNREADY}: ${prepared.detail}` : `${UNREADY}, as said above`);
  if (n > 1) await setBack({ repository, commit, tree, tell });
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
