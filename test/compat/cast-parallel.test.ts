import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatNames } from "../../src/app/load-plan.ts";
import { git, makePlace, type Place } from "../cli/place.ts";
import { folderWith, main, type Run } from "../cli/plait.ts";

/**
 * `plait cast-parallel` as a user types it: the built program, real repositories, an agent that does what a small script says.
 * The numbers are those of the defects in docs/guide/migrating-from-cast-parallel.md.
 */

const plan = (id: string, batches: string) =>
  `# Plan\r\n\r\n\`\`\`json dispatch  \r\n{"plan_id": "${id}", "batches": [${batches}]}\r\n\`\`\`\r\n`;
const two = plan("feat/login", '{"id": 1}, {"id": 2}');

/** Each stream is what its script does. The agent leaves its prompt and its guards beside the repository. */
function castPlace(scripts: { readonly a: string; readonly b: string }, text = two): Place {
  const place = makePlace({ "src/a.txt": "a\n", "plans/p.md": text });
  const home = homeOf(place);
  const agent = join(home, "agent.sh");
  writeFileSync(
    agent,
    `cat > "$HOME/$PLAIT_TASK.prompt"\necho "$PLAIT_TASK $CAST_SUBPROCESS $PO_WORKTREE_GUARD"\n. "$HOME/$PLAIT_TASK"\n`,
  );
  writeFileSync(join(home, "stream-a"), `${scripts.a}\n`);
  writeFileSync(join(home, "stream-b"), `${scripts.b}\n`);
  mkdirSync(join(home, ".config/plait"), { recursive: true });
  writeFileSync(
    join(home, ".config/plait/config.yaml"),
    `agents:\n  stub: { run: [sh, ${agent}] }\n  gone: { run: [no-such-agent], version: [no-such-agent] }\n  slow: { run: [sh, ${agent}], version: [sh, -c, ': > "$HOME/asked"; sleep 300'] }\n`,
  );
  return { ...place, env: { ...place.env, PLAIT_AGENT: "stub" } };
}

const homeOf = ({ env: { HOME = "" } }: Place): string => HOME;

type Started = { readonly ended: Promise<Run>; readonly kill: () => void; readonly said: () => string };

/** With a standard input that never ends: nothing may wait for it (4). */
function start({ repo, env }: Place, args: readonly string[], cwd = repo): Started {
  const child = spawn(process.execPath, [main, "cast-parallel", ...args], { cwd, env, stdio: "pipe" });
  const seen = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (seen[name] += text));
  const ended = new Promise<Run>((resolve) => child.on("close", (code) => resolve({ code, ...seen })));
  return { ended, kill: () => void child.kill("SIGTERM"), said: () => seen.stdout };
}

const cast = (place: Place, ...args: string[]): Promise<Run> => start(place, args).ended;

const logOf = ({ repo }: Place, stream: string) =>
  join(dirname(repo), `cast-parallel-feat-login-stream-${stream}.log`);
const homeFile = (place: Place, name: string) => readFileSync(join(homeOf(place), name), "utf8");
const isClean = (place: Place) =>
  git(place, "status", "--porcelain") === "" && !existsSync(join(place.repo, ".git/MERGE_HEAD"));

describe("cast-parallel", () => {
  it("lands what both streams did, committed or not (1, 4, 8, 12, 13)", async () => {
    const place = castPlace({
      a: "echo one > one.txt; git add .; git commit -qm one; echo more > uncommitted.txt",
      b: "echo two > two.txt",
    });
    const db = join(homeOf(place), ".claude/cast.db");
    mkdirSync(dirname(db));
    const hasDb =
      spawnSync("sqlite3", [
        db,
        "CREATE TABLE routing_events(event_type TEXT, data TEXT); CREATE TABLE agent_runs(agent TEXT, status TEXT)",
      ]).status === 0;
    const { code, stdout, stderr } = await start(place, ["p.md"], join(place.repo, "plans")).ended;
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("[cast-parallel] Parallel execution complete. All results merged into main.\n");
    expect(stderr).not.toContain("WARN");
    const lines = stdout.split("\n").map((line) => line.replace("[cast-parallel] ", ""));
    const run = /plait\/([\w-]+)\/tasks/.exec(stdout)?.[1];
    expect(lines.slice(lines.indexOf("Setting up worktrees..."))).toEqual([
      ...["Setting up worktrees...", "Worktrees created:"],
      expect.stringMatching(new RegExp(`^  A: /.*/stream-a \\(plait/${run}/tasks/stream-a/1\\)$`)),
      expect.stringMatching(new RegExp(`^  B: /.*/stream-b \\(plait/${run}/tasks/stream-b/1\\)$`)),
      ...["Launching parallel sessions...", expect.stringMatching(/^Stream A PID: \d+ \(log: \//)],
      ...[expect.stringMatching(/^Stream B PID: \d+ /), "Waiting for parallel sessions to complete..."],
      ...[
        expect.stringMatching(/^Stream [AB] completed\.$/),
        expect.stringMatching(/^Stream [AB] completed/),
      ],
      ...["Merging results...", expect.stringMatching(/^Merged Stream (A into Stream B|B into Stream A)\.$/)],
      ...["Merged combined result into main.", "Cleaning up worktrees...", "Worktrees cleaned up."],
      ...["[cast-parallel]", "Parallel execution complete. All results merged into main.", ""],
    ]);
    // Said as it was: the later one went on top of the earlier one.
    const [, later] = /^Merged Stream (\w) into/m.exec(lines.join("\n")) ?? [];
    const merges = git(place, "log", "--first-parent", "--merges", "--format=%s").split("\n");
    expect(merges[0]).toContain(`Stream ${later}:`);
    expect(git(place, "ls-tree", "--name-only", "HEAD").split("\n")).toEqual([
      ...["one.txt", "plans", "src", "two.txt", "uncommitted.txt"],
    ]);
    expect(git(place, "log", "--format=%s")).toContain("one");
    expect(isClean(place)).toBe(true);
    expect(homeFile(place, "stream-a.prompt")).toContain(
      `batches 1 from the plan at ${place.repo}/plans/p.md.`,
    );
    expect(readFileSync(logOf(place, "a"), "utf8")).toBe("stream-a 1 1\n");
    expect(statSync(logOf(place, "b")).mode & 0o777).toBe(0o600);
    if (!hasDb) return;
    const rows = execFileSync(
      "sqlite3",
      [db, "SELECT event_type FROM routing_events; SELECT status FROM agent_runs"],
      { encoding: "utf8" },
    );
    expect(rows.trim().split("\n")).toEqual([
      ...["parallel_start", "parallel_streams_done", "parallel_complete", "DONE", "DONE"],
    ]);
  });

  it("keeps the work of one stream when the other fails, and shows its last lines (2)", async () => {
    const place = castPlace({
      a: "for i in $(seq 40); do echo line $i; done; exit 3",
      b: "echo two > two.txt",
    });
    const { code, stdout, stderr } = await cast(place, "plans/p.md");
    expect(code).toBe(1);
    expect(stdout).toContain("[cast-parallel] Stream B completed.\n");
    expect(stderr).toContain("[cast-parallel] ERROR: Stream A exited with code 3\n");
    expect(stderr).toMatch(/ERROR: Last 20 lines of Stream A log:\nline 22\n[^[]*line 40\n/);
    const [, run] = /merged so far: plait\/(\S+)\/integration/.exec(stderr) ?? [];
    expect(stderr).toContain(`plait land ${run}`);
    expect(stderr).toContain(`plait retry stream-a --run ${run}`);
    expect(git(place, "show", `plait/${run}/integration:two.txt`)).toBe("two");
    expect(git(place, "log", "--format=%s")).toBe("start");
    expect(isClean(place)).toBe(true);
  });

  it("ends at TERM with exit 1, and everything is saved (3, 14)", async () => {
    const place = castPlace({ a: "echo half > half.txt; : > $HOME/ready; sleep 300", b: "sleep 300" });
    const begun = start(place, ["plans/p.md"]);
    await until(() => begun.said().includes("Waiting for parallel sessions"));
    await until(() => existsSync(join(homeOf(place), "ready")));
    begun.kill();
    const { code, stderr } = await begun.ended;
    expect(code).toBe(1);
    expect(stderr).toContain("ERROR: Interrupted by SIGTERM.");
    expect(stderr).toMatch(/plait resume feat-login-\w{4}/);
    const [, ref = ""] = /Stream A: (refs\/plait\S+)/.exec(stderr) ?? [];
    expect(git(place, "show", `${ref}:half.txt`)).toBe("half");
    expect(isClean(place)).toBe(true);
  });

  it("says so when TERM comes before anything has begun, and is exit 1", async () => {
    const place = castPlace({ a: "exit 9", b: "exit 9" });
    const begun = start({ ...place, env: { ...place.env, PLAIT_AGENT: "slow" } }, ["plans/p.md"]);
    await until(() => existsSync(join(homeOf(place), "asked")));
    begun.kill();
    const { code, stderr } = await begun.ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^\[cast-parallel\] WARN: interrupted before the run started$/m),
    ]);
    expect(git(place, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  });

  it("lists the files of a conflict and keeps both sides, also beside another run (6, 7)", async () => {
    const place = castPlace({ a: "echo A > same.txt", b: "echo B > same.txt" });
    const runs = await Promise.all([cast(place, "plans/p.md"), cast(place, "plans/p.md")]);
    for (const { code, stderr } of runs) {
      expect(code).toBe(1);
      expect(stderr).toMatch(/ERROR: Merge conflict: Stream (A into Stream B|B into Stream A)\n/);
      expect(stderr).toContain("ERROR: Conflicting files:\nsame.txt\n");
      const [, letter = "", ref = ""] = /ERROR: {3}Stream (\w): (refs\/plait\S+)/.exec(stderr) ?? [];
      const run = ref.split("/")[2];
      expect(stderr).toContain(`plait open stream-${letter.toLowerCase()} --run ${run}`);
      expect(git(place, "show", `${ref}:same.txt`)).toBe(letter);
    }
    expect(isClean(place)).toBe(true);
  });

  it("does not leave the checkout in the middle of a merge when the branch has moved (9)", async () => {
    const move = 'cd "$HOME/../repo" && echo mine > src/a.txt && git commit -qam mine';
    const place = castPlace({ a: "echo theirs > src/a.txt", b: `( ${move} ); echo two > two.txt` });
    const { code, stdout, stderr } = await cast(place, "plans/p.md");
    expect(code).toBe(1);
    expect(stderr).toMatch(/ERROR: Merge conflict: plait\/\S+\/integration into main\n/);
    expect(stderr).toContain("ERROR: Conflicting files:\nsrc/a.txt\n");
    expect(stdout).toMatch(/Merging results\.\.\.\n.*Merged Stream (A into Stream B|B into Stream A)\.\n$/);
    expect(isClean(place)).toBe(true);
    expect(git(place, "log", "--format=%s")).toBe("mine\nstart");
  });

  it("does not start a stream that has no batches, nor write a log through a link", async () => {
    const place = castPlace({ a: "echo one > one.txt", b: "exit 9" }, plan("feat/login", '{"id": 1}'));
    const victim = join(dirname(place.repo), "victim");
    writeFileSync(victim, "untouched");
    symlinkSync(victim, logOf(place, "a"));
    const { code, stdout, stderr } = await cast(place, "plans/p.md");
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("[cast-parallel] The plan has one batch, so Stream B does not start.\n");
    expect(stderr).toContain(`WARN: no log ${logOf(place, "a")}: it is not a file`);
    expect(stdout).toMatch(/Stream A PID: \d+ \(log: none\)\n/);
    expect(stdout).toMatch(/Merging results\.\.\.\n.*Merged Stream A into main\.\n/);
    expect(readFileSync(victim, "utf8")).toBe("untouched");
  });

  it("is exit 128 outside a repository, and 1 without its agent; nothing is made", async () => {
    const place = castPlace({ a: "true", b: "true" });
    const outside = folderWith({ "p.md": two });
    const { code, stderr } = await start(place, ["p.md"], outside).ended;
    expect(code, stderr).toBe(128);
    const gone = await cast({ ...place, env: { ...place.env, PLAIT_AGENT: "gone" } }, "plans/p.md");
    expect(gone.code).toBe(1);
    expect(gone.stderr).toContain("no-such-agent");
    const unknown = await cast({ ...place, env: { ...place.env, PLAIT_AGENT: "nope" } }, "plans/p.md");
    expect(unknown.code, unknown.stderr).toBe(1);
    expect(unknown.stderr).toContain("[cast-parallel] ERROR: ");
    writeFileSync(join(place.repo, "plait.config.yaml"), "agents: 7\n");
    for (const flags of [[], ["--dag"]]) {
      const bad = await cast(place, ...flags, "plans/p.md");
      expect(bad.code, bad.stderr).toBe(1);
      expect(bad.stderr).toMatch(
        /plait\.config\.yaml:1:9[\s\S]*\[cast-parallel\] ERROR: Nothing was started/,
      );
    }
    expect(
      existsSync(join(place.repo, ".git/plait/runs")) ? readdirSync(join(place.repo, ".git/plait/runs")) : [],
    ).toEqual([]);
    expect(existsSync(logOf(place, "a"))).toBe(false);
  });
});

const agents =
  '{"id": 1, "agents": [{"subagent_type": "main", "prompt": "demo: write a.txt first"}]}, {"id": 2, "agents": [{"subagent_type": "dev", "prompt": "demo: run cp a.txt b.txt"}]}';

// Where this plait reads such plans as a whole.
it.skipIf(!formatNames().includes("adm"))(
  "--dag keeps the order that two streams do not",
  async () => {
    const place = castPlace({ a: "exit 9", b: "exit 9" }, plan("feat/login", agents));
    const { code, stderr } = await cast(
      { ...place, env: { ...place.env, PLAIT_AGENT: "demo" } },
      "--dag",
      "plans/p.md",
    );
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain("WARN");
    expect(stderr).toContain("its files land like any other work.");
    expect(git(place, "show", "HEAD:b.txt")).toBe("first");
  },
  60_000,
);

async function until(isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + 60_000; !isSo(); ) {
    if (Date.now() > end) throw new Error("it did not come to that");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
