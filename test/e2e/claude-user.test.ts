import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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

  test("an agent of the user's does the task, by its own instructions", async () => {
    server.play({ bake: [{ bash: "echo bread > oven.txt" }, { text: "Baked." }] });
    const files = { ".claude/agents/baker.md": agentFile("baker", "You bake bread at dawn.") };
    const { conclusion, worktree } = await attempt({
      home: await claudeHome(server, { files }),
      prompt: `Bake. ${scriptMark("bake")}`,
      work: { agent: { use: "claude", name: "baker", model: null } },
    });
    expect(conclusion).toMatchObject({ failure: null, text: "Baked." });
    expect(await readFile(join(worktree, "oven.txt"), "utf8")).toBe("bread\n");
    expect(JSON.stringify(server.requestsOf("bake")[0]?.body?.system)).toContain("You bake bread at dawn.");
  });

  test("a model that the plan names is asked for", async () => {
    server.play({ model: [{ text: "Done." }] });
    const agent = { use: "claude", name: null, model: "claude-haiku-4-5" };
    await attempt({ home: await claudeHome(server), prompt: scriptMark("model"), work: { agent } });
    expect(server.requestsOf("model").map(({ body }) => body?.model)).toEqual(["claude-haiku-4-5"]);
  });

  test("what a sub-agent does is told as its own, and paid by the task", async () => {
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
    });
    expect(conclusion).toMatchObject({
      failure: null,
      text: "My helper is done.",
      usage: { inputTokens: 7300, outputTokens: 730 },
    });
    const tool = { kind: "tool", name: "Bash", target: "echo hot", by: "sub-agent" };
    expect(events).toContainEqual({ ...tool, call: expect.any(String) });
  });

  test("environment and instructions of settings reach the attempt", async () => {
    server.play({ settings: [{ bash: 'echo "$COLOUR $PLAIT_TASK" > env.txt' }, { text: "Done." }] });
    const home = await claudeHome(server, {
      files: {
        ".claude/settings.json": JSON.stringify({ env: { COLOUR: "blue" } }),
        ".claude/CLAUDE.md": "Always knead twice.",
      },
    });
    const worktree = await tempFolder();
    await writeFiles(worktree, { "CLAUDE.md": "This project is a bakery." });
    await attempt({ home, worktree, prompt: scriptMark("settings") });
    expect(await readFile(join(worktree, "env.txt"), "utf8")).toBe("blue cart\n");
    const sent = JSON.stringify(server.requestsOf("settings")[0]?.body);
    expect(sent).toContain("Always knead twice.");
    expect(sent).toContain("This project is a bakery.");
  });

  test("a tool server of the user's can be used", async () => {
    server.play({ mcp: [{ tool: "mcp__shop__price", input: {} }, { text: "I know the price." }] });
    const worktree = await tempFolder();
    const program = fileURLToPath(new URL("./programs/mcp-server.mjs", import.meta.url));
    const args = [program, join(worktree, "asked.txt")];
    const shop = { type: "stdio", command: process.execPath, args };
    const files = { ".claude.json": JSON.stringify({ mcpServers: { shop } }) };
    const { conclusion, events } = await attempt({
      home: await claudeHome(server, { files }),
      worktree,
      prompt: scriptMark("mcp"),
    });
    expect(conclusion).toMatchObject({ failure: null, denials: [], text: "I know the price." });
    expect(events).toContainEqual(expect.objectContaining({ kind: "tool", name: "mcp__shop__price" }));
    expect(await readFile(join(worktree, "asked.txt"), "utf8")).toBe("asked\n");
    expect(JSON.stringify(server.requestsOf("mcp")[1]?.body?.messages)).toContain("bread costs 42");
  });
});
