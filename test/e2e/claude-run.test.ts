import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { entries } from "../../src/core/sorted-map.ts";
import { pidsWith } from "../process/support.ts";
import { claudeProgram, describeClaude } from "./claude-program.ts";
import { rateLimited, scriptMark, usageLimit } from "./model-script.ts";
import {
  endOf,
  facts,
  factsOf,
  newPlace,
  type Plait,
  plait,
  runIds,
  runPlan,
  savedText,
  sh,
  startPlait,
  startRun,
  stateOf,
  taskIn,
  until,
} from "./runs.ts";
import { writeFiles } from "./support.ts";

/** A task that the script of the same name answers. */
const task = (id: string, more: object = {}) => ({ id, prompt: `Do it. ${scriptMark(id)}`, ...more });
const write = (path: string, content: string) => ({ write: { path, content } });
const done = { text: "Done." };
const agentFile = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: An agent of the tests\n---\n\n${body}\n`;

// Not a judgement about speed: several runs of a large program at once, on a machine that may be busy.
describeClaude("plait run with the real Claude", () => {
  test("merges tasks that need each other, hands back what fails, lets a person go on, and lands it all (I1, I2, I11)", async () => {
    const place = await newPlace({
      dough: [write("half.txt", "half\n"), { stallAfter: 3 }, write("dough.txt", "flour\n"), done],
      bread: [{ bash: "cat dough.txt dough.txt > bread.txt" }, done],
      mend: [
        { ...write("work.txt", "BAD\n"), usage: { input: 5_000, output: 500 } },
        { text: "I am done." },
        { edit: { path: "work.txt", old: "BAD", new: "good" } },
        { text: "It is good as it is." },
        { edit: { path: "work.txt", old: "good", new: "good, and agreed" } },
        { text: "Agreed." },
      ],
    });
    const gates = [{ name: "clean", run: "! grep -n BAD work.txt" }];
    const agreed = { name: "agreed", run: "grep agreed work.txt" };
    const tasks = [
      task("dough", { "idle-timeout": "6s", retries: 1 }),
      task("bread", { needs: ["dough"] }),
      task("mend", { retries: 0, "fix-rounds": 1, gates: [agreed] }),
    ];
    expect(await runPlan(place, tasks, { gates })).toMatchObject({ code: 1 });
    const ended = factsOf(place, "attempt.ended");
    const failures = ended.map(({ attempt, failure }) => [attempt, failure?.reason ?? null]);
    expect(failures.sort()).toEqual([
      ["bread/1", null],
      ["dough/1", "timeout"],
      ["dough/2", null],
      ["mend/1", null],
      ["mend/2", null],
    ]);

    // An agent that falls silent is ended, what it has done is kept, and it is tried again.
    expect(endOf(place, "dough/1").failure).toMatchObject({ reason: "timeout", clock: "idle" });
    expect(await place.server.requestsOf("dough")[1]?.answered).toBe(false);
    expect(savedText(place, "dough/1", "half.txt")).toBe("half");
    expect(taskIn(stateOf(place), "dough").used.retries).toBe(1);
    expect(pidsWith(`PLAIT_RUN=${runIds(place)[0]}`)).toEqual([]);

    // It says what it cost. What the first attempt of a conversation cost is not counted again, whatever Claude counts:
    // from zero, as the pinned release does, or on, as later ones do.
    for (const attempt of ["dough/2", "bread/1", "mend/2"]) {
      const { usage } = endOf(place, attempt);
      expect(usage).toMatchObject({ inputTokens: 200, outputTokens: 20 });
      expect(usage.costUsd).toBeGreaterThan(0);
    }
    const [first, second] = [endOf(place, "mend/1"), endOf(place, "mend/2")];
    expect(second.usage.costUsd).toBeLessThan(first.usage.costUsd ?? 0);

    // A red gate goes back to the same conversation, which mends it.
    const continued = factsOf(place, "attempt.started").filter(({ attempt }) => attempt.startsWith("mend/"));
    expect(continued.map(({ continues }) => continues)).toEqual([null, "mend/1"]);
    expect(second.conversation).toBe(first.conversation);
    const third = JSON.stringify(place.server.requestsOf("mend")[2]?.body?.messages);
    expect(third).toContain("I am done.");
    expect(third).toContain("1:BAD");
    expect(savedText(place, "mend/2", "work.txt")).toBe("good");
    const judged = factsOf(place, "gate.judged").filter(({ name }) => name === "clean");
    expect(new Set(judged.map(({ verdict }) => verdict))).toEqual(new Set(["green", "red"]));

    // Where the agent gave up, a person goes on in the same conversation.
    const { stdout } = await plait(place, "open", "mend");
    expect(stdout).toContain("from  mend #2: gate agreed red");
    expect(stdout).toMatch(
      new RegExp(`^work {2}cd (\\S+/mend) && claude --resume ${first.conversation}$`, "m"),
    );
    // The very command, by a person who types what the test cannot: its input is no terminal.
    const typed = `#!/bin/sh\nexec '${claudeProgram.path}' -p --permission-mode acceptEdits "$@" 'I want it agreed.'\n`;
    await writeFiles(place.home.folder, { "bin/claude": typed });
    sh(place, `chmod +x ${place.home.folder}/bin/claude`);
    const { folder, env } = place.home;
    const { PATH } = env;
    const person = { ...place, home: { folder, env: { ...env, PATH: `${folder}/bin:${PATH}` } } };
    const worked = await plait(person, "open", "mend", "--start");
    expect(worked).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Agreed\.\n\nnext {2}plait submit mend/),
    });
    const sent = JSON.stringify(place.server.requestsOf("mend")[4]?.body?.messages);
    for (const text of ["I am done.", "1:BAD", "It is good as it is.", "I want it agreed."])
      expect(sent).toContain(text);

    // What they hand in is proven and landed with the rest.
    expect(await plait(place, "submit", "mend", "--allow-root")).toMatchObject({ code: 0 });
    expect(factsOf(place, "run.landed")).toMatchObject([{ target: "refs/heads/main" }]);
    expect(sh(place, "git status --short; cat bread.txt work.txt")).toBe("flour\nflour\ngood, and agreed");
    expect(sh(place, "git ls-files")).toBe("a.txt\nbread.txt\ndough.txt\nwork.txt");
    expect(sh(place, "git worktree list | wc -l")).toBe("1");
  });

  test("lets all tasks of an account wait as long as the server asks one of them to, and ends those that may not go on (I2)", async () => {
    // Longer than Claude's own back-off, which it would take instead: then nobody knows what the server asked for.
    const busy = rateLimited(2);
    const dear = { input: 500_000, output: 1_000 };
    const steps = (file: string) => [write(file, "x\n"), { bash: "node -e 1" }, done];
    const place = await newPlace({
      // Claude itself tries three times.
      first: [busy, busy, busy, write("first.txt", "1\n"), done],
      dear: [write("half.txt", "half\n"), { bash: "echo 1", usage: dear }, { text: "Never said." }],
      open: steps("open.txt"),
      gated: steps("gated.txt"),
    });
    const tools = { allow: ["Write"] };
    const tasks = [
      task("first", { priority: 1, retries: 0 }),
      task("dear", { budget: 0.5 }),
      task("open", { tools }),
      task("gated", { tools, gates: ["test -f gated.txt"] }),
    ];
    expect(await runPlan(place, tasks, { concurrency: 1 })).toMatchObject({ code: 1 });
    const state = stateOf(place);
    const limited = endOf(place, "first/1");
    expect(limited.failure).toMatchObject({ reason: "rate-limit", retryAfterMs: 2_000 });
    expect(place.server.requestsOf("first")).toHaveLength(5);
    // There was a free slot, and there were tasks that were ready.
    const later = factsOf(place, "attempt.started").slice(1);
    expect(later.map(({ attempt }) => attempt).sort()).toEqual(["dear/1", "first/2", "gated/1", "open/1"]);
    for (const { at } of later) expect(at).toBeGreaterThanOrEqual(limited.at + 2_000);
    expect(taskIn(state, "first")).toMatchObject({ phase: { kind: "merged" }, used: { retries: 0 } });

    // A budget that is spent ends the task; what it has done is kept, and what it has spent is known.
    expect(taskIn(state, "dear").phase).toMatchObject({
      kind: "failed",
      failure: { reason: "budget", detail: "Reached maximum budget ($0.5)" },
    });
    const { usage } = endOf(place, "dear/1");
    expect(usage).toMatchObject({ inputTokens: 500_100, outputTokens: 1_010 });
    expect(usage.costUsd).toBeGreaterThan(0.5);
    expect(savedText(place, "dear/1", "half.txt")).toBe("half");

    // That an agent did its work without a tool that it was denied is believed of gates, and of nobody else.
    expect(taskIn(state, "open").phase).toMatchObject({ kind: "failed", failure: { reason: "denied" } });
    expect(taskIn(state, "gated").phase).toMatchObject({ kind: "merged" });
    expect(endOf(place, "gated/1")).toMatchObject({ failure: null, denials: ["Bash"] });
    expect(savedText(place, "open/1", "open.txt")).toBe("x");
  });

  test("waits seconds for a server that throttles a subscription, and shares no usage limit with other runs", async () => {
    const place = await newPlace(
      {
        first: [rateLimited(5), write("first.txt", "1\n"), done],
        second: [write("second.txt", "2\n"), done],
      },
      { login: "subscription" },
    );
    expect(await runPlan(place, [task("first", { retries: 0 }), task("second")])).toMatchObject({ code: 0 });
    const limited = endOf(place, "first/1");
    expect(limited.failure).toMatchObject({ reason: "rate-limit" });
    const again = factsOf(place, "attempt.started").find(({ attempt }) => attempt === "first/2");
    expect((again?.at ?? 0) - limited.at).toBeLessThan(10_000);
    expect(sh(place, "git ls-files")).toBe("a.txt\nfirst.txt\nsecond.txt");
  });

  test("parks the tasks of a subscription that is used up until it is not, in other runs too", async () => {
    const resetsAt = Math.floor(Date.now() / 1000) + 7_200;
    const place = await newPlace(
      { first: [write("half.txt", "half\n"), usageLimit(resetsAt)] },
      { login: "subscription" },
    );
    const tasks = [task("first", { priority: 1 }), task("second")];
    const run = await startRun(place, tasks, { concurrency: 1 });
    await until(() => facts(place).some(({ type }) => type === "attempt.saved"), run);
    expect(await plait(place, "stop", "--now")).toMatchObject({ code: 0 });
    expect(await run.ended).toMatchObject({ code: 1 });
    const until2h = { until: resetsAt * 1000, why: "usage-limit" };
    const state = stateOf(place);
    expect(taskIn(state, "first")).toMatchObject({
      phase: { kind: "parked", ...until2h },
      used: { retries: 0 },
    });
    expect([...entries(state.accounts)].map(([, limit]) => limit)).toMatchObject([until2h]);
    // What was asked before is paid, and it is asked once only: Claude itself does not try again.
    expect(endOf(place, "first/1")).toMatchObject({
      failure: { reason: "usage-limit", resetsAt: resetsAt * 1000 },
      usage: { inputTokens: 100, outputTokens: 10 },
    });
    expect(place.server.requestsOf("first")).toHaveLength(2);
    expect(savedText(place, "first/1", "half.txt")).toBe("half");
    const other = await startRun(place, [task("third")]);
    await until(() => runIds(place).length === 2 && factsOf(place, "account.limited").length > 0, other);
    other.signal("SIGTERM");
    expect(await other.ended).toMatchObject({ code: 143 });
    expect(factsOf(place, "account.limited")).toMatchObject([until2h]);
    expect(factsOf(place, "attempt.started")).toEqual([]);
  });

  test("retry --now tests a limit that is over, and another login is another account", async () => {
    const resetsAt = Math.floor(Date.now() / 1000) + 7_200;
    const place = await newPlace(
      { first: [usageLimit(resetsAt), usageLimit(resetsAt + 60), write("first.txt", "1\n"), done] },
      { login: "subscription" },
    );
    place.server.play({ second: [write("second.txt", "2\n"), done] });
    const tasks = [task("first", { priority: 1 }), task("second")];
    const run = await startRun(place, tasks, { concurrency: 1 });
    const ends = (n: number) => () => factsOf(place, "attempt.saved").length === n;
    await until(ends(1), run);
    // Limited again: the pause continues, with the end that is known now.
    expect(await plait(place, "retry", "--now")).toMatchObject({ code: 0 });
    await until(ends(2), run);
    expect(taskIn(stateOf(place), "first").phase).toMatchObject({
      kind: "parked",
      until: (resetsAt + 60) * 1000,
    });
    expect(place.server.requestsOf("second")).toEqual([]);
    expect(await plait(place, "stop", "--now")).toMatchObject({ code: 0 });
    expect(await run.ended).toMatchObject({ code: 1 });
    const { CLAUDE_CODE_OAUTH_TOKEN: _token, ...env } = place.home.env;
    const other = { ...env, CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-another-token" };
    const person = { ...place, home: { ...place.home, env: other } };
    expect(await plait(person, "resume", "--allow-root")).toMatchObject({ code: 0 });
    expect(factsOf(place, "accounts.changed")).toHaveLength(1);
    expect(sh(place, "git ls-files")).toBe("a.txt\nfirst.txt\nsecond.txt");
  });

  test("a shared limit that somebody removes is tested at once, and an answer frees the account for all (I4)", async () => {
    const resetsAt = Math.floor(Date.now() / 1000) + 7_200;
    const place = await newPlace(
      {
        first: [usageLimit(resetsAt), write("first.txt", "1\n"), done],
        second: [write("second.txt", "2\n"), done],
      },
      { login: "subscription" },
    );
    const run = await startRun(place, [task("first", { priority: 1 }), task("second")], { concurrency: 1 });
    const shared = join(place.home.folder, ".local/state/plait/accounts.json");
    await until(() => existsSync(shared) && factsOf(place, "attempt.saved").length === 1, run);
    await setTimeout(2_500); // the run has seen its own record
    rmSync(shared);
    expect(await run.ended).toMatchObject({ code: 0 });
    expect(factsOf(place, "waits.skipped")).toMatchObject([{ because: "record" }]);
    expect(sh(place, "git ls-files")).toBe("a.txt\nfirst.txt\nsecond.txt");
  });

  test("stopped by an interrupt or by plait stop --now in the middle of a command it leaves no process, and goes on later (I2, I5)", async () => {
    const hangs = (n: number) => ({
      bash: `echo ${n} > half.txt; setsid sleep 1000 & nohup sleep 1000 & sleep 1000`,
    });
    const place = await newPlace({ slow: [hangs(1), hangs(2), write("whole.txt", "whole\n"), done] });
    const isAtIt = (n: number) => () => {
      const worktree = factsOf(place, "attempt.started")[n - 1]?.worktree;
      return worktree !== undefined && existsSync(join(worktree, "half.txt"));
    };
    const leavesNothing = async (n: number, run: Plait, stop: () => unknown, code: number) => {
      await until(isAtIt(n), run);
      const marker = `PLAIT_RUN=${runIds(place)[0]}`;
      expect(pidsWith(marker).length).toBeGreaterThan(1);
      await stop();
      expect(await run.ended).toMatchObject({ code });
      expect(pidsWith(marker)).toEqual([]);
      const { failure, usage } = endOf(place, `slow/${n}`);
      expect(failure).toMatchObject({ reason: "cancelled", because: "stop" });
      // Interrupted, it still contains what it has spent.
      expect(usage.costUsd).toBeGreaterThan(0);
      expect(savedText(place, `slow/${n}`, "half.txt")).toBe(`${n}`);
    };
    const run = await startRun(place, [task("slow", { retries: 0 })]);
    await leavesNothing(1, run, () => run.signal("SIGINT"), 130);
    const stopNow = async () => expect(await plait(place, "stop", "--now")).toMatchObject({ code: 0 });
    await leavesNothing(2, startPlait(place, "resume", "--allow-root"), stopNow, 1);
    expect(await plait(place, "resume", "--allow-root")).toMatchObject({ code: 0 });
    expect(sh(place, "git ls-files")).toBe("a.txt\nwhole.txt");
  });

  test("runs the user's own Claude: agents, known before a model is asked, settings, instructions and tool servers", async () => {
    const place = await newPlace({
      bake: [{ tool: "mcp__shop__price", input: {} }, { bash: 'echo "$COLOUR $PLAIT_TASK" > env.txt' }, done],
    });
    const tasks = [task("bake", { agent: { use: "claude", name: "baker" } })];
    const refused = await runPlan(place, tasks);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('no sub-agent "baker"') });
    expect(place.server.requests).toEqual([]);
    expect(runIds(place)).toEqual([]);

    const program = fileURLToPath(new URL("./programs/mcp-server.mjs", import.meta.url));
    const asked = join(place.home.folder, "asked.txt");
    const shop = { type: "stdio", command: process.execPath, args: [program, asked] };
    await writeFiles(place.home.folder, {
      ".claude.json": JSON.stringify({ mcpServers: { shop } }),
      ".claude/settings.json": JSON.stringify({ env: { COLOUR: "blue" } }),
      ".claude/CLAUDE.md": "Always knead twice.",
      ".claude/agents/baker.md": agentFile("baker", "You bake at dawn."),
    });
    writeFileSync(join(place.repo, "CLAUDE.md"), "This project is a bakery.");
    sh(place, "git add -A; git commit -q -m instructions");
    expect(await runPlan(place, tasks)).toMatchObject({ code: 0 });
    expect(factsOf(place, "run.landed")).toMatchObject([{ target: "refs/heads/main" }]);
    expect(sh(place, "git status --short; cat env.txt")).toBe("blue bake");
    expect(endOf(place, "bake/1")).toMatchObject({ failure: null, denials: [] });
    expect(readFileSync(asked, "utf8")).toBe("asked\n");
    const [first, second] = place.server.requestsOf("bake");
    expect(JSON.stringify(first?.body?.system)).toContain("You bake at dawn.");
    for (const text of ["Always knead twice.", "This project is a bakery."])
      expect(JSON.stringify(first?.body)).toContain(text);
    expect(JSON.stringify(second?.body?.messages)).toContain("bread costs 42");
    expect((await plait(place, "logs", "bake")).stdout).toContain("mcp__shop__price");
  });
});
