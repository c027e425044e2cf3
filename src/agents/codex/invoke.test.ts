import { describe, expect, test } from "vitest";
import { inputOf, invocationOf } from "../../../test/agents/input.ts";
import { codex } from "./adapter.ts";

const argvOf = (...args: Parameters<typeof inputOf>) => invocationOf(codex, ...args).argv.join(" ");

describe("the command line of Codex", () => {
  test("with nothing special: no sandbox, the prompt on stdin, no question about updates", () => {
    expect(codex.invoke(inputOf())).toEqual({
      ok: true,
      invocation: {
        argv: [
          ...["codex", "exec", "--json", "--dangerously-bypass-approvals-and-sandbox"],
          ...["-C", "/worktrees/cart", "-c", "check_for_update_on_startup=false", "-"],
        ],
        env: { PLAIT_TASK: "cart", PLAIT_ATTEMPT_N: "1", CAST_SUBPROCESS: "1", PO_WORKTREE_GUARD: "1" },
        stdin: "Do it.",
        notes: ["runs without a sandbox"],
      },
      warnings: [],
    });
  });

  test("a model, and a fix round that goes on with the conversation", () => {
    const agent = { use: "codex", name: null, model: "gpt-5" };
    const argv = argvOf({ conversation: { kind: "continue", id: "abc" } }, { agent });
    expect(argv).toMatch(/ -m gpt-5 .* resume abc -$/);
    expect(argvOf({}, { agent })).not.toContain("resume");
  });

  test("read-only work is kept so by the sandbox, also when it goes on", () => {
    const { argv, notes } = invocationOf(codex, {
      access: "read-only",
      conversation: { kind: "continue", id: "abc" },
    });
    expect(argv.join(" ")).toMatch(
      /^codex exec --json -s read-only --skip-git-repo-check -C .* resume abc -$/,
    );
    expect(argv.join(" ")).not.toContain("bypass");
    expect(notes).toEqual(["runs in a read-only sandbox"]);
  });

  test("the form of an answer is a file, named before it goes on with a conversation", () => {
    const answer = { schema: { type: "object" }, schemaFile: "/run/answer.json" };
    const argv = argvOf({ answer, conversation: { kind: "continue", id: "abc" } });
    expect(argv).toMatch(/ --output-schema \/run\/answer\.json resume abc -$/);
  });

  test("a budget is not held, and that is told", () => {
    expect(invocationOf(codex, {}, { budgetUsd: 2 }).notes).toContain("has no budget limit");
  });
});

describe("what Codex cannot do is refused before anything starts", () => {
  test.each([
    ["allowed tools", {}, { tools: { allow: ["Edit"], deny: [] } }, /does not support `tools`/],
    ["denied tools", {}, { tools: { allow: [], deny: ["WebFetch"] } }, /does not support `tools`/],
    ["tools that the run denies", { deny: ["Bash(git push *)"] }, {}, /does not support `tools`/],
    ["a sub-agent", {}, { agent: { use: "codex", name: "baker", model: null } }, /sub-agents: "baker"/],
    ["root without a sandbox", { isRoot: true }, {}, /as root/],
  ])("%s", (_what, input, work, message) => {
    expect(codex.invoke(inputOf(input, work))).toMatchObject({
      ok: false,
      problem: { message: expect.stringMatching(message) },
    });
  });

  test.each([{ allowRoot: true }, { sandboxed: true }, { access: "read-only" } as const])(
    "but root may with %j",
    (more) => {
      expect(codex.invoke(inputOf({ isRoot: true, ...more }))).toMatchObject({ ok: true });
    },
  );
});
