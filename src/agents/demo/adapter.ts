import { claimText } from "../../core/ownership/pattern.ts";
import type { Adapter, Invoked, InvokeInput, Probe } from "../adapter.ts";
import { attemptEnv } from "../attempt-env.ts";
import { lastLine } from "../text.ts";
import { demoReader } from "./read.ts";

/**
 * The agent that plait brings along: it follows a script in its prompt, or leaves a harmless trace in what the task owns. For
 * tests, for the demo, and to try any plan without spending a token. src/programs/demo-agent.ts is the program.
 *
 * It remembers nothing between attempts, so a fix round sends it the whole prompt again.
 */
export function demoAdapter(program: readonly string[]): Adapter {
  return {
    name: "demo",
    title: "demo agent",
    supports: {
      conversation: false,
      subAgents: true,
      budget: true,
      models: true,
      cost: true,
      systemPrompt: true,
      answers: false,
    },
    probe: probeOf(program),
    subAgents: null,
    login: null,
    takesSharedFile: null,
    servers: () => [],
    account: ({ model }) => ({ vendor: "plait", account: "demo", model: model ?? "default" }),
    invoke: (input) => invokeDemo(program, input),
    reader: (_, maxText) => demoReader(maxText),
    resumeCommand: () => null,
  };
}

/** Any plan works: what other agents are told is taken and left alone. */
function invokeDemo(program: readonly string[], input: InvokeInput): Invoked {
  const { agent, budgetUsd } = input.work;
  const argv = [
    ...program,
    ...["--access", input.access],
    ...["--conversation", input.conversation.id],
    ...(agent.model === null ? [] : ["--model", agent.model]),
    ...(budgetUsd === null ? [] : ["--budget-usd", String(budgetUsd)]),
    // By "=": a pattern may begin with a dash.
    ...input.owns.map((claim) => `--owns=${claimText(claim)}`),
  ];
  return { ok: true, invocation: { argv, env: attemptEnv(input), stdin: input.prompt, notes: [] } };
}

function probeOf(program: readonly string[]): Probe {
  return {
    argv: [...program, "--version"],
    parse: ({ stdout, stderr, code }) => {
      if (code === 0) return { ok: true, version: lastLine(stdout, 80), warning: null };
      const message = `cannot start the demo agent: ${lastLine(stderr, 200) || `exit code ${code}`}`;
      return { ok: false, problem: { message, hint: "install plait again" } };
    },
  };
}
