import { describe, expect, it } from "vitest";
import type { LoggedFact, TranscriptEntry } from "../../app/index.ts";
import type { Fact, FactBody } from "../../core/facts.ts";
import { attemptId, oid, type RunId, refName, type TaskId } from "../../core/ids.ts";
import { glyphs } from "./glyphs.ts";
import { plainText } from "./line.ts";
import { attemptFactLines, entryLines, type LogLook, runFactLines } from "./log.ts";

const wide: LogLook = { glyphs: glyphs.unicode, width: null };
const at = 1_794_700_000_000;
const tax = attemptId("tax" as TaskId, 3);

/** Without the time, which is that of whoever looks. */
function told(entries: readonly TranscriptEntry[], look = wide): string[] {
  return entries.flatMap(entryLines(look)).map((line) => plainText(line).slice(10));
}

describe("what an agent did", () => {
  it("has the kind in front; long names of tools are part of the text", () => {
    const tool = (name: string, target: string | null): TranscriptEntry => ({
      ...{ at, kind: "tool", call: null, name, target, by: "agent" },
    });
    expect(
      told([tool("Edit", "src/tax.ts"), tool("WebFetch", "https://a.example"), tool("Todo", null)]),
    ).toEqual(["edit   src/tax.ts", "tool   WebFetch https://a.example", "todo   "]);
  });

  it("names the tool that failed, and says nothing of those that did not", () => {
    const lines = entryLines(wide);
    const used = { at, kind: "tool", call: "c1", name: "Bash", target: "npm test", by: "agent" } as const;
    const all = [
      used,
      { at, kind: "tool-ended", call: "c1", ok: false },
      { at, kind: "tool-ended", call: "c1", ok: true },
    ];
    const texts = (all as TranscriptEntry[]).flatMap(lines).map((line) => plainText(line).slice(10));
    expect(texts).toEqual(["bash   npm test", "tool   Bash failed"]);
  });

  it("shows the last lines of what failed, and with which code", () => {
    const output = Array.from({ length: 30 }, (_, n) => `line ${n + 1}`).join("\n");
    const [head, ...rest] = told([{ at, kind: "tool-ended", call: null, ok: false, code: 2, output }]);
    expect(head).toBe("tool   it failed, exit 2");
    expect(rest).toHaveLength(10);
    expect(rest.at(-1)).toBe("         line 30");
  });

  it("is wrapped in a terminal, below itself, and never elsewhere", () => {
    const text: TranscriptEntry = {
      at,
      kind: "text",
      text: "All rates use the mode of their line.\n\tDone.",
      by: "agent",
    };
    expect(told([text])).toEqual(["text   All rates use the mode of their line.", "         Done."]);
    expect(told([text], { ...wide, width: 40 })).toEqual([
      "text   All rates use the mode",
      "       of their line.",
      "         Done.",
    ]);
  });

  it("is ASCII where nothing else can be shown", () => {
    const text: TranscriptEntry = { at, kind: "text", text: "für → alle", by: "sub-agent" };
    expect(told([text], { ...wide, glyphs: glyphs.ascii })).toEqual(["sub    f<U+00FC>r -> alle"]);
  });

  it("says what it waits for, what was refused, and what was not kept", () => {
    const entries: TranscriptEntry[] = [
      { at, kind: "started", conversation: null, model: "opus" },
      { at, kind: "retry", status: 529, delayMs: 30_000 },
      { at, kind: "denied", tool: "Bash" },
      { at, kind: "noise", text: "npm warn" },
      { at, kind: "cut", bytes: 3_200_000 },
      { at, kind: "usage", usage: { costUsd: 1, inputTokens: null, outputTokens: null } },
    ];
    expect(told(entries)).toEqual([
      "agent  begins, model opus",
      "agent  retrying after status 529 in 0:30",
      "agent  was refused Bash",
      "out    npm warn",
      "plait  3,200,000 bytes are left out here",
    ]);
  });
});

function logged(body: FactBody, attempts = [tax]): LoggedFact {
  return { fact: { v: 1, at, ...body } as Fact, attempts, notices: [] };
}

const tree = oid("a".repeat(40));
const red = logged({
  ...{ type: "gate.judged", tree, gate: "g", preparation: "p", verdict: "red", how: "ran" },
  ...{ reference: null, asked: [{ kind: "candidate", commit: tree }], name: "test:tax", tries: 2 },
  ...{ durationMs: 38_240, summary: "2 of 41 tests failed", output: null },
} as unknown as FactBody);

describe("what plait did", () => {
  const lines = (one: LoggedFact, output: string[] = [], path: string | null = null) =>
    attemptFactLines({ logged: one, output, path }, () => "agent", wide).map((line) =>
      plainText(line).slice(10),
    );

  it("is told with what it took, and what a red gate printed last", () => {
    const ended: FactBody = {
      type: "attempt.ended",
      ...{ attempt: tax, failure: null, exit: { code: null, signal: "SIGKILL" } },
      ...{ usage: { costUsd: 0.35, inputTokens: null, outputTokens: null } },
      ...{ conversation: null, said: null, denials: ["Bash"] },
    };
    expect(lines(logged(ended))).toEqual(["plait  agent ended, by SIGKILL, $0.35, 1 tool denied"]);
    expect(lines(red, ["FAIL rates", "expected 1.05"])).toEqual([
      "plait  gate test:tax red on the merged tree in 38.2s, run 2 times, 2 of 41 tests failed",
      "         FAIL rates",
      "         expected 1.05",
    ]);
  });

  it("names a worktree that stays, and files that are not saved", () => {
    const saved: FactBody = {
      type: "attempt.saved",
      ...{ attempt: tax, ref: refName("refs/plait/r/tax/3"), changed: false },
      ...{ result: { commit: tree, tree }, findings: [], report: null, ignored: 2, kept: "/w/.kept/tax-3" },
    };
    expect(lines(logged(saved))).toEqual([
      "plait  no changes to save, 2 ignored files not saved, worktree kept at /w/.kept/tax-3",
    ]);
  });

  it("is one line in the log of a run, with whose it is in front", () => {
    const look = { worker: () => "agent" as const, run: "r-1" as RunId, name: 8 };
    const text = (one: LoggedFact) =>
      runFactLines({ logged: one, output: [], path: null }, look, wide).map((line) =>
        plainText(line).slice(10),
      );
    expect(text(red)).toEqual([
      "tax #3    gate test:tax red on the merged tree in 38.2s, run 2 times, 2 of 41 tests failed",
    ]);
    expect(text(logged({ type: "run.ended", outcome: "stopped" }, []))).toEqual(["r-1       ended, stopped"]);
  });
});
