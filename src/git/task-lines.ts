// Which tasks a commit is of, by its message. plait writes trailers; servers that make one commit of many put the messages of all of them one
// after another, in lists or indented, so that lines count wherever they stand.

export type NamedTask = {
  readonly task: string;
  /** As the same paragraph says; null: a person wrote it. */
  readonly run: string | null;
};

/** What a line that names a task begins with, for `git log --grep`. */
export const TASK_LINE = "[[:space:]>*-]*Plait-Task:[[:space:]]";

const LINE = /^[\s>*-]*Plait-(Task|Run):[ \t]+(\S+)\s*$/;

/** Each once for each run, in their order. */
export function namedTasks(message: string): NamedTask[] {
  const found = new Map<string, NamedTask>();
  for (const paragraph of message.split(/\n[\s>]*\n/)) {
    const lines = paragraph.split("\n").flatMap((line) => {
      const [, key, value] = LINE.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [{ key, value }];
    });
    let run = lines.find(({ key }) => key === "Run")?.value ?? null;
    for (const { key, value } of lines) {
      if (key === "Run") run = value;
      else found.set(`${value} ${run}`, { task: value, run });
    }
  }
  return [...found.values()];
}

/**
 * A server lists the commits of a pull request as `* subject`, each with its body below. One without a task was made by a person, and what it
 * changed is in the same commit as the work of tasks. A list inside of a body has its lines together.
 */
export function hasUnnamedPart(message: string): boolean {
  const [, ...parts] = message.replaceAll("\r", "").split(/\n[ \t]*\n\* (?=[^\n]*(?:\n[ \t]*\n|\s*$))/);
  return parts.some((part) => namedTasks(part).length === 0);
}
