// What `plait integrate` starts beside its own looking: the checks of the project, and an agent. Both are told to people while they run.

import type { Host } from "../../app/host.ts";
import type { Config } from "../../app/index.ts";
import type { ChecksAsked, JudgeAsked } from "../../app/integrate/integrate.ts";
import { failureText } from "../../core/select/failure-text.ts";
import { count, duration } from "../../core/select/preview/words.ts";
import { askingView } from "../asking-view.ts";
import { configFor, tellPrograms } from "../config.ts";
import { neededConfig } from "../host.ts";
import { shown } from "../render/visible.ts";
import { warn } from "../render/warning.ts";
import type { Request } from "../request.ts";

export type Besides = {
  /** It knows the agents of the configuration. */
  readonly host: Host;
  readonly checks: ChecksAsked | null;
  readonly openapi: string | null;
  readonly judge: JudgeAsked | null;
  /** When all of it is told. */
  readonly close: () => Promise<void>;
};

export async function askedBesides(request: Request, host: Host): Promise<Besides> {
  const { options } = request;
  if (options.enforce === true) {
    // A gate starts nothing, so a configuration that cannot be used is not in its way.
    const openapi = (await configFor(process.cwd())).config?.openapi ?? null;
    return { host, checks: null, openapi, judge: null, close: async () => {} };
  }
  const config = await neededConfig(request, host.command);
  const { agents, openapi } = config;
  const checks = options.checks === false ? null : checksAsked(request, config);
  const { judge, close } = judgeAsked(request, config);
  return { host: { ...host, agents }, checks, openapi, judge, close };
}

/** Every command is told before it runs. */
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
      warning: (text) => output.say(warn(text, output)),
      preparing: (commands) => say(`prepares a copy of the commit: ${commands.join("; ")}`),
      printing: (command) => say(`API document: ${command}`),
      begins: ({ name, run }) => say(`${name}: ${run}`),
      ended: ({ name, status, summary }) => say(`${name}: ${STATES[status]}, ${summary}`),
    },
  };
}

const STATES = { green: "green", red: "red", "not-run": "not run" } as const;

/** Only who is named is asked: it costs something. */
function judgeAsked(request: Request, { base, agents }: Config): Pick<Besides, "judge" | "close"> {
  const { agent: use, model, timeout, budgetUsd = null } = request.options;
  if (use === undefined) return { judge: null, close: async () => {} };
  const { name, model: usual } = use === base.agent.use ? base.agent : { name: null, model: null };
  const limits = timeout === undefined ? base.limits : { ...base.limits, totalMs: timeout };
  let opened: ReturnType<typeof askingView> | null = null;
  const view = () => {
    opened ??= askingView(request, use);
    return opened;
  };
  const judge: JudgeAsked = {
    ...{ agent: { use, name, model: model ?? usual }, limits, budgetUsd },
    tell: {
      warning: (text) => view().warn(text),
      doing: (action) => view().doing(action),
      again: (failure, ms) => view().say(`${failureText(failure, limits)}; tries again in ${duration(ms)}`),
      round: (n, problems) => {
        if (n === 1) tellPrograms(new Set([use]), agents, request);
        const again = `the judgement goes back with ${count(problems.length, "error")}, round ${n - 1}`;
        view().say(n === 1 ? `${use} judges the code by the tech spec` : again);
      },
    },
  };
  return { judge, close: async () => opened?.close() };
}
