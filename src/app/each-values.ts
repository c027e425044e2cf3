// What the variables of `each` stand for: the one part of reading a plan that looks at the repository. It is loaded only
// for plans that have such tasks.

import { buildPlanFinding } from "../core/analyze/catalog.ts";
import type { EachVariable, PlanDraft } from "../core/draft.ts";
import type { EmptyFiles } from "../core/each/catalog.ts";
import {
  buildEmptyEach,
  checkEach,
  explainNoFiles,
  type FileSource,
  matchingFiles,
} from "../core/each/check.ts";
import type { ValuesOf } from "../core/each/expand.ts";
import { commandLine } from "../core/each/source-text.ts";
import type { Oid } from "../core/ids.ts";
import type { Command, Env } from "../core/plan.ts";
import type { Diagnostic, Located, SourceRange } from "../core/source.ts";
import { createGit, listTracked, type Tracked } from "../git/index.ts";
import { createGitSpawn } from "../process/git-spawn.ts";
import { openShortPrograms } from "./short-programs.ts";

export type EachPlace = {
  /** The repository is the one around it. */
  readonly cwd: string;
  readonly env: Env;
  /** Whose files are meant; the one that is checked out if left out. */
  readonly commit?: Oid;
  /** Told of each command before it runs; null: commands of the plan are not run. */
  readonly onCommand: ((command: Command) => void | Promise<void>) | null;
};

export type EachValues = { readonly valuesOf: ValuesOf; readonly diagnostics: readonly Diagnostic[] };

export async function findEachValues(draft: PlanDraft, place: EachPlace): Promise<EachValues> {
  const { sound, diagnostics } = checkEach(draft);
  const found: Diagnostic[] = [...diagnostics];
  const values = new Map<EachVariable, readonly string[]>();
  const outside = await openOutside(sound, place);
  for (const variable of sound) {
    const answer = await outside(variable);
    if ("values" in answer) values.set(variable, answer.values);
    else found.push(answer.problem);
  }
  return { valuesOf: (variable) => values.get(variable) ?? null, diagnostics: found };
}

type Answer = { readonly values: readonly string[] } | { readonly problem: Diagnostic };
type Ask = (variable: EachVariable) => Promise<Answer>;

/** The repository is looked at once, and a command that several tasks have runs once. */
async function openOutside(variables: readonly EachVariable[], place: EachPlace): Promise<Ask> {
  const isOutside = variables.some(({ source }) => source.kind !== "values");
  const git = createGit({ spawn: createGitSpawn(), env: place.env });
  const tracked = isOutside ? await listTracked(git, place.cwd, place.commit) : null;
  const answers = new Map<string, Promise<Answer>>();
  return (variable) => {
    const { source } = variable;
    if (source.kind === "values") return Promise.resolve(some(variable, texts(source.values)));
    if (source.kind === "files") return Promise.resolve(ofFiles(variable, source, tracked));
    const key = JSON.stringify(source.run.value);
    const answer = answers.get(key) ?? ofCommand(variable, source.run, { ...place, tracked });
    answers.set(key, answer);
    return answer;
  };
}

function ofFiles(variable: EachVariable, source: FileSource, tracked: Tracked | null): Answer {
  const at = source.patterns[0]?.at ?? variable.name.at;
  if (tracked === null) return { problem: noRepository(variable, at) };
  const paths = tracked.files.map(({ path }) => path);
  const matching = matchingFiles(source, paths);
  const unreadable = new Set(tracked.files.filter(({ isUtf8 }) => !isUtf8).map(({ path }) => path));
  const bad = matching.find((path) => unreadable.has(path));
  if (bad !== undefined)
    return { problem: buildPlanFinding("bad-each", { kind: "not-utf8", path: bad }, at) };
  return some(variable, matching, matching.length > 0 ? undefined : explainNoFiles(source, paths));
}

async function ofCommand(
  variable: EachVariable,
  { value: command, at }: Located<Command>,
  { tracked, env, onCommand }: EachPlace & { readonly tracked: Tracked | null },
): Promise<Answer> {
  const name = variable.name.value;
  const line = commandLine(command);
  if (onCommand === null) return { problem: buildPlanFinding("each-not-run", { name, line }, at) };
  const root = tracked?.root ?? null;
  if (root === null) return { problem: noRepository(variable, at) };
  await onCommand(command);
  const ended = await linesOfCommand(command, { root, env });
  if (ended.ok) return some(variable, ended.lines);
  const output = ended.said.trimEnd().split("\n").slice(-LINES_SHOWN).join("\n");
  return { problem: buildPlanFinding("each-command", { line, problem: ended.problem, output }, at) };
}

const LINES_SHOWN = 8;

function some(variable: EachVariable, values: readonly string[], files?: EmptyFiles): Answer {
  return values.length > 0 ? { values } : { problem: buildEmptyEach(variable, files) };
}

function noRepository({ name }: EachVariable, at: SourceRange): Diagnostic {
  return buildPlanFinding("each-repository", { name: name.value }, at);
}

const texts = (list: readonly { readonly value: string }[]): string[] => list.map(({ value }) => value);

/** The lines, or why there are none, as the end of a sentence about the command, with what it printed last. */
type CommandLines =
  | { readonly ok: true; readonly lines: readonly string[] }
  | { readonly ok: false; readonly problem: string; readonly said: string };

type CommandPlace = { readonly root: string; readonly env: Env };

const TIMEOUT_MS = 60_000;
const MOST_BYTES = 4 * 1024 * 1024;

async function linesOfCommand(command: Command, { root, env }: CommandPlace): Promise<CommandLines> {
  const opened = await openShortPrograms("each", env);
  if (!opened.ok) return { ok: false, problem: "could not be started", said: opened.message };
  const argv = command.kind === "shell" ? ["sh", "-c", command.line] : command.argv;
  const invocation = { argv, cwd: root, env, stdin: null };
  const ended = await opened.programs
    .run(invocation, { timeoutMs: TIMEOUT_MS, mostBytes: MOST_BYTES })
    .finally(opened.programs.close);
  if (ended.kind === "not-started")
    return { ok: false, problem: "could not be started", said: ended.failure.message };
  const { code, signal, why, stderrTail } = ended.exit;
  if (why !== null) return { ok: false, problem: "took more than a minute", said: stderrTail };
  if (code !== 0) {
    const how = code === null ? `was killed by ${signal}` : `exited with code ${code}`;
    return { ok: false, problem: how, said: stderrTail };
  }
  return ended.stdout === null
    ? { ok: false, problem: `printed more than ${MOST_BYTES} bytes`, said: "" }
    : readLines(ended.stdout);
}

/** Blanks at the ends are kept, since names of files may have them; empty lines and repeated ones say nothing. */
function readLines(output: Buffer): CommandLines {
  const text = output.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(output))
    return { ok: false, problem: "printed something that is not UTF-8", said: "" };
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return { ok: true, lines: [...new Set(lines)] };
}
