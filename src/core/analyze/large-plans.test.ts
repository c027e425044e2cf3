import { expect, test } from "vitest";
import { analyzeSample, draftOf, type TaskSample } from "../../../test/support/drafts.ts";

// Nothing here measures time: an algorithm that is quadratic in the wrong place would not end before the test's limit.

const SIZE = 2000;
const many = (make: (i: number) => Omit<TaskSample, "id">) => {
  return Array.from({ length: SIZE }, (_, i) => ({ id: `task-${i}`, ...make(i) }));
};

test("a chain of 2,000 tasks that all claim the same folders", () => {
  const owns = ["src/", "src/**/*.ts", "docs/*.md", "package.json", "{a,b,c}/*"];
  const draft = draftOf(many((i) => ({ needs: i === 0 ? [] : [`task-${i - 1}`], owns })));
  expect(analyzeSample(draft)).toMatchObject({ diagnostics: [], plan: { tasks: { length: SIZE } } });
});

test("2,000 tasks side by side, each with ten claims of its own", () => {
  const owns = (i: number) => [
    `src/mod${i}/`,
    `src/mod${i}-more/**`,
    `tests/mod${i}_*.py`,
    `docs/${i}.md`,
    `lib/{a,b}/${i}/*`,
    `pkg${i}`,
    `web/${i}/*.ts`,
    `api/${i}/**/*.ts`,
    `app/v${i}/[slug]/page.tsx`,
    `shared.py::Class${i}.method`,
  ];
  const boundary = ["vendor/", "*.lock", ".github/**"];
  const draft = draftOf(many((i) => ({ owns: owns(i), boundary })));
  expect(analyzeSample(draft).diagnostics).toEqual([]);
});

test("2,000 tasks side by side that all claim the same: the first pairs are listed, and that there are more", () => {
  const { diagnostics } = analyzeSample(draftOf(many(() => ({ owns: ["src/", "lib/**"] }))));
  expect(diagnostics.filter(({ code }) => code === "ownership-overlap")).toHaveLength(200);
  expect(diagnostics.filter(({ code }) => code === "overlaps-not-listed")).toHaveLength(1);
});

test("2,000 tasks in two waves, and 2,000 needs that are all misspelt", () => {
  const waves = analyzeSample(draftOf(many((i) => ({ wave: i % 2, owns: [`x${i >> 1}`] }))));
  expect(waves.diagnostics).toEqual([]);
  expect(waves.plan?.tasks[1]?.needs).toEqual([]);
  const misspelt = analyzeSample(draftOf(many((i) => ({ needs: [`tsak-${i}`] }))));
  expect(misspelt.unlisted).toEqual(new Map([["unknown-need", SIZE - 200]]));
});

test("20,000 tasks in two waves: a barrier costs what its tasks cost", () => {
  const tasks = Array.from({ length: 20_000 }, (_, i) => ({
    id: `task-${i}`,
    wave: i % 2,
    owns: [`x${i >> 1}`],
  }));
  expect(analyzeSample(draftOf(tasks)).diagnostics).toEqual([]);
});

test("2,000 globs that all meet cannot hide two tasks that own one file", () => {
  const readmes = ["one", "other"].map((id) => ({ id, owns: ["README.md"] }));
  const globs = many((i) => ({ owns: [`docs/*${i}*.md`] }));
  for (const tasks of [
    [...readmes, ...globs],
    [...globs, ...readmes],
    [...readmes, ...globs.slice(0, 200)],
  ]) {
    const { diagnostics } = analyzeSample(draftOf(tasks));
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ message: "`one` and `other` both own `README.md` and may run in parallel" }),
    );
    expect(diagnostics.map(({ code }) => code)).not.toContain("overlap-unclear");
  }
});

test("2,000 tasks with globs that are told apart by any letter of their names are all compared", () => {
  const owns = (i: number) => [`**/*.kind${i}`, `src/*/x${i}_*/**/*.ts`];
  const draft = draftOf(many((i) => ({ owns: owns(i) })));
  expect(analyzeSample(draft).diagnostics).toEqual([]);
});

test("2,000 tasks one after the other may have globs that meet", () => {
  const draft = draftOf(
    many((i) => ({ needs: i === 0 ? [] : [`task-${i - 1}`], owns: [`docs/*${i}*.md`, `**/*${i}/**`] })),
  );
  expect(analyzeSample(draft).diagnostics).toEqual([]);
});

test("when comparing globs takes too long, what is certain is an error and the rest is counted", () => {
  const hard = (i: number) => `lib/${"?*a".repeat(60)}*${String(i).padStart(4, "0")}[ab]`;
  const tasks = many((i) => ({ owns: [hard(i), `${i}.md`] }));
  const clash = [
    { id: "a", owns: ["src/api/", "**/*.gen.ts"] },
    { id: "b", owns: ["src/api/x.ts", "**/*.gen.ts"] },
    { id: "c", owns: ["lib/x.md", "1999.md"] },
  ];
  const { diagnostics } = analyzeSample(draftOf([...tasks, ...clash]));
  const pairs = diagnostics.filter(({ code }) => code === "ownership-overlap").map(({ message }) => message);
  expect(pairs).toEqual([
    "`a` and `b` both own `x.gen.ts` and may run in parallel",
    "`task-1999` and `c` both own `1999.md` and may run in parallel",
  ]);
  const unsure = diagnostics.find(({ code, at }) => code === "overlap-unclear" && at?.start.line === 1);
  expect(unsure?.message).toMatch(
    /^[12],\d{3},\d{3} pairs of globs in `owns` were not compared: the comparison took too long$/,
  );
  expect(unsure?.hint).toMatch(/^list folders or files instead of globs like `lib\/\?\*a/);
});
