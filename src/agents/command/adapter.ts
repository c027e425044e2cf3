import type { Adapter, Invoked, InvokeInput, Probe, Problem } from "../adapter.ts";
import { attemptEnv } from "../attempt-env.ts";
import { lastLine } from "../text.ts";
import { type CommandAgent, fillIn, placeholdersIn } from "./config.ts";
import { commandReader } from "./read.ts";

/**
 * Any program as an agent. It works in its current folder, prints what it likes, and exit code 0 is all it must know. The
 * prompt comes on stdin, unless the template asks for a file.
 */
export function commandAdapter(agent: CommandAgent): Adapter {
  const used = placeholdersIn([...agent.argv, ...(agent.readOnlyArgs ?? [])]);
  return {
    name: agent.name,
    title: agent.title ?? agent.name,
    supports: {
      conversation: false,
      subAgents: used.includes("name"),
      budget: false,
      models: used.includes("model"),
      cost: false,
      systemPrompt: false,
      answers: false,
    },
    probe: agent.versionArgv === null ? null : probeOf(agent, agent.versionArgv),
    subAgents: null,
    login: null,
    takesSharedFile: null,
    servers: () => [],
    definition: JSON.stringify(agent),
    account: ({ model }) => ({
      vendor: "command",
      account: agent.account ?? agent.name,
      model: model ?? "default",
    }),
    invoke: (input) => invokeCommand(agent, input),
    reader: (_, maxText) => commandReader(agent.exits, maxText),
    resumeCommand: () => null,
  };
}

function invokeCommand(agent: CommandAgent, input: InvokeInput): Invoked {
  const { tools } = input.work;
  if (tools.allow.length + tools.deny.length + input.deny.length > 0) {
    return refused(agent, "does not support `tools`", "delete `tools` from the task, or use claude");
  }
  const template = [...agent.argv, ...(input.access === "read-only" ? (agent.readOnlyArgs ?? []) : [])];
  const filled = fillIn(template, {
    "prompt-file": input.promptFile,
    worktree: input.worktree,
    model: input.work.agent.model,
    name: input.work.agent.name,
    task: input.task,
  });
  if (!filled.ok) {
    const key = filled.missing === "model" ? "model" : "name";
    return refused(agent, `needs a ${key}`, `add it to the task: agent: { use: ${agent.name}, ${key}: … }`);
  }
  return {
    ok: true,
    invocation: {
      argv: filled.argv,
      env: { ...agent.env, ...attemptEnv(input) },
      stdin: placeholdersIn(template).includes("prompt-file") ? "" : input.prompt,
      notes: notesFor(agent, input),
    },
  };
}

function refused(agent: CommandAgent, message: string, hint: string): Invoked {
  const problem: Problem = { message: `agent ${agent.name} ${message}`, hint };
  return { ok: false, problem };
}

function notesFor(agent: CommandAgent, { access, work }: InvokeInput): string[] {
  const used = placeholdersIn(agent.argv);
  const isUntold = access === "read-only" && agent.readOnlyArgs === null;
  return [
    ...(isUntold ? ["has no read-only mode; its changes are not merged"] : []),
    ...(work.budgetUsd !== null ? ["has no budget limit"] : []),
    ...(work.agent.model !== null && !used.includes("model") ? ["does not get the model"] : []),
    ...(work.agent.name !== null && !used.includes("name") ? ["does not get the sub-agent"] : []),
  ];
}

function probeOf(agent: CommandAgent, argv: readonly string[]): Probe {
  return {
    argv,
    parse: ({ stdout, stderr, code }) => {
      if (code === 0) return { ok: true, version: lastLine(stdout, 80) || "unknown", warning: null };
      const said = lastLine(stderr, 200);
      const message =
        code === null
          ? `${argv[0]}, the program of agent ${agent.name}, is not installed or cannot be started`
          : `${argv.join(" ")} failed with exit code ${code}${said === "" ? "" : `: ${said}`}`;
      return {
        ok: false,
        problem: { message, hint: `install it, or change agent ${agent.name} in your configuration` },
      };
    },
  };
}
