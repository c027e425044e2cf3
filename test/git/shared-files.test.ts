import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { oid, splitAttemptId } from "../../src/core/ids.ts";
import { type Merged, mergeTasks, type ToMerge } from "../../src/git/merge.ts";
import { joinAdditions } from "../../src/git/merge-additions.ts";
import { AT } from "./saving.ts";
import { attempt, filesAt, type Rig, rig, sh, tempRepo } from "./support.ts";

/** In a throw-away worktree, on main. */
function work({ place }: Rig, task: string, script: string): ToMerge {
  const commit = sh(
    place,
    `d=$(mktemp -d); git worktree add -q --detach "$d" main; cd "$d"; ${script}; git add -A; git commit -q -m '${task}'
    git rev-parse HEAD; cd /; git -C '${place.repo}' worktree remove -f "$d"`,
  );
  const id = attempt(task);
  return { task: splitAttemptId(id).task, attempt: id, result: oid(commit), title: task };
}

type Asked = {
  readonly scripts: readonly string[];
  readonly shared?: (task: string, path: string) => boolean;
};

async function mergeAll(it: Rig, { scripts, shared = () => true }: Asked): Promise<Merged[]> {
  const { shadow, run, runDir } = it;
  const tasks = scripts.map((script, n) => work(it, `t${n + 1}`, script));
  const found: Merged[] = [];
  let from = it.base.commit;
  for (const task of tasks) {
    const merged = await mergeTasks(shadow, { run, runDir, from, tasks: [task], at: AT, isShared: shared });
    found.push(merged);
    if (merged.kind === "built") from = merged.result.commit;
  }
  return found;
}

const started = (content: string): Promise<Rig> => rig(tempRepo({ "app.txt": content, "b.txt": "b\n" }));

const LIST = "begin\nend\n";
const add = (line: string) => `sed -i 's/^begin/&\\n${line}/' app.txt`;

describe("the merge of a shared file", () => {
  test("keeps lines that both sides add at one place, in merge order, and leaves nothing behind (I4)", async () => {
    const it = await started(LIST);
    const before = readdirSync(it.runDir);
    const merged = await mergeAll(it, { scripts: [add("one"), add("two"), add("three")] });
    const last = merged.at(-1);
    if (last?.kind !== "built") throw new Error(JSON.stringify(last));
    expect(filesAt(it.place, last.result.tree)["app.txt"]).toBe("begin\none\ntwo\nthree\nend\n");
    expect(last.shared).toEqual([{ path: "app.txt", task: "t3", with: ["t1", "t2"] }]);
    expect(readdirSync(it.runDir).filter((name) => name.startsWith("additions-"))).toEqual([]);
    expect(before).not.toContain("additions");
  });

  test.each([
    ["a line that was there is changed", ["sed -i s/begin/start/ app.txt", add("two")]],
    ["a line that was there is removed", ["sed -i /begin/d app.txt", add("two")]],
    ["the file is removed", ["git rm -q app.txt", add("two")]],
    ["both make the file", ["echo 1 > new.txt", "echo 2 > new.txt"]],
    ["another file conflicts as well", [`${add("1")}; echo 1 > b.txt`, `${add("2")}; echo 2 > b.txt`]],
  ])("is a conflict where %s", async (_, scripts) => {
    const it = await started(LIST);
    expect((await mergeAll(it, { scripts })).map(({ kind }) => kind)).toEqual(["built", "conflict"]);
  });

  test("is a conflict where the other side does not declare it", async () => {
    const it = await started(LIST);
    const scripts = [add("one"), add("two")];
    for (const only of ["t1", "t2"]) {
      const merged = await mergeAll(it, { scripts, shared: (task) => task === only });
      expect(merged.map(({ kind }) => kind)).toEqual(["built", "conflict"]);
    }
  });

  test("keeps line ends and bytes as they are", async () => {
    const it = await started("");
    const scripts = ["printf 'one\\r\\n\\377\\r\\n' >> app.txt", "printf 'two' >> app.txt"];
    const last = (await mergeAll(it, { scripts })).at(-1);
    if (last?.kind !== "built") throw new Error(JSON.stringify(last));
    expect(sh(it.place, `git show ${last.result.commit}:app.txt | od -An -c | tr -d '\\n '`)).toMatch(
      /^one\\r\\n377\\r\\ntwo/,
    );
  });
});

test("markers of another length are text", () => {
  const text = "<<<<<<< a\n=======\n>>>>>>> b\n";
  expect(joinAdditions(Buffer.from(text))?.toString()).toBe(text);
});
