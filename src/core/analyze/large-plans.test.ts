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
  const waves = analyzeSample(draftOf(many((i) => ({ wave: i % 2, owns: [`x${i}`] }))));
  expect(waves.plan?.tasks[1]?.needs).toHaveLength(SIZE / 2);
  const misspelt = analyzeSample(draftOf(many((i) => ({ needs: [`tsak-${i}`] }))));
  expect(misspelt.diagnostics).toHaveLength(SIZE);
});
