import { afterAll, beforeAll, expect, test } from "vitest";
import { claude } from "../../src/agents/claude/adapter.ts";
import { describeClaude } from "./claude-program.ts";
import { scriptMark } from "./model-script.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { attempt, claudeHome, remembered, runProgram, tempFolder, writeFiles } from "./support.ts";

// Attempts run as Claude does for this user in this repository: what both have set up holds.

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const agentFile = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: An agent of the tests\n---\n\n${body}\n`;

describeClaude("what a user has set up for the real Claude", () => {
  test("agents are listed before a token is spent, wherever they are defined", async () => {
    const asked = await startModelServer();
    const settings = JSON.stringify({ env: { ANTHROPIC_BASE_URL: asked.url } });
    const home = await claudeHome(asked, {
      files: { ".claude/agents/baker.md": agentFile("baker", "Bake."), ".claude/settings.json": settings },
    });
    const project = await tempFolder();
    await writeFiles(project, {
      ".claude/agents/team/dba.md": agentFile("dba", "Mind the data."),
      ".claude/settings.json": settings,
    });
    const { invocation, parse } = claude.subAgents!;
    const { exit, stdout } = await runProgram(invocation, home, project);
    expect(parse(stdout)).toEqual(expect.arrayContaining(["general-purpose", "baker", "dba"]));
    expect(exit.code).toBe(0);
    expect(asked.requests).toEqual([]);
    expect(remembered(home)).toBe("");
    await asked.close();
  });

  test("a model that the plan names is asked for; what a sub-agent does is told as its own, and paid by the task", async () => {
    server.play({
      boss: [
        {
          tool: "Agent",
          input: {
            description: "look at the oven",
            prompt: scriptMark("helper"),
            subagent_type: "general-purpose",
            run_in_background: false,
          },
        },
        { text: "My helper is done." },
      ],
      helper: [{ bash: "echo hot" }, { text: "It is hot.", usage: { input: 7000, output: 700 } }],
    });
    const { conclusion, events } = await attempt({
      home: await claudeHome(server),
      prompt: `Do it. ${scriptMark("boss")}`,
      work: { agent: { use: "claude", name: null, model: "claude-haiku-4-5" } },
    });
    expect(conclusion).toMatchObject({
      failure: null,
      text: "My helper is done.",
      usage: { inputTokens: 7300, outputTokens: 730 },
    });
    const tool = { kind: "tool", name: "Bash", target: "echo hot", by: "sub-agent" };
    expect(events).toContainEqual({ ...tool, call: expect.any(String) });
    const models = server.requestsOf("boss").map(({ body }) => body?.model);
    expect(models).toEqual(["claude-haiku-4-5", "claude-haiku-4-5"]);
  });
});
