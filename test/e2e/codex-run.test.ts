import { delimiter } from "node:path";
import { expect, test } from "vitest";
import { entries } from "../../src/core/sorted-map.ts";
import { claudeProgram } from "./claude-program.ts";
import { codexHome } from "./codex-home.ts";
import { codexProgram, describeCodex } from "./codex-program.ts";
import { planLimit, type Scripts, scriptMark, unauthorized } from "./model-script.ts";
import { describeReal } from "./real-program.ts";
import {
  endOf,
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
import { claudeHome, type Home, pathWith, type Setup } from "./support.ts";

/** A task that the script of the same name answers. */
const task = (id: string, more: object = {}) => ({
  id,
  agent: "codex",
  prompt: `Do it. ${scriptMark(id)}`,
  ...more,
});
const write = (path: string, content: string) => ({ write: { path, content } });
const done = { text: "Done." };
const place = (scripts: Scripts, setup: Setup = {}) => newPlace(scripts, setup, codexHome);

// Not a judgement about speed: several runs at once, on a machine that may be busy.
describeCodex("plait run with the real Codex", () => {
  test("hands a red gate back to the same conversation, which mends it, and lands (I1)", async () => {
    const here = await place({
      mend: [
        { ...write("work.txt", "BAD\n"), usage: { input: 5_000, output: 500 } },
        { text: "I am done." },
        { edit: { path: "work.txt", old: "BAD", new: "good" } },
        { text: "Mended." },
      ],
    });
    const gates = [{ name: "clean", run: "! grep -n BAD work.txt" }];
    const more = { gates, budget: 5 };
    const end = await runPlan(here, [task("mend", { retries: 0 })], more);
    expect(end).toMatchObject({ code: 0 });
    expect(end.stderr).toContain("codex does not report costs, so the budget of $5.00 cannot be enforced");
    expect(sh(here, "git status --short; cat work.txt")).toBe("good");
    expect(factsOf(here, "run.landed")).toMatchObject([{ target: "refs/heads/main" }]);
    expect(factsOf(here, "attempt.started").map(({ continues }) => continues)).toEqual([null, "mend/1"]);
    const [first, second] = [endOf(here, "mend/1"), endOf(here, "mend/2")];
    expect(second.conversation).toBe(first.conversation);
    // Codex counts the conversation as a whole; what the first attempt has used is not counted again.
    expect(first.usage).toEqual({ costUsd: null, inputTokens: 5_100, outputTokens: 510 });
    expect(second.usage).toEqual({ costUsd: null, inputTokens: 200, outputTokens: 20 });
    const third = JSON.stringify(here.server.requestsOf("mend")[2]?.body?.input);
    expect(third).toContain("I am done.");
    expect(third).toContain("1:BAD");
    expect((await plait(here, "logs", "mend")).stdout).toMatch(/\bedit +work\.txt\n/);
  });

  test("parks the tasks of an account for a usage limit or a login, and keeps what was done (I2)", async () => {
    const limit = planLimit(Math.floor(Date.now() / 1000) + 7_200);
    // Codex tells the time by the clocks of its zone.
    const here = await place(
      { used: [write("half.txt", "half\n"), limit], unknown: [write("half.txt", "half\n"), unauthorized] },
      { env: { TZ: "Asia/Kolkata" } },
    );
    const other = { agent: { use: "codex", model: "gpt-5-mini" } }; // another account
    const tasks = [
      task("used", { priority: 2 }),
      task("unknown", { priority: 1, ...other }),
      task("second"),
      task("third", other),
    ];
    // One at a time: whoever is next is ready, has a slot, and waits for its account only.
    const run = await startRun(here, tasks, { concurrency: 1 });
    await until(() => factsOf(here, "attempt.saved").length === 2, run);
    expect(await plait(here, "stop", "--now")).toMatchObject({ code: 0 });
    expect(await run.ended).toMatchObject({ code: 1 });
    const state = stateOf(here);
    for (const [id, why] of [
      ["used", "usage-limit"],
      ["unknown", "auth"],
    ] as const) {
      expect(taskIn(state, id)).toMatchObject({ phase: { kind: "parked", why }, used: { retries: 0 } });
      expect(savedText(here, `${id}/1`, "half.txt")).toBe("half");
    }
    const { failure, at } = endOf(here, "used/1");
    if (failure?.reason !== "usage-limit") throw new Error(`it is ${failure?.reason}`);
    expect(Math.round(((failure.resetsAt ?? 0) - at) / 3_600_000)).toBe(2);
    expect(taskIn(state, "used").phase).toMatchObject({ until: failure.resetsAt });
    const limits = [...entries(state.accounts)].map(([, { why }]) => why);
    expect(limits.sort()).toEqual(["auth", "usage-limit"]);
    expect(factsOf(here, "attempt.started")).toHaveLength(2);
  });

  test("is refused where nobody is logged in, or where there is none, and leaves nothing", async () => {
    // By default its provider is OpenAI.
    const here = await place({}, { files: { ".codex/config.toml": "" } });
    const refused = await runPlan(here, [task("a")]);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("codex is not logged in") });
    expect(refused.stderr).toContain("codex login");
    const nowhere = { ...here, home: { ...here.home, env: { ...here.home.env, PATH: "/usr/bin:/bin" } } };
    const missing = await runPlan(nowhere, [task("a")]);
    expect(missing).toMatchObject({ code: 3, stderr: expect.stringContaining("codex is not installed") });
    expect(missing.stderr).toContain("npm install -g @openai/codex");
    const narrow = await runPlan(here, [task("a", { tools: { allow: ["Edit"] } })]);
    expect(narrow).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Codex does not support `tools`"),
    });
    expect(runIds(here)).toEqual([]);
    expect(here.server.requests).toEqual([]);
  });
});

/** A user who has both. */
async function bothHome(server: Parameters<typeof codexHome>[0], setup: Setup = {}): Promise<Home> {
  const [home, { env }] = await Promise.all([codexHome(server, setup), claudeHome(server)]);
  const PATH = [codexProgram, claudeProgram].map(pathWith).join(delimiter);
  return { ...home, env: { ...env, ...home.env, PATH } };
}

describeReal([claudeProgram, codexProgram], "plait run with the real Claude and the real Codex", () => {
  test("merges the work of both, one upon the other, and lands it (I1, I11)", async () => {
    const here = await newPlace(
      {
        dough: [write("dough.txt", "flour\n"), done],
        bread: [{ bash: "cat dough.txt dough.txt > bread.txt" }, done],
        sign: [write("sign.txt", "open\n"), done],
      },
      {},
      bothHome,
    );
    const tasks = [
      task("dough", { agent: "claude" }),
      task("bread", { needs: ["dough"] }),
      task("sign", { agent: { use: "codex", model: "gpt-5-mini" } }),
    ];
    expect(await runPlan(here, tasks)).toMatchObject({ code: 0 });
    expect(sh(here, "git status --short; cat bread.txt sign.txt")).toBe("flour\nflour\nopen");
    const paths = here.server.requests.map(({ turn, path }) => `${turn?.script} ${path}`);
    expect(paths).toEqual(expect.arrayContaining(["dough /v1/messages", "bread /v1/responses"]));
    expect(endOf(here, "dough/1").usage.costUsd).toBeGreaterThan(0);
    expect(endOf(here, "bread/1").usage).toEqual({ costUsd: null, inputTokens: 200, outputTokens: 20 });
    const accounts = factsOf(here, "run.started")[0]?.accounts ?? {};
    expect(new Set(Object.values(accounts)).size).toBe(3);
  });
});
