import { execFileSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codex } from "../../src/agents/codex/adapter.ts";
import { pidsWith } from "../process/support.ts";
import { codexHome } from "./codex-home.ts";
import { describeCodex } from "./codex-program.ts";
import {
  badRequest,
  forbidden,
  planLimit,
  rateLimited,
  type Step,
  scriptMark,
  unauthorized,
} from "./model-script.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { type AttemptOptions, attempt, runProgram, startAttempt, tempFolder, writeFiles } from "./support.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** In a repository, which Codex asks for. */
async function options(more: Partial<AttemptOptions> & { prompt: string }): Promise<AttemptOptions> {
  const worktree = more.worktree ?? (await tempFolder());
  execFileSync("git", ["init", "-q", worktree]);
  return { adapter: codex, home: await codexHome(server), worktree, ...more };
}

const filesIn = async (folder: string) => (await readdir(folder)).filter((name) => name !== ".git").sort();

describeCodex("an attempt with the real Codex", () => {
  test("its program is one that the adapter knows", async () => {
    const { argv, parse } = codex.probe!;
    const { exit, stdout } = await runProgram({ argv, env: {}, stdin: "" }, await codexHome(server));
    expect(parse({ stdout, stderr: exit.stderrTail, code: exit.code })).toMatchObject({
      ok: true,
      warning: null,
    });
  });

  test("edits, and tells what it did", async () => {
    server.play({
      edit: [
        { write: { path: "hello.txt", content: "hello\n" } },
        { edit: { path: "hello.txt", old: "hello", new: "good day" } },
        { bash: 'echo "$PLAIT_TASK" >> hello.txt; false' },
        { text: "All done.", usage: { input: 1000, output: 100 } },
      ],
    });
    const done = await attempt(await options({ prompt: `Do it. ${scriptMark("edit")}` }));
    expect(await readFile(join(done.worktree, "hello.txt"), "utf8")).toBe("good day\ncart\n");
    const usage = { costUsd: null, inputTokens: 1300, outputTokens: 130 };
    const conversation = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(done.conclusion).toEqual({ failure: null, usage, conversation, text: "All done.", denials: [] });
    const tool = (name: string, target: string) => ({ kind: "tool", name, target, by: "agent" });
    expect(done.events.filter(({ kind }) => kind !== "note")).toMatchObject([
      { kind: "started", conversation },
      tool("edit", "hello.txt"),
      { kind: "tool-ended", ok: true },
      tool("edit", "hello.txt"),
      { kind: "tool-ended", ok: true },
      tool("shell", 'echo "$PLAIT_TASK" >> hello.txt; false'),
      { kind: "tool-ended", ok: false },
      { kind: "text", text: "All done.", by: "agent" },
      { kind: "usage", usage },
    ]);
    expect(done.exit).toMatchObject({ code: 0, why: null, leftOver: [] });
  });

  test("as the user has set it up: instructions, tool servers, and a model that the plan names", async () => {
    server.play({ user: [{ tool: "price", namespace: "mcp__shop", input: {} }, { text: "I know it." }] });
    const worktree = await tempFolder();
    await writeFiles(worktree, { "AGENTS.md": "This project is a bakery." });
    const home = await codexHome(server);
    const program = fileURLToPath(new URL("./programs/mcp-server.mjs", import.meta.url));
    const config = join(home.folder, ".codex/config.toml");
    const shop = `command = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([program, join(home.folder, "asked.txt")])}`;
    await writeFiles(home.folder, {
      ".codex/config.toml": `${await readFile(config, "utf8")}\n[mcp_servers.shop]\n${shop}\n`,
      ".codex/AGENTS.md": "Always knead twice.",
    });
    const work = { agent: { use: "codex", name: null, model: "gpt-5-mini" } };
    const done = await attempt(await options({ home, worktree, prompt: scriptMark("user"), work }));
    expect(done.conclusion).toMatchObject({ failure: null, text: "I know it." });
    expect(done.events).toContainEqual(expect.objectContaining({ kind: "tool", name: "shop.price" }));
    expect(await readFile(join(home.folder, "asked.txt"), "utf8")).toBe("asked\n");
    const [first] = server.requestsOf("user");
    expect(first?.body?.model).toBe("gpt-5-mini");
    for (const text of ["This project is a bakery.", "Always knead twice."])
      expect(JSON.stringify(first?.body?.input)).toContain(text);
  });

  test("only looks, in read-only work", async () => {
    server.play({
      look: [
        { bash: "cat here.txt" },
        { bash: "echo x > x.txt" },
        { write: { path: "y.txt", content: "y" } },
        { text: "I saw it." },
      ],
    });
    const worktree = await tempFolder();
    await writeFiles(worktree, { "here.txt": "hidden words" });
    const access = "read-only" as const;
    const done = await attempt(
      await options({ worktree, prompt: scriptMark("look"), input: { access }, ending: { access } }),
    );
    expect(done.conclusion).toMatchObject({ failure: null, text: "I saw it." });
    expect(await filesIn(worktree)).toEqual(["here.txt"]);
    expect(JSON.stringify(server.requestsOf("look")[1]?.body?.input)).toContain("hidden words");
  });

  test("leaves no process when it is stopped in the middle of a command", async () => {
    const commands = ["sleep 1000", "setsid sleep 1000 & nohup sleep 1000 & wait"];
    server.play({ busy: [{ bash: `echo ready > ready; (${commands.join("; ")})` }] });
    const running = await startAttempt(await options({ prompt: scriptMark("busy") }));
    await running.wrote("ready");
    expect(pidsWith(`PLAIT_ATTEMPT=${running.marker}`).length).toBeGreaterThan(1);
    const { conclusion, exit } = await running.stop({ kill: false });
    expect(pidsWith(`PLAIT_ATTEMPT=${running.marker}`)).toEqual([]);
    expect(exit).toMatchObject({ why: "stop", leftOver: [] });
    expect(conclusion.failure).toMatchObject({ reason: "cancelled", because: "stop" });
  });
});

describeCodex("what the real Codex meets is told by its reason", () => {
  const meet = async (name: string, steps: readonly Step[], env = {}) => {
    server.play({ [name]: steps });
    const home = await codexHome(server, { env });
    return attempt(await options({ home, prompt: `Do it. ${scriptMark(name)}` }));
  };
  const quota = {
    status: 429,
    type: "insufficient_quota",
    message: "No money.",
    more: { code: "insufficient_quota" },
  };

  test.each([
    ["unknown key", unauthorized, "auth", /401 Unauthorized/],
    ["forbidden", forbidden, "auth", /403/],
    ["bad request", badRequest("No such field."), "rejected", /^No such field/],
    ["no money", quota, "billing", /Quota exceeded/],
    ["overloaded", { status: 503, type: "server_error", message: "Oops." }, "overloaded", /503/],
    ["server error", { status: 500, type: "server_error", message: "Oops." }, "overloaded", /high demand/],
    ["too many requests", rateLimited(), "rate-limit", /429/],
    ["cut connection", { cutAfter: 2 }, "network", /stream disconnected/],
  ])("%s", async (name, fault: Step, reason, detail) => {
    const { conclusion, exit } = await meet(name, [fault]);
    expect(conclusion.failure).toMatchObject({ reason, detail: expect.stringMatching(detail) });
    expect(exit.code).toBe(1);
  });

  test("no key for the provider", async () => {
    const { conclusion } = await meet("no key", [], { SCRIPT_KEY: "" });
    expect(conclusion.failure).toMatchObject({
      reason: "auth",
      detail: expect.stringContaining("SCRIPT_KEY"),
    });
    expect(server.requestsOf("no key")).toEqual([]);
  });

  test("a moment of too many requests is no failure", async () => {
    const { conclusion, events } = await meet("moment", [rateLimited(1), { text: "Got through." }]);
    expect(conclusion).toMatchObject({ failure: null, text: "Got through." });
    expect(events).toContainEqual({ kind: "retry", status: 429, delayMs: null });
  });

  test.each([
    ["today", 2],
    ["later than today", 50],
  ])("a plan that is used up, with the time at which it is not: %s", async (name, hours) => {
    const resetsAt = Math.floor(Date.now() / 1000) + hours * 3_600;
    const { conclusion } = await meet(name, [{ bash: "echo work" }, planLimit(resetsAt)], { TZ: "UTC" });
    // It tells whole minutes, and plait waits for the end of the one it tells.
    const minute = Math.floor(resetsAt / 60) * 60 + 60;
    expect(conclusion.failure).toMatchObject({ reason: "usage-limit", resetsAt: minute * 1000 });
  });

  test("a conversation that is not there", async () => {
    const conversation = { kind: "continue", id: "11111111-2222-4333-8444-555555555555" } as const;
    const { conclusion } = await attempt(await options({ prompt: "Go on.", input: { conversation } }));
    expect(conclusion).toMatchObject({
      failure: { reason: "crash", detail: expect.stringContaining("no rollout found") },
      conversation: null,
    });
  });
});
