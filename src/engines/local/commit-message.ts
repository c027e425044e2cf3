// The message of the commit that a task becomes: what the plan calls it, what its agent reported, and whose work it is.

import { formatCoAuthor, formatCommitBody, muteReferences } from "../../agents/commit-body.ts";
import { findAgent } from "../../agents/registry.ts";
import { type AttemptId, splitAttemptId } from "../../core/ids.ts";
import type { Task } from "../../core/plan.ts";
import type { RunState } from "../../core/run-state.ts";
import { formatItem, readOwnMessages } from "../../git/index.ts";
import { readAgentSummary } from "./agent-summary.ts";
import { pastAttempt, type RunContext, taskOf } from "./run-context.ts";
import type { RunFolder } from "./run-folder.ts";

/** Longer subjects are cut by git's own tools and by servers. */
const LONGEST_SUBJECT = 72;

/** The first line of a commit about a task: as the plan words it, else its title, else the first line of its prompt. */
export async function formatCommitSubject(
  site: RunContext,
  template: string | null | undefined,
  task: Task,
): Promise<string> {
  if (template !== null && template !== undefined) {
    return template.replace(/\{(task|title)\}/g, (_, key) => (key === "task" ? task.id : task.title));
  }
  return cutAtWord(await readTitle(site, task)).subject;
}

export type CommitMessage = {
  readonly title: string;
  /** Empty where the agent reported nothing. */
  readonly body: string;
  /** Beside those of plait. */
  readonly trailers: readonly string[];
};

/** Of an attempt that is merged. The same each time: it is made of the journal and what lies beside it. */
export async function buildCommitMessage(
  site: RunContext,
  state: RunState,
  attempt: AttemptId,
): Promise<CommitMessage> {
  const { task } = taskOf(state, splitAttemptId(attempt).task);
  const { mergeMessage } = state.index.plan;
  const title = await formatCommitSubject(site, mergeMessage, task);
  const { coAuthor = false } = state.policy.landStyle;
  const trailers = coAuthor ? findCoAuthor(site, state, attempt) : [];
  if (mergeMessage !== null) return { title, body: "", trailers }; // the plan words its commits itself
  const own = await readPersonMessage(site, state, attempt);
  if (own !== null) return own;
  const { rest } = cutAtWord(await readTitle(site, task));
  const merged = pastAttempt(state, attempt);
  const summary = merged === null ? "" : await readAgentSummary(site.folder, state, merged);
  const paragraphs = [formatCommitBody(rest), muteReferences(formatCommitBody(summary))];
  const body = paragraphs.filter((text) => text !== "").join("\n\n");
  return { title, body, trailers };
}

/** As the person wrote it who finished the task: the first commit, and the others as items below it. Null where there is none. */
async function readPersonMessage(
  { shadow, masker }: RunContext,
  state: RunState,
  attempt: AttemptId,
): Promise<CommitMessage | null> {
  const { past } = taskOf(state, splitAttemptId(attempt).task).now;
  const merged = past.findIndex(({ id }) => id === attempt);
  if (past[merged]?.author !== "person") return null;
  // A hand-in that did not pass belongs to the same work.
  const start =
    past.findLastIndex(({ author, isMerged }, n) => n < merged && (author === "agent" || isMerged)) + 1;
  const ofPerson = past.slice(start, merged + 1);
  const messages = await readOwnMessages(shadow, {
    of: ofPerson.map(({ saved }) => saved.result.commit),
    without: [
      ...past.slice(0, start).map(({ saved }) => saved.result),
      ...ofPerson.map(({ base }) => base),
    ].map(({ commit }) => commit),
  });
  const [first, ...rest] = messages;
  if (first === undefined) return null;
  const body = [first.body, ...rest.map(formatItem)].filter((text) => text !== "").join("\n\n");
  const trailers = new Set(messages.flatMap((one) => one.trailers));
  return {
    title: masker.text(first.subject.replaceAll("\n", " ")),
    body: masker.text(body),
    trailers: [...trailers].map(masker.text),
  };
}

const readTitle = ({ folder, masker }: RunContext, task: Task): Promise<string> =>
  readTaskTitle({ folder, mask: masker.text }, task);

/** `rest`: begins the body, as servers cut a long subject; empty where nothing was cut. */
function cutAtWord(text: string): { readonly subject: string; readonly rest: string } {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= LONGEST_SUBJECT) return { subject: line, rest: "" };
  const space = line.lastIndexOf(" ", LONGEST_SUBJECT - 2);
  const end = space > LONGEST_SUBJECT / 2 ? space : LONGEST_SUBJECT - 1;
  return { subject: `${line.slice(0, end).replace(/[\s,;:.-]+$/, "")}…`, rest: `…${line.slice(end).trim()}` };
}

function findCoAuthor(site: RunContext, state: RunState, attempt: AttemptId): string[] {
  const { work } = taskOf(state, splitAttemptId(attempt).task).task;
  if (work.kind !== "agent" || pastAttempt(state, attempt)?.author === "person") return [];
  const found = findAgent(site.agents, work.agent.use);
  return found.ok ? [`Co-Authored-By: ${formatCoAuthor(found.adapter)}`] : [];
}

type TitleSource = {
  readonly folder: Pick<RunFolder, "text">;
  readonly mask: (text: string) => string;
};

/** As the plan calls it, else the first line of its prompt. Prompts may hold what must not be shown; plans without titles have nothing else to say (I13). */
export async function readTaskTitle(
  { folder, mask }: TitleSource,
  { id, title, work }: Pick<Task, "id" | "title" | "work">,
): Promise<string> {
  const isNamed = title !== id && (work.kind !== "agent" || title !== work.prompt.file);
  if (isNamed) return mask(title);
  if (work.kind === "command") {
    const { run } = work;
    return mask(`Run ${run.kind === "shell" ? run.line : run.argv.join(" ")}`);
  }
  const prompt = (await folder.text(work.prompt.hash)) ?? "";
  const line = prompt
    .split("\n")
    .map(plainLine)
    .find((one) => /\p{L}/u.test(one));
  return line === undefined ? `Do ${id}` : mask(line);
}

/** A heading or an item is as good as a sentence. */
function plainLine(line: string): string {
  return line
    .replace(/^\s*(?:#{1,6}|[-*+>]|\d+[.)])\s+/, "")
    .replaceAll(/\*\*|__|\s+/g, (found) => (/\s/.test(found) ? " " : ""))
    .replace(/^(?:task|goal)\s*:\s*/i, "")
    .trim();
}
