import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { asked } from "./asked.ts";
import { makePlace, type Place, plaitIn } from "./place.ts";
import { plait, type Run } from "./plait.ts";
import { begin, finish } from "./run-place.ts";

/** Merged, with a task that only looks, by an agent of its own. */
const good = `plait: 1
name: same
defaults: { agent: demo, retries: 0 }
tasks:
  - id: a
    owns: [src/a.txt]
    prompt: |
      demo: write src/a.txt done
  - id: review
    needs: [a]
    access: read-only
    prompt: |
      demo: say All is well.
`;

const lookIn = ({ repo, env }: Place, ...args: string[]): Promise<Run> => asked(args, { cwd: repo, env });

describe("a repository whose runs are all complete", () => {
  let place: Place;
  let run: string;

  beforeAll(async () => {
    place = makePlace();
    run = await finish(place, good);
  });

  it.each([
    ["stop", "no run is active in this repository", "list runs: plait runs"],
    ["resume", "no incomplete run in this repository", "start a run: plait run plan.yaml"],
  ])("plait %s says that %s", async (command, message, hint) => {
    const { code, stderr } = await lookIn(place, command);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `error: ${message}\n  help: ${hint}\n` });
  });

  it("plait land names the run that has nothing to land", async () => {
    const stderr = `error: nothing to land in: ${run}\n  help: list runs: plait runs\n`;
    expect(await lookIn(place, "land")).toMatchObject({ code: 2, stderr });
  });

  it("is one that plait diff and plait logs take with --run, and say so", async () => {
    const error = `error: ${run} is a run, not a task\n`;
    const whole = await lookIn(place, "diff", run);
    expect(whole).toMatchObject({
      ...{ code: 2, stdout: "" },
      stderr: `${error}  help: show all its changes: plait diff --run ${run}\n`,
    });
    const events = await lookIn(place, "logs", run);
    expect(events).toMatchObject({ stderr: `${error}  help: show its events: plait logs --run ${run}\n` });
  });

  it("is watched with exit 0, has nothing to rescue, and says what was reported", async () => {
    expect(plait(["watch"], { cwd: place.repo, env: place.env }).code).toBe(0);
    expect((await lookIn(place, "rescue")).stdout).toContain("no saved work");
    expect((await lookIn(place, "status")).stdout).toContain("plait logs review ");
  });

  it("has one that was to stay on its branch: git takes it", async () => {
    const other = makePlace();
    const kept = await finish(other, good, { land: "never" });
    expect((await lookIn(other, "status")).stdout).toContain(`git merge plait/${kept}/integration `);
  });

  it("and a second one of that name: a beginning means the one that the command is for", async () => {
    const second = await begin(place, good.replace("txt done", "txt done again"));
    await second.close();
    const shown = await lookIn(place, "status", "same");
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining(second.view.run)]);
    const { code, stderr } = await lookIn(place, "drop", "a", "--run", "same");
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: run same is ambiguous: same-\S{4}, same-\S{4}\n {2}help: list the runs: plait runs/,
    );
    const resumed = await plaitIn(place, "resume", "same", "--detach", "--allow-nested");
    expect(resumed).toMatchObject({ code: 0, stderr: "" });
    expect(resumed.stdout).toMatch(
      new RegExp(
        `^${second.view.run} is running in the background \\(process \\d+\\)\nnext {2}plait watch ${second.view.run} `,
      ),
    );
    expect((await plaitIn(place, "watch", second.view.run)).code).toBe(0);
    expect((await lookIn(place, "status", run)).stdout).toContain(run);
  });

  it("and a third one, which is driven: a beginning means that one", async () => {
    const slow = good.replace(
      "demo: write",
      `demo: run while [ ! -e ${dirname(place.repo)}/go ]; do sleep 0.05; done\n      demo: write`,
    );
    const third = await begin(place, slow);
    const ended = third.drive();
    expect((await plaitIn(place, "status", "same")).stdout).toContain(`running, process ${process.pid}`);
    await third.ask({ kind: "stop", mode: "stop" });
    await ended;
    expect((await plaitIn(place, "status", third.view.run)).stdout).toMatch(
      /a {7}stopped .* runs again on resume/,
    );
  });
});

/** Two red gates in a task that has one fix round: nothing is merged. */
const red = `plait: 1
name: red
defaults: { agent: demo, retries: 0, fix-rounds: 1 }
gates:
  - name: long
    run: "seq 1 60; exit 1"
tasks:
  - id: a
    owns: [src/a.txt]
    prompt: |
      demo: write src/a.txt done
`;

describe("a red gate", () => {
  it("is told with its last forty lines and the file that holds them all", async () => {
    const place = makePlace();
    const run = await finish(place, red, { redBase: "allow" });
    const { stdout } = await lookIn(place, "logs", "a");
    expect(stdout).toMatch(/^✗ a #2 {2}failed, fix 1 of 1, demo\n/);
    expect(stdout.match(/^ +\d+$/gm)).toHaveLength(40);
    const [, path = ""] = /^ +all of it (\/.*)$/m.exec(stdout) ?? [];
    expect(readFileSync(path, "utf8").split("\n").slice(0, 2)).toEqual(["1", "2"]);
    const watched = plait(["watch"], { cwd: place.repo, env: place.env }).stdout;
    expect(watched).toContain(`\n  60\n  all of it ${path}\n`);
    expect(existsSync(path)).toBe(true);
    expect((await lookIn(place, "rescue")).stdout).toContain(`next  plait rescue --branch ${run}/a/2 `);
  });
});

it("--json is described by its output: events, or one document", async () => {
  for (const command of ["run", "resume", "retry", "approve", "land", "demo", "watch"]) {
    expect((await asked([command, "--help"])).stdout).toMatch(/--json, -q, --quiet +Same as --progress json/);
  }
  for (const command of ["plan", "validate", "status", "runs", "rescue", "clean", "explain"]) {
    expect((await asked([command, "--help"])).stdout).toMatch(/--json +Print one JSON document/);
  }
});
