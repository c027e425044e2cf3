import { type RunId, splitAttemptId } from "../../core/ids.ts";
import { formatCommand, plait } from "../../core/text/command.ts";
import type { ActionAnswer, DiffAgainst, TaskAttemptRef } from "../../report/page/wire.ts";
import { followFacts, type Pace } from "./follow-facts.ts";
import { openChannel, sharedToken } from "./shared-token.ts";
import { type Source, SourceError } from "./source.ts";
import { always, createStreamTurns, type Turns } from "./stream-turns.ts";

/** Everything from the server that the page was loaded from. */
export function httpSource(): Source {
  const { token, answered } = sharedToken(globalThis, openChannel());
  const turns = createStreamTurns({ document, locks: navigator.locks ?? null });
  return sourceAt({ origin: "", token, answered, turns });
}

export type ServerAddress = {
  /** Empty for the server of the page itself. */
  readonly origin: string;
  /** It may have to be asked for first. */
  readonly token: string | null | Promise<string | null>;
  /** Called with the status of every answer. */
  readonly answered?: (status: number) => void;
  readonly pace?: Partial<Pace>;
  readonly turns?: Turns;
};

export function sourceAt({ origin, pace = {}, turns = always, ...address }: ServerAddress): Source {
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const token = await address.token;
    const response = await fetch(`${origin}/api${path}`, {
      ...init,
      headers: { ...init.headers, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
    });
    address.answered?.(response.status);
    return response;
  };
  const read = async <T>(path: string): Promise<T> => documentIn<T>(await reached(ask(path)));
  return {
    session: () => read("/session"),
    runs: () => read("/runs"),
    follow: (run, since, listener, signal) => {
      // A browser sends this header by itself only for streams that cannot carry a token.
      const stream = (from: number, until: AbortSignal) =>
        ask(`${pathOf(run)}/facts`, {
          signal: until,
          headers: from === 0 ? {} : { "Last-Event-ID": String(from - 1) },
        });
      void followFacts({ ask: stream, since, listener, signal, pace, turns });
    },
    text: (run, hash) => read(`${pathOf(run)}/texts/${hash}`),
    prompt: (attempt) => read(`${attemptPath(attempt)}/prompt`),
    transcript: (attempt, from) =>
      read(`${attemptPath(attempt)}/transcript${from === null ? "" : `?from=${encodeURIComponent(from)}`}`),
    log: (attempt) => read(`${attemptPath(attempt)}/log`),
    diff: (attempt, against) => read(`${attemptPath(attempt)}/diff?against=${formatAgainst(against)}`),
    act: async (run, action): Promise<ActionAnswer> => {
      const body = JSON.stringify(action);
      const headers = { "Content-Type": "application/json" };
      try {
        const answer = await reached(ask(`${pathOf(run)}/actions`, { method: "POST", body, headers }));
        if (answer.status === 200 || answer.status === 409) return (await answer.json()) as ActionAnswer;
        return await documentIn<ActionAnswer>(answer);
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        return { ok: false, message: error.message, hint: error.hint };
      }
    },
  };
}

const pathOf = (run: RunId): string => `/runs/${encodeURIComponent(run)}`;
const attemptPath = ({ run, task, n }: TaskAttemptRef): string =>
  `${pathOf(run)}/tasks/${encodeURIComponent(task)}/attempts/${n}`;
const formatAgainst = (against: DiffAgainst): string =>
  against === "base" ? against : String(splitAttemptId(against).n);

async function reached(asked: Promise<Response>): Promise<Response> {
  try {
    return await asked;
  } catch {
    throw new SourceError("plait is not responding.", `Restart the web UI: ${formatCommand(plait("ui"))}`);
  }
}

async function documentIn<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T; // of the same plait
  const answer = (await response.json().catch(() => null)) as { message?: unknown; hint?: unknown } | null;
  throw new SourceError(
    typeof answer?.message === "string" ? answer.message : `plait answered with status ${response.status}.`,
    typeof answer?.hint === "string" ? answer.hint : "Reload the page.",
  );
}
