// What earlier runs leave goes by itself when the next one starts, and only where nothing can be lost (I2).

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { asked } from "./asked.ts";
import { git, makePlace, type Place } from "./place.ts";
import { begin, finish } from "./run-place.ts";

const plan = (name: string, line = `write src/${name}.txt x`): string =>
  `plait: 1\nname: ${name}\ndefaults: { agent: demo, retries: 0 }\ntasks: [{ id: t, prompt: "demo: ${line}" }]\n`;

const look = `plait: 1\nname: look\ndefaults: { agent: demo }\ntasks: [{ id: t, access: read-only, prompt: "demo: say hi" }]\n`;

const runs = ({ repo }: Place): string[] =>
  readdirSync(join(repo, ".git/plait/runs")).map((name) => name.slice(0, -5));

async function startWith(place: Place, keep: string) {
  const { HOME = "" } = place.env;
  const folder = join(HOME, ".config/plait");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.yaml"), `keep: ${keep}\n`);
  writeFileSync(join(place.repo, "../look.yaml"), look);
  const { code, stderr } = await asked(["run", "../look.yaml"], { cwd: place.repo, env: place.env });
  expect(code).toBe(0);
  return stderr;
}

it("old runs that landed go; what is driven, not landed or saved nowhere else stays and is named", async () => {
  const place = makePlace();
  await finish(place, plan("landed"));
  const apart = await finish(place, plan("apart"), { land: "never" });
  const failed = await finish(place, plan("failed", "write src/half.txt half\\ndemo: fail agent-said-no no"));
  const driven = await begin(place, plan("driven"));
  try {
    const kept = await startWith(place, "{ days: 14 }");
    expect(kept).not.toMatch(/removed|older/);
    expect(runs(place).sort()).toEqual(["apart", "driven", "failed", "landed", "look"]);

    const told = await startWith(place, "{ days: 0 }");
    expect(told).toMatch(
      /^removed 2 runs older than 0 days \(\d.*iB\); keep: \{ days: \.\.\. \} in your configuration changes this$/m,
    );
    expect(told).toMatch(
      /2 runs older than 0 days may have work that is saved nowhere else: apart-\w+ and failed-\w+;/,
    );
    expect(told).toContain("plait clean --dry-run");
    expect(runs(place).sort()).toEqual(["apart", "driven", "failed", "look"]);
    expect(git(place, "show", `refs/plait/${failed}/t/1:src/half.txt`)).toBe("half");

    // Taken over by hand: now all of it is on the target.
    git(place, "merge", "-q", `plait/${apart}/integration`);
    expect(await startWith(place, "{ days: 3650, bytes: 1 }")).toMatch(
      /^removed 2 runs to stay below 1 byte/m,
    );
    expect(runs(place).sort()).toEqual(["driven", "failed", "look"]);
    expect(git(place, "for-each-ref", `refs/heads/plait/${apart}`)).toBe("");

    const over = await startWith(place, "{ bytes: 1KiB }");
    expect(over).toMatch(/The runs of this repository take .*iB, more than 1\.0 KiB: failed-\w+;/);
    expect(over).toContain("plait clean --days 0 --dry-run");
  } finally {
    await driven.close();
  }
});

it("what a configuration says wrong about it is told before anything is done", async () => {
  const place = makePlace();
  writeFileSync(join(place.repo, "plait.config.yaml"), "keep: { days: -1, weeks: 2 }\n");
  const { code, stderr } = await asked(["clean"], { cwd: place.repo, env: place.env });
  expect(code).toBe(2);
  expect(stderr).toContain("keep.days must be an integer from 0 to 3650");
  expect(stderr).toContain("weeks");
});
