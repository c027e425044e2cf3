import { describe, expect, test } from "vitest";
import { inputOf, invocationOf } from "../../../test/agents/input.ts";
import type { PathPattern } from "../../core/ownership/pattern.ts";
import { claude } from "./adapter.ts";

const argvOf = (...args: Parameters<typeof inputOf>) => invocationOf(claude, ...args).argv.join(" ");

describe("the command line of Claude", () => {
  test("with nothing special: bypassed permissions, the prompt on stdin, few retries of its own", () => {
    expect(claude.invoke(inputOf())).toEqual({
      ok: true,
      invocation: {
        argv: [
          "claude",
          "-p",
          "--output-format",
          "stream-json",
          "--verbose",
          "--session-id",
          "11111111-2222-4333-8444-555555555555",
          "--permission-mode",
          "bypassPermissions",
        ],
        env: {
          PLAIT_TASK: "cart",
          PLAIT_ATTEMPT_N: "1",
          CAST_SUBPROCESS: "1",
          PO_WORKTREE_GUARD: "1",
          CLAUDE_CODE_MAX_RETRIES: "2",
        },
        stdin: "Do it.",
        notes: ["runs with permissions bypassed"],
      },
      warnings: [],
    });
  });

  test("who only reads is in no worktree to write in, as parallel-orchestra has it", () => {
    expect(invocationOf(claude, { access: "read-only" }).env).not.toHaveProperty("PO_WORKTREE_GUARD");
    expect(invocationOf(claude, { access: "read-only" }).env).toHaveProperty("CAST_SUBPROCESS");
  });

  test("sub-agent, model and budget", () => {
    const argv = argvOf(
      {},
      { agent: { use: "claude", name: "team:dba", model: "opus" }, budgetUsd: 0.0000005 },
    );
    expect(argv).toContain("--agent team:dba --model opus --max-budget-usd 0.000001 --permission-mode");
    expect(argvOf({}, { budgetUsd: 100 })).toContain("--max-budget-usd 100 --");
    expect(argvOf({}, { budgetUsd: 2.5 })).toContain("--max-budget-usd 2.5 --");
  });

  test("what is said beside the prompt joins its system prompt", () => {
    const { argv, stdin } = invocationOf(claude, inputOf({ systemPrompt: "End with a result." }));
    expect(argv.slice(argv.indexOf("--append-system-prompt"))[1]).toBe("End with a result.");
    expect(stdin).toBe("Do it.");
  });

  test("the part that all tasks share comes as a file, in front of what differs between worktrees", () => {
    const argv = argvOf({ sharedFile: "/run/texts/abc", access: "read-only" });
    expect(argv).toContain(
      " --append-system-prompt-file /run/texts/abc --exclude-dynamic-system-prompt-sections ",
    );
    expect(argv).not.toContain("--append-system-prompt ");
    const versions = ["2.1.196", "2.1.197", "2.1.325", "2.2.0", "3.0.0", "1.9.999", "unknown"];
    expect(versions.filter((version) => claude.takesSharedFile?.(version))).toEqual(versions.slice(1, 5));
  });

  test("the form of an answer goes along as it is, before the options that take all that follows", () => {
    const answer = { schema: { type: "object" }, schemaFile: "/run/answer.json" };
    expect(argvOf({ answer, access: "read-only" })).toContain(
      '--json-schema {"type":"object"} --permission-mode dontAsk --allowedTools Read Glob Grep',
    );
  });

  test("a fix round goes on with the conversation", () => {
    const argv = argvOf({ conversation: { kind: "continue", id: "abc" } });
    expect(argv).toContain("--resume abc");
    expect(argv).not.toContain("--session-id");
  });

  test("allowed tools end the bypass, each an argument of its own, and nothing can be swallowed behind them", () => {
    const tools = { allow: ["Edit", "Bash(npm *)"], deny: ["WebFetch"] };
    const { argv, notes } = invocationOf(claude, { deny: ["Bash(git push *)", "WebFetch"] }, { tools });
    expect(argv.slice(argv.indexOf("--permission-mode"))).toEqual([
      "--permission-mode",
      "dontAsk",
      "--allowedTools",
      "Edit",
      "Bash(npm *)",
      "--disallowedTools",
      "WebFetch",
      "Bash(git push *)",
    ]);
    expect(notes).toEqual(["may use Edit, Bash(npm *) and read files; everything else is denied"]);
  });

  test.each([
    [["Edit"], 1],
    [["Edit", "Read", "Bash(npm *)"], 1],
    [["Edit(*)"], 1],
    [["Edit", "Write"], 0],
    [["Edit", "Write(*)"], 0],
    [["Edit", "Write(src/**)"], 2],
    [["Write(src/**)"], 1],
    [["Edit", "Edit(**)"], 0],
    [["Edit(**)"], 0],
    [["Bash(npm *)"], 0],
  ])("allowing %j warns %d times: Edit alone creates no file, and Write knows no paths", (allow, times) => {
    const tools = { allow, deny: [] };
    expect(claude.invoke(inputOf({}, { tools }))).toMatchObject({ warnings: { length: times } });
    expect(claude.invoke(inputOf({ access: "read-only" }, { tools }))).toMatchObject({ warnings: [] });
  });

  test("report files are all that read-only work may write, whatever its plan allows besides", () => {
    const reports = ["reports/*.md", "out/", "{a,b}.md"] as unknown as PathPattern[];
    const tools = { allow: ["Read", "Edit", "Write(src/**)", "Bash(ls *)"], deny: ["WebFetch"] };
    const argv = argvOf({ access: "read-only", reports }, { tools });
    expect(argv).toContain(
      "--allowedTools Read Bash(ls *) Edit(/reports/*.md) Edit(/out/**) Edit(/a.md) Edit(/b.md) --disallowedTools NotebookEdit WebFetch",
    );
    expect(argvOf({ access: "read-only", reports })).toContain("--allowedTools Read Glob Grep Edit(/reports");
    const dir = {
      worktree: "/w/cart/apps/web",
      dir: "apps/web",
      reports: ["apps/web/out/", "r.md"] as never,
    };
    expect(argvOf({ access: "read-only", ...dir })).toContain("Edit(/out/**) Edit(//w/cart/r.md) --");
    const warned = (...paths: string[]) =>
      claude.invoke(inputOf({ access: "read-only", reports: paths as PathPattern[] }));
    const stays = "below .claude/, so .claude/x.md stays empty";
    expect(warned(".claude/x.md")).toMatchObject({
      warnings: [expect.stringContaining(`${stays} and the report is the agent's last message;`)],
    });
    expect(warned("r.md", ".claude/x.md")).toMatchObject({
      warnings: [expect.stringContaining(`${stays};`)],
    });
  });

  test("denied tools alone leave the rest bypassed", () => {
    const argv = argvOf({}, { tools: { allow: [], deny: ["WebFetch"] } });
    expect(argv).toMatch(/--permission-mode bypassPermissions --disallowedTools WebFetch$/);
  });

  test("read-only work may look, or use what the plan says, and has no tool to write with", () => {
    const never = "--disallowedTools Write Edit NotebookEdit";
    expect(argvOf({ access: "read-only" })).toMatch(
      new RegExp(`--permission-mode dontAsk --allowedTools Read Glob Grep ${never}$`),
    );
    const tools = { allow: ["Bash(git log *)"], deny: ["Write", "WebFetch"] };
    expect(argvOf({ access: "read-only" }, { tools })).toMatch(
      /dontAsk --allowedTools Bash\(git log \*\) --disallowedTools Write Edit NotebookEdit WebFetch$/,
    );
  });
});

describe("as root", () => {
  const root = { isRoot: true };

  test("a bypass is refused before anything starts", () => {
    const refused = claude.invoke(inputOf(root));
    expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringContaining("root") } });
  });

  test.each([{ allowRoot: true }, { sandboxed: true }])(
    "it is allowed with %j, and Claude is told",
    (more) => {
      expect(invocationOf(claude, { ...root, ...more }).env).toMatchObject({ IS_SANDBOX: "1" });
    },
  );

  test("nothing is refused where nothing is bypassed", () => {
    expect(invocationOf(claude, { ...root, access: "read-only" }).env).not.toHaveProperty("IS_SANDBOX");
    expect(invocationOf(claude, root, { tools: { allow: ["Edit"], deny: [] } }).env).not.toHaveProperty(
      "IS_SANDBOX",
    );
  });

  test("others are told nothing", () => {
    expect(invocationOf(claude, { allowRoot: true, sandboxed: true }).env).not.toHaveProperty("IS_SANDBOX");
  });
});
