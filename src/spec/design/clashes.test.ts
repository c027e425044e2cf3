import { describe, expect, test } from "vitest";
import { sampleDesign, sampleTask } from "../../../test/support/designs.ts";
import { type ChangeHistory, predictClashes } from "./clashes.ts";
import { contentsOf } from "./contents.ts";
import type { DesignTask } from "./schema.ts";

function tasksOf(...scopes: { create?: string[]; modify?: string[]; wave?: number }[]) {
  const tasks = scopes.map(
    ({ create = [], modify = [], wave = 1 }, i): DesignTask =>
      sampleTask(i + 1, { wave, scope: { create, modify, boundary: ["x"] } }),
  );
  return contentsOf(
    { ...sampleDesign, tasks },
    {
      ...{ techSpecId: "TS-1", name: "x", technology: null, techSpec: null, prd: null },
      ...{ generatedAt: "", skillsMapping: new Map() },
    },
  ).tasks;
}

/** `+` is a new file. */
const commits = (times: number, files: string): ChangeHistory["commits"] =>
  Array.from({ length: times }, () => ({
    changed: files.split(" ").map((name) => name.replace("+", "")),
    added: files.split(" ").flatMap((name) => (name.startsWith("+") ? [name.slice(1)] : [])),
  }));
const history = (...lists: ChangeHistory["commits"][]): ChangeHistory => ({ commits: lists.flat() });

describe("the history says where tasks will clash", () => {
  const two = tasksOf({ modify: ["a.py"] }, { modify: ["lib/*.py"] });

  test("files of two tasks of one wave that often changed together", () => {
    const pull = { task: "task-001", what: "a.py", together: 7, of: 9 };
    expect(
      predictClashes(two, history(commits(7, "a.py lib/b.py"), commits(2, "a.py"), commits(9, "lib/b.py"))),
    ).toEqual([{ kind: "between", wave: 1, tasks: ["task-001", "task-002"], pull, path: "lib/b.py" }]);
  });

  test("what is seldom, in few commits, in different waves, or of one task, is no clash", () => {
    const often = commits(9, "a.py lib/b.py");
    const few = history(commits(2, "a.py lib/b.py"), commits(1, "a.py"), commits(1, "lib/b.py"));
    expect(predictClashes(two, few)).toEqual([]);
    expect(
      predictClashes(two, history(commits(4, "a.py lib/b.py"), commits(5, "a.py"), commits(5, "lib/b.py"))),
    ).toEqual([]);
    expect(
      predictClashes(tasksOf({ modify: ["a.py"] }, { modify: ["lib/b.py"], wave: 2 }), history(often)),
    ).toEqual([]);
    expect(predictClashes(tasksOf({ modify: ["a.py", "lib/"] }), history(often))).toEqual([]);
  });

  test("a file of nobody that nearly always changes with an owned one, once with all who pull it", () => {
    const found = predictClashes(
      two,
      history(commits(8, "a.py lib/b.py index.py"), commits(1, "a.py"), commits(7, "lib/b.py index.py c.py")),
    );
    expect(found.at(-1)).toEqual({
      kind: "unowned",
      path: "index.py",
      pulls: [
        { task: "task-002", what: "lib/b.py", together: 15, of: 15 },
        { task: "task-001", what: "a.py", together: 8, of: 9 },
      ],
    });
    expect(found.map((clash) => clash.kind)).toEqual(["between", "unowned"]);
  });

  test("new files are judged by those that came into the same folder before", () => {
    const tasks = tasksOf(
      { create: ["src/routes/{new,other}.ts"] },
      { create: ["docs/x.md"], modify: ["src/menu.ts"] },
    );
    const past = ["a", "b", "c", "d"].flatMap((name) =>
      commits(1, `+src/routes/${name}.ts +src/routes/${name}2.ts src/index.ts src/menu.ts`),
    );
    expect(predictClashes(tasks, history(past, commits(3, "src/index.ts")))).toEqual([
      {
        ...{ kind: "between", wave: 1, tasks: ["task-001", "task-002"], path: "src/menu.ts" },
        pull: { task: "task-001", what: "src/routes/", together: 4, of: 4 },
      },
      {
        ...{ kind: "unowned", path: "src/index.ts" },
        pulls: [
          { task: "task-001", what: "src/routes/", together: 4, of: 4 },
          { task: "task-002", what: "src/menu.ts", together: 4, of: 4 },
        ],
      },
    ]);
  });

  test("thousands of commits and paths cost little", () => {
    const files = (n: number) =>
      Array.from({ length: 50 }, (_, i) => `d${(n * 7 + i) % 97}/f${(n * 31 + i * 13) % 20_000}.py`);
    const many = { commits: Array.from({ length: 1_000 }, (_, n) => ({ changed: files(n), added: [] })) };
    const tasks = tasksOf(
      ...Array.from({ length: 30 }, (_, i) => ({
        create: [`d${i}/**/new_*.py`, `d${i}/{a,b}.py`],
        modify: [`d${i}/f*.py`, `d${i}/`],
      })),
    );
    const before = process.cpuUsage();
    predictClashes(tasks, many);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(3);
  });
});
