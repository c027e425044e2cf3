import type { Adapter, AgentWork, Invocation, InvokeInput } from "../../src/agents/adapter.ts";
import { agentWork, taskId } from "../support/plans.ts";

/** One attempt, of which a test says what matters. */
export function inputOf(more: Partial<InvokeInput> = {}, work: Partial<AgentWork> = {}): InvokeInput {
  return {
    task: taskId("cart"),
    attempt: 1,
    work: { ...agentWork, ...work },
    access: "write",
    owns: [],
    reports: [],
    dir: null,
    prompt: "Do it.",
    promptFile: "/run/prompts/cart.md",
    systemPrompt: null,
    sharedFile: null,
    worktree: "/worktrees/cart",
    conversation: { kind: "new", id: "11111111-2222-4333-8444-555555555555" },
    isRoot: false,
    allowRoot: false,
    sandboxed: false,
    deny: [],
    answer: null,
    ...more,
  };
}

/** Of an attempt that must not be refused. */
export function invocationOf(adapter: Adapter, ...args: Parameters<typeof inputOf>): Invocation {
  const invoked = adapter.invoke(inputOf(...args));
  if (!invoked.ok) throw new Error(invoked.problem.message);
  return invoked.invocation;
}
