import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Host } from "../../src/app/host.ts";
import { runChecks, type ToCheck } from "../../src/app/integrate/run-checks.ts";
import type { Preparation } from "../../src/core/plan.ts";
import type { CheckResult, StackCheck } from "../../src/spec/integrate/report.ts";
import { commitFiles, opened, type Place, revision, sh, tempRepo, usersThings } from "../git/support.ts";

const hostOf = ({ repo, root, env }: Place): Host => ({
  cwd: repo,
  env: { ...env, XDG_STATE_HOME: join(root, "state"), SHOP_API_KEY: "very-secret-value" },
  ...{ version: "0", command: "plait", allowRoot: false, allowNested: false },
});

const PLAIN: Preparation = { copy: [], include: [], envFiles: true, setup: [], teardown: [] };
const shell = (line: string) => ({ kind: "shell", line }) as const;
const tests = (name: string, run: string): StackCheck => ({ name, kind: "tests", run });

async function check(place: Place, checks: readonly StackCheck[], more: Partial<ToCheck> = {}) {
  const said: string[] = [];
  const { commit } = revision(place, "HEAD");
  const ended = await runChecks(hostOf(place), {
    ...{
      repository: await opened(place),
      commit,
      checks,
      openapi: null,
      prepare: PLAIN,
      ports: null,
      timeoutMs: 60_000,
    },
    signal: new AbortController().signal,
    tell: {
      warning: (text) => void said.push(`warning: ${text}`),
      preparing: (commands) => void said.push(`preparing: ${commands.join("; ")}`),
      printing: (command) => void said.push(`printing: ${command}`),
      begins: ({ run }, n) => void said.push(`${n}: ${run}`),
      ended: ({ name, status }) => void said.push(`${name} is ${status}`),
    },
    ...more,
  });
  if (!ended.ok) throw new Error(ended.refusal.message);
  return { results: ended.results, document: ended.document, said };
}

const short = ({ name, status, summary }: CheckResult) => `${name} ${status}: ${summary}`;
const left = ({ root }: Place) => readdirSync(join(root, "state/plait/questions"));

test("checks run in a prepared copy of the commit that is judged, and leave nothing behind (I3, I8, I13)", async () => {
  const place = tempRepo({
    "a.txt": "a\n",
    "package.json": '{ "dependencies": { "zod": "1", "hono": "1" } }',
  });
  const { commit } = revision(place, "HEAD");
  commitFiles(place, { "a.txt": "later\n" }, "later");
  mkdirSync(join(place.repo, "deps"));
  writeFileSync(join(place.repo, "deps/one"), "1\n");
  writeFileSync(join(place.repo, ".env"), "DB_PASSWORD=of-the-database\n");
  writeFileSync(join(place.repo, "a.txt"), "changed\n");
  const before = usersThings(place);
  const ended = join(place.root, "ended");
  const { results, said } = await check(
    place,
    [
      tests(
        "counted",
        'echo "$PWD/a.txt:1"; cat a.txt deps/one made; echo x > a.txt; echo "3 passed, 1 skipped in 0.1s"',
      ),
      tests("set back", 'cat a.txt; git status --short; echo "$SHOP_API_KEY"; cat .env; exit 3'),
      tests("lint", "no-such-program --all"),
      tests("uninstalled", "mkdir -p node_modules/hono; echo \"Cannot find package 'zod'\"; exit 1"),
      tests("installed", "echo \"Cannot find package 'hono'\"; exit 1"),
      tests("slow", "echo begun; sleep 61.5"),
    ],
    {
      commit,
      timeoutMs: 2_000,
      prepare: {
        ...PLAIN,
        copy: ["deps"],
        setup: [shell('echo "port $PLAIT_PORT" > made; echo made >> .git/info/exclude')],
        teardown: [shell(`echo "$PLAIT_PORT" > ${ended}`)],
      },
    },
  );
  expect(results.map(short)).toEqual([
    "counted green: 3 passed, 1 skipped",
    expect.stringMatching(/^set back red: exit code 3: DB_PASSWORD=/),
    "lint not-run: no-such-program was not found; install it, or configure another command under integrate: checks:",
    expect.stringMatching(/^uninstalled not-run: zod is not installed in the copy of the commit; /),
    "installed red: exit code 1: Cannot find package 'hono'",
    "slow red: timed out after 2 s",
  ]);
  const port = readFileSync(ended, "utf8").trim();
  expect(results[0]).toMatchObject({ counts: { passed: 3, failed: 0, skipped: 1 } });
  expect(results[0]?.output).toContain(`a.txt:1\na\n1\nport ${port}\n`); // the copy is gone: paths are those of a checkout
  expect(results[1]?.output).toMatch(/^a\n[^?]/); // and git sees none of the copies
  expect(JSON.stringify(results)).not.toMatch(/very-secret-value|of-the-database/);
  expect(said.slice(0, 3)).toEqual([
    expect.stringMatching(/^preparing: echo/),
    expect.stringMatching(/^1: echo/),
    "counted is green",
  ]);
  expect(sh(place, "pgrep -f '[s]leep 61.5' || true")).toBe("");
  expect(left(place)).toEqual([]);
  expect(usersThings(place)).toEqual(before);
});

test("asked to end, a check is ended with all that it started, and the rest were not run (I5, I8)", async () => {
  const place = tempRepo();
  const abort = new AbortController();
  const begun = join(place.root, "begun");
  const run = `setsid sleep 62.25 & touch ${begun}; sleep 62.25`;
  const timer = setInterval(() => existsSync(begun) && abort.abort(), 20);
  const { results } = await check(place, [tests("first", run), tests("second", "true")], {
    signal: abort.signal,
  });
  clearInterval(timer);
  expect(results.map(short)).toEqual(["first not-run: stopped", "second not-run: stopped"]);
  expect(sh(place, "pgrep -f '[s]leep 62.25' || true")).toBe("");
  expect(left(place)).toEqual([]);
});

test("a copy that cannot be made ready is told, and what a killed plait set up is cleared up by the next", async () => {
  const place = tempRepo();
  const ended = join(place.root, "ended");
  const old = join(place.root, "state/plait/questions/question-left");
  mkdirSync(join(old, "tree"), { recursive: true });
  const note = { teardown: [shell(`echo "$PLAIT_DB" > ${ended}`)], env: { PLAIT_DB: "of-the-killed" } };
  writeFileSync(join(old, "set-up.json"), JSON.stringify(note));
  const prepare = { ...PLAIN, setup: [shell("echo no network; exit 7")] };
  const { results } = await check(place, [tests("first", "true"), tests("second", "true")], { prepare });
  expect(results.map(short)).toEqual([
    'first not-run: the copy of the commit could not be prepared: the setup "echo no network; exit 7" exited with code 7: no network',
    "second not-run: the copy of the commit could not be prepared",
  ]);
  expect(readFileSync(ended, "utf8")).toBe("of-the-killed\n");
  expect(left(place)).toEqual([]);
});

test("the API document is what a command prints to standard output, before the checks and beside them", async () => {
  const place = tempRepo({ "a.txt": "a\n" });
  const printed = "echo starting >&2; echo '{ }'; echo changed > a.txt";
  const { document, said, results } = await check(place, [tests("unit", "cat a.txt")], { openapi: printed });
  expect(document).toEqual({ command: printed, text: "{ }\n" });
  expect(said.slice(0, 2)).toEqual([`printing: ${printed}`, "1: cat a.txt"]);
  expect(results[0]?.output).toBe("a");
});

test.each<[what: string, openapi: string, problem: string]>([
  ["fails", "echo one; echo two >&2; exit 3", "exit code 3: one / two"],
  ["is not there", "no-such-program-here", "exit code 127: "],
  ["prints nothing", "echo quiet >&2", "standard output is empty: quiet"],
  ["takes too long", "echo begun; sleep 61.5", "no result within 1 s: begun"],
])("a command for the document that %s is told with its last lines", async (_, openapi, problem) => {
  const place = tempRepo({ "a.txt": "a\n" });
  const { document } = await check(place, [], { openapi, timeoutMs: 1_000 });
  expect(document).toEqual({ command: openapi, problem: expect.stringContaining(problem) });
});
