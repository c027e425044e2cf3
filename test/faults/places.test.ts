// Repositories in every state that users leave them in.

import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../cli/plait.ts";
import { expectNothingLeft, filesAt, filesBelow, refs, textAt, tree, usersThings } from "./observe.ts";
import {
  emptyPlace,
  factsOf,
  git,
  journal,
  makeRepo,
  type Place,
  plait,
  runId,
  runIds,
  runPlan,
  runsFolder,
  writePlan,
  writeProgram,
} from "./support.ts";

const edit = (place: Place, path: string, text: string) => writeFileSync(join(place.repo, path), text);
const textOf = (place: Place, path: string) => readFileSync(join(place.repo, path), "utf8");

/** Changes b.txt and makes new.txt. */
const onePlan = (place: Place) =>
  writePlan(place, [{ id: "a", does: ["write b.txt ours", "write new.txt ours"] }]);

test.concurrent("I1 I3 I8: edits elsewhere, staged or not, and names of other runs stay as they are while the run lands", async () => {
  const place = makeRepo();
  edit(place, "a.txt", "mine\n");
  git(place, "add", "a.txt");
  edit(place, "a.txt", "mine again\n");
  edit(place, "dir/c.txt", "mine\n");
  edit(place, "loose.txt", "loose\n");
  const others = [
    "refs/heads/plait/old/integration",
    "refs/heads/plait/p/tasks/a/1",
    "refs/plait/old/a/1",
    "refs/tags/plait",
  ];
  for (const ref of others) git(place, "update-ref", ref, "HEAD");
  const staged = git(place, "rev-parse", ":a.txt", ":dir/c.txt");
  expect(await runPlan(place, onePlan(place))).toMatchObject({ code: 0 });
  expect(git(place, "status", "--porcelain")).toBe("MM a.txt\n M dir/c.txt\n?? loose.txt");
  expect(["a.txt", "dir/c.txt", "loose.txt", "b.txt"].map((path) => textOf(place, path))).toEqual([
    "mine again\n",
    "mine\n",
    "loose\n",
    "ours\n",
  ]);
  expect(git(place, "rev-parse", ":a.txt", ":dir/c.txt")).toBe(staged);
  expect(Object.keys(refs(place)).sort()).toEqual([...others, "refs/heads/main"].sort());
  expectNothingLeft(place, { refs: others.filter((ref) => ref !== "refs/tags/plait") });
});

test.concurrent("I3: a branch called plait is refused", async () => {
  const place = makeRepo();
  git(place, "branch", "plait");
  await expectRefused(place, "git branch -m plait");
});

test.concurrent("I1 I3 I8: a lock of the user's index, an edit of the same file and an untracked file each refuse the landing by name; put right, it lands", async () => {
  const place = makeRepo();
  const lock = join(place.repo, ".git/index.lock");
  const refusals = () => factsOf(journal(place), "landing.refused");
  /** With what is in the way as it was before. */
  const expectInTheWay = async (path: string, why: string, act: () => ReturnType<typeof plait>) => {
    const before = usersThings(place);
    expect(await act()).toMatchObject({ code: 1 });
    expect(usersThings(place)).toEqual(before);
    const { why: found, detail, files = [] } = refusals().at(-1) ?? { detail: "" };
    expect([found, detail, ...files].join(" ")).toMatch(new RegExp(`^${why} .*${path}`));
  };
  const land = () => plait(place, ["land", "--json"]);
  writeFileSync(lock, "");
  await expectInTheWay("index.lock", "busy", () => runPlan(place, onePlan(place)));
  const integration = `refs/heads/plait/${runId(place)}/integration`;
  expect([textAt(place, integration, "b.txt"), textAt(place, integration, "new.txt")]).toEqual([
    "ours",
    "ours",
  ]);
  rmSync(lock);
  edit(place, "b.txt", "mine\n");
  await expectInTheWay("b.txt", "dirty", land);
  git(place, "checkout", "--", "b.txt");
  edit(place, "new.txt", "mine\n");
  await expectInTheWay("new.txt", "dirty", land);
  expect(refusals()).toHaveLength(3);
  expectNothingLeft(place, { refs: [integration, `refs/plait/${runId(place)}/a/1`] });
  rmSync(join(place.repo, "new.txt"));
  expect(await land()).toMatchObject({ code: 0 });
  expect([textOf(place, "b.txt"), textOf(place, "new.txt")]).toEqual(["ours\n", "ours\n"]);
  expect(git(place, "status", "--porcelain")).toBe("");
  expectNothingLeft(place);
});

/** Exit 3, with what to type, and nothing is created or changed. */
async function expectRefused(place: Place, says: string, around = {}): Promise<void> {
  const before = filesBelow(place.repo, []);
  const { code, stderr } = await runPlan(place, onePlan(place), [], around);
  expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining(says) });
  expect(stderr).not.toMatch(/\n\s+at |bug in plait/);
  expect(filesBelow(place.repo, [])).toEqual(before);
  expect([filesBelow(join(place.root, "state")), filesBelow(join(place.root, "tmp"))]).toEqual([{}, {}]);
}

test.concurrent("a folder without a repository and one without a commit are refused", async () => {
  const place = emptyPlace();
  await expectRefused(place, "git init");
  git(place, "init", "-q", "-b", "main", ".");
  await expectRefused(place, "git commit");
});

test.concurrent.for([20, 24, 28, 32])(
  "I3 I8: with room for %i open files nothing starts, and that is not a bug of plait",
  (files) => {
    const place = makeRepo();
    const before = usersThings(place);
    const line = `ulimit -n ${files}; exec "$0" "$@"`;
    const args = ["-c", line, process.execPath, main, "run", onePlan(place), "--agent", "demo"];
    const { status, stderr } = spawnSync("sh", args, {
      ...{ cwd: place.repo, env: place.env, encoding: "utf8" },
    });
    expect(stderr).toMatch(/^error: EMFILE.*\n {2}help: .*ulimit -a$/m);
    expect(status).toBe(3);
    expect(runIds(place)).toEqual([]);
    expect(usersThings(place)).toEqual(before);
  },
);

test.concurrent("a repository that cannot be written is refused", async () => {
  const place = makeRepo();
  const nobody = 65_534;
  const isRoot = process.getuid?.() === 0;
  // Root writes where it likes: then somebody else tries.
  if (isRoot) execFileSync("chown", ["-R", `${nobody}:${nobody}`, place.root]);
  execFileSync("chmod", ["-R", "a-w", place.repo]);
  const plan = onePlan(place);
  if (isRoot) execFileSync("chmod", ["a+r", plan]);
  await expectRefused(place, "cannot write to the repository", isRoot ? { uid: nobody } : {});
});

const untargeted = [
  { what: "a detached HEAD", make: (place: Place) => git(place, "checkout", "-q", "--detach") },
  {
    what: "a bare repository",
    make: (place: Place) => {
      git(place, "clone", "-q", "--bare", ".", join(place.root, "bare"));
      rmSync(place.repo, { recursive: true });
      execFileSync("mv", [join(place.root, "bare"), place.repo]);
    },
  },
];

test.concurrent.for(untargeted)(
  "I1 I3: with $what the result stays on the integration branch",
  async ({ make }) => {
    const place = makeRepo();
    make(place);
    const before = usersThings(place);
    expect(await runPlan(place, onePlan(place))).toMatchObject({ code: 1 });
    const [run = ""] = Object.keys(refs(place, "refs/heads/plait"));
    expect(textAt(place, run, "new.txt")).toBe("ours");
    expect(await runPlan(place, onePlan(place), ["--land", "never"])).toMatchObject({ code: 0 });
    expect(usersThings(place)).toEqual(before);
    const branches = Object.keys(refs(place, "refs/heads/plait"));
    expect(branches.map((branch) => tree(place, branch))).toEqual([tree(place, run), tree(place, run)]);
  },
);

test.concurrent("I2 I3: submodules stay what they are", async () => {
  const place = makeRepo();
  git(place, "clone", "-q", ".", join(place.outside, "inner"));
  git(
    place,
    "-c",
    "protocol.file.allow=always",
    "submodule",
    "--quiet",
    "add",
    join(place.outside, "inner"),
    "sub",
  );
  git(place, "commit", "-qm", "submodule");
  const { sub: link } = filesAt(place, "main");
  expect(await runPlan(place, onePlan(place))).toMatchObject({ code: 0 });
  expect(filesAt(place, "main")).toMatchObject({ sub: link, "new.txt": expect.any(String) });
  expect(existsSync(join(place.repo, "sub/a.txt"))).toBe(true);
  expect(git(place, "status", "--porcelain")).toBe("");
});

test.concurrent("I1 I2: failing hooks, no identity and signing that fails keep no work from being saved and merged", async () => {
  const place = makeRepo();
  rmSync(join(place.root, "home/.gitconfig"));
  const hooks = [
    "pre-commit",
    "commit-msg",
    "pre-merge-commit",
    "post-checkout",
    "post-merge",
    "prepare-commit-msg",
  ];
  for (const hook of hooks)
    writeProgram(join(place.repo, ".git/hooks", hook), "echo refused by the hook >&2; exit 1");
  appendFileSync(
    join(place.repo, ".git/config"),
    "[commit]\n\tgpgsign = true\n[gpg]\n\tprogram = /bin/false\n",
  );
  // The user wants commits signed, and git does not even know who that is: it is merged, and waits to be landed.
  expect(await runPlan(place, onePlan(place))).toMatchObject({ code: 1 });
  expect(factsOf(journal(place), "landing.refused")).toMatchObject([
    { why: "identity", detail: expect.stringContaining("git has no name and email for you") },
  ]);
  git(place, "config", "commit.gpgsign", "false");
  // Of the hooks of a commit, those of the message decide.
  expect(await plait(place, ["land", "--json"])).toMatchObject({ code: 1 });
  expect(factsOf(journal(place), "landing.refused").at(-1)).toMatchObject({ why: "hook" });
  // Merges are made already, under no hook.
  expect(await plait(place, ["land", "--as", "merge", "--json"])).toMatchObject({ code: 0 });
  expect(textAt(place, "main", "new.txt")).toBe("ours");
  expectNothingLeft(place);
});

test.concurrent("I8: a run in a linked worktree lands there, and the main one is left alone", async () => {
  const place = makeRepo();
  const linked = join(place.root, "linked");
  git(place, "worktree", "add", "-q", "-b", "side", linked);
  mkdirSync(join(linked, "deep"));
  const before = filesBelow(place.repo);
  expect(await runPlan(place, onePlan(place), [], { cwd: join(linked, "deep") })).toMatchObject({ code: 0 });
  expect(readFileSync(join(linked, "new.txt"), "utf8")).toBe("ours\n");
  expect(filesBelow(place.repo)).toEqual(before);
  expect(git(place, "rev-parse", "main")).not.toBe(git(place, "rev-parse", "side"));
  expect(existsSync(join(runsFolder(place), runId(place)))).toBe(true);
});
