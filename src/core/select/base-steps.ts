import { redBaseChecks } from "../base-check.ts";
import type { MissingFiles } from "../facts.ts";
import type { Plan } from "../plan.ts";
import { checkKey } from "../run-index.ts";
import type { RunState } from "../run-state.ts";
import { get } from "../sorted-map.ts";
import {
  type Command,
  type CommandWord,
  formatCommand,
  type NextStep,
  otherCommand,
  plait,
  shellWord,
} from "../text/command.ts";
import { shortOid } from "../text/figures.ts";
import { command, listing, plainText, type Sentence, sentence, sentenceForRun } from "../text/sentence.ts";

/** A run that stopped at its base commit: what to type next, and what may be the reason. */

/** Starts a new run as it was typed; null where its prompts cannot be typed again: they were read from stdin, or are too long. */
export function runAgain({ source: { format, path, words } }: Plan): Command | null {
  if (words !== undefined) return plait("run", words);
  return format === "prompts" ? null : plait("run", path);
}

export const initSubmodules = otherCommand("git", "submodule update", ["--init", "--recursive"]);

export function redBaseSteps(state: RunState): [NextStep, ...NextStep[]] {
  const [red] = listRed(state);
  if (red?.isUnprepared) return setupSteps(state);
  const { run, base, index } = state;
  const logs = { command: plait("logs", [], { run }), purpose: "see why the gate is red" };
  const all = [
    ...missingSteps(state),
    logs,
    ...startAgain(index.plan),
    { command: plait("resume", run), purpose: `check ${shortOid(base.commit)} again` },
    { command: plait("resume", run, { "allow-red-base": true }), purpose: "continue on a red base commit" },
  ];
  const typed = all.map((step) => formatCommand(step.command));
  const [first = logs, ...others] = all.filter((_, i) => typed.indexOf(typed[i] ?? "") === i);
  return [first, ...others];
}

const listRed = (state: RunState) =>
  redBaseChecks(state).map((check) => get(state.redOnBase, checkKey(check)));

function startAgain(plan: Plan): NextStep[] {
  const again = runAgain(plan);
  const purpose = "start a new run from the commit that fixes it";
  return again === null ? [] : [{ command: again, purpose }];
}

/** No gate ran: agents would fail at the same setup, so a red base commit is not an option. */
function setupSteps({ run, base, index: { plan } }: RunState): [NextStep, ...NextStep[]] {
  const { source, prepare } = plan;
  const logs = { command: plait("logs", [], { run }), purpose: "see the output of the setup" };
  const resume = (purpose: string): NextStep => ({ command: plait("resume", run), purpose });
  if (prepare.setup.length === 0)
    return [logs, ...startAgain(plan), resume(`prepare ${shortOid(base.commit)} again`)];
  if (source.format !== "prompts" || source.typed?.setup === undefined) {
    const place = source.format === "prompts" ? "" : `${source.path} or `;
    return [
      logs,
      resume(`continue after you edit setup in ${place}a configuration file`),
      ...startAgain(plan),
    ];
  }
  const other = source.words === undefined ? null : plait("run", replaceSetup(source.words));
  const purpose = "start a new run with another setup";
  return [logs, ...(other === null ? [] : [{ command: other, purpose }]), resume("run the same setup again")];
}

function replaceSetup(words: readonly string[]): CommandWord[] {
  const placeholder = { placeholder: "command" };
  return words.flatMap((word, i): CommandWord[] => {
    if (words[i - 1] === "--setup") return [placeholder];
    return word.startsWith("--setup=") ? ["--setup", placeholder] : [word];
  });
}

/** What worktrees lacked when the gate was red, where that is known. */
function findMissing(state: RunState): MissingFiles {
  const found = listRed(state).find((red) => red?.missing !== undefined);
  return found?.missing ?? { folders: [], notIgnored: [], submodules: [] };
}

/** A plan without a file has flags in place of keys, and only a new run takes them. */
function missingSteps(state: RunState): NextStep[] {
  const { run, base, index } = state;
  const { source } = index.plan;
  const { folders, notIgnored, submodules } = findMissing(state);
  const steps: NextStep[] = [];
  const resume = plait("resume", run);
  if (submodules.length > 0) {
    const noun = submodules.length === 1 ? "submodule" : "submodules";
    steps.push(
      { command: initSubmodules, purpose: `fill the ${noun} ${list(submodules)}` },
      { command: resume, purpose: `check ${shortOid(base.commit)} again` },
    );
  }
  if (notIgnored.length > 0)
    steps.push({ command: resume, purpose: `continue after you add ${list(notIgnored)} to .gitignore` });
  if (folders.length === 0) return steps;
  if (source.format !== "prompts") {
    const purpose = `continue after you set copy: [${folders.join(", ")}] in ${source.path}`;
    return [...steps, { command: resume, purpose }];
  }
  const copying = copyingRun(index.plan, folders);
  const purpose = `start a new run with ${list(folders)} in worktrees`;
  return copying === null ? steps : [...steps, { command: copying, purpose }];
}

const SHOWN = 3;

const list = (paths: readonly string[]): string => plainText(listing(paths, SHOWN));

function copyingRun(plan: Plan, folders: readonly string[]): Command | null {
  const again = runAgain(plan);
  if (again === null) return null;
  const words = again.args.filter((word) => word !== "--no-copy");
  return { ...again, args: [...words, ...folders.flatMap((folder) => ["--copy", folder])] };
}

/** Folders that tools fill and projects ignore. Which installer fills them depends on the project, so only copies are suggested. */
export const DEPENDENCY_FOLDERS: readonly string[] = ["node_modules", ".venv", "venv", "vendor"];

/** Why the gate may be red: one sentence for each folder that worktrees do not have. */
export function listBaseHints(state: RunState): Sentence[] {
  const { folders, notIgnored } = findMissing(state);
  const leftOut = formatNotIgnored(notIgnored);
  return [
    ...(leftOut === null ? [] : [sentence`${leftOut}, then: ${command(plait("resume", state.run))}`]),
    ...folders.map((folder) => describeMissing(folder, state)),
  ].map((hint) => sentenceForRun(state, hint));
}

/** Why dependency folders of the checkout are not copied; null where there are none. */
export function formatNotIgnored(folders: readonly string[]): string | null {
  if (folders.length === 0) return null;
  const [is, them] = folders.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${list(folders)} ${is} not ignored by git, so worktrees do not get ${them}; add ${them} to .gitignore`;
}

function describeMissing(folder: string, { run, index: { plan } }: RunState): Sentence {
  const where = `${folder} is in your checkout but not in worktrees. If a gate needs it`;
  if (plan.source.format === "prompts") {
    const copying = copyingRun(plan, [folder]);
    const typed = copying === null ? "" : sentence`: ${command(copying)}`;
    return sentence`${where}, add --copy ${shellWord(folder)} to a new run${typed}`;
  }
  return sentence`${where}, set copy: [${folder}] in ${plan.source.path}, then: ${command(plait("resume", run))}`;
}
