// plait for agents: the library as tools, over standard input and output. Whoever calls them is a program that cannot be asked,
// so every tool says whether it changes anything, nothing waits for longer than it was told to, and a run that was started
// here goes on without it.

import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { plainText } from "../core/text/sentence.ts";
import { planTools } from "./plan-tools.ts";
import { runTools } from "./run-tools.ts";
import { taskTools } from "./task-tools.ts";
import type { Tool, Workshop } from "./tool.ts";

/** What a client sees that has never heard of plans. It is one: a test takes it from here. */
const PLAN = `plait: 1
defaults: { agent: claude }
gates: ["npm test"]
tasks:
  - { id: api, owns: ["src/api/**"], prompt: "Build the orders route." }
  - { id: page, needs: [api], owns: ["src/page/**"], prompt: "Show the orders." }`;

const INSTRUCTIONS = `plait runs many coding agents in parallel from a plan, each task in its own git worktree, checks their work with gates, merges it and lands it on one branch.
A small plan, plan.yaml (\`plait schema plan\` prints the schema):
${PLAN}
Typical order: plan_validate, plan_preview, run_start (which lands nothing unless \`land\` says so), then run_events with wait_seconds until has_ended (if is_running is false, continue with run_resume), run_status; for failed tasks task_log and task_diff, then task_retry; run_land when the user agrees. Only the status \`landed\` or, for a run that lands on no branch, \`done\` means that all tasks are done and green.
Refusals and \`next\` of run_status name shell commands: \`plait resume\` is run_resume, \`plait logs\` is task_log, and so on; commands without a tool (\`plait open\`, \`approve\`, \`undo\`) are for a person or a shell.`;

/** Resolves when the client disconnects. */
export async function serveMcp(workshop: Workshop): Promise<void> {
  const server = new McpServer(
    { name: "plait", title: "plait", version: workshop.version },
    { instructions: INSTRUCTIONS },
  );
  for (const tool of [...planTools, ...runTools, ...taskTools]) register(server, tool, workshop);
  const transport = new StdioServerTransport();
  await server.connect(transport);
  await new Promise<void>((resolve) => {
    const before = transport.onclose;
    transport.onclose = () => {
      before?.();
      resolve();
    };
  });
}

function register(server: McpServer, tool: Tool, workshop: Workshop): void {
  const { name, title, description, input, output, hints } = tool;
  const annotations = {
    title,
    readOnlyHint: hints.readOnly,
    destructiveHint: hints.destructive ?? false,
    idempotentHint: hints.readOnly || (hints.idempotent ?? false),
    openWorldHint: hints.openWorld ?? false,
  };
  const config = { title, description, inputSchema: input, outputSchema: output, annotations };
  server.registerTool(name, config, async (asked, { mcpReq }) => {
    const made = await tool.act(asked, workshop, mcpReq.signal);
    if (made.ok) return { content: [text(JSON.stringify(made.answer))], structuredContent: made.answer };
    const { message, hint } = made.refusal;
    return { content: [text(`${message}\n${plainText(hint)}`.trimEnd())], isError: true };
  });
}

const text = (said: string) => ({ type: "text", text: said }) as const;
