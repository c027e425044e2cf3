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
