import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Revision } from "../../src/core/facts.ts";
import { oid, splitAttemptId } from "../../src/core/ids.ts";
import { readChain } from "../../src/git/land-chain.ts";
import { type Merged, mergeTasks, parseMergeTree, type ToMerge } from "../../src/git/merge.ts";
import { advance, startIntegration } from "../../src/git/ref-updates.ts";
import { integrationRef, readRef } from "../../src/git/refs.ts";
import { AT } from "./saving.ts";
import { attempt, filesAt, type Rig, rig, SOME_FILES, sh, tempRepo, usersThings } from "./support.ts";

/** The result of a task: a commit on some revision, made by a shell in a throw-away clone of the index. */
function work({ place }: Rig, task: string, script: string, on = "main"): ToMerge {
  const commit = sh(
    place,
    `d=$(mktemp -d); git worktree add -q --detach "$d" ${on}; cd "$d"; ${script}; git add -A; git commit -q --allow-empty -m '${task}'
    git rev-parse HEAD; cd /; git -C '${place.repo}' worktree remove -f "$d"`,
  );
  const id = attempt(task);
  return { task: splitAttemptId(id).task, attempt: id, result: oid(commit), title: task };
}

function merge({ shadow, run, runDir, base }: Rig, tasks: ToMerge[], from = base.commit): Promise<Merged> {
  return mergeTasks(shadow, { run, runDir, from, tasks, at: AT });
}

function built(merged: Merged): Extract<Merged, { kind: "built" }> {
  if (merged.kind !== "built") throw new Error(JSON.stringify(merged));
  return merged;
}

test("tasks are merged in a row, one commit each, and nothing points there yet", async () => {
  const it = await rig();
  const before = { refs: sh(it.place, "git for-each-ref"), things: usersThings(it.place) };
  const tasks = [work(it, "t1", "echo 1 > one"), work(it, "t2", "echo 2 > two; rm b.txt")];
  const { result, tasks: merged } = built(await merge(it, tasks));
  expect(merged.map(({ task }) => task)).toEqual(["t1", "t2"]);
  expect(merged.at(-1)?.commit).toBe(result.commit);
  const { "b.txt": _, ...others } = SOME_FILES;
  expect(filesAt(it.place, result.tree)).toEqual({ ...others, one: "1\n", two: "2\n" });
  expect(
    sh(
      it.place,
      `git log --first-parent --format='%s %(trailers:separator=%x2C)' ${it.base.commit}..${result.commit}`,
    ),
  ).toBe(
    "t2 Plait-Run: r1,Plait-Task: t2,Plait-Attempt: 1\nt1 Plait-Run: r1,Plait-Task: t1,Plait-Attempt: 1",
  );
  expect(sh(it.place, "git for-each-ref")).toBe(before.refs);
  expect(usersThings(it.place)).toEqual(before.things);
});

test("merging again gives the same commit (I4)", async () => {
  const it = await rig();
  const tasks = [work(it, "t1", "echo 1 > one")];
  expect(await merge(it, tasks)).toEqual(await merge(it, tasks));
});

test("the first that conflicts says where and with whom; one behind others leaves those a candidate", async () => {
  const it = await rig();
  const [t1, t2, t3] = [
    work(it, "t1", "echo 1 > a.txt"),
    work(it, "t2", "echo 2 > one"),
    work(it, "t3", "echo 3 > a.txt; rm one 2>/dev/null || true"),
  ];
  const first = built(await merge(it, [t1, t2, t3]));
  expect(first.tasks.map(({ task }) => task)).toEqual(["t1", "t2"]);
  const second = await merge(it, [t3], first.result.commit);
  expect(second).toEqual({
    kind: "conflict",
    task: { task: "t3", attempt: "t3/1" },
    paths: ["a.txt"],
    types: ["CONFLICT (contents)"],
    with: ["t1"],
  });
});

describe("kinds of conflict are told by name", () => {
  test.each([
    ["both change a line", "echo 1 > a.txt", "echo 2 > a.txt", ["a.txt"], ["CONFLICT (contents)"]],
    ["one deletes, one changes", "rm a.txt", "echo 2 > a.txt", ["a.txt"], ["CONFLICT (modify/delete)"]],
    [
      "a file and a folder of one name",
      "echo 1 > x",
      "mkdir x; echo 2 > x/y",
      ["x", expect.stringMatching(/^x~/)],
      ["CONFLICT (file/directory)"],
    ],
    [
      "binary",
      "printf '\\0a' > bin",
      "printf '\\0b' > bin",
      ["bin"],
      ["CONFLICT (binary)", "CONFLICT (contents)"],
    ],
  ])("%s", async (_what, one, two, paths, types) => {
    const it = await rig();
    const first = built(await merge(it, [work(it, "t1", one)]));
    const second = await merge(it, [work(it, "t2", two)], first.result.commit);
    expect(second).toMatchObject({ kind: "conflict", with: ["t1"] });
    const { paths: foundPaths, types: foundTypes } = second as Extract<Merged, { kind: "conflict" }>;
    expect(foundPaths).toEqual(expect.arrayContaining(paths.slice(0, 1)));
    expect(foundTypes.some((type) => types.includes(type))).toBe(true);
  });

  test("the same change twice, a rename and an edit, an executable bit and an edit: no conflict", async () => {
    const it = await rig(tempRepo({ ...SOME_FILES, long: "1\n2\n3\n4\n5\n6\n7\n8\n" }));
    const tasks = [
      work(it, "t1", "echo same > a.txt; git mv long renamed; chmod +x b.txt"),
      work(it, "t2", "echo same > a.txt; sed -i s/8/eight/ long; echo more >> b.txt"),
    ];
    const { result } = built(await merge(it, tasks));
    expect(filesAt(it.place, result.tree)).toMatchObject({
      renamed: "1\n2\n3\n4\n5\n6\n7\neight\n",
      "b.txt": "100755 b\nmore\n",
    });
  });
});

test("what is no commit is not taken for a conflict", async () => {
  const it = await rig();
  const missing = { ...work(it, "t1", "echo 1 > one"), result: oid("1".repeat(40)) };
  await expect(merge(it, [missing])).rejects.toThrow(/cannot be merged|merge-tree/);
});

test("free text behind the groups of an answer ends the reading (git 2.39, submodules)", () => {
  const tree = "a".repeat(40);
  const fields = [
    tree,
    `160000 ${tree} 2\tsub`,
    "",
    "1",
    "sub",
    "CONFLICT (submodule not initialized)",
    "text",
    "free text",
    "more",
  ];
  expect(parseMergeTree(Buffer.from(`${fields.join("\0")}\0`))).toEqual({
    stages: new Map([["sub", { base: null, ours: { mode: "160000", oid: tree }, theirs: null }]]),
    tree,
    paths: ["sub"],
    types: ["CONFLICT (submodule not initialized)"],
  });
  expect(parseMergeTree(Buffer.from(""))).toBeNull();
});

test("merge rules come from the tip's own .gitattributes, not from the user's files", async () => {
  const union = tempRepo({
    ...SOME_FILES,
    "dir/.gitattributes": "*.list merge=union\n",
    "dir/x.list": "0\n",
  });
  const it = await rig(union);
  sh(union, "rm dir/.gitattributes; echo '* -merge' > .gitattributes");
  const tasks = [work(it, "t1", "echo 1 >> dir/x.list"), work(it, "t2", "echo 2 >> dir/x.list")];
  const { result } = built(await merge(it, tasks));
  expect(filesAt(union, result.tree)["dir/x.list"]).toBe("0\n1\n2\n");
  const plain = await rig();
  sh(plain.place, "echo '* merge=union' > .gitattributes");
  const others = [work(plain, "t1", "echo 1 >> a.txt"), work(plain, "t2", "echo 2 >> a.txt")];
  expect(built(await merge(plain, others)).tasks).toHaveLength(1);
});

test("rules that a merged task brought hold for the next", async () => {
  const it = await rig();
  const start = built(await merge(it, [work(it, "t0", "echo '*.txt merge=union' > .gitattributes")])).result
    .commit;
  const tasks = ["1", "2"].map((n) => work(it, `t${n}`, `echo ${n} >> a.txt`, start));
  expect(built(await merge(it, tasks, start)).tasks).toHaveLength(2);
});

test("a merge driver that was planted in the config is not run", async () => {
  const it = await rig();
  sh(it.place, `git config merge.x.driver 'touch ${it.place.root}/ran; false'`);
  const attributes = "echo '* merge=x' > .gitattributes";
  const start = built(await merge(it, [work(it, "t0", attributes)]));
  await merge(
    it,
    [
      work(it, "t1", "echo 1 > a.txt", start.result.commit),
      work(it, "t2", "echo 2 > a.txt", start.result.commit),
    ],
    start.result.commit,
  );
  expect(sh(it.place, `ls '${it.place.root}'`)).not.toContain("ran");
});

test("names that a file system may take for one are refused where the user's does", async () => {
  const it = await rig();
  const tasks = [
    work(it, "t1", "mkdir new; echo 1 > new/Case"),
    work(it, "t2", "mkdir new; echo 2 > new/case; mkdir Dir; echo x > Dir/x"),
  ];
  expect(built(await merge(it, tasks)).tasks).toHaveLength(2);
  sh(it.place, "git config core.ignoreCase true");
  const folding = await rig(it.place, "r2");
  const first = built(await merge(folding, tasks));
  expect(first.tasks).toHaveLength(1);
  expect(await merge(folding, tasks.slice(1), first.result.commit)).toMatchObject({
    kind: "conflict",
    types: ["CONFLICT (case folding)"],
    paths: ["Dir and dir", "new/Case and new/case"],
  });
});

describe("the integration ref moves by compare-and-swap alone (I7)", () => {
  async function candidate(
    it: Rig,
    task: string,
    from = it.base.commit,
  ): Promise<Extract<Merged, { kind: "built" }>> {
    return built(await merge(it, [work(it, task, `echo ${task} > ${task}`)], from));
  }
  const move = (it: Rig, from: string, to: Revision) =>
    advance(it.shadow, { run: it.run, from: oid(from), to: to.commit, tasks: [] });

  test("it starts at the base, and starting again leaves it where it is", async () => {
    const it = await rig();
    expect(await startIntegration(it.repository, it.run, it.base.commit)).toBe(it.base.commit);
    const { result } = await candidate(it, "t1");
    expect(await move(it, it.base.commit, result)).toEqual({ kind: "advanced" });
    expect(await startIntegration(it.repository, it.run, it.base.commit)).toBe(result.commit);
  });

  test("an advance that had been done is recognised, also when the ref went on", async () => {
    const it = await rig();
    await startIntegration(it.repository, it.run, it.base.commit);
    const { result: one } = await candidate(it, "t1");
    await move(it, it.base.commit, one);
    expect(await move(it, it.base.commit, one)).toEqual({ kind: "already" });
    const { result: two } = await candidate(it, "t2", one.commit);
    await move(it, one.commit, two);
    expect(await move(it, it.base.commit, one)).toEqual({ kind: "already" });
  });

  test("of eight that start from one value exactly one wins", async () => {
    const it = await rig();
    await startIntegration(it.repository, it.run, it.base.commit);
    const candidates = await Promise.all(Array.from({ length: 8 }, (_, i) => candidate(it, `t${i}`)));
    const outcomes = await Promise.all(candidates.map(({ result }) => move(it, it.base.commit, result)));
    expect(outcomes.filter(({ kind }) => kind === "advanced")).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === "moved")).toHaveLength(7);
    const winner = candidates[outcomes.findIndex(({ kind }) => kind === "advanced")];
    expect(await readRef(it.repository, integrationRef(it.run))).toBe(winner?.result.commit);
  });

  test("a ref that was deleted is restored where it was, and moves from there", async () => {
    const it = await rig();
    const { result } = await candidate(it, "t1");
    expect(await move(it, it.base.commit, result)).toEqual({ kind: "advanced" });
    expect(await readRef(it.repository, integrationRef(it.run))).toBe(result.commit);
  });

  test("a candidate whose objects were pruned is not pointed to", async () => {
    const it = await rig();
    await startIntegration(it.repository, it.run, it.base.commit);
    const { result } = await candidate(it, "t1");
    sh(it.place, `git reflog expire --expire=all --all; git gc -q --prune=now`);
    expect(await move(it, it.base.commit, result)).toEqual({ kind: "incomplete" });
    expect(await readRef(it.repository, integrationRef(it.run))).toBe(it.base.commit);
  });
});

test("the merges are found on the ref, in order, with what they moved it from and to", async () => {
  const it = await rig();
  const tasks = [
    work(it, "t1", "echo 1 > one; git add -A; git commit -qm 'x\n\nPlait-Task: forged'"),
    work(it, "t2", "echo 2 > two"),
  ];
  const { result, tasks: merged } = built(await merge(it, tasks));
  const found = await readChain(it.shadow, it.base.commit, result.commit);
  expect(found.map(({ task, commit }) => ({ ...task, commit }))).toEqual(merged);
  expect(found.map(({ from }) => from)).toEqual([it.base.commit, merged[0]?.commit]);
  expect(found.at(-1)).toMatchObject(result);
  expect(await readChain(it.shadow, it.base.commit, it.base.commit)).toEqual([]);
});

test("merging needs no file of the run but the attributes", async () => {
  const it = await rig();
  await merge(it, [work(it, "t1", "echo 1 > one")]);
  expect(sh(it.place, `ls '${join(it.runDir)}'`)).toBe("attributes\nshadow.git\nslots");
});
