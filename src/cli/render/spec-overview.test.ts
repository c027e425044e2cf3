import { expect, test } from "vitest";
import { fullDesign, sampleDesign, sampleTask } from "../../../test/support/designs.ts";
import type { Clash } from "../../spec/design/clashes.ts";
import { contentsOf } from "../../spec/design/contents.ts";
import { designOverview } from "../../spec/design/overview.ts";
import type { Design } from "../../spec/design/schema.ts";
import { glyphs } from "./glyphs.ts";
import { paint } from "./line.ts";
import { renderOverview } from "./spec-overview.ts";
import { cells } from "./width.ts";

const about = {
  ...{ techSpecId: "TS-0042", name: "shop", technology: null, techSpec: null, prd: null },
  ...{ generatedAt: "2026-01-01T00:00:00.000Z", skillsMapping: new Map() },
};

function shown(design: Design, { width = 80, ascii = true, clashes = [] as Clash[] | null } = {}): string {
  const overview = designOverview(contentsOf(design, about), clashes);
  const room = { width, glyphs: ascii ? glyphs.ascii : glyphs.unicode };
  return paint(renderOverview(overview, room), { colours: false });
}

const pull = (task: string, what: string) => ({ task, what, together: 7, of: 9 });

const clashes: Clash[] = [
  {
    ...{ kind: "between", wave: 1, tasks: ["task-001", "task-002"], path: "src/b.py" },
    pull: pull("task-001", "src/a.py"),
  },
  {
    ...{ kind: "unowned", path: "src/registry.py" },
    pulls: [pull("task-001", "src/routes/"), pull("task-002", "src/b.py")],
  },
];

test("a design is shown by its tasks, what they allow at once, who owns what, and what may go wrong", () => {
  expect(shown(sampleDesign, { clashes })).toBe(`3 tasks in 2 waves, 9 h of work

wave 1   *task-001  3 h  Part 1
          task-002  3 h  Part 2
wave 2   *task-003  3 h  Part 3

critical task-001, task-003; 6 h at least, 9 h serially: 1.5x faster at most
widest   wave 1, with 2 tasks at once
agents   3 tasks  general-purpose

C creates, M modifies, - must not touch
wave              1  2
task              12 3
src/part1.py      C. M
src/part2.py      .C -
src/app.py::main  .. M

clashes  task-001 and task-002 of wave 1: src/a.py and src/b.py changed together
         in 7 of 9 commits
         src/registry.py is not owned by any task; expect a conflict or a
         missing MODIFY: new files in src/routes/ came with a change of it in 7
         of 9 commits (task-001, and also task-002)
`);
});

test("a time that nobody gave is guessed, and said to be; without a history nothing is predicted", () => {
  const text = shown(fullDesign, { clashes: null, ascii: false });
  expect(text).toMatch(/^packages remove +joi$/m);
  expect(text).toContain("6 h at least, 8 h serially: 1.3x faster at most");
  expect(text).toContain("\nsrc/models/*.ts            ·C -\n");
  expect(text).toContain("\nsrc/pages/{list,item}.tsx  ·- C\n");
  expect(text).toContain("clashes  cannot be predicted: no history\n");
});

test("thirty tasks fit 80 columns, and more are listed one by one; a narrow terminal cuts no path away", () => {
  const tasks = (length: number) =>
    Array.from({ length }, (_, i) =>
      sampleTask(i + 1, {
        ...{ id: `task-${String(i + 1).padStart(3, "0")}`, wave: Math.floor(i / 10) + 1, hours: null },
        scope: {
          create: [`src/some/long/folder/name/part${i + 1}.py`],
          modify: [],
          boundary: ["src/*/x.py"],
        },
      }),
    );
  const text = shown({ ...sampleDesign, tasks: tasks(30) });
  expect(text).toMatch(/\nwave {33}1 {10}2 {10}3\n {46}1 1{9}2 2{9}3\ntask {33}(1234567890 ?){3}\n/);
  expect(text).toContain("src/some/long/folder/name/part12.py  .......... .C........ ..........\n");
  expect(shown({ ...sampleDesign, tasks: tasks(60) })).toContain(
    "\n         task-060  creates src/some/long/folder/name/part60.py\n",
  );
  for (const width of [30, 60, 80, 120]) {
    const lines = shown({ ...sampleDesign, tasks: tasks(30) }, { width, clashes }).split("\n");
    expect(lines.filter((line) => cells(line) > width)).toEqual([]);
  }
});
