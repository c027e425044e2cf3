import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { git, makePlace, type Place, plaitIn } from "./place.ts";

const plan = (place: Place, text: string) =>
  writeFileSync(join(place.repo, "..", "plan.yaml"), `plait: 1\n${text}`);

const spoken = ({ stdout, stderr }: { stdout: string; stderr: string }) =>
  `${stdout}${stderr}`.replaceAll(/\s+/g, " ");

const TASK = `tasks: [{ id: a, agent: demo, retries: 0, fix-rounds: 0, prompt: "demo: write a.txt x" }]\n`;

it("resume reads setup again, from the plan's file and the configuration, and says what differs", async () => {
  const place = makePlace();
  const config = join(place.repo, "..", "home", ".config", "plait");
  mkdirSync(config, { recursive: true });
  plan(place, `setup: exit 7\n${TASK}`);
  const first = await plaitIn(place, "run", "../plan.yaml", "--allow-root");
  expect(first.code).toBe(1);
  // The plan leaves it to the configuration now.
  writeFileSync(join(config, "config.yaml"), 'prepare: { setup: "true" }\n');
  plan(place, TASK);
  const again = await plaitIn(place, "resume", "--allow-root");
  expect(spoken(again)).toContain("changed after the start: setup: exit 7 → true");
  expect(spoken(again)).not.toContain("was edited after the start");
  expect(again.code).toBe(0);
});

it("resume points out an edit that it does not apply, and resume --plan lists every setting that changed", async () => {
  const place = makePlace();
  const head = (setup: string) => `setup: ${setup}\ndefaults: { env: { TOKEN: abc } }\n`;
  plan(place, `${head("exit 7")}${TASK}`);
  expect((await plaitIn(place, "run", "../plan.yaml", "--allow-root")).code).toBe(1);
  plan(place, `${head("exit 8")}${TASK}`);
  const same = spoken(await plaitIn(place, "resume", "--allow-root"));
  expect(same).toContain("changed after the start: setup: exit 7 → exit 8");
  expect(same).not.toContain("was edited after the start");
  const edited = `${head('"true"')}gates: ["true"]\nconcurrency: 2\nenv-files: false\n${TASK}`;
  plan(place, edited);
  const again = await plaitIn(place, "resume", "--plan", "../plan.yaml", "--allow-root");
  expect(again.code, spoken(again)).toBe(0);
  for (const line of [
    "setup: exit 8 → true",
    "env-files: on → off",
    "gates: none → true",
    "changed for the run: concurrency",
  ])
    expect(spoken(again)).toContain(line);
});

it("resume points out edited gates, and applies them only with --plan", async () => {
  const place = makePlace();
  plan(place, `setup: exit 7\n${TASK}`);
  expect((await plaitIn(place, "run", "../plan.yaml", "--allow-root")).code).toBe(1);
  plan(place, `setup: "true"\ngates: ["false"]\n${TASK}`);
  const again = await plaitIn(place, "resume", "--allow-root");
  expect(spoken(again)).toContain(
    "../plan.yaml was edited after the start; to use all of it: plait resume plan-",
  );
  expect(again.code).toBe(0);
});

it("resume uses agents and logins as they are now, and says which changed", async () => {
  const place = makePlace();
  const home = String(place.env["HOME"]);
  const config = (text: string) => writeFileSync(join(place.repo, "plait.config.yaml"), text);
  config("agents: { mine: { run: [sh, -c, exit 9] } }\n");
  plan(place, "tasks: [{ id: a, agent: mine, retries: 0, fix-rounds: 0, prompt: x }]\n");
  expect((await plaitIn(place, "run", "../plan.yaml", "--allow-root")).code).toBe(1);
  config("agents: { mine: { run: [sh, -c, echo x > a.txt] } }\n");
  const again = await plaitIn(place, "resume", "--allow-root");
  expect(spoken(again)).toContain("changed after the start: agent mine: its configuration");
  expect(again.code).toBe(0);

  const login = (account: string) => {
    mkdirSync(join(home, ".codex"), { recursive: true });
    writeFileSync(join(home, ".codex", "auth.json"), JSON.stringify({ tokens: { account_id: account } }));
  };
  const bin = join(home, "bin");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "codex"),
    '#!/bin/sh\n[ "$1" = --version ] && exec echo codex-cli 0.166.0\nexit 1\n',
    {
      mode: 0o755,
    },
  );
  const codex = { ...place, env: { ...place.env, PATH: `${bin}:${place.env["PATH"]}` } };
  login("one");
  plan(place, "tasks: [{ id: b, agent: codex, retries: 0, fix-rounds: 0, prompt: x }]\n");
  const ran = await plaitIn(codex, "run", "../plan.yaml", "--allow-root");
  expect(ran.code, ran.stderr).toBe(1);
  login("two");
  const other = await plaitIn(codex, "resume", "--allow-root");
  expect(spoken(other)).toContain("changed after the start: account of codex, used by 1 task");
});

it("resume with nothing changed says nothing, and a plan that is wrong by now changes nothing", async () => {
  const place = makePlace();
  plan(place, `setup: test -f ${join(place.repo, "..", "go")}\n${TASK}`);
  expect((await plaitIn(place, "run", "../plan.yaml", "--allow-root")).code).toBe(1);
  const same = await plaitIn(place, "resume", "--allow-root");
  expect(same.code).toBe(1);
  expect(spoken(same)).not.toContain("since the start");
  writeFileSync(join(place.repo, "..", "go"), "");
  plan(place, "tasks: [{ id: a, id: b\n");
  const wrong = await plaitIn(place, "resume", "--allow-root");
  expect(spoken(wrong)).not.toContain("since the start");
  expect(wrong.code).toBe(0);
});

it("resume of prompts reads the configuration again; what was typed with them stays", async () => {
  const place = makePlace();
  const config = join(place.repo, "..", "home", ".config", "plait", "config.yaml");
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, "defaults: { retries: 0 }\nprepare: { setup: exit 7 }\n");
  const run = async (...typed: string[]) => {
    const ran = await plaitIn(
      place,
      "run",
      "-p",
      "demo: write a.txt x",
      "--agent",
      "demo",
      ...typed,
      "--allow-root",
    );
    expect(ran.code, spoken(ran)).toBe(1);
  };
  await run();
  writeFileSync(config, 'prepare: { setup: "true", env-files: false }\n');
  const again = await plaitIn(place, "resume", "--allow-root");
  expect(spoken(again)).toContain("changed after the start: setup: exit 7 → true");
  expect(spoken(again)).toContain("changed after the start: env-files: on → off");
  expect(spoken(again)).not.toContain("was edited");
  expect(again.code, spoken(again)).toBe(0);
  writeFileSync(config, "defaults: { retries: 0 }\n");
  await run("--setup", "exit 8");
  writeFileSync(config, 'prepare: { setup: "true" }\n');
  const typed = await plaitIn(place, "resume", "--allow-root");
  expect(spoken(typed)).not.toContain("changed since");
  expect(typed.code).toBe(1);
});

it("resume --plan prints what the new plan changes", async () => {
  const place = makePlace();
  const task = (id: string, text: string) =>
    `  - { id: ${id}, agent: demo, retries: 0, prompt: "demo: ${text}" }\n`;
  plan(place, `tasks:\n${task("a", "write a.txt x")}${task("b", "fail")}${task("c", "fail")}`);
  expect((await plaitIn(place, "run", "../plan.yaml", "--allow-root")).code).toBe(1);
  plan(
    place,
    `tasks:\n${task("a", "write a.txt y")}${task("b", "write b.txt x")}${task("d", "write d.txt x")}`,
  );
  const again = await plaitIn(place, "resume", "--plan", "../plan.yaml", "--redo", "a", "--allow-root");
  const said = spoken(again);
  for (const line of ["added: d", "dropped: c", "changed: b", "redone: a"]) expect(said).toContain(line);
  expect(again.code).toBe(0);
});

it("resume uses the settings of the configuration as they are now; the flags of the start stay", async () => {
  const place = makePlace();
  const config = (text: string) => writeFileSync(join(place.repo, "plait.config.yaml"), text);
  plan(place, 'tasks: [{ id: a, agent: demo, prompt: "demo: fail nothing works" }]\n');
  config("defaults: { retries: 0, fix-rounds: 0, timeout: 20s }\n");
  const first = await plaitIn(place, "run", "../plan.yaml", "-j", "3", "--allow-root");
  expect(first.code, spoken(first)).toBe(1);
  config(
    "defaults: { retries: 1, fix-rounds: 0, timeout: 5m }\nconcurrency: 2\nbudget: 4\nland: { when: never, as: squash }\n",
  );
  const again = await plaitIn(place, "resume", "--allow-root");
  for (const line of [
    "changed after the start: retries: 0 → 1",
    "changed after the start: timeout: 20 s → 5 m",
    "changed after the start: budget: none → $4.00",
    "changed after the start: land: end → never",
    "changed after the start: land as: rebase → squash",
  ])
    expect(spoken(again)).toContain(line);
  expect(spoken(again)).not.toContain("concurrency:");
  expect(spoken(again)).toContain("retry 1 of 1");
});

it("resume --plan continues the run of that plan, and never gives the plan to another run (I9)", async () => {
  const place = makePlace();
  const plan = (name: string, file: string) => {
    const text = `plait: 1
name: ${name}
tasks: [{ id: ${name}, agent: demo, retries: 0, prompt: "demo: on attempt 1: fail environment\\ndemo: write ${file} x" }]
`;
    writeFileSync(join(place.repo, "..", `${name}.yaml`), text);
    return `../${name}.yaml`;
  };
  const [first, second, third] = [plan("first", "1.txt"), plan("second", "2.txt"), plan("third", "3.txt")];
  expect((await plaitIn(place, "run", first, "--allow-root")).code).toBe(1);
  expect((await plaitIn(place, "run", second, "--allow-root")).code).toBe(1);
  const refused = await plaitIn(place, "resume", "--plan", third, "--allow-root");
  expect(refused.code).toBe(2);
  expect(refused.stderr.replaceAll(/\s+/g, " ")).toBe(
    `error: no incomplete run of ${third} in this repository help: start a run: plait run ${third}; or name one: plait resume <run> --plan ${third} `,
  );
  const resumed = await plaitIn(place, "resume", "--plan", first, "--allow-root");
  expect(resumed.code, resumed.stderr + resumed.stdout).toBe(0);
  expect(git(place, "ls-files")).toBe("1.txt\nsrc/a.txt");
});

it("resume --plan of a run with --land never does not list its landing as changed", async () => {
  const place = makePlace();
  const plan = (more: string) =>
    writeFileSync(
      join(place.repo, "..", "plan.yaml"),
      `plait: 1\n${more}tasks: [{ id: a, agent: demo, retries: 0, prompt: "demo: on attempt 1: fail environment\\ndemo: write a.txt x" }]\n`,
    );
  plan("");
  expect((await plaitIn(place, "run", "../plan.yaml", "--land", "never", "--allow-root")).code).toBe(1);
  plan('gates: ["test -f a.txt"]\n');
  const resumed = await plaitIn(
    place,
    "resume",
    "--plan",
    "../plan.yaml",
    "--allow-root",
    "--allow-red-base",
  );
  expect(resumed.code, resumed.stderr + resumed.stdout).toBe(0);
  expect(resumed.stderr).toContain("gates: none → test -f a.txt\n");
  expect(resumed.stderr).not.toContain("changed for the run");
});
