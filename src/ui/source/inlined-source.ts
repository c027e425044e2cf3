import { attemptId } from "../../core/ids.ts";
import type { InlinedAttempt, InlinedRun, TaskAttemptRef } from "../../report/page/wire.ts";
import { type Source, SourceError } from "./source.ts";

/** Everything from the file that the page is in. */
export function inlinedSource(json: string): Source {
  const inlined = JSON.parse(json) as InlinedRun; // written by the plait that the page is of
  const of = ({ task, n }: TaskAttemptRef): InlinedAttempt | undefined =>
    inlined.attempts[attemptId(task, n)];
  return {
    session: async () => ({ ...inlined.session, leftOut: inlined.leftOut }),
    runs: async () => ({ runs: [], damaged: [] }),
    follow: (_run, since, { event, connection }) => {
      connection({ kind: "file" });
      inlined.facts.slice(since).forEach((fact, i) => {
        event({ kind: "fact", n: since + i, fact });
      });
      for (const activity of inlined.activity) event({ kind: "activity", activity });
      event({ kind: "clock", isDriven: inlined.isDriven, now: inlined.madeAt });
      event({ kind: "live" });
    },
    text: async (_run, hash) => inlined.texts[hash] ?? leftOut("this text"),
    prompt: async (attempt) => of(attempt)?.prompt ?? null,
    transcript: async (attempt, from) => ({
      entries: from === null ? (of(attempt)?.transcript ?? leftOut("the transcript")) : [],
      next: "end",
      hasMore: false,
    }),
    log: async (attempt) => of(attempt)?.log ?? leftOut("the log"),
    diff: async (attempt, against) => {
      if (against !== "base")
        throw new SourceError(
          "This file has no comparison of two attempts.",
          `It has what each of them changed. To compare them: plait ui ${attempt.run}`,
        );
      return of(attempt)?.diff ?? leftOut("the diff");
    },
    act: async () => ({ ok: false, message: "This is a file.", hint: "Use plait ui." }),
  };
}

function leftOut(what: string): never {
  throw new SourceError(`This file does not have ${what}.`, "It was left out to keep the file small.");
}
