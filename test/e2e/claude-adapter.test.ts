import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claude } from "../../src/agents/claude/adapter.ts";
import type { PathPattern } from "../../src/core/ownership/pattern.ts";
import { inputOf } from "../agents/input.ts";
import { describeClaude } from "./claude-program.ts";
import { scriptMark } from "./model-script.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { attempt, claudeHome, remembered, runProgram, startAttempt } from "./support.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

describeClaude("an attempt with the real Claude", () => {
  test("its program is one that the adapter knows", async () => {
    const { argv, parse } = claude.probe!;
    const { exit, stdout } = await runProgram({ argv, env: {}, stdin: "" }, await claudeHome(server));
    expect(parse({ stdout, stderr: exit.stderrTail, code: exit.code })).toMatchObject({
      ok: true,
      warning: null,
    });
  });

  test("edits, and tells what it did and what that cost", async () => {
    server.play({
      edit: [
        { write: { path: "hello.txt", content: "hello\n" } },
        { edit: { path: "hello.txt", old: "hello", new: "good day" } },
        { bash: "echo more >> hello.txt; false" },
        { text: "All done.", usage: { input: 1000, output: 100 } },
      ],
    });
    const id = randomUUID();
    const done = await attempt({
      home: await claudeHome(server),
      prompt: `Do it. ${scriptMark("edit")}`,
      input: { conversation: { kind: "new", id } },
    });
    expect(await readFile(join(done.worktree, "hello.txt"), "utf8")).toBe("good day\nmore\n");
    const usage = { costUsd: expect.any(Number), inputTokens: 1300, outputTokens: 130 };
    expect(done.conclusion).toEqual({
      failure: null,
      usage,
      conversation: id,
      text: "All done.",
      denials: [],
    });
    expect(done.conclusion.usage.costUsd).toBeGreaterThan(0);
    const tool = (name: string, target: string) => ({ kind: "tool", name, target, by: "agent" });
    expect(done.events).toMatchObject([
      { kind: "started", conversation: id },
      tool("Write", "hello.txt"),
      { kind: "tool-ended", ok: true, change: { added: 1, removed: 0 } },
      tool("Edit", "hello.txt"),
      { kind: "tool-ended", ok: true },
      tool("Bash", "echo more >> hello.txt; false"),
      { kind: "tool-ended", ok: false, code: 1 },
      { kind: "text", text: "All done.", by: "agent" },
      { kind: "usage", usage },
    ]);
    expect(done.exit).toMatchObject({ code: 0, why: null, leftOver: [] });
  });

  test("goes on with a conversation in which it was killed", async () => {
    server.play({ killed: [{ bash: "echo half > work.txt; sleep 1000" }, { text: "I go on." }] });
    const home = await claudeHome(server);
    const first = await startAttempt({ home, prompt: `Do it. ${scriptMark("killed")}` });
    await first.wrote("work.txt");
    // It writes down what is said a little later than it acts.
    await first.until(() => remembered(home).includes("echo half"));
    const { conclusion } = await first.stop({ kill: true });
    expect(conclusion.failure).toMatchObject({ reason: "cancelled" });
    const id = conclusion.conversation ?? "";
    const { worktree } = first;
    const input = { conversation: { kind: "continue", id } } as const;
    const second = await attempt({ home, worktree, prompt: "Go on.", input });
    expect(second.conclusion).toMatchObject({ failure: null, text: "I go on.", conversation: id });
  });
});

describeClaude("what the real Claude may do", () => {
  const prompt = scriptMark;

  test("anything, by default, except what the run denies", async () => {
    const deny = ["Bash(git push *)"];
    server.play({
      push: [{ bash: "touch here && git push origin main" }, { bash: "touch here" }, { text: "Well." }],
    });
    const { conclusion, events, worktree } = await attempt({
      home: await claudeHome(server),
      prompt: prompt("push"),
      input: { deny },
    });
    expect(conclusion).toMatchObject({
      denials: ["Bash"],
      failure: { reason: "denied", detail: "not allowed to use Bash" },
    });
    expect(events).toContainEqual({ kind: "denied", tool: "Bash" });
    expect(await readdir(worktree)).toEqual(["here"]);
  });

  test("with a list of allowed tools only what is on it: by the rule Edit that tool alone, by Write(**) nothing", async () => {
    server.play({
      narrow: [
        { write: { path: "a.txt", content: "a" } },
        { bash: "echo b > b.txt" },
        { bash: "mkdir made" },
        { tool: "WebFetch", input: { url: "http://127.0.0.1:9/", prompt: "x" } },
        { text: "I did what I could." },
      ],
    });
    const tools = { allow: ["Edit", "Write(**)", "Bash(mkdir *)"], deny: ["WebFetch"] };
    const { conclusion, worktree } = await attempt({
      home: await claudeHome(server),
      prompt: prompt("narrow"),
      work: { tools },
      ending: { gated: true },
    });
    // A tool that is denied altogether is not offered: asking for it is an error and no denial.
    expect(conclusion).toMatchObject({ failure: null, text: "I did what I could." });
    expect([...conclusion.denials].sort()).toEqual(["Bash", "Write"]);
    expect(await readdir(worktree)).toEqual(["made"]);
    const offered = server.requestsOf("narrow")[0]?.body?.tools?.map(({ name }) => name);
    expect(offered).toContain("Write");
    expect(offered).not.toContain("WebFetch");
  });

  test("with the rule Edit(**) all that changes files", async () => {
    server.play({ edits: [{ write: { path: "a.txt", content: "a" } }, { bash: "echo b > b.txt" }] });
    const { conclusion, worktree } = await attempt({
      home: await claudeHome(server),
      prompt: prompt("edits"),
      work: { tools: { allow: ["Edit(**)"], deny: [] } },
    });
    expect(conclusion.denials).toEqual([]);
    expect((await readdir(worktree)).sort()).toEqual(["a.txt", "b.txt"]);
  });

  test("only look, in read-only work", async () => {
    server.play({
      look: [
        { bash: "ls; git log -1; grep -rn foo ." },
        { bash: "echo x > x.txt" },
        { write: { path: "x.txt", content: "x" } },
        { bash: "find . -exec touch x.txt ;" },
        { text: "I saw nothing." },
      ],
    });
    const input = { access: "read-only" } as const;
    const { conclusion, worktree, events } = await attempt({
      home: await claudeHome(server),
      prompt: prompt("look"),
      input,
    });
    expect(conclusion).toMatchObject({ failure: null, denials: ["Bash", "Bash"], text: "I saw nothing." });
    expect(await readdir(worktree)).toEqual([]);
    expect(events.filter(({ kind }) => kind === "tool-ended")).toHaveLength(4);
  });

  test("in read-only work its report files, and nothing else; never below .claude, by its own rules", async () => {
    server.play({
      report: [
        { write: { path: "reports/x.md", content: "x" } },
        { edit: { path: "reports/x.md", old: "x", new: "y" } },
        { write: { path: "reports/x.txt", content: "x" } },
        { write: { path: "src/x.ts", content: "x" } },
        { bash: "echo x > src/x.ts" },
        { write: { path: ".claude/reports/x.md", content: "x" } },
        { text: "I saw nothing." },
      ],
    });
    const reports = ["reports/*.md", ".claude/reports/**"] as unknown as readonly PathPattern[];
    const { conclusion, worktree } = await attempt({
      home: await claudeHome(server),
      prompt: prompt("report"),
      input: { access: "read-only", reports },
    });
    expect(conclusion).toMatchObject({ failure: null, denials: ["Write", "Write", "Bash", "Write"] });
    expect((await readdir(worktree, { recursive: true })).sort()).toEqual(["reports", "reports/x.md"]);
    expect(await readFile(join(worktree, "reports/x.md"), "utf8")).toBe("y");
  });

  // Others are not refused, so there is nothing to see.
  const isRoot = process.getuid?.() === 0;
  if (isRoot)
    test("nothing with bypassed permissions as root, unless it is told", async () => {
      const invoked = claude.invoke(inputOf({ prompt: prompt("root"), isRoot: true, allowRoot: true }));
      if (!invoked.ok) throw new Error(invoked.problem.message);
      // Every other test here is told so; those with a list of tools need not be, as nothing is bypassed there.
      const { IS_SANDBOX, ...env } = invoked.invocation.env;
      expect(IS_SANDBOX).toBe("1");
      const refused = await runProgram({ ...invoked.invocation, env }, await claudeHome(server));
      expect(refused.exit).toMatchObject({ code: 1, stderrTail: expect.stringContaining("root") });
    });
});
