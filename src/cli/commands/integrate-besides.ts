// The programs that `plait integrate` starts: the checks of the project, and an agent. Both are shown while they run.

import type { Host } from "../../app/host.ts";
import type { Config } from "../../app/index.ts";
import type { ChecksAsked, ReviewRequest } from "../../app/integrate/integrate.ts";
import { formatFailure } from "../../core/select/failure-text.ts";
import { count, duration } from "../../core/text/figures.ts";
import { plainText } from "../../core/text/sentence.ts";
import { askingView } from "../asking-view.ts";
import { printAgentPrograms, readConfigFiles } from "../config.ts";
import { requireConfig } from "../host.ts";
import { shown } from "../render/visible.ts";
import type { Request } from "../request.ts";

export type Besides = {
  /** With the agents of the configuration. */
  readonly host: Host;
  readonly checks: ChecksAsked | null;
  readonly openapi: string | null;
  readonly review: ReviewRequest | null;
  /** When everything is printed. */
  readonly close: () => Promise<void>;
};

export async function resolveExtras(request: Request, host: Host): Promise<Besides> {
  const { options } = request;
  if (options.enforce === true) {
    // A gate starts nothing, so it ignores errors in the configuration.
    const openapi = (await readConfigFiles(process.cwd())).config?.openapi ?? null;
    return { host, checks: null, openapi, review: null, close: async () => {} };
  }
  const config = await requireConfig(request, host.command);
  const { agents, openapi } = config;
  const checks = options.checks === false ? null : checksAsked(request, config);
  const { review, close } = resolveReview(request, config);
  return { host: { ...host, agents }, checks, openapi, review, close };
}

/** Each command is printed before it runs. */
function checksAsked({ options, output }: Request, { base, checks: configured }: Config): ChecksAsked {
  const say = (text: string) => {
    if (options.json !== true) output.say([[shown(text, output.glyphs)]]);
  };
  return {
    technology: options.tech ?? null,
    configured,
    prepare: base.prepare,
    timeoutMs: base.gateTimeoutMs,
    tell: {
      warning: (text) => output.warn(text),
      preparing: (commands) => say(`preparing a copy of the commit: ${commands.join("; ")}`),
      printing: (command) => say(`API document: ${command}`),
      begins: ({ name, run }) => say(`${name}: ${run}`),
      ended: ({ name, status, summary }) => say(`${name}: ${STATES[status]}, ${summary}`),
    },
  };
}

const STATES = { green: "green", red: "red", "not-run": "not run" } as const;

/** A review costs money, so the agent must be named. */
function resolveReview(request: Request, { base, agents }: Config): Pick<Besides, "review" | "close"> {
  const { agent: use, model, timeout, budgetUsd = null } = request.options;
  if (use === undefined) return { review: null, close: async () => {} };
  const { name, model: usual } = use === base.agent.use ? base.agent : { name: null, model: null };
  const limits = timeout === undefined ? base.limits : { ...base.limits, totalMs: timeout };
  let opened: ReturnType<typeof askingView> | null = null;
  const view = () => {
    opened ??= askingView(request, use);
    return opened;
  };
  const review: ReviewRequest = {
    ...{ agent: { use, name, model: model ?? usual }, limits, budgetUsd },
    tell: {
      warning: (text) => view().warn(text),
      doing: (action) => view().doing(action),
      again: (failure, ms) =>
        view().say(`${plainText(formatFailure(failure, limits))}; retrying in ${duration(ms)}`),
      round: (n, problems) => {
        if (n === 1) printAgentPrograms(new Set([use]), agents, request);
        const again = `fixing ${count(problems.length, "error")} in the review, fix ${n - 1}`;
        view().say(n === 1 ? `${use} is reviewing the code against the tech spec` : again);
      },
    },
  };
  return { review, close: async () => opened?.close() };
}
