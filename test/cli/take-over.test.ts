import { spawn } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { askedIn } from "./asked.ts";
import { git, makePlace, type Place, plaitIn } from "./place.ts";
import { main, type Run } from "./plait.ts";

const merged = "git log --oneline --glob='refs/heads/plait/*/integration'";

/** `right` writes what `left` has written; `slow` and `odd` go on when the test says so; `after` needs all but `odd`. */
const plan = (root: string) => `plait: 1
name: shop
defaults: { agent: demo, retries: 0, fix-rounds: 0 }
gates: [{ name: whole, run: "! grep BROKEN same.txt" }]
tasks:
  - { id: left, priority: 1, prompt: "demo: write same.txt left" }
  - id: right
    setup: ["if test -e ${root}/block; then touch ${root}/preparing; sleep 1000; fi"]
    prompt: |
      demo: run until ${merged} | grep -q left; do sleep 0.05; done
      demo: write same.txt right
  - { id: odd, gates: ["test -e ${root}/even"], prompt: "demo: write odd.txt odd" }
  - { id: slow, prompt: "demo: run until test -e ${root}/go; do sleep 0.05; done; echo slow > slow.txt" }
  - { id: after, needs: [left, right, slow], prompt: "demo: run cat same.txt slow.txt > after.txt" }
`;

type Started = {
  readonly kill: () => void;
  readonly ended: Promise<Run>;
  /** Until its lines say so. */
  readonly says: (text: string) => Promise<void>;
};

const children = new Set<ReturnType<typeof spawn>>();
afterAll(() => {
  for (const child of children) child.kill("SIGKILL"); // what a failed test has left
});

function start({ repo, env }: Place, ...args: string[]): Started {
  const child = spawn(process.execPath, [main, ...args], {
    ...{ cwd: repo, env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  const seen = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (seen[name] += text));
  let over = false;
  const ended = new Promise<Run>((resolve) => {
    child.on("close", (code) => {
      children.delete(child);
      over = true;
      resolve({ code, ...seen });
    });
  });
  const says = async (text: string): Promise<void> => {
    while (!seen.stderr.includes(text)) {
      if (over) throw new Error(`it ended before it said ${text}: ${JSON.stringify(seen)}`);
      await setTimeout(20);
    }
  };
  return { kill: () => void child.kill("SIGKILL"), ended, says };
}

function shop(): { place: Place; root: string; file: (name: string) => string } {
  const place = makePlace({ "same.txt": "old\n" });
  const root = dirname(place.repo);
  const file = (name: string) => join(root, name);
  writeFileSync(file("plan.yaml"), plan(root));
  return { place, root, file };
}

const opened = async (place: Place, task: string) =>
  JSON.parse((await plaitIn(place, "open", task, "--json")).stdout);

describe.concurrent("a task that a person takes over", () => {
  it("while the run goes on, and what they did outlives its driver (I2, I8, I11)", async () => {
    const { place, file } = shop();
    const first = start(place, "run", "../plan.yaml", "-j", "4");
    await first.says("right      failed");
    await first.says("odd        failed");

    const { code, stdout } = await plaitIn(place, "open", "right");
    expect(code).toBe(0);
    const { worktree, run, sides, resume } = await opened(place, "right");
    expect(stdout).toContain(`path  ${worktree}\nfrom  right #1: conflict with left in same.txt\n`);
    expect(stdout).toContain("files same.txt\nmarks <<<<<<< merged: left\n      >>>>>>> this task: right\n");
    expect(sides).toMatchObject({ merged: { tasks: ["left"] }, own: { attempt: "right/1" } });
    expect(stdout).toMatch(
      new RegExp(`work  cd ${worktree}\n\nnext  plait submit right .*\n {6}plait drop right`),
    );
    expect(readFileSync(join(worktree, "same.txt"), "utf8")).toBe(
      "<<<<<<< merged: left\nleft\n=======\nright\n>>>>>>> this task: right\n",
    );
    expect(resume).toBe(null);
    const status = await askedIn(place, "status");
    expect(status.stdout).toContain(`open  right at ${worktree}\n\nnext  plait submit right`);
    await first.says(`right      open      at ${worktree}, 1 file with conflicts`);

    // Given up at the driver's door.
    const odd = await opened(place, "odd");
    writeFileSync(join(odd.worktree, "mine.txt"), "precious");
    const dropped = await plaitIn(place, "drop", "odd", "--json");
    expect(JSON.parse(dropped.stdout)).toEqual({
      ...{ v: 1, run },
      dropped: [{ task: "odd", ref: `refs/plait/${run}/odd/2` }],
    });
    expect(git(place, "show", `refs/plait/${run}/odd/2:mine.txt`)).toBe("precious");

    // The person works, and plait is killed.
    writeFileSync(join(worktree, "same.txt"), "both\n");
    first.kill();
    await first.ended;
    const stays = await plaitIn(place, "clean", run);
    expect(stays).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`you have right open at ${worktree}`),
    });
    expect(await opened(place, "right")).toMatchObject({ worktree, conflicts: ["same.txt"] });
    // Taken over for just this: what was cut off does not go on.
    expect(await opened(place, "odd")).toMatchObject({ after: { attempt: "odd/2" } });
    const { tasks } = JSON.parse((await askedIn(place, "status", "--json")).stdout);
    expect(tasks).toContainEqual(expect.objectContaining({ task: "slow", status: "stopped", attempts: 1 }));

    const second = start(place, "resume");
    await second.says("slow       start");
    expect(readFileSync(join(worktree, "same.txt"), "utf8")).toBe("both\n");
    writeFileSync(file("even"), "");
    const accepted = await plaitIn({ ...place, repo: worktree }, "submit", "right", "odd"); // from where they worked
    expect(accepted).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Submitted right and odd in ${run}.`),
    });
    writeFileSync(file("go"), "");
    expect(await second.ended).toMatchObject({ code: 0 });
    expect(git(place, "show", "main:after.txt")).toBe("both\nslow");
    expect(git(place, "show", "main:mine.txt")).toBe("precious");
    expect(git(place, "worktree", "list").split("\n")).toHaveLength(1);
    expect((await askedIn(place, "logs", "right")).stdout).toMatch(
      /^✓ right #2 .*\n\S+ +plait +worktree ready at /,
    );
  });

  it("when nobody drives the run, also after a crash, and is told what did not pass (I1, I2, I8)", async () => {
    const { place, file } = shop();
    writeFileSync(file("go"), "");
    const ran = await plaitIn(place, "run", "../plan.yaml", "-j", "4");
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining("next    plait open right ") });

    for (const [args, problem] of [
      [["open", "left"], "cannot open `left`: it is merged"],
      [["open", "after"], "cannot open `after`: it needs `right`"],
      [["open", "rigth"], 'unknown task "rigth"'],
      [["open", "right", "--start"], "right has no conversation"],
      [["open", "right", "--start", "--json"], "--start and --json cannot be combined"],
      [["open", "right", "--run", "nope"], 'unknown run "nope"'],
      [
        ["submit", "right"],
        "cannot submit `right`: it is not open\n  help: open it first: plait open right --run ",
      ],
      [["drop", "left"], "cannot drop `left`: it is merged"],
    ] as const) {
      const refused = await askedIn(place, ...args);
      expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(problem) });
    }

    // Killed while the worktree is made ready.
    writeFileSync(file("block"), "");
    const cutOff = start(place, "open", "right");
    while (!existsSync(file("preparing"))) await setTimeout(20);
    cutOff.kill();
    await cutOff.ended;
    rmSync(file("block"));
    expect((await askedIn(place, "status")).stdout).toMatch(
      /open {2}right not ready yet\n\nnext {2}plait resume .*\n {6}plait open right/,
    );
    const { worktree, run } = await opened(place, "right");
    expect((await askedIn(place, "runs")).stdout).toMatch(/not landed, 1 open/);
    expect((await askedIn(place, "rescue")).stdout).toMatch(/right\/1 .* you have it open; conf/);
    expect((await askedIn(place, "logs")).stdout).toContain(`open at ${worktree}, 1 file with conflicts`);

    const handIn = async (text: string) => {
      writeFileSync(join(worktree, "same.txt"), text);
      return plaitIn(place, "submit", "right", "--quiet");
    };
    const unresolved = await plaitIn(place, "submit", "right");
    expect(unresolved).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("conflict in same.txt; open"),
    });
    expect(unresolved.stderr).toContain("same.txt: has conflict markers");
    const red = await handIn("BROKEN\n");
    expect(red).toMatchObject({ code: 1, stdout: expect.stringContaining("gate whole red") });
    expect(red.stdout).toContain("right, last line of gate whole\n  BROKEN\n");
    expect(red.stdout).toContain(`open    right at ${worktree}\n`);
    expect(red.stdout).toContain("\nnext    plait submit right ");
    expect((await handIn("mine\n")).code).toBe(1); // odd is left
    expect(git(place, "show", `plait/${run}/integration:after.txt`)).toBe("mine\nslow");
    expect(existsSync(worktree)).toBe(false);

    const odd = await opened(place, "odd");
    renameSync(odd.worktree, file("away"));
    for (const command of ["open", "submit"]) {
      const gone = await plaitIn(place, command, "odd");
      expect(gone).toMatchObject({ code: 3, stderr: expect.stringContaining(`${odd.worktree} is gone`) });
    }
    renameSync(file("away"), odd.worktree);
    writeFileSync(join(odd.worktree, "mine.txt"), "precious");
    const dropped = await plaitIn(place, "drop", "odd");
    expect(dropped).toMatchObject({ code: 0, stderr: "" });
    expect(dropped.stdout).toContain(`odd dropped; its work is saved as refs/plait/${run}/odd/2\n`);
    expect(dropped.stdout).toContain(`plait rescue --branch ${run}/odd/2`);
    expect(await plaitIn(place, "drop", "odd")).toMatchObject({ code: 2 });
    expect(await plaitIn(place, "clean", run, "--force")).toMatchObject({ code: 0 });
    expect(git(place, "worktree", "list").split("\n")).toHaveLength(1);
  });

  it("lands with the messages of the person's own commits, also of a hand-in that did not pass", async () => {
    const place = makePlace();
    const tasks = `  - { id: tax, title: Add tax, gates: ["test -f rate.txt"], agent: demo, prompt: "demo: write tax.txt x" }
  - { id: vat, title: Add vat, gates: ["test -f vat.txt"], agent: demo, prompt: "demo: write no.txt x" }`;
    const file = join(dirname(place.repo), "own.yaml");
    writeFileSync(file, `plait: 1\nname: own\ndefaults: { retries: 0, fix-rounds: 0 }\ntasks:\n${tasks}\n`);
    expect((await plaitIn(place, "run", file, "--allow-root")).code).toBe(1);
    const tax = (await opened(place, "tax")).worktree;
    const commit = (repo: string, name: string, ...messages: string[]) => {
      writeFileSync(join(repo, name), "x\n");
      git({ ...place, repo }, "add", "-A");
      git({ ...place, repo }, "commit", "-q", ...messages.flatMap((text) => ["-m", text]));
    };
    commit(tax, "half.txt", "Round the tax to cents", "The law asks for it.", "Reviewed-by: Bo <bo@x.org>");
    expect((await plaitIn(place, "submit", "tax")).code).toBe(1);
    commit(tax, "rate.txt", "Read the rate from a file");
    writeFileSync(join(tax, "rest.txt"), "not committed\n");
    expect((await plaitIn(place, "submit", "tax")).code).toBe(1); // vat is left
    const vat = (await opened(place, "vat")).worktree;
    writeFileSync(join(vat, "vat.txt"), "x\n");
    const last = await plaitIn(place, "submit", "vat");
    expect(last.code, last.stdout + last.stderr).toBe(0);
    const [, first = "", second = ""] = git(place, "log", "--reverse", "--format=%B%x00", "main").split("\0");
    expect(first.trim()).toMatch(
      /^Round the tax to cents\n\nThe law asks for it\.\n\n- Read the rate from a file\n\nPlait-Run: own-\w+\nPlait-Task: tax\nPlait-Attempt: 3\nReviewed-by: Bo <bo@x\.org>$/,
    );
    expect(second.trim()).toMatch(/^Add vat\n\nPlait-Run/);
    expect(git(place, "show", "main:rest.txt")).toBe("not committed");
  });
});
