import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { askAgent } from "../../src/app/ask/ask-agent.ts";
import type { Ask, Asking } from "../../src/app/ask/asking.ts";
import type { Host } from "../../src/app/host.ts";
import type { AttemptFailure } from "../../src/core/failure.ts";
import { opened, type Place, sh, tempRepo, usersThings } from "../git/support.ts";

/** A host whose agent is a shell script: it gets the prompt on stdin. */
function hostOf({ repo, root, env }: Place, script: string): Host {
  const agent = { title: null, readOnlyArgs: null, env: {}, versionArgv: null, account: null };
  const exits = { "75": "rate-limit" } as const;
  return {
    cwd: repo,
    env: { ...env, XDG_STATE_HOME: join(root, "state"), SHOP_API_KEY: "very-secret-value" },
    version: "0",
    command: "plait",
    allowRoot: false,
    allowNested: false,
    agents: [{ ...agent, name: "script", argv: ["sh", "-c", script], exits }],
  };
}

async function ask<T>(
  { place, host }: { place: Place; host: Host },
  talk: (ask: Ask) => Promise<T>,
  more: Partial<Asking> = {},
) {
  const said = { warnings: [] as string[], doing: [] as string[], again: [] as AttemptFailure[] };
  const asked = await askAgent(
    host,
    {
      repository: await opened(place),
      name: "question",
      about: "spec",
      agent: { use: "script", name: null, model: null },
      schema: null,
      limits: { startMs: 20_000, idleMs: 20_000, totalMs: 20_000 },
      budgetUsd: null,
      signal: new AbortController().signal,
      tell: {
        warning: (text) => void said.warnings.push(text),
        doing: (action) => void said.doing.push(action),
        again: (failure) => void said.again.push(failure),
      },
      ...more,
    },
    talk,
  );
  return { asked, said };
}

const left = ({ root }: Place) => readdirSync(join(root, "state/plait/questions"));

test("an agent answers about the last commit, and leaves nothing behind but what was said, masked (I3, I8, I13)", async () => {
  const place = tempRepo();
  writeFileSync(join(place.repo, "a.txt"), "changed\n");
  const before = usersThings(place);
  const host = hostOf(
    place,
    'cat; cat a.txt; echo "$SHOP_API_KEY $PLAIT_TASK"; echo x > mine.txt; git log --format=%s; git remote',
  );
  mkdirSync(join(place.root, "state/plait/questions/question-left/tree"), { recursive: true });
  const { asked, said } = await ask({ place, host }, (question) => question({ prompt: "Hello", more: null }));
  if (!asked.ok) throw new Error(asked.refusal.message);
  expect(asked.result).toMatchObject({ ok: true, text: expect.stringMatching(/^Hello/) });
  const { text } = asked.result as { text: string };
  expect(text).toMatch(/a\n\S+ question\n/);
  expect(text).not.toContain("very-secret-value");
  expect(said.warnings).toEqual([expect.stringContaining("1 file with uncommitted changes")]);
  expect(said.doing.join()).toContain("Hello");
  expect(left(place)).toEqual([]);
  expect(readdirSync(asked.folder).sort()).toEqual(["1.answer.txt", "1.log", "1.ndjson", "1.prompt.md"]);
  expect(readFileSync(join(asked.folder, "1.log"), "utf8")).not.toContain("very-secret-value");
  expect(usersThings(place)).toEqual(before);
});

test("an agent that remembers nothing gets all of it again; one failure that is worth it is tried again", async () => {
  const place = tempRepo();
  const marker = join(place.root, "tried");
  const host = hostOf(place, `if test -e ${marker}; then cat; else touch ${marker}; exit 75; fi`);
  const clock = { now: Date.now, monotonic: () => performance.now() };
  const waits: number[] = [];
  const setTimer = (ms: number, fire: () => void) => {
    if (ms >= 30_000) waits.push(ms);
    const timer = setTimeout(fire, ms >= 30_000 ? 0 : ms);
    return { cancel: () => clearTimeout(timer) };
  };
  const { asked, said } = await ask(
    { place, host: { ...host, clock: { ...clock, setTimer } } },
    async (question) => [
      await question({ prompt: "All", more: null }),
      await question({ prompt: "All, and more", more: "more" }),
    ],
  );
  expect(asked).toMatchObject({ ok: true, result: [{ text: "All" }, { text: "All, and more" }] });
  expect(said.again).toMatchObject([{ reason: "rate-limit" }]);
  expect(waits).toEqual([30_000]);
});

test("asked to end, the agent is ended with all that it started (I5)", async () => {
  const place = tempRepo();
  const abort = new AbortController();
  const host = hostOf(place, "echo begun; setsid sleep 61.25 & sleep 61.25");
  const tell = { warning: () => undefined, again: () => undefined, doing: () => abort.abort() };
  const { asked } = await ask({ place, host }, (question) => question({ prompt: "", more: null }), {
    signal: abort.signal,
    tell,
  });
  expect(asked).toMatchObject({ ok: true, result: { ok: false, failure: { reason: "cancelled" } } });
  expect(sh(place, "pgrep -f '[s]leep 61.25' || true")).toBe("");
  expect(left(place)).toEqual([]);
});

test("of a partial clone an agent sees what its user has checked out, and nothing is fetched", async () => {
  const place = tempRepo();
  sh(
    place,
    "git config uploadpack.allowFilter true; git clone -q --filter=blob:none --sparse file://$PWD ../part",
  );
  const part = { ...place, repo: join(place.root, "part") };
  const before = usersThings(part);
  const host = hostOf(part, "git status --short; ls; git remote");
  const { asked } = await ask({ place: part, host }, (question) => question({ prompt: "", more: null }));
  expect(asked).toMatchObject({ ok: true, result: { ok: true, text: "a.txt\nb.txt" } });
  expect(usersThings(part)).toEqual(before);
});

test("whoever does not want an answer any more does not wait for the copy to look at", async () => {
  const place = tempRepo();
  const never = () => Promise.reject(new Error("it was asked"));
  const { asked } = await ask({ place, host: hostOf(place, "cat") }, never, { signal: AbortSignal.abort() });
  expect(asked).toMatchObject({
    ok: false,
    refusal: { message: "canceled before the agent started" },
  });
  expect(left(place)).toEqual([]);
});

test("what cannot be asked is refused before anything is made", async () => {
  const place = tempRepo();
  const host = hostOf(place, "cat");
  const use = (name: string) => ({ agent: { use: name, name: null, model: null } });
  const never = () => Promise.reject(new Error("it was asked"));
  expect((await ask({ place, host }, never, use("scrip"))).asked).toMatchObject({
    ok: false,
    refusal: { kind: "request", message: 'unknown agent "scrip"', hint: "did you mean script?" },
  });
  const bare = { ...host, env: { ...host.env, PATH: "/nonexistent" } };
  expect((await ask({ place, host: bare }, never, use("claude"))).asked).toMatchObject({
    ok: false,
    refusal: { kind: "environment", hint: expect.stringContaining("npm install") },
  });
  const inside = { ...host, env: { ...host.env, PLAIT_RUN: "r1" } };
  expect((await ask({ place, host: inside }, never)).asked).toMatchObject({
    ok: false,
    refusal: { hint: expect.stringContaining("--allow-nested") },
  });
  expect(existsSync(join(place.root, "state"))).toBe(false);
});

test("where what is said cannot be kept, nobody is asked", async () => {
  const place = tempRepo();
  mkdirSync(join(place.repo, ".git/plait"));
  writeFileSync(join(place.repo, ".git/plait/spec"), "a file");
  const { asked } = await ask({ place, host: hostOf(place, "cat") }, () => {
    throw new Error("asked");
  });
  expect(asked).toMatchObject({
    refusal: { kind: "environment", message: expect.stringContaining("EEXIST") },
  });
  expect(left(place)).toEqual([]);
});
