import { describe, expect, it } from "vitest";
import type { TaskAttemptRef, TranscriptEntry, TranscriptPage } from "../../../report/page/wire.ts";
import { type Every, type FollowedTranscript, followTranscript, toolSort, transcriptItems } from "./items.ts";

const tool = (at: number, call: string | null, name = "Bash", by: "agent" | "sub-agent" = "agent") =>
  ({ at, kind: "tool", call, name, target: "x", by }) as const;
const ended = (at: number, call: string | null, ok = true) => ({ at, kind: "tool-ended", call, ok }) as const;
const text = (at: number, said: string, by: "agent" | "sub-agent" = "agent") =>
  ({ at, kind: "text", text: said, by }) as const;

const shape = (entries: readonly TranscriptEntry[]) => transcriptItems(entries).items;

describe("what an agent did", () => {
  it("a tool and its end are one, also where several are used at once", () => {
    const items = shape([
      tool(1, "a"),
      tool(2, "b"),
      { ...ended(3, "b", false), code: 1, output: "no" },
      ended(5, "a"),
    ]);
    expect(items).toMatchObject([
      { kind: "tool", at: 1, end: { at: 5, ok: true } },
      { kind: "tool", at: 2, end: { at: 3, ok: false, code: 1, output: "no" } },
    ]);
  });

  it("a tool whose program names no call is ended by the next end", () => {
    expect(shape([tool(1, null), ended(2, null)])).toMatchObject([{ end: { at: 2 } }]);
    expect(shape([tool(1, "a")])).toMatchObject([{ end: null }]);
  });

  it("an end without its beginning is told only where it failed", () => {
    expect(
      shape([{ at: 1, kind: "cut", bytes: 9 }, ended(2, "gone"), ended(3, "gone too", false)]),
    ).toMatchObject([{ kind: "cut" }, { kind: "tool", at: 3, end: { ok: false } }]);
  });

  it("sub-agents, noise and retries are folded; the last usage stands beside", () => {
    const usage = { costUsd: 1, inputTokens: 2, outputTokens: 3 };
    const { items, usage: told } = transcriptItems([
      { at: 1, kind: "noise", text: "warn" },
      { at: 2, kind: "noise", text: "more" },
      tool(3, "t", "Task"),
      text(4, "inner", "sub-agent"),
      tool(5, "u", "Read", "sub-agent"),
      ended(6, "u"),
      ended(7, "t"),
      { at: 8, kind: "retry", status: 529, delayMs: 1_000 },
      { at: 9, kind: "retry", status: 529, delayMs: 2_000 },
      { at: 10, kind: "usage", usage },
    ]);
    expect(items).toMatchObject([
      { kind: "noise", lines: ["warn", "more"] },
      { kind: "tool", end: { at: 7 } },
      { kind: "sub", items: [{ kind: "text" }, { kind: "tool", end: { at: 6 } }] },
      { kind: "retry", at: 8, times: 2, delayMs: 2_000 },
    ]);
    expect(told).toEqual(usage);
  });

  it("tools of all programs are of a few sorts", () => {
    const sorts = [
      "Read",
      "Grep",
      "Edit",
      "MultiEdit",
      "Write",
      "NotebookEdit",
      "Bash",
      "shell",
      "edit",
      "Task",
      "x.y",
    ];
    expect(sorts.map(toolSort)).toEqual([
      ...["read", "read", "edit", "edit", "edit", "edit", "bash", "bash", "edit", "agent", "other"],
    ]);
  });
});

describe("a transcript that grows", () => {
  const attempt = { run: "r", task: "t", n: 1 } as unknown as TaskAttemptRef;

  function followed(answer: (from: string | null) => Promise<TranscriptPage>) {
    const timers = new Set<() => void>();
    const every: Every = (_ms, fire) => {
      timers.add(fire);
      return () => void timers.delete(fire);
    };
    const told: FollowedTranscript[] = [];
    const following = followTranscript(
      { transcript: (_ref, from) => answer(from) },
      { attempt, every },
      (one) => told.push(one),
    );
    const tick = async () => {
      for (const fire of timers) fire();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { following, told, tick, timers };
  }

  it("is asked from where it was, once a second while the attempt lives, and once more at its end", async () => {
    const asked: (string | null)[] = [];
    const { following, told, tick, timers } = followed(async (from) => {
      asked.push(from);
      return { entries: [text(asked.length, `${asked.length}`)], next: `n${asked.length}`, hasMore: false };
    });
    following.setLive(true);
    await tick();
    await tick();
    following.setLive(false);
    await tick();
    expect(asked).toEqual([null, "n1", "n2"]);
    expect(timers.size).toBe(0);
    expect(told.at(-1)?.entries.map(({ at }) => at)).toEqual([1, 2, 3]);
  });

  it("comes whole, however many pages it has, also of an attempt that is over", async () => {
    const { following, told, tick } = followed(async (from) => {
      const n = Number(from ?? 0) + 1;
      return { entries: [text(n, `${n}`)], next: `${n}`, hasMore: n < 4 };
    });
    following.setLive(false);
    await tick();
    expect(told.at(-1)?.entries.map(({ at }) => at)).toEqual([1, 2, 3, 4]);
  });

  it("what was told stays when a question fails, and the next one goes on", async () => {
    let fails = false;
    const { following, told, tick } = followed(async (from) => {
      if (fails) throw new Error("no answer");
      return { entries: from === null ? [text(1, "a")] : [], next: "x", hasMore: false };
    });
    following.setLive(true);
    await tick();
    fails = true;
    await tick();
    expect(told.at(-1)).toMatchObject({ entries: [{ at: 1 }], problem: { message: "no answer" } });
    fails = false;
    await tick();
    expect(told.at(-1)).toMatchObject({ entries: [{ at: 1 }], problem: null });
    following.stop();
  });
});
