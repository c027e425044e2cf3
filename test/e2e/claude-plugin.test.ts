import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandPages, root, skills } from "../plugin/files.ts";
import { describeClaude } from "./claude-program.ts";
import { scriptMark } from "./model-script.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { claudeHome, type Home, runProgram } from "./support.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const plugin = join(root, "plugin");

function run(home: Home, ...words: string[]) {
  return runProgram({ argv: ["claude", ...words], env: {}, stdin: "" }, home);
}

describeClaude("the plugin in the real Claude", () => {
  // Asked about the folder it looks at the marketplace only: skills and commands belong to the plugin.
  test.each(["", ".claude-plugin/plugin.json"])("is valid to the letter: plugin/%s", async (path) => {
    const strictly = ["plugin", "validate", "--strict", join(plugin, path)];
    const { exit, stdout } = await run(await claudeHome(server), ...strictly);
    expect(exit, stdout).toMatchObject({ code: 0 });
  });

  test("is installed by the two lines of the README", async () => {
    const home = await claudeHome(server);
    const readme = await readFile(join(root, "README.md"), "utf8");
    const lines = readme.split("\n").filter((line) => line.startsWith("claude plugin "));
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const words = line.replace('"$(npm root --global)/plait/plugin"', plugin).split(" ").slice(1);
      const { exit, stdout } = await run(home, ...words);
      expect(exit, stdout).toMatchObject({ code: 0 });
    }
    const settings = JSON.parse(await readFile(join(home.folder, ".claude/settings.json"), "utf8"));
    expect(settings.enabledPlugins).toEqual({ "plait@plait": true });
  });

  test("offers every command, and Claude finds the skill where a command has its name", async () => {
    const name = "plait:parallel-decompose";
    server.play({ skill: [{ tool: "Skill", input: { skill: name } }, { text: "I see." }] });
    const flags = ["--print", "--output-format", "stream-json", "--verbose"];
    const { stdout } = await run(
      await claudeHome(server),
      "--plugin-dir",
      plugin,
      ...flags,
      scriptMark("skill"),
    );
    const started = JSON.parse(stdout.split("\n")[0] ?? "");
    const named = [...commandPages.keys(), ...skills.keys()].map((one) => `plait:${one}`);
    expect(started.slash_commands).toEqual(expect.arrayContaining(named));
    expect(started.skills).toEqual(expect.arrayContaining(named));
    expect(started.plugins).toMatchObject([{ name: "plait", path: plugin }]);
    const heard = JSON.stringify(server.requestsOf("skill").at(-1)?.body?.messages);
    expect(heard).toContain("# From a tech spec to tasks");
  });
});
