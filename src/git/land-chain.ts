// What is merged on the integration branch, read from git: one commit for each task, in the order of merging, each by its
// first parent on the one before.

import { type AttemptId, attemptId, type Oid, oid, parseTaskId, type TaskId } from "../core/ids.ts";
import type { Author } from "./commit.ts";
import { type SplitMessage, splitMessage } from "./land-message.ts";
import { callShadow, type Shadow } from "./shadow.ts";

export type ChainLink = {
  readonly commit: Oid;
  readonly tree: Oid;
  /** What it was merged on. */
  readonly from: Oid;
  /** The commit whose author did the work: the attempt's result. */
  readonly work: Oid;
  readonly title: string;
  readonly message: string;
  /** Null for a commit of somebody else's. */
  readonly task: { readonly task: TaskId; readonly attempt: AttemptId } | null;
};

/** Oldest first. */
export async function readChain(shadow: Shadow, base: Oid, tip: Oid): Promise<ChainLink[]> {
  const trailer = (key: string) => `%(trailers:key=${key},valueonly,separator=%x20)`;
  const format = ["%H", "%T", "%P", "%s", "%B", trailer("Plait-Task"), trailer("Plait-Attempt")].join("%x00");
  const args = ["log", "-z", "--reverse", "--first-parent", `--format=${format}`, `${base}..${tip}`];
  const fields = await readFields(shadow, args);
  return Array.from({ length: Math.floor(fields.length / 7) }, (_, i) => {
    const [commit = "", tree = "", parents = "", title = "", message = "", task = "", n = ""] = fields.slice(
      i * 7,
    );
    const [from = "", work = commit] = parents.split(" ");
    const parsed = parseTaskId(task);
    return {
      ...{ commit: oid(commit), tree: oid(tree), from: oid(from), work: oid(work), title, message },
      task:
        parsed.ok && /^\d+$/.test(n) ? { task: parsed.id, attempt: attemptId(parsed.id, Number(n)) } : null,
    };
  });
}

/** Who wrote each of these commits, and when. */
export async function readAuthors(shadow: Shadow, commits: readonly Oid[]): Promise<Map<Oid, Author>> {
  if (commits.length === 0) return new Map();
  const format = "--format=%H%x00%an%x00%ae%x00%ad";
  const args = ["log", "-z", "--no-walk=unsorted", "--date=raw", format, "--stdin"];
  const fields = await readFields(shadow, args, commits.map((commit) => `${commit}\n`).join(""));
  const authors = new Map<Oid, Author>();
  for (let i = 0; i + 3 < fields.length; i += 4) {
    const [commit = "", name = "", email = "", date = ""] = fields.slice(i, i + 4);
    authors.set(oid(commit), { name, email, date: `@${date}` });
  }
  return authors;
}

async function readFields(shadow: Shadow, args: readonly string[], stdin?: string): Promise<string[]> {
  const config = ["i18n.logOutputEncoding=UTF-8"];
  const { stdout } = await callShadow(shadow, { args, config, ...(stdin === undefined ? {} : { stdin }) });
  return stdout.toString("utf8").split("\0");
}

type OwnMessagesInput = {
  /** Results of hand-ins. */
  readonly of: readonly Oid[];
  /** What they began from, and what agents did before. */
  readonly without: readonly Oid[];
};

/** Oldest first, each once. */
export async function readOwnMessages(
  shadow: Shadow,
  { of, without }: OwnMessagesInput,
): Promise<SplitMessage[]> {
  const format = "--format=%(trailers:key=Plait-Task,valueonly,separator=%x20)%x00%B";
  const order = ["--reverse", "--topo-order", "--first-parent", "--no-merges"];
  const fields = await readFields(shadow, ["log", "-z", ...order, format, ...of, "--not", ...without]);
  const messages = new Set<string>();
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [task = "", message = ""] = fields.slice(i, i + 2);
    if (task.trim() === "" && message.trim() !== "") messages.add(message.trim());
  }
  return [...messages].map(splitMessage);
}
