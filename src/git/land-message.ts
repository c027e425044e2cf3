// What commits that land say.

import type { RunId, TaskId } from "../core/ids.ts";
import type { Identity } from "./repository.ts";

export type MessageParts = {
  readonly run: RunId;
  /** The name of the plan. */
  readonly plan: string;
  readonly tasks: readonly { readonly task: TaskId; readonly title: string }[];
};

/** The user's own message, with what stands in braces filled in; `{tasks}` alone on a line is a list, else their names. */
export function fillMessage(template: string, { run, plan, tasks }: MessageParts): string {
  const values: Record<string, string> = {
    run,
    plan,
    count: String(tasks.length),
    tasks: tasks.map(({ task }) => task).join(", "),
  };
  return template
    .replace(/^[ \t]*\{tasks\}[ \t]*$/gm, () => listOf(tasks))
    .replace(/\{(run|plan|count|tasks)\}/g, (_, name: string) => values[name] ?? "");
}

/** All work in one commit: a single task speaks for itself. */
export function squashMessage({ plan, tasks }: MessageParts): string {
  const [first, ...others] = tasks;
  if (first !== undefined && others.length === 0) return first.title;
  return `${plan}: ${tasks.length} tasks\n\n${listOf(tasks)}`;
}

function listOf(tasks: MessageParts["tasks"]): string {
  return tasks.map(({ task, title }) => `- ${task}: ${title}`).join("\n");
}

export function signedOffBy({ name, email }: Identity): string {
  return `Signed-off-by: ${name} <${email}>`;
}

/** Adds trailers, to those that are there already where the message ends with some. What is there is not added twice. */
export function withTrailers(message: string, trailers: readonly string[]): string {
  const text = message.trimEnd();
  const paragraphs = text.split(/\n{2,}/);
  const last = paragraphs.length > 1 ? (paragraphs.at(-1)?.split("\n") ?? []) : [];
  const hasTrailers = last.length > 0 && last.every((line) => /^[A-Za-z0-9-]+: /.test(line));
  const fresh = trailers.filter((trailer) => !hasTrailers || !last.includes(trailer));
  if (fresh.length === 0) return `${text}\n`;
  return `${text}${hasTrailers ? "\n" : "\n\n"}${fresh.join("\n")}\n`;
}
