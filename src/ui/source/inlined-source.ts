import { attemptId } from "../../core/ids.ts";
import { formatCommand, plait } from "../../core/text/command.ts";
import type { InlinedAttempt, InlinedRun, TaskAttemptRef } from "../../report/page/wire.ts";
import { type Source, SourceError } from "./source.ts";

/** Everything from the report file itself. */
export function inlinedSource(json: string): Source {
  const inlined = JSON.parse(json) as InlinedRun; // written by the same version of plait
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
      event({ kind: "clock", isRunning: inlined.isRunning, now: inlined.madeAt });
      event({ kind: "live" });
    },
    text: async (_run, hash) => inlined.texts[hash] ?? leftOut("this output"),
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
          "This file has no comparisons of attempts.",
          `Compare them in the web UI: ${formatCommand(plait("ui", attempt.run))}`,
        );
      return of(attempt)?.diff ?? leftOut("the diff");
    },
    act: async () => ({
      ok: false,
      message: "A report file cannot change the run.",
      hint: `Open the web UI: ${formatCommand(plait("ui"))}`,
    }),
  };
}

function leftOut(what: string): never {
  throw new SourceError(`This file does not include ${what}.`, "It was omitted to keep the file small.");
}
