import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { InvokeInput } from "../../src/agents/adapter.ts";
import { parseClaim } from "../../src/core/ownership/parse.ts";
import type { Claim } from "../../src/core/ownership/pattern.ts";
import { agentWork } from "../support/plans.ts";
import { type Attempt, buildDemoAgent, startDemo, tempFolder } from "./demo-program.ts";

const built = mkdtempSync(join(tmpdir(), "plait-demo-built-"));
let program = "";
beforeAll(async () => {
  program = await buildDemoAgent(built);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

const run = (cwd: string, prompt: string, input: Partial<InvokeInput> = {}): Promise<Attempt> =>
  startDemo(program, cwd, { prompt, ...input }).done;

const claim = (text: string): Claim => {
  const parsed = parseClaim(text, "any");
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.claim;
};

const read = (folder: string, path: string) => readFile(join(folder, path), "utf8");

describe("without a script", () => {
  test("it leaves a note of its own", async () => {
    const folder = await tempFolder();
    const { conclusion, events } = await run(folder, "Write a cart.");
    expect(await read(folder, "notes/cart.md")).toBe("cart: the demo agent was here\n");
    expect(conclusion).toEqual({
      failure: null,
      usage: { costUsd: 0, inputTokens: 0, outputTokens: 0 },
      conversation: "11111111-2222-4333-8444-555555555555",
      text: "Done: cart changed notes/cart.md.",
      denials: [],
    });
    expect(events.map(({ kind }) => kind)).toEqual(["started", "tool", "tool-ended", "text", "usage"]);
  });

  test("it leaves something harmless in each claim of its task, and nothing else", async () => {
    const folder = await tempFolder();
    await mkdir(join(folder, "lib"));
    await writeFile(join(folder, "data.json"), "{}\n");
    await writeFile(join(folder, "b.css"), "a {}\n");
    const claims = ["src/a.ts", "lib", "docs/", "**/*.test.ts", "data.json", "new.json", "b.css"];
    await run(folder, "Do it.", { owns: claims.map(claim) });
    expect((await readdir(folder, { recursive: true })).sort()).toEqual(
      [
        ...["b.css", "cart.test.ts", "data.json", "docs", "docs/cart.md", "lib", "lib/cart.md", "new.json"],
        ...["src", "src/a.ts"],
      ].sort(),
    );
    expect(await read(folder, "src/a.ts")).toBe("// cart: the demo agent was here\n");
    expect(await read(folder, "b.css")).toBe("a {}\n/* cart: the demo agent was here */\n");
    expect(JSON.parse(await read(folder, "data.json"))).toEqual({});
    expect(JSON.parse(await read(folder, "new.json"))).toEqual({ demo: "cart" });
  });

  test("what owns a symbol leaves its comment there, and at the end where there is no such symbol yet", async () => {
    const folder = await tempFolder();
    await writeFile(
      join(folder, "shop.py"),
      "class Cart:\n    def add(self):\n        pass\n\ndef pay(cart):\n    pass\n",
    );
    const claims = ["shop.py::pay", "shop.py::Cart.add", "shop.py::refund"];
    await run(folder, "Do it.", { owns: claims.map(claim) });
    const trace = "# cart: the demo agent was here";
    expect(await read(folder, "shop.py")).toBe(
      `class Cart:\n    def add(self):  ${trace}\n        pass\n\ndef pay(cart):  ${trace}\n    pass\n${trace}\n`,
    );
  });

  test("read-only work leaves nothing and has a report", async () => {
    const folder = await tempFolder();
    const { conclusion } = await run(folder, "Look.", { access: "read-only", owns: [claim("a.ts")] });
    expect(await readdir(folder)).toEqual([]);
    expect(conclusion).toMatchObject({ failure: null, text: expect.stringContaining("Report of cart") });
  });
});

describe("with a script", () => {
  test("a command may print as much as it likes, and one that fails is told with the end of its errors", async () => {
    const folder = await tempFolder();
    const flood = "head -c 3000000 /dev/zero";
    const { events } = await run(
      folder,
      `demo: run ${flood}; ${flood} >&2; touch ran\ndemo: run ${flood} >&2; echo no disk >&2; exit 3`,
    );
    expect(await readdir(folder)).toEqual(["ran"]);
    expect(events.flatMap((event) => (event.kind === "tool-ended" ? [event.ok] : []))).toEqual([true, false]);
    const told = events.flatMap((event) => (event.kind === "text" ? [event.text] : [])).join("");
    expect(told).toMatch(/^Bash failed: exit code 3: .*no disk/s);
    expect(told.length).toBeLessThan(3_000);
  });

  test("it does what the lines say, in order", async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, "old.txt"), "old\n");
    const script = [
      "Some words. demo: exit 9 (not at the start of a line)",
      "| demo: exit 9",
      "demo: write src/a.txt one\\ntwo",
      '  demo: write "with blank.txt" three',
      "```demo",
      "# a comment",
      "append src/a.txt more",
      "delete old.txt",
      "delete nonesuch.txt",
      "run printf %s ran > ran.txt",
      "say first",
      "say Report: all good.\\nReally.",
      "```",
      "write is only a word here",
    ];
    const { conclusion, events, ending } = await run(folder, script.join("\n"));
    expect(ending).toEqual({ code: 0, signal: null, stderr: "" });
    expect(await read(folder, "src/a.txt")).toBe("one\ntwo\nmore\n");
    expect(await read(folder, "with blank.txt")).toBe("three\n");
    expect(await read(folder, "ran.txt")).toBe("ran");
    expect(await readdir(folder)).not.toContain("old.txt");
    expect(conclusion).toMatchObject({ failure: null, text: "Report: all good.\nReally." });
    const tools = events
      .filter((event) => event.kind === "tool")
      .map((event) => `${event.name} ${event.target}`);
    expect(tools).toEqual([
      "Write src/a.txt",
      "Write with blank.txt",
      "Edit src/a.txt",
      "Delete old.txt",
      "Delete nonesuch.txt",
      "Bash printf %s ran > ran.txt",
    ]);
    const ends = events.filter((event) => event.kind === "tool-ended").map(({ ok }) => ok);
    expect(ends).toEqual([true, true, true, true, false, true]);
  });

  test("it answers with a file", async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, "design.json"), '{ "tasks": [] }\n');
    const { conclusion } = await run(folder, "demo: answer design.json", { access: "read-only" });
    expect(conclusion).toMatchObject({ failure: null, text: '{ "tasks": [] }\n' });
  });

  test("it commits on any machine, without being asked for a name", async () => {
    const folder = await tempFolder();
    execFileSync("git", ["init", "-q", folder]);
    const { conclusion } = await run(folder, 'demo: write a.txt hi\ndemo: commit feat: say "hi" $HOME');
    expect(conclusion.failure).toBeNull();
    const log = execFileSync("git", ["-C", folder, "log", "--format=%an %s", "--name-only"], {
      encoding: "utf8",
    });
    expect(log).toBe('demo feat: say "hi" $HOME\n\na.txt\n');
  });

  test("lines for one attempt are for that attempt; without any it does its own work", async () => {
    const prompt = "demo: on attempt 1: fail crash\ndemo: on attempt 3+: write late.txt x";
    const outcomes = await Promise.all(
      [1, 2, 3, 7].map(async (attempt) => {
        const folder = await tempFolder();
        const { conclusion } = await run(folder, prompt, { attempt });
        return [conclusion.failure?.reason ?? "ok", ...(await readdir(folder))];
      }),
    );
    expect(outcomes).toEqual([["crash"], ["ok", "notes"], ["ok", "late.txt"], ["ok", "late.txt"]]);
  });

  test("it fails for the reason it is told, with what belongs to it", async () => {
    const folder = await tempFolder();
    const before = Date.now();
    const [rate, usage, plain, verdict, denied] = await Promise.all([
      run(folder, "demo: retry 429 500ms\ndemo: fail rate-limit 2s slow down"),
      run(folder, "demo: limit 1m\ndemo: fail usage-limit 1m"),
      run(folder, "demo: fail overloaded no room"),
      run(folder, "demo: say Status: BLOCKED\\nBlocker: no key"),
      run(folder, "demo: deny Bash"),
    ]);
    expect(rate.conclusion.failure).toEqual({
      reason: "rate-limit",
      retryAfterMs: 2_000,
      detail: "slow down",
    });
    expect(rate.events).toContainEqual({ kind: "retry", status: 429, delayMs: 500 });
    expect(rate.ending.code).toBe(1);
    const { failure } = usage.conclusion;
    const resetsAt = failure?.reason === "usage-limit" ? (failure.resetsAt ?? 0) : 0;
    expect(resetsAt).toBeGreaterThanOrEqual(before + 60_000);
    expect(resetsAt).toBeLessThan(Date.now() + 60_001);
    expect(usage.events.some((event) => event.kind === "limit")).toBe(true);
    expect(plain.conclusion.failure).toEqual({ reason: "overloaded", detail: "no room" });
    expect(verdict.conclusion.failure).toMatchObject({ reason: "agent-said-no" });
    expect(denied.conclusion).toMatchObject({ denials: ["Bash"], failure: { reason: "denied" } });
  });

  test("it ends without a result, by a code or a signal", async () => {
    const folder = await tempFolder();
    const [exited, killed] = await Promise.all([
      run(folder, "demo: warn oh no\ndemo: exit 3\ndemo: write never.txt x"),
      run(folder, "demo: kill SIGKILL"),
    ]);
    expect(exited.conclusion.failure).toEqual({
      reason: "crash",
      detail: "exit code 3 without its result: oh no",
    });
    expect(killed.conclusion.failure).toEqual({
      reason: "crash",
      detail: "killed by SIGKILL without its result",
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test("what it spends is told, and more than its budget ends it", async () => {
    const folder = await tempFolder();
    const work = { ...agentWork, budgetUsd: 0.5 };
    const { conclusion } = await run(folder, "demo: spend 0.4\ndemo: spend 0.2\ndemo: write never.txt x", {
      work,
    });
    expect(conclusion).toMatchObject({
      failure: { reason: "budget" },
      usage: { costUsd: expect.closeTo(0.6) },
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test("a verb that it does not know is an error that says so", async () => {
    const [verb, duration, size] = await Promise.all(
      ["wirte a b", "sleep long", "flood much"].map(async (line) => run(await tempFolder(), `demo: ${line}`)),
    );
    expect(verb?.conclusion.failure).toEqual({
      reason: "agent-error",
      detail: 'demo script: unknown verb "wirte"',
    });
    expect(duration?.conclusion.failure?.detail).toBe('demo script: "long" is not a duration');
    expect(size?.conclusion.failure?.detail).toBe('demo script: "much" is not a size');
  });

  test("it floods, in lines or as one, and takes part as before", async () => {
    const folder = await tempFolder();
    const [lines, unbroken] = await Promise.all([
      run(folder, "demo: flood 3MB\ndemo: print not an event"),
      run(folder, "demo: flood 1500KB unbroken\ndemo: say done"),
    ]);
    expect(lines.stdout.length).toBeGreaterThan(3 * 1024 ** 2);
    expect(lines.events).toContainEqual({ kind: "noise", text: "not an event" });
    expect(Math.max(...unbroken.stdout.split("\n").map((line) => line.length))).toBe(1500 * 1024);
    expect(unbroken.conclusion).toMatchObject({ failure: null, text: "done" });
  });

  test("it waits as long as it is told", async () => {
    const start = performance.now();
    await run(await tempFolder(), "demo: sleep 300ms");
    expect(performance.now() - start).toBeGreaterThan(300);
  });
});

describe("when it is to be stopped", () => {
  const hanging = async (prompt: string) => {
    const demo = startDemo(program, await tempFolder(), { prompt });
    let printed = "";
    await new Promise<void>((resolve) => {
      demo.child.stdout?.on("data", (text: string) => {
        printed += text;
        if (printed.includes("hanging")) resolve();
      });
    });
    return demo;
  };

  test("an interrupt ends it with a result that tells the cost", async () => {
    const demo = await hanging("demo: spend 0.1\ndemo: hang");
    demo.child.kill("SIGINT");
    const { conclusion, ending } = await demo.done;
    expect(ending.code).toBe(1);
    expect(conclusion).toMatchObject({ failure: { detail: "interrupted" }, usage: { costUsd: 0.1 } });
  });

  test("hanging it hears TERM; deaf it hears KILL alone", async () => {
    const [plain, deaf] = await Promise.all([hanging("demo: hang"), hanging("demo: hang deaf")]);
    plain.child.kill("SIGTERM");
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) deaf.child.kill(signal);
    expect((await plain.done).ending.signal).toBe("SIGTERM");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(deaf.child.exitCode ?? deaf.child.signalCode).toBeNull();
    deaf.child.kill("SIGKILL");
    expect((await deaf.done).ending.signal).toBe("SIGKILL");
  });
});

describe("what it leaves behind", () => {
  const daemonOf = ({ conclusion }: Attempt): number => {
    const pid = Number(/^daemon (\d+)$/.exec(conclusion.text)?.[1]);
    onTestFinished(() => void process.kill(pid, "SIGKILL"));
    return pid;
  };

  test("a daemon outlives it, in a group of its own", async () => {
    const demo = startDemo(program, await tempFolder(), { prompt: "demo: daemon" });
    const pid = daemonOf(await demo.done);
    expect(() => process.kill(-pid, 0)).not.toThrow();
  });

  test("a daemon may hold its output open", async () => {
    const demo = startDemo(program, await tempFolder(), { prompt: "demo: daemon 1s holding" });
    await once(demo.child, "exit");
    const exited = performance.now();
    await demo.done;
    expect(performance.now() - exited).toBeGreaterThan(300);
  });
});
