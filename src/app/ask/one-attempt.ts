// One try to get an answer: the agent is started where it looks around, heard, and its end understood.

import type { Adapter, Conclusion, Conversation, EndedBy, InvokeInput } from "../../agents/adapter.ts";
import type { Usage } from "../../core/facts.ts";
import type { AttemptFailure } from "../../core/failure.ts";
import { attemptId } from "../../core/ids.ts";
import { plainText } from "../../core/text/sentence.ts";
import { listen } from "../../engines/local/effects/listen.ts";
import { inheritable } from "../../engines/local/run-context.ts";
import { agentGitEnvironment } from "../../git/index.ts";
import { openLog } from "../../process/attempt-log.ts";
import type { Masker } from "../../process/mask/masker.ts";
import { endedOnAbort } from "../../process/run-command.ts";
import { type Exit, type Lifeline, supervise } from "../../process/supervise.ts";
import { clockOf, type Host } from "../host.ts";
import { type Asking, type Reply, taskName, workOf } from "./asking.ts";
import type { ReadOnlyCheckout } from "./looking-place.ts";
import type { TalkRecord } from "./record.ts";

/** All that the tries of a question share. */
export type AskSite = {
  readonly host: Host;
  readonly place: ReadOnlyCheckout;
  readonly record: TalkRecord;
  readonly masker: Masker;
  readonly lifeline: Lifeline;
  readonly adapter: Adapter;
};

export type ToAttempt = Asking & {
  /** Counted from 1 over all questions. */
  readonly n: number;
  readonly prompt: string;
  readonly conversation: Conversation;
  /** What was spent on the conversation that it goes on with; null where it begins one. */
  readonly before: Usage | null;
};

export type Said = { readonly reply: Reply; readonly usage: Usage; readonly conversation: string | null };

/** A document may be long, and all of it counts. */
const MAX_TEXT = 1_000_000;
const MAX_LINE_BYTES = 8 * 1024 * 1024;

export async function makeAttempt(site: AskSite, asked: ToAttempt): Promise<Said> {
  const { record, adapter } = site;
  await record.put(record.prompt(asked.n), asked.prompt);
  if (asked.schema !== null) await record.put(record.schema(asked.n), JSON.stringify(asked.schema));
  const invoked = adapter.invoke(inputFor(site, asked));
  if (!invoked.ok) return nothing({ reason: "rejected", detail: invoked.problem.message });
  const { argv, env, stdin, notes } = invoked.invocation;
  const heard = await hear(site, asked);
  const opened = await openLog(record.log(asked.n));
  const log = opened.ok ? opened.log : null; // a full disk costs the log, not the answer
  try {
    for (const note of notes) await heard.note(note);
    const { host, place, masker, lifeline } = site;
    const started = await supervise(
      {
        argv,
        stdin,
        cwd: place.tree,
        env: { ...inheritable(host.env), ...agentGitEnvironment(null), ...env },
      },
      {
        ...{ masker, lifeline, clock: clockOf(host), limits: asked.limits, maxLineBytes: MAX_LINE_BYTES },
        ...{ marker: `${place.marker}.${asked.n}`, runMarker: place.marker, worktree: place.tree },
        ...(log === null ? {} : { log }),
        onLine: ({ text }) => heard.line(text),
      },
    );
    if (!started.ok) return nothing({ reason: "environment", detail: started.failure.message });
    const exit = await endedOnAbort(started, asked.signal);
    const conclusion = heard.reading().conclude(endingOf(site, asked, exit));
    const reply = replyOf(conclusion);
    // As with the log: a full disk costs the copy, not the answer.
    if (reply.ok) await record.put(record.answer(asked.n), reply.text).catch(() => undefined);
    return { reply, usage: conclusion.usage, conversation: conclusion.conversation };
  } finally {
    await heard.close();
    await log?.close();
  }
}

const NOTHING = { costUsd: null, inputTokens: null, outputTokens: null };
const nothing = (failure: AttemptFailure): Said => ({
  reply: { ok: false, failure },
  usage: NOTHING,
  conversation: null,
});

function inputFor({ host, place, record }: AskSite, asked: ToAttempt): InvokeInput {
  const { name, n, prompt, conversation, schema } = asked;
  return {
    task: taskName(name),
    attempt: n,
    work: workOf(asked, prompt),
    access: "read-only",
    ...{ owns: [], reports: [], dir: null, deny: [], sandboxed: false, systemPrompt: null, sharedFile: null },
    prompt,
    promptFile: record.prompt(n),
    worktree: place.tree,
    conversation,
    isRoot: process.getuid?.() === 0,
    allowRoot: host.allowRoot,
    answer: schema === null ? null : { schema, schemaFile: record.schema(n) },
  };
}

function hear({ host, record, adapter, place }: AskSite, { n, name, tell }: ToAttempt) {
  return listen(
    {
      folder: { transcript: () => record.transcript(n) },
      tell: ({ action, usage }) => {
        if (action !== null) tell.doing(plainText(action), usage);
      },
    },
    attemptId(taskName(name), n),
    { reading: adapter.reader(place.tree, MAX_TEXT), now: clockOf(host).now },
  );
}

function endingOf({ host }: AskSite, { before }: ToAttempt, exit: Exit) {
  const { code, signal, stderrTail, why } = exit;
  return {
    ...{ code, signal, stderr: stderrTail, endedBy: endedBy(why), before },
    at: clockOf(host).now(),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    access: "read-only" as const,
    gated: false,
  };
}

function endedBy(why: Exit["why"]): EndedBy | null {
  if (why === null) return null;
  if (why === "stop" || why === "kill") return { reason: "cancelled", because: "stop" };
  return { reason: "timeout", clock: why };
}

/** A document is an answer whatever was said around it; words that end with a no are one only without it. */
function replyOf({ failure, text, answer }: Conclusion): Reply {
  if (answer !== undefined && (failure === null || failure.reason === "agent-said-no"))
    return { ok: true, text: `${JSON.stringify(answer, null, 2)}\n` };
  return failure === null ? { ok: true, text } : { ok: false, failure };
}
