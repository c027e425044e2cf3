// Requests that are refused, drivers that meet, and secrets.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../cli/plait.ts";
import { expectNothingLeft, filesBelow, isSaved, textAt, usersThings } from "./observe.ts";
import {
  factsOf,
  journal,
  makeRepo,
  type Place,
  plait,
  runId,
  runIds,
  runPlan,
  runsFolder,
  startRun,
  until,
  writePlan,
} from "./support.ts";

const task = (more: object) => ({ plait: 1, tasks: [{ id: "a", prompt: "x", ...more }] });
const twice = (one: object, two: object) => ({
  plait: 1,
  tasks: [
    { id: "a", prompt: "x", ...one },
    { id: "b", prompt: "x", ...two },
  ],
});
const bomb = `plait: 1\n${Array.from({ length: 30 }, (_, i) => `x${i}: &x${i} [${i === 0 ? "y" : `*x${i - 1}, *x${i - 1}`}]`).join("\n")}\ntasks: *x29\n`;

/** What is wrong with each is its name. */
const badPlans: Readonly<Record<string, string | object>> = {
  "not YAML": "plait: 1\ntasks: [",
  "no plan": "hello",
  "a bomb": bomb,
  "a key twice": "plait: 1\nplait: 1\ntasks: [{id: a, prompt: x}]",
  "an id twice": twice({}, { id: "a" }),
  "ids that differ in case": twice({}, { id: "A" }),
  "an id that climbs": task({ id: "../a" }),
  "an id like a flag": task({ id: "--force" }),
  "an id with a line end": task({ id: "a\n" }),
  "an id that git locks": task({ id: "a.lock" }),
  "an unknown key": task({ promt: "x" }),
  "a list as prompt": task({ prompt: ["x"] }),
  "a number in env": task({ env: { X: 1 } }),
  "PATH in env": task({ env: { PATH: "/evil" } }),
  "GIT_DIR in env": task({ env: { GIT_DIR: "/evil" } }),
  "NODE_OPTIONS in env": task({ env: { NODE_OPTIONS: "--require /evil" } }),
  "a circle": twice({ needs: ["b"] }, { needs: ["a"] }),
  "a need that is not there": task({ needs: ["z"] }),
  "nothing to do": { plait: 1, tasks: [] },
  "a claim that climbs": task({ owns: ["../../etc"] }),
  "a gate that climbs": { ...task({}), gates: [{ run: "true", dir: "../.." }] },
  "two that own one file": twice({ owns: ["x.txt"] }, { owns: ["x.txt"] }),
  "five thousand levels": `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
  "two megabytes": JSON.stringify(task({ prompt: "x".repeat(2_000_000) })),
};

test.concurrent("bad plans are refused with their place, and nothing is created", async () => {
  const place = makeRepo();
  const before = filesBelow(place.repo, []);
  const bad = Object.entries(badPlans).map(async ([what, content], i) => {
    const path = join(place.root, `bad-${i}.yaml`);
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    const { code, stderr } = await plait(place, ["run", "--agent", "demo", path]);
    return [
      what,
      { code, names: stderr.includes(`bad-${i}.yaml`), clean: !/\n\s+at |bug in plait/.test(stderr) },
    ];
  });
  const expected = Object.keys(badPlans).map((what) => [what, { code: 2, names: true, clean: true }]);
  expect(Object.fromEntries(await Promise.all(bad))).toEqual(Object.fromEntries(expected));
  expect(filesBelow(place.repo, [])).toEqual(before);
  expect([filesBelow(join(place.root, "state")), filesBelow(join(place.root, "tmp"))]).toEqual([{}, {}]);
});

test.concurrent("I6: of two drivers of one run the second refuses and names the first; another run goes side by side", async () => {
  const place = makeRepo();
  const waits = `run touch ${place.outside}/waits && while ! [ -e ${place.outside}/go ]; do sleep 0.05; done`;
  const first = startRun(
    place,
    writePlan(place, [{ id: "a", does: [waits, "write first.txt x"] }], { name: "first" }),
  );
  await until(() => existsSync(join(place.outside, "waits")));
  const run = runId(place);
  const second = await plait(place, ["resume", run]);
  expect(second).toMatchObject({ code: 3, stderr: expect.stringContaining(String(first.pid)) });
  expect(
    await runPlan(place, writePlan(place, [{ id: "a", does: ["write other.txt x"] }], { name: "other" })),
  ).toMatchObject({ code: 0 });
  writeFileSync(join(place.outside, "go"), "");
  expect(await first.end).toMatchObject({ code: 0 }); // joined with what the other one landed
  expect([textAt(place, "main", "first.txt"), textAt(place, "main", "other.txt")]).toEqual(["x", "x"]);
  expect(factsOf(journal(place, run), "run.resumed")).toEqual([]);
  expectNothingLeft(place);
});

test.concurrent("I6: runs that are started together in one repository all land", async () => {
  const place = makeRepo();
  const runs = ["one", "two", "three"].map((name) => {
    const plan = writePlan(
      place,
      [
        { id: "a", does: [`write ${name}.txt x`] },
        { id: "b", needs: ["a"], does: [`run cp ${name}.txt ${name}2.txt`] },
      ],
      { name },
    );
    const path = join(place.root, `${name}.json`);
    writeFileSync(path, readFileSync(plan));
    return runPlan(place, path);
  });
  expect((await Promise.all(runs)).map(({ code, stderr }) => ({ code, stderr }))).toMatchObject([
    { code: 0 },
    { code: 0 },
    { code: 0 },
  ]);
  for (const name of ["one", "two", "three"]) expect(textAt(place, "main", `${name}2.txt`)).toBe("x");
  expect(runIds(place)).toHaveLength(3);
  expectNothingLeft(place);
});

test.concurrent("I5: plait inside plait is refused, and the run around it goes on", async () => {
  const place = makeRepo();
  const inner = join(place.root, "inner.json");
  writeFileSync(inner, JSON.stringify({ plait: 1, tasks: [{ id: "x", prompt: "demo: write inner.txt x" }] }));
  const nested = `run ${process.execPath} ${main} run --agent demo ${inner} > ${place.outside}/said 2>&1; echo $? > ${place.outside}/code`;
  const plan = writePlan(place, [{ id: "a", does: [nested, "write a.txt x"] }]);
  expect(await runPlan(place, plan)).toMatchObject({ code: 0 });
  expect(readFileSync(join(place.outside, "code"), "utf8")).toBe("3\n");
  expect(readFileSync(join(place.outside, "said"), "utf8")).toContain(runId(place));
  expectNothingLeft(place);
});

const SECRET = "S3cr3t-value/with+odd=chars-0123456789";
const PLANNED = "planned-0123456789-abcdefghij";
const encoded = (text: string) => Buffer.from(text).toString("base64").replace(/=+$/, "");

/** Everything that plait wrote about a run, and what it printed. */
function written(place: Place, printed: string): Readonly<Record<string, string>> {
  const files = filesBelow(join(runsFolder(place), runId(place)), ["shadow.git", "slots", "start"]);
  return { ...files, printed };
}

test.concurrent("I13: a secret that is printed plain, encoded or in pieces is masked wherever it would be written", async () => {
  const place = makeRepo();
  const say = `echo "$MY_API_TOKEN"; printf %s "$MY_API_TOKEN" | base64 -w0; echo; printf %s "$MY_API_TOKEN" | cut -c1-12 | tr -d '\\n'; sleep 0.3; printf %s "$MY_API_TOKEN" | cut -c13-; echo $PLAN_SECRET`;
  const plan = writePlan(place, [
    { id: "command", command: `${say}; echo x > command.txt`, env: { PLAN_SECRET: PLANNED } },
    { id: "fails", command: `echo x > fails.txt; (${say}) >&2; exit 1`, env: { PLAN_SECRET: PLANNED } },
    {
      id: "gated",
      does: ["write gated.txt x"],
      gates: [{ run: `${say}; exit 1`, env: { PLAN_SECRET: PLANNED } }],
    },
    { id: "set-up", does: ["write set-up.txt x"], setup: `(${say}) >&2; exit 1` },
  ]);
  const { code, stdout, stderr } = await runPlan(place, plan, [], { env: { MY_API_TOKEN: SECRET } });
  expect(code).toBe(1);
  const files = written(place, stdout + stderr);
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(["journal.ndjson", "logs/command.1.log", "transcripts/fails.1.ndjson"]),
  );
  expect(files["logs/command.1.log"]).toMatch(/\*{3}|masked|redacted/i);
  const leaks = Object.entries(files).filter(([, text]) =>
    [SECRET, encoded(SECRET), SECRET.slice(12), PLANNED].some((one) => text.includes(one)),
  );
  expect(leaks.map(([name]) => name)).toEqual([]);
});

test.concurrent("I2 I13: a secret in a diff stops the merge, and the work stays on its ref", async () => {
  const place = makeRepo();
  const before = usersThings(place);
  const plan = writePlan(place, [
    { id: "leaks", does: ['run echo "token = $MY_API_TOKEN" > config.txt'] },
    {
      id: "commits",
      does: [
        'run echo "$MY_API_TOKEN" > key.txt && git add -A && git commit -qm key && git rm -q key.txt && git commit -qm gone',
        "write rest.txt x",
      ],
    },
    { id: "good", does: ["write good.txt x"] },
  ]);
  const { code } = await runPlan(place, plan, [], { env: { MY_API_TOKEN: SECRET } });
  expect(code).toBe(1);
  expect(usersThings(place)).toEqual(before);
  expect(isSaved(place, "config.txt")).toBe(true);
  const blocked = factsOf(journal(place), "attempt.saved").filter(({ findings }) =>
    findings.some(({ kind }) => kind === "secret"),
  );
  expect(blocked.map(({ attempt }) => attempt).sort()).toEqual(["commits/1", "leaks/1"]);
  const merged = factsOf(journal(place), "integration.advanced").flatMap(({ tasks }) =>
    tasks.map((one) => one.task),
  );
  expect(merged).toEqual(["good"]);
});
