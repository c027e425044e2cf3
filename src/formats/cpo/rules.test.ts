import { describe, expect, test } from "vitest";
import { type Files, manifest, readFolder, taskFile, taskOf } from "../../../test/formats/cpo-folder.ts";
import { parseEstimate } from "./task-spec.ts";

const IDS = [["task-001-users", "task-002-items"], ["task-003-orders"]];
const users = (more: string) => ({
  "tasks/task-001-users.md": taskFile({
    ...{ id: "task-001-users", wave: 1, scope: "CREATE: src/users.js", more },
  }),
});
const withRules = (rules: object, files: Files = {}): Files => ({
  "manifest.json": manifest(IDS, rules),
  ...files,
});

describe("how work is checked", () => {
  test("the manifest says it for all tasks, a task file for one", async () => {
    const rules = {
      enforce: "fail",
      consent: ["lockfiles"],
      gates: ["npm test", { run: "npm run lint", name: "lint" }],
    };
    const { draft, said } = await readFolder(
      withRules(rules, users("gates: { only: [npm run unit] }\nconsent: ci\n")),
    );
    expect(said).toEqual([]);
    expect([draft?.enforce, draft?.consent]).toEqual(["fail", ["lockfiles"]]);
    expect(draft?.gates.map(({ name, run, at }) => [name, run, at.start.line])).toEqual([
      [null, { kind: "shell", line: "npm test" }, expect.any(Number)],
      ["lint", { kind: "shell", line: "npm run lint" }, expect.any(Number)],
    ]);
    const task = taskOf(draft, "task-001-users");
    expect(task.gates).toMatchObject({ mode: "only", gates: [{ run: { line: "npm run unit" } }] });
    expect(task.consent).toEqual(["ci"]);
    expect(taskOf(draft, "task-002-items").gates).toEqual({ mode: "add", gates: [] });
  });

  test("what is installed and what validates a wave has no gates of the plan", async () => {
    const waves = [{ number: 1, tasks: [{ id: "task-001-users", agent: "a:b" }], validation: "make check" }];
    const dependencies = { python: { add: ["c==2.0.0"] } };
    const { draft } = await readFolder(withRules({ gates: "npm test", waves, dependencies }));
    for (const id of ["dependencies", "wave-1-validation"])
      expect(taskOf(draft, id).gates).toEqual({ mode: "only", gates: [] });
  });

  test.each<[string, Files, RegExp]>([
    [
      "a word that is none of them",
      withRules({ enforce: "strict" }),
      /^manifest\.json:\d+:\d+.* error bad-value:/m,
    ],
    [
      "a kind that is not known",
      withRules({ consent: ["lockfile"] }),
      /^manifest\.json:\d+:\d+.* error bad-value:/m,
    ],
    [
      "a gate without a command",
      withRules({ gates: [{ name: "x" }] }),
      /^manifest\.json:\d+:\d+.* error missing-key:/m,
    ],
    ["a misspelled key", withRules({ gate: ["npm test"] }), /^manifest\.json:\d+:\d+.* error unknown-key:/m],
    [
      "an option that no gate has",
      withRules({ gates: [{ run: "x", retry: 1 }] }),
      /^manifest\.json:\d+:\d+.* error unknown-key:/m,
    ],
    [
      "enforce in a task file",
      users("enforce: fail\n"),
      /^tasks\/task-001-users\.md:8:1.* error unknown-key:/m,
    ],
    ["gates of a wrong type", users("gates: 7\n"), /^tasks\/task-001-users\.md:8:8.* error wrong-type:/m],
    [
      "gates in an entry of the manifest",
      withRules({ waves: [{ number: 1, tasks: [{ id: "task-001-users", agent: "a:b", gates: ["x"] }] }] }),
      /^manifest\.json:\d+:\d+.* error unknown-key:/m,
    ],
  ])("is refused with its place: %s", async (_, files, wanted) => {
    const { said } = await readFolder(files);
    expect(said.join("\n")).toMatch(wanted);
  });
});

test("an estimate is read in hours, minutes and days of work", async () => {
  const hours = (text: string | number) => (parseEstimate(text) ?? Number.NaN) / 3_600_000;
  expect(["3h", "2-4h", "90m", "2.5 hours", "1d", "~2h", 3].map(hours)).toEqual([3, 3, 1.5, 2.5, 8, 2, 3]);
  expect(["", "medium", "3hh", "0h", -1, "h", "9999d"].map(parseEstimate)).toEqual(Array(7).fill(null));
  const { draft } = await readFolder(users("estimate: 3h\n"));
  expect(taskOf(draft, "task-001-users").settings.estimate).toEqual({ timeMs: 10_800_000, costUsd: null });
});
