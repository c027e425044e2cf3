// Runs the checks of a project serially, in a temporary copy of the commit. Each command is printed before it runs.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ConfiguredCheck } from "../../config/merge.ts";
import type { Oid } from "../../core/ids.ts";
import { duration } from "../../core/text/figures.ts";
import { GitError, setCloneBack } from "../../git/index.ts";
import type { CommandEnd } from "../../process/run-command.ts";
import { lastLines } from "../../process/tail.ts";
import { readProject } from "../../spec/align/project.ts";
import { removeColors } from "../../spec/integrate/checks/counts.ts";
import { formatMissingPackage } from "../../spec/integrate/checks/missing.ts";
import { notRun, type Outcome, outcomeOf } from "../../spec/integrate/checks/outcome.ts";
import { type AskedPackages, uninstalledPackage } from "../../spec/integrate/checks/uninstalled.ts";
import type { SourceProject } from "../../spec/integrate/project.ts";
import type { CheckKind, CheckResult, StackCheck } from "../../spec/integrate/report.ts";
import type { PrintedText } from "../../spec/integrate/routes/compare-document.ts";
import { stackChecks } from "../../spec/integrate/stack-checks.ts";
import type { Technology } from "../../spec/spec-contents.ts";
import { isThere } from "../folders.ts";
import type { Host, OrRefusal } from "../host.ts";
import { readTexts } from "../read-text.ts";
import { inTrialPlace, type ToTry, type Trial } from "./trial-place.ts";

export type ToCheck = Omit<ToTry, "warning"> & {
  readonly checks: readonly StackCheck[];
  /** The command that prints the project's API document; null: none is asked for. */
  readonly openapi: string | null;
  /** For each of them. */
  readonly timeoutMs: number;
  readonly tell: CheckTelling;
};

export type CheckTelling = {
  readonly warning: (text: string) => void;
  /** The commands that prepare the copy, if there are any. */
  readonly preparing: (commands: readonly string[]) => void;
  /** Before it runs: the n-th, counted from 1. */
  readonly begins: (check: StackCheck, n: number) => void;
  readonly ended: (result: CheckResult) => void;
  readonly printing: (command: string) => void;
};

export type CheckedCommit = {
  readonly results: readonly CheckResult[];
  /** Null: it was not asked for. */
  readonly document: PrintedText | null;
};

/** After a signal, the remaining checks are reported as not run. */
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

/** `isUsed`: an earlier program may have changed files. */
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
  if (!prepared.ok) return without(n === 1 ? `${UNREADY}: ${prepared.detail}` : UNREADY);
  if (isUsed) await restoreFiles({ repository, commit, tree, tell });
  tell.begins(check, n);
  const end = await call({ kind: "shell", line: check.run }, { timeoutMs, outputTailBytes: COUNTED_BYTES });
  if (end.kind === "not-started") return without(end.failure.message);
  // The copy is temporary: paths are shown as in a checkout.
  const said = { ...end, output: end.output.replaceAll(`${tree}/`, "") };
  const outcome = signal.aborted ? notRun(STOPPED) : await readOutcome(check, said, { timeoutMs, tree });
  const durationMs = Math.round(end.exit.durationMs);
  return { ...check, ...outcome, durationMs, output: endOf(said) };
}

const STOPPED = "stopped";
const UNREADY = "the copy of the commit could not be prepared";

/** Programs count at their end, some once for each package. */
const COUNTED_BYTES = 1024 * 1024;
const KEPT_CHARS = 16_000;

type Ended = Extract<CommandEnd, { readonly kind: "ended" }>;

type Where = { readonly timeoutMs: number; readonly tree: string };

async function readOutcome(
  check: StackCheck,
  { exit, output }: Ended,
  { timeoutMs, tree }: Where,
): Promise<Outcome> {
  const { code, signal, why } = exit;
  const outcome = outcomeOf(check, { code, signal, isLate: why === "total", output }, timeoutMs);
  if (outcome.status !== "red") return outcome;
  const lacks = uninstalledPackage(output, await askedPackages(tree, check.run));
  return lacks === null ? outcome : notRun(formatMissingPackage(lacks, check.run));
}

/** Whole lines of it. */
function endOf({ output }: Ended): string {
  const text = removeColors(output).trimEnd();
  if (text.length <= KEPT_CHARS) return text;
  const kept = text.slice(-KEPT_CHARS);
  return `[earlier output omitted]\n${kept.slice(kept.indexOf("\n") + 1)}`;
}

type Copy = Pick<ToCheck, "repository" | "tell"> & { readonly commit: Oid; readonly tree: string };

/** Each check sees the files of the commit, without the changes of earlier checks. */
async function restoreFiles({ repository, commit, tree, tell }: Copy): Promise<void> {
  try {
    await setCloneBack(repository, tree, { commit, largeFiles: true });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    tell.warning("Could not restore files that a check changed; later checks see them.");
  }
}

/** The packages that the folder of a check asks for, without those that are in the copy. */
async function askedPackages(tree: string, run: string): Promise<AskedPackages> {
  const [, folder = "."] = /^cd ([\w@%+=:,./-]+) && /.exec(run) ?? [];
  const place = join(tree, folder);
  const names = await readdir(place).catch(() => []); // it is not there, and the check says so
  const files = ["pyproject.toml", "requirements.txt", "package.json"];
  const { python, node } = readProject(names, await readTexts(place, files, MOST_BYTES));
  const missing: string[] = [];
  for (const name of [...node.installed.direct.keys()].filter((one) => NAME.test(one))) {
    const folders = [place, tree].map((one) => join(one, "node_modules", name));
    if (!(await Promise.all(folders.map(isThere))).includes(true)) missing.push(name);
  }
  return { node: new Set(missing), python: new Set(python.installed.direct.keys()) };
}

const NAME = /^(?:@[\w.-]{1,100}\/)?[\w.-]{1,200}$/;
const MOST_BYTES = 1024 * 1024;

/** More than any document that people serve. */
const DOCUMENT_BYTES = 32 * 1024 * 1024;
const LAST_LINES = 5;
const MOST_CHARS = 1000;

export async function printDocument(
  { tree, prepared, call }: Trial,
  command: string,
  { signal, timeoutMs, tell }: Pick<ToCheck, "signal" | "timeoutMs" | "tell">,
): Promise<PrintedText> {
  if (signal.aborted) return { command, problem: "stopped" };
  if (!prepared.ok)
    return { command, problem: `the copy of the commit could not be prepared: ${prepared.detail}` };
  tell.printing(command);
  const end = await call({ kind: "shell", line: command }, { timeoutMs, stdoutBytes: DOCUMENT_BYTES });
  if (end.kind === "not-started") return { command, problem: end.failure.message };
  if (signal.aborted) return { command, problem: "stopped" };
  const { exit, stdout } = end;
  const said = formatLastLines(end.output.replaceAll(`${tree}/`, ""));
  if (exit.why === "total") return { command, problem: `no result within ${duration(timeoutMs)}${said}` };
  if (exit.code !== 0) {
    const how = exit.code === null ? `ended by ${exit.signal}` : `exit code ${exit.code}`;
    return { command, problem: `${how}${said}` };
  }
  if (stdout === null) return { command, problem: "it printed more than 32 MB" };
  return stdout.trim() === ""
    ? { command, problem: `standard output is empty${said}` }
    : { command, text: stdout };
}

/** The reason of a failure is at the end; one line may be very long. */
function formatLastLines(output: string): string {
  const lines = lastLines(removeColors(output), LAST_LINES);
  const text = lines.map((line) => line.trim()).join(" / ");
  return text === "" ? "" : `: ${text.length > MOST_CHARS ? `…${text.slice(-MOST_CHARS)}` : text}`;
}

type WhichChecks = {
  readonly project: SourceProject;
  /** As the user or the manifest says it; null: all that the files say. */
  readonly technology: Technology | null;
  /** True: the user named it. A manifest may be wrong about the project. */
  readonly isTyped: boolean;
  /** Of the configuration; null where it says none. */
  readonly configured: readonly ConfiguredCheck[] | null;
};

type ChosenChecks = {
  readonly checks: readonly StackCheck[];
  /** The files have checks, but none in that technology. */
  readonly isOther: boolean;
};

/** The checks of a project: from the configuration, or found by its files. */
export async function whichChecks(asked: WhichChecks): Promise<ChosenChecks> {
  const { project, technology, configured, isTyped } = asked;
  if (configured !== null) return { checks: configured.map(withKind), isOther: false };
  const checks = await stackChecks(project, technology);
  if (isTyped || technology === null || checks.length > 0) return { checks, isOther: false };
  const all = await stackChecks(project, null);
  return { checks: all, isOther: all.length > 0 };
}

function withKind({ name, kind, run }: ConfiguredCheck): StackCheck {
  return { name, kind: kind ?? kindByName(name), run };
}

const kindByName = (name: string): CheckKind => kinds.find(([pattern]) => pattern.test(name))?.[1] ?? "tests";

const kinds: readonly (readonly [RegExp, CheckKind])[] = [
  [/migrat/i, "migrations"],
  [/test|spec|e2e/i, "tests"],
  [/lint|format|fmt|style|ruff|flake8|biome|vet\b/i, "lint"],
  [/types?\b|typecheck|mypy|pyright|tsc/i, "types"],
  [/build|compile|bundle/i, "build"],
];
