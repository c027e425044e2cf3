import { existsSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../cli/plait.ts";
import { root } from "../plugin/files.ts";
import { describeClaude } from "./claude-program.ts";
import { scriptMark } from "./model-script.ts";
import { newPlace, sh } from "./runs.ts";
import { runProgram, writeFiles } from "./support.ts";

const PLAN = `plait: 1
name: bakery
tasks:
  - { id: dough, prompt: "demo: write dough.txt flour" }
`;

const tool = (name: string, input: object) => ({ tool: `mcp__plugin_plait_plait__${name}`, input });

describeClaude("the tools of the plugin in the real Claude", () => {
  test("check a plan, start a run, wait for its end and see that it landed (I1)", async () => {
    const place = await newPlace({
      drive: [
        tool("plan_validate", { plan: "../plan.yaml" }),
        tool("run_start", { plan: "../plan.yaml", agent: "demo" }),
        { bash: "until test -e .git/plait/runs/*/report.md; do sleep 0.1; done" },
        tool("run_events", { wait_seconds: 30 }),
        tool("run_status", {}),
        { text: "It landed." },
      ],
    });
    const { repo, home, server } = place;
    await writeFiles(join(repo, ".."), { "plan.yaml": PLAN });
    const bin = join(home.folder, "bin");
    await mkdir(bin);
    // Claude is supervised by the test as agents of a run are, and those may start no run.
    await writeFile(
      join(bin, "plait"),
      `#!/bin/sh\nexec env -u PLAIT_RUN -u PLAIT_ATTEMPT "${process.execPath}" "${main}" "$@" --allow-root\n`,
    );
    await chmod(join(bin, "plait"), 0o755);
    const env = { ...home.env, PATH: `${bin}${delimiter}${home.env["PATH"]}` };
    const flags = ["--print", "--output-format", "stream-json", "--verbose"];
    const may = ["--allowedTools", "mcp__plugin_plait_plait,Bash"];
    const argv = ["--plugin-dir", join(root, "plugin"), ...flags, ...may];
    const { stdout } = await runProgram(
      { argv: ["claude", ...argv], env: {}, stdin: scriptMark("drive") },
      { ...home, env },
      repo,
    );
    const [started = "{}"] = stdout.split("\n");
    expect(JSON.parse(started)).toMatchObject({
      mcp_servers: expect.arrayContaining([{ name: "plugin:plait:plait", status: "connected" }]),
    });
    const heard = JSON.stringify(server.requestsOf("drive").at(-1)?.body?.messages);
    expect(heard).toMatch(/\\"ok\\":true,\\"tasks\\":1/);
    expect(heard).toMatch(/\\"run\\":\\"bakery-\w{4}\\"/);
    expect(heard).toContain('\\"status\\":\\"landed\\"');
    expect(existsSync(join(repo, "dough.txt"))).toBe(true);
    expect(sh(place, "git log --format=%s -1 main")).toContain("dough");
  });
});
