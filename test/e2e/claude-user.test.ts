import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claude } from "../../src/agents/claude/adapter.ts";
import { describeClaude } from "./claude-program.ts";
import { scriptMark } from "./model-script.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { factsOf, newPlace, plait, runIds, sh } from "./runs.ts";
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

  test("a task finds the agents of its folder; without one that is missing it runs plain, also with an edited plan", async () => {
    const script = (id: string) => [{ write: { path: `${id}.txt`, content: id } }, { text: "Done." }];
    const place = await newPlace({ bake: script("bake"), cook: script("cook"), serve: script("serve") });
    await writeFiles(join(place.repo, "pkg"), {
      ".claude/agents/baker.md": agentFile("baker", "Your name is Baker."),
    });
    sh(place, "git add -A; git commit -q -m agents");
    const task = (id: string, name: string) => ({ id, prompt: scriptMark(id), agent: { name } });
    const tasks = [{ ...task("bake", "baker"), dir: "pkg" }, task("cook", "chef")];
    const planWith = (...more: readonly object[]) =>
      writeFiles(dirname(place.repo), {
        "plan.json": JSON.stringify({ plait: 1, name: "kitchen", tasks: [...tasks, ...more] }),
      });
    await planWith();
    const refused = await plait(place, "run", "../plan.json", "--allow-root");
    expect(refused.stderr).toContain('Claude Code has no sub-agent "chef" (cook)\n');
    const ran = await plait(place, "run", "../plan.json", "--allow-root", "--without-sub-agents");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('cook: sub-agent "chef"') });
    expect(JSON.stringify(place.server.requestsOf("bake")[0]?.body?.system)).toContain("Your name is Baker.");

    await planWith(task("serve", "waiter"));
    const run = runIds(place).at(-1) ?? "";
    const resumed = await plait(place, "resume", run, "--plan", "../plan.json", "--allow-root");
    expect(resumed).toMatchObject({ code: 0, stderr: expect.stringContaining('serve: sub-agent "waiter"') });
    expect(sh(place, "git ls-files '*.txt'")).toBe("a.txt\ncook.txt\npkg/bake.txt\nserve.txt");
    expect(factsOf(place, "attempt.started")).toHaveLength(3);
  });
});
