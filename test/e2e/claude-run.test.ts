import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { entries } from "../../src/core/sorted-map.ts";
import { pidsWith } from "../process/support.ts";
import { claudeProgram, describeClaude } from "./claude-program.ts";
import { rateLimited, scriptMark, usageLimit } from "./model-script.ts";
import {
  endOf,
  facts,
  factsOf,
  newPlace,
  plait,
  runIds,
  runPlan,
  savedText,
  sh,
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

// Not a judgement about speed: eleven runs of a large program at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

describeClaude("plait run with the real Claude", () => {
  test("merges tasks that need each other, proves them, lands them and says what they cost (I1, I11)", async () => {
    const place = await newPlace({
      dough: [write("dough.txt", "flour\n"), done],
      bread: [{ bash: "cat dough.txt dough.txt > bread.txt" }, done],
      sign: [write("sign.txt", "open\n"), done],
    });
    const gate = { name: "no-crumbs", run: "! test -e crumbs.txt" };
    const tasks = [task("dough"), task("bread", { needs: ["dough"] }), task("sign")];
    expect(await runPlan(place, tasks, { gates: [gate] })).toMatchObject({ code: 0 });
    expect(sh(place, "git status --short; cat bread.txt sign.txt")).toBe("flour\nflour\nopen");
    expect(factsOf(place, "run.landed")).toMatchObject([{ target: "refs/heads/main" }]);
    const ended = factsOf(place, "attempt.ended");
    expect(ended.map(({ attempt, failure }) => [attempt, failure]).sort()).toEqual([
      ["bread/1", null],
      ["dough/1", null],
      ["sign/1", null],
    ]);
    for (const { usage } of ended) {
      expect(usage).toMatchObject({ inputTokens: 200, outputTokens: 20 });
      expect(usage.costUsd).toBeGreaterThan(0);
    }
    expect(factsOf(place, "gate.judged").map(({ verdict }) => verdict)).toContain("green");
  });

  test("lets all tasks of an account wait as long as the server asks one of them to", async () => {
    // Longer than Claude's own back-off, which it would take instead: then nobody knows what the server asked for.
    const busy = rateLimited(3);
    // Claude itself tries three times.
    const place = await newPlace({
      first: [busy, busy, busy, write("first.txt", "1\n"), done],
      second: [write("second.txt", "2\n"), done],
    });
    const tasks = [task("first", { priority: 1, retries: 0 }), task("second", { retries: 0 })];
    expect(await runPlan(place, tasks, { concurrency: 1 })).toMatchObject({ code: 0 });
    const limited = endOf(place, "first/1");
    expect(limited.failure).toMatchObject({ reason: "rate-limit", retryAfterMs: 3_000 });
    // There was a free slot, and a task that was ready.
    const later = factsOf(place, "attempt.started").slice(1);
    expect(later.map(({ attempt }) => attempt).sort()).toEqual(["first/2", "second/1"]);
    for (const { at } of later) expect(at).toBeGreaterThanOrEqual(limited.at + 3_000);
    expect(taskIn(stateOf(place), "first").used.retries).toBe(0);
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
    expect(savedText(place, "first/1", "half.txt")).toBe("half");
    const other = await startRun(place, [task("third")]);
    await until(() => runIds(place).length === 2 && factsOf(place, "account.limited").length > 0, other);
    other.signal("SIGTERM");
    expect(await other.ended).toMatchObject({ code: 143 });
    expect(factsOf(place, "account.limited")).toMatchObject([until2h]);
    expect(factsOf(place, "attempt.started")).toEqual([]);
  });

  test("ends an agent that falls silent, keeps what it has done, and tries again (I2)", async () => {
    const place = await newPlace({
      stalled: [write("half.txt", "half\n"), { stallAfter: 3 }, write("whole.txt", "whole\n"), done],
    });
    const limits = { "idle-timeout": "6s", retries: 1 };
    expect(await runPlan(place, [task("stalled", limits)])).toMatchObject({ code: 0 });
    expect(endOf(place, "stalled/1").failure).toMatchObject({ reason: "timeout", clock: "idle" });
    expect(savedText(place, "stalled/1", "half.txt")).toBe("half");
    expect(taskIn(stateOf(place), "stalled").used.retries).toBe(1);
    expect(sh(place, "git ls-files")).toBe("a.txt\nwhole.txt");
  });

  test("ends a task whose budget is spent, and keeps what it has done (I2)", async () => {
    const dear = { input: 500_000, output: 1_000 };
    const place = await newPlace({
      dear: [write("half.txt", "half\n"), { bash: "echo 1", usage: dear }, { text: "Never said." }],
    });
    expect(await runPlan(place, [task("dear", { budget: 0.5 })])).toMatchObject({ code: 1 });
    expect(taskIn(stateOf(place), "dear").phase).toMatchObject({
      kind: "failed",
      failure: { reason: "budget" },
    });
    expect(endOf(place, "dear/1").usage.costUsd).toBeGreaterThan(0.5);
    expect(savedText(place, "dear/1", "half.txt")).toBe("half");
  });

  test("believes gates that an agent did its work without a tool that it was denied, and nobody else", async () => {
    const steps = (file: string) => [write(file, "x\n"), { bash: "node -e 1" }, done];
    const place = await newPlace({ open: steps("open.txt"), gated: steps("gated.txt") });
    const tools = { allow: ["Write"] };
    const tasks = [task("open", { tools }), task("gated", { tools, gates: ["test -f gated.txt"] })];
    expect(await runPlan(place, tasks)).toMatchObject({ code: 1 });
    const state = stateOf(place);
    expect(taskIn(state, "open").phase).toMatchObject({ kind: "failed", failure: { reason: "denied" } });
    expect(taskIn(state, "gated").phase).toMatchObject({ kind: "merged" });
    expect(endOf(place, "gated/1")).toMatchObject({ failure: null, denials: ["Bash"] });
    expect(savedText(place, "open/1", "open.txt")).toBe("x");
  });

  test.each([
    { by: "an interrupt", code: 130 },
    { by: "plait stop --now", code: 1 },
  ])(
    "stopped by $by in the middle of a command it leaves no process, and goes on later (I2, I5)",
    async ({ by, code }) => {
      const hangs = "echo half > half.txt; setsid sleep 1000 & nohup sleep 1000 & sleep 1000";
      const place = await newPlace({ slow: [{ bash: hangs }, write("whole.txt", "whole\n"), done] });
      const run = await startRun(place, [task("slow", { retries: 0 })]);
      const isAtIt = () => {
        const worktree = factsOf(place, "attempt.started")[0]?.worktree;
        return worktree !== undefined && existsSync(join(worktree, "half.txt"));
      };
      await until(isAtIt, run);
      const marker = `PLAIT_RUN=${runIds(place)[0]}`;
      expect(pidsWith(marker).length).toBeGreaterThan(1);
      if (by === "an interrupt") run.signal("SIGINT");
      else expect(await plait(place, "stop", "--now")).toMatchObject({ code: 0 });
      expect(await run.ended).toMatchObject({ code });
      expect(pidsWith(marker)).toEqual([]);
      expect(endOf(place, "slow/1").failure).toMatchObject({ reason: "cancelled", because: "stop" });
      expect(savedText(place, "slow/1", "half.txt")).toBe("half");
      expect(await plait(place, "resume", "--allow-root")).toMatchObject({ code: 0 });
      expect(sh(place, "git ls-files")).toBe("a.txt\nwhole.txt");
    },
  );

  test("hands a red gate back to the same conversation, which mends it", async () => {
    const place = await newPlace({
      mend: [
        { ...write("work.txt", "BAD\n"), usage: { input: 5_000, output: 500 } },
        { text: "I am done." },
        { edit: { path: "work.txt", old: "BAD", new: "good" } },
        { text: "Mended." },
      ],
    });
    const gates = [{ name: "clean", run: "! grep -n BAD work.txt" }];
    expect(await runPlan(place, [task("mend", { retries: 0 })], { gates })).toMatchObject({ code: 0 });
    expect(factsOf(place, "attempt.started").map(({ continues }) => continues)).toEqual([null, "mend/1"]);
    const [first, second] = [endOf(place, "mend/1"), endOf(place, "mend/2")];
    expect(second.conversation).toBe(first.conversation);
    // What the first attempt cost is not counted again, whatever Claude counts.
    expect(second.usage).toMatchObject({ inputTokens: 200, outputTokens: 20 });
    const third = JSON.stringify(place.server.requestsOf("mend")[2]?.body?.messages);
    expect(third).toContain("I am done.");
    expect(third).toContain("1:BAD");
    expect(sh(place, "cat work.txt")).toBe("good");
  });

  test("lets a person go on in the same conversation where the agent gave up, and lands what they hand in", async () => {
    const place = await newPlace({
      mend: [
        write("work.txt", "BAD\n"),
        { text: "I am done." },
        { text: "It is good as it is." },
        { edit: { path: "work.txt", old: "BAD", new: "good" } },
        { text: "Mended." },
      ],
    });
    const gates = [{ name: "clean", run: "! grep -n BAD work.txt" }];
    const limits = { retries: 0, "fix-rounds": 1 };
    expect(await runPlan(place, [task("mend", limits)], { gates })).toMatchObject({ code: 1 });
    const { conversation } = endOf(place, "mend/1");
    const { stdout } = await plait(place, "open", "mend");
    expect(stdout).toContain("from  mend #2: gate clean red");
    expect(stdout).toMatch(new RegExp(`^work {2}cd (\\S+/mend) && claude --resume ${conversation}$`, "m"));
    // The very command, by a person who types what the test cannot: its input is no terminal.
    const typed = `#!/bin/sh\nexec '${claudeProgram.path}' -p --permission-mode acceptEdits "$@" 'It says BAD. Mend it.'\n`;
    await writeFiles(place.home.folder, { "bin/claude": typed });
    sh(place, `chmod +x ${place.home.folder}/bin/claude`);
    const { folder, env } = place.home;
    const { PATH } = env;
    const person = { ...place, home: { folder, env: { ...env, PATH: `${folder}/bin:${PATH}` } } };
    const worked = await plait(person, "open", "mend", "--start");
    expect(worked).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Mended\.\n\nnext {2}plait accept mend/),
    });
    const sent = JSON.stringify(place.server.requestsOf("mend")[3]?.body?.messages);
    for (const text of ["I am done.", "1:BAD", "It is good as it is.", "It says BAD. Mend it."])
      expect(sent).toContain(text);
    expect(await plait(place, "accept", "mend", "--allow-root")).toMatchObject({ code: 0 });
    expect(sh(place, "cat work.txt; git worktree list | wc -l")).toBe("good\n1");
  });

  test("tells of a sub-agent that nobody has defined before anything is asked of a model", async () => {
    const place = await newPlace({ bake: [write("bread.txt", "bread\n"), done] });
    const tasks = [task("bake", { agent: { use: "claude", name: "baker" } })];
    const refused = await runPlan(place, tasks);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('no sub-agent "baker"') });
    expect(place.server.requests).toEqual([]);
    expect(runIds(place)).toEqual([]);
    await writeFiles(place.home.folder, {
      ".claude/agents/baker.md": agentFile("baker", "You bake at dawn."),
    });
    expect(await runPlan(place, tasks)).toMatchObject({ code: 0 });
    expect(JSON.stringify(place.server.requests.at(-1)?.body?.system)).toContain("You bake at dawn.");
  });

  test("runs the user's own Claude by default: agents, settings, instructions and tool servers", async () => {
    const place = await newPlace({
      bake: [{ tool: "mcp__shop__price", input: {} }, { bash: 'echo "$COLOUR $PLAIT_TASK" > env.txt' }, done],
    });
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
    const tasks = [task("bake", { agent: { use: "claude", name: "baker" } })];
    expect(await runPlan(place, tasks)).toMatchObject({ code: 0 });
    expect(sh(place, "cat env.txt")).toBe("blue bake");
    expect(readFileSync(asked, "utf8")).toBe("asked\n");
    const sent = JSON.stringify(place.server.requestsOf("bake")[0]?.body);
    for (const text of ["You bake at dawn.", "Always knead twice.", "This project is a bakery."])
      expect(sent).toContain(text);
  });
});
