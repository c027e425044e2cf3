// What commits that land say.

import type { RunId, TaskId } from "../core/ids.ts";
import type { Identity } from "./repository.ts";

type MessageParts = {
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
    .replace(/^[ \t]*\{tasks\}[ \t]*$/gm, () =>
      tasks.map(({ task, title }) => `- ${task}: ${title}`).join("\n"),
    )
    .replace(/\{(run|plan|count|tasks)\}/g, (_, name: string) => values[name] ?? "");
}

/** A merge of the integration branch, as far as messages go. */
type MessageLink = {
  readonly title: string;
  readonly message: string;
  readonly task: { readonly task: TaskId } | null;
};

/**
 * Of several merges as one commit. One task keeps the subject of its last merge, and all that its agents reported; of several each is an
 * item with the first paragraph of its report.
 */
export function joinMessages(
  links: readonly MessageLink[],
  { run, plan }: { readonly run: RunId; readonly plan: string },
): string {
  const parts = links.map((link) => ({ ...splitMessage(link.message), id: link.task?.task ?? null }));
  const [first] = parts;
  if (first === undefined) return withTrailers(plan, [`Plait-Run: ${run}`]);
  const tasks = [...new Set(parts.flatMap(({ id }) => (id === null ? [] : [id])))];
  const ofPeople = parts.flatMap(({ trailers }) => trailers).filter((line) => !line.startsWith("Plait-"));
  const isOne = parts.every(({ id }) => id === first.id);
  if (isOne) {
    const bodies = [...new Set(parts.map(({ body }) => body))].filter((body) => body !== "");
    const last = parts.at(-1) ?? first; // a task that was redone may have another title
    const own = last.trailers.filter((line) => line.startsWith("Plait-"));
    return withTrailers([last.subject, ...bodies].join("\n\n"), [...own, ...ofPeople]);
  }
  const items = tasks.map((task) => formatShort(parts.filter(({ id }) => id === task)));
  const isLong = items.some((item) => item.includes("\n"));
  const text = `${plan}: ${tasks.length} tasks\n\n${items.join(isLong ? "\n\n" : "\n")}`;
  return withTrailers(text, [
    `Plait-Run: ${run}`,
    ...tasks.map((task) => `Plait-Task: ${task}`),
    ...new Set(ofPeople),
  ]);
}

/** The first paragraph is enough among others. */
function formatShort(merges: readonly SplitMessage[]): string {
  const { subject = "", body = "" } = merges.at(-1) ?? {};
  const [paragraph = ""] = body.split(/\n{2,}/).filter((one) => !endsSubject(one, subject));
  return formatItem({ subject, body: paragraph });
}

/** A message as an item of a list. */
export function formatItem({ subject, body }: Pick<SplitMessage, "subject" | "body">): string {
  const indented = body === "" ? "" : `\n\n${body.replaceAll(/^(?=.)/gm, "  ")}`;
  return `- ${subject}${indented}`;
}

/** A subject that was cut ends in the first paragraph, which is not yet the report. */
const endsSubject = (paragraph: string, subject: string): boolean =>
  subject.endsWith("…") && paragraph.startsWith("…");

export type SplitMessage = {
  readonly subject: string;
  /** Without the trailers; empty where there is nothing but a subject. */
  readonly body: string;
  readonly trailers: readonly string[];
};

export function splitMessage(message: string): SplitMessage {
  const [subject = "", ...paragraphs] = message.trim().split(/\n{2,}/);
  const last = paragraphs.at(-1)?.split("\n") ?? [];
  const hasTrailers = last.length > 0 && last.every(isTrailer);
  const body = hasTrailers ? paragraphs.slice(0, -1) : paragraphs;
  return { subject, body: body.join("\n\n"), trailers: hasTrailers ? last : [] };
}

const isTrailer = (line: string): boolean => /^[A-Za-z0-9-]+: /.test(line);

export function signedOffBy({ name, email }: Identity): string {
  return `Signed-off-by: ${name} <${email}>`;
}

/** Adds trailers, to those that are there already where the message ends with some. What is there is not added twice. */
export function withTrailers(message: string, trailers: readonly string[]): string {
  const text = message.trimEnd();
  const paragraphs = text.split(/\n{2,}/);
  const last = paragraphs.length > 1 ? (paragraphs.at(-1)?.split("\n") ?? []) : [];
  const hasTrailers = last.length > 0 && last.every(isTrailer);
  const fresh = [...new Set(trailers)].filter((trailer) => !hasTrailers || !last.includes(trailer));
  if (fresh.length === 0) return `${text}\n`;
  return `${text}${hasTrailers ? "\n" : "\n\n"}${fresh.join("\n")}\n`;
}
