import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { git, makePlace, type Place, plaitIn } from "../cli/place.ts";
import { root } from "../cli/plait.ts";

const PLAN = `plait: 1
name: bakery
defaults: { agent: demo, retries: 0, fix-rounds: 0 }
tasks:
  - id: dough
    prompt: |
      demo: say I knead.
      demo: write dough.txt flour
  - id: oven
    prompt: |
      demo: on attempt 1: write oven.txt opens with sesame-9f3k27
      demo: on attempt 1: exit 3
      demo: on attempt 2: write oven.txt hot
  - { id: bread, needs: [dough, oven], prompt: "demo: write bread.txt baked" }
`;

/** The number of its tasks is known to a command only. */
const EACH = `plait: 1
gates: ["true"]
tasks:
  - { id: loaf, each: { n: { command: "touch ran.txt; echo 1" } }, agent: demo, prompt: "demo: write {n}.txt x" }
`;

const LOAF = `plait: 1
name: loaf
gates: ["true"]
tasks:
  - { id: one, agent: demo, prompt: "demo: write 1.txt x" }
  - { id: two, agent: demo, prompt: "demo: write 2.txt x" }
`;

let place: Place;
let client: Client;

beforeAll(async () => {
  place = makePlace();
  const plans = {
    "plan.yaml": PLAN,
    "bad.yaml": PLAN.replace("needs:", "need:"),
    "each.yaml": EACH,
    "loaf.yaml": LOAF,
  };
  for (const [name, text] of Object.entries(plans)) writeFileSync(join(place.repo, name), text);
  writeFileSync(join(place.repo, ".git/info/exclude"), "/*.yaml\n");
  writeFileSync(join(dirname(place.repo), "handed.yaml"), LOAF);
  symlinkSync("../handed.yaml", join(place.repo, "link.yaml"));
  client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(root, "dist/cli/main.js"), "mcp", "--allow-root"],
      cwd: place.repo,
      env: { ...place.env, BAKERY_TOKEN: "sesame-9f3k27" } as Record<string, string>,
      stderr: "ignore",
    }),
  );
});
afterAll(() => client.close());

type Answer = { readonly [name: string]: unknown };

async function call(name: string, input: object = {}): Promise<Answer> {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: input as Answer });
  if (isError === true) throw new Error(JSON.stringify(content));
  return structuredContent as Answer;
}

/** Everything that happens until the run is over. */
async function untilEnd(run: unknown): Promise<{ readonly status: unknown; readonly said: string }> {
  const said: string[] = [];
  for (let since = 0; ; ) {
    const more = await call("run_events", { run, since, wait_seconds: 30 });
    for (const { task, text } of more["events"] as { task: string | null; text: string }[])
      said.push(`${task ?? "-"}: ${text}`);
    since = more["next"] as number;
    if (more["has_ended"] === true) return { status: more["status"], said: said.join("\n") };
  }
}

describe("plait mcp, with a real client", () => {
  test("tells what each tool takes, gives and changes", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      `plan_validate plan_preview run_start run_status run_events run_stop run_resume run_land task_log task_diff task_retry`.split(
        " ",
      ),
    );
    const reading = tools
      .filter(({ annotations }) => annotations?.readOnlyHint === true)
      .map(({ name }) => name);
    expect(reading).toEqual([
      "plan_validate",
      "plan_preview",
      "run_status",
      "run_events",
      "task_log",
      "task_diff",
    ]);
    const dangerous = tools.filter(({ annotations }) => annotations?.destructiveHint === true);
    expect(dangerous.map(({ name }) => name)).toEqual([
      "run_start",
      "run_stop",
      "run_resume",
      "run_land",
      "task_retry",
    ]);
    const outgoing = tools.filter(({ annotations }) => annotations?.openWorldHint === true);
    expect(outgoing.map(({ name }) => name)).toEqual(["run_start", "run_resume", "run_land", "task_retry"]);
    for (const { outputSchema, description } of tools) {
      expect(outputSchema).toMatchObject({ type: "object" });
      expect(description?.length).toBeGreaterThan(40);
    }
  });

  test("says how to begin to whoever has never seen a plan", async () => {
    const said = client.getInstructions() ?? "";
    const [plan = ""] = /^plait: 1\n(?:.+\n)*? {2}- .+\n {2}- .+$/m.exec(said) ?? [];
    writeFileSync(join(dirname(place.repo), "said.yaml"), plan);
    expect(await call("plan_validate", { plan: "../said.yaml" })).toEqual({
      ok: true,
      tasks: 2,
      findings: [],
    });
  });

  test("plans are checked and seen before anything starts; what is wrong has its place", async () => {
    expect(await call("plan_validate", { plan: "plan.yaml" })).toMatchObject({ ok: true, tasks: 3 });
    const bad = await call("plan_validate", { plan: "bad.yaml" });
    expect(bad).toMatchObject({ ok: false, tasks: null });
    expect(bad["findings"]).toMatchObject([
      { code: "unknown-key", at: expect.stringMatching(/bad\.yaml:14:\d+$/) },
    ]);
    expect(await call("plan_preview", { plan: "plan.yaml" })).toMatchObject({
      preview: { ranks: [["dough", "oven"], ["bread"]] },
    });
    await expect(call("run_start", { plan: "bad.yaml" })).rejects.toThrow(/the plan has errors.*unknown key/);
    await expect(call("run_start", { plan: "none.yaml" })).rejects.toThrow(/none\.yaml/);
    await expect(call("run_status")).rejects.toThrow(/no run/);
    await expect(call("run_start", { plan: "plan.yaml", land: "soon" })).rejects.toThrow(/land/);
    // What is misspelt would otherwise be done without: here, landed.
    await expect(call("run_start", { plan: "plan.yaml", landing: "never" })).rejects.toThrow(/landing/);
    await expect(call("run_start", { plan: "plan.yaml", only: [] })).rejects.toThrow(/only/);
    expect(existsSync(join(place.repo, ".git/plait"))).toBe(false);
  });

  test("commands that make tasks are run only where the caller permits it, and nothing else is run in their place", async () => {
    expect(await call("plan_validate", { plan: "each.yaml" })).toMatchObject({
      findings: [{ severity: "warning", code: "each-not-run" }],
    });
    await expect(call("run_start", { plan: "each.yaml" })).rejects.toThrow(
      /tasks of the plan are unknown.*run_commands: true/,
    );
    expect(existsSync(join(place.repo, "ran.txt"))).toBe(false);
    expect(existsSync(join(place.repo, ".git/plait"))).toBe(false);
  });

  test.each(["../handed.yaml", "link.yaml"])(
    "a plan outside the repository is not started: %s",
    async (plan) => {
      await expect(call("run_start", { plan })).rejects.toThrow(/outside the repository/);
      expect(existsSync(join(place.repo, ".git/plait"))).toBe(false);
    },
  );

  test("a run says what it executes, and lands nothing unless it is asked to", async () => {
    const before = git(place, "rev-parse", "main");
    const started = await call("run_start", { plan: "loaf.yaml" });
    expect(started).toMatchObject({
      land: "never",
      executes: [
        { what: "agent demo", text: "2 tasks, may write files, permission prompts bypassed" },
        { what: "gate", text: "true" },
      ],
    });
    expect((await untilEnd(started["run"])).status).toBe("done");
    expect(git(place, "rev-parse", "main")).toBe(before);
    await plaitIn(place, "clean", String(started["run"]), "--force");
  });

  test("a run lands as the call asks, whatever it was started with", async () => {
    const { run } = await call("run_start", { plan: "loaf.yaml", land: "never" });
    expect((await untilEnd(run)).status).toBe("done");
    git(place, "branch", "release");
    await expect(call("run_land", { run, onto: "relese" })).rejects.toThrow(/did you mean release/);
    await expect(call("run_land", { run, draft: true })).rejects.toThrow(/--draft needs a pull request/);
    await expect(call("run_land", { run, as: "heap" })).rejects.toThrow(/as/);
    const asked = { run, onto: "release", as: "squash", signoff: true };
    expect(await call("run_land", asked)).toEqual({ run, how: "started" });
    await untilEnd(run);
    expect(git(place, "log", "--format=%s", "main..release").split("\n")).toHaveLength(1);
    expect(git(place, "log", "-1", "--format=%B", "release")).toContain("Signed-off-by:");
    expect(git(place, "show", "release:1.txt")).toBe("x");
    git(place, "branch", "-qD", "release");
    await plaitIn(place, "clean", String(run), "--force");
  });

  test("a run is started, heard to its end, looked into, mended, and lands (I1)", async () => {
    const started = await call("run_start", { plan: "plan.yaml", concurrency: 2, land: "end" });
    const { run } = started;
    expect(started).toMatchObject({ tasks: 3, run: expect.stringMatching(/^bakery-/) });
    const first = await untilEnd(run);
    expect(first.status).toBe("not-landed");
    expect(first.said).toMatch(/^(dough|oven): attempt 1 started.*oven: failed/s);
    expect(await call("run_status", { run })).toMatchObject({
      progress: { done: 1, total: 3, counts: { merged: 1, failed: 1, skipped: 1, running: 0 } },
      needsYou: [{ kind: "failed", task: "oven" }],
    });
    expect(await call("task_log", { run, task: "dough" })).toMatchObject({
      attempt: "dough/1",
      text: expect.stringContaining("I knead."),
      left_out: 0,
    });
    expect(await call("task_log", { task: "dough", max_chars: 5 })).toMatchObject({
      text: expect.stringMatching(/^.{5}$/s),
    });
    expect(await call("task_diff", { run, task: "dough" })).toMatchObject({
      is_saved: true,
      text: expect.stringContaining("+flour"),
    });
    // What is saved in git is as the agent left it; what is told of it is not (I13).
    expect(await call("task_diff", { run, task: "oven" })).toMatchObject({
      text: expect.stringContaining("+opens with [masked]"),
    });
    await expect(call("task_diff", { run, task: "dough", attempt: 7 })).rejects.toThrow(/no attempt #7/);
    await expect(call("task_retry", { run, task: "dough" })).rejects.toThrow(
      /cannot retry `dough`: it is merged/,
    );
    expect(existsSync(join(place.repo, "bread.txt"))).toBe(false);

    // A number of another run leads back to what there is.
    expect(await call("run_events", { run, since: 999, wait_seconds: 30 })).toMatchObject({ events: [] });
    expect(await call("run_events", { run, since: 999 })).not.toMatchObject({ next: 999 });
    expect(await call("task_retry", { run, task: "oven" })).toEqual({ run, how: "started" });
    expect((await untilEnd(run)).status).toBe("landed");
    expect(readFileSync(join(place.repo, "bread.txt"), "utf8")).toContain("baked");
    await expect(call("run_land", { run })).rejects.toThrow(/already landed/);
    await expect(call("run_stop", { run })).rejects.toThrow(/is not running/);
    await expect(call("run_resume", { run })).rejects.toThrow(`${run} is complete`);

    // Without a name it is the latest, and who meant another one reads which there are.
    cpSync(
      join(place.repo, ".git/plait/runs", String(run)),
      join(place.repo, ".git/plait/runs/bakery-copy"),
      {
        recursive: true,
      },
    );
    const { runs } = await call("run_status");
    expect((runs as { run: string }[]).map((one) => one.run).sort()).toEqual([run, "bakery-copy"].sort());
    expect(runs).toContainEqual({ run, status: "landed", is_running: false });
    await expect(call("run_status", { run: "cake" })).rejects.toThrow(new RegExp(`runs here.*${run}`));
    await expect(call("run_resume")).rejects.toThrow(/is complete.*runs here.*bakery-copy/s);
  });
});
