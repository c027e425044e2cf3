// A conversation with an agent outside any run, in which a person may have a say between two questions.

import { relative } from "node:path";
import { askAgent } from "../../../app/ask/ask-agent.ts";
import type { Ask, Asking } from "../../../app/ask/asking.ts";
import { type Config, type Host, killLive } from "../../../app/index.ts";
import type { Usage } from "../../../core/facts.ts";
import { printAgentPrograms } from "../../config.ts";
import type { ExitCode } from "../../exit-codes.ts";
import { granted } from "../../host.ts";
import { createAskingView } from "../../progress/asking.ts";
import type { Request } from "../../request.ts";
import { abortOnSignals } from "../../signals.ts";

export type Asker = { readonly host: Host; readonly request: Request; readonly config: Config };

export type Conversation = {
  readonly ask: Ask;
  readonly agent: string;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
  /** Before a person is asked: from then on nothing moves on the terminal until the agent is asked again. */
  readonly pause: () => Promise<void>;
};

/** What a conversation cost, and the folder with everything that was said. */
export type Spent = { readonly agent: string; readonly usage: Usage; readonly conversation: string };

export type Conversed<T> =
  | { readonly ended: null; readonly result: T; readonly spent: Spent }
  /** By a signal: then both may be missing. */
  | { readonly ended: ExitCode; readonly result: T | null; readonly spent: Spent | null };

export async function converse<T>(
  asker: Asker,
  about: Pick<Asking, "repository" | "name" | "schema">,
  talk: (conversation: Conversation) => Promise<T>,
): Promise<Conversed<T>> {
  const { host, request, config } = asker;
  const [agent, limits] = [agentFor(asker), limitsFor(asker)];
  printAgentPrograms(new Set([agent.use]), config.agents, request);
  const { say, tell, close: pause } = createAskingView(request, agent.use, limits);
  const watch = abortOnSignals((code) => {
    void pause();
    killLive();
    process.exit(code);
  });
  const { signal } = watch;
  signal.addEventListener("abort", () => say(`Stopping ${agent.use}; press ^C again to kill it`));
  const budgetUsd = request.options.budgetUsd ?? null;
  const asking = { ...about, about: "spec", agent, limits, budgetUsd, signal, tell };
  try {
    const asked = await askAgent(host, asking, (ask) => talk({ ask, agent: agent.use, signal, pause, say }));
    const spent = asked.ok
      ? { agent: agent.use, usage: asked.usage, conversation: relative(host.cwd, asked.folder) }
      : null;
    const ended = watch.code();
    if (ended !== null) return { ended, result: asked.ok ? asked.result : null, spent };
    const { result } = granted(asked);
    return { ended: null, result, spent: spent as Spent };
  } finally {
    await pause();
    watch.end();
  }
}

export function limitsFor({ request: { options }, config }: Omit<Asker, "host">) {
  const { limits } = config.base;
  return options.timeout === undefined ? limits : { ...limits, totalMs: options.timeout };
}

function agentFor({ request: { options, env }, config: { base } }: Asker) {
  const use = options.agent ?? env.agent ?? base.agent.use;
  const isOther = use !== base.agent.use; // whose model and sub-agent mean nothing to it
  return {
    use,
    name: isOther ? null : base.agent.name,
    model: options.model ?? env.model ?? (isOther ? null : base.agent.model),
  };
}
