import { describe, expect, test } from "vitest";
import { caps } from "../../../test/formats/caps.ts";
import { fullDesign, sampleDesign, sampleFiles, sampleTask } from "../../../test/support/designs.ts";
import { checkDesign } from "./check.ts";
import { readDesign } from "./read.ts";

const agents = ["general-purpose", "frontend-experts:react-typescript-expert"];

async function check(text: string) {
  const read = readDesign({ file: "d.json", text }, caps);
  const found = await checkDesign(read, {
    knownAgents: agents,
    checkContracts: async () => [],
    tracked: sampleFiles,
    technology: null,
    requirements: null,
    isAsked: false,
  });
  // What a design leaves out is tried in check-complete.test.ts.
  return found.filter(({ code }) => code !== "wave-unvalidated");
}

// biome-ignore lint/suspicious/noExplicitAny: what is wrong has no type
type Draft = any;

/** The sample with something changed: its second task, the scope of that, or whatever. */
function changed(change: (design: Draft) => void): string {
  const design = structuredClone(sampleDesign);
  change(design);
  return JSON.stringify(design, null, 1);
}
const second = (change: object) => changed(({ tasks }) => Object.assign(tasks[1], change));
const scope = (change: object) => changed(({ tasks }) => Object.assign(tasks[1].scope, change));

test.each([
  ["the sample", JSON.stringify(sampleDesign)],
  ["a full one", JSON.stringify(fullDesign, null, 2)],
])("a good design gives nothing: %s", async (_, text) => expect(await check(text)).toEqual([]));

/** Severity unless it is an error, code, place, and the path to it. */
const told = async (text: string) =>
  (await check(text)).map(({ code, severity, path: way = "", at }) => {
    const grave = severity === "error" ? "" : `${severity} `;
    return `${grave}${code} ${at?.start.line}:${at?.start.col} ${way}`.trimEnd();
  });

describe("what is wrong with a design is told at its place, and with the way to it", () => {
  test.each<[string, string, string[]]>([
    ["an empty text", "", ["json-syntax 1:1"]],
    ["no object", "[]", ["wrong-type 1:1"]],
    ["no JSON", "{'tasks': []}", ["json-syntax 1:2"]],
    [
      "a misspelt key",
      changed((d) => {
        d.taks = d.tasks;
        delete d.tasks;
      }),
      ["unknown-key 14:2 taks"],
    ],
    ["a misspelt key that may be left out", second({ dep: ["task-001"] }), ["unknown-key 64:4 tasks[1].dep"]],
    [
      "a key of another system",
      second({ depends_on: ["task-001"] }),
      ["unknown-key 64:4 tasks[1].depends_on"],
    ],
    ["an unknown key", second({ effort: "high" }), ["warning unknown-key 64:4 tasks[1].effort"]],
    ["a missing key", second({ title: undefined }), ["missing-key 40:3 tasks[1]"]],
    ["a title of two lines", second({ title: "a\nb" }), ["bad-value 42:13 tasks[1].title"]],
    ["a value of another type", second({ wave: "1" }), ["wrong-type 44:12 tasks[1].wave"]],
    ["no requirements", second({ requirements: [] }), ["bad-value 57:20 tasks[1].requirements"]],
    ["no checklist", second({ checklist: [] }), ["bad-value 60:17 tasks[1].checklist"]],
    [
      "an id of another form",
      second({ id: "task-2" }),
      ["bad-value 41:10 tasks[1].id", "unknown-need 72:5 tasks[2].deps[1]"],
    ],
    [
      "an id that is used twice",
      second({ id: "task-001" }),
      ["duplicate-id 41:10 tasks[1].id", "unknown-need 72:5 tasks[2].deps[1]"],
    ],
    ["an unknown dep", second({ deps: ["task-009"] }), ["unknown-need 46:5 tasks[1].deps[0]"]],
    ["a dep of the same wave", second({ deps: ["task-001"] }), ["needs-later-wave 46:5 tasks[1].deps[0]"]],
    [
      "a dep of a later wave",
      changed((d) => {
        d.tasks[0].deps = ["task-003"];
        d.tasks[2].deps = [];
      }),
      ["needs-later-wave 21:5 tasks[0].deps[0]"],
    ],
    ["a circle, and nothing else of it", second({ deps: ["task-003"] }), ["cycle 46:5 tasks[1].deps[0]"]],
    [
      "a wave that is missing",
      changed((d) => {
        d.tasks[2].wave = 4;
      }),
      ["wave-order 69:12 tasks[2].wave"],
    ],
    [
      "no first wave",
      changed((d) => {
        for (const task of d.tasks) task.wave += 1;
        d.waves = [];
      }),
      ["wave-order 14:12 tasks[0].wave"],
    ],
    [
      "validations of no wave, and twice of one",
      changed((d) => {
        d.waves = [{ number: 3 }, { number: 1 }, { number: 1 }];
      }),
      ["wave-order 10:14 waves[0].number", "wave-order 16:14 waves[2].number"],
    ],
    [
      "a path that two tasks create",
      scope({ create: ["src/part1.py"] }),
      ["created-twice 49:6 tasks[1].scope.create[0]"],
    ],
    [
      "a path that two tasks create, in braces",
      scope({ create: ["src/{part1,x}.py"] }),
      ["created-twice 49:6 tasks[1].scope.create[0]"],
    ],
    [
      "a path that two tasks of different waves create",
      changed((d) => {
        d.tasks[2].scope.create = ["src/part2.py"];
        d.tasks[2].scope.boundary = ["x"];
      }),
      ["created-twice 77:6 tasks[2].scope.create[0]"],
    ],
    [
      "a glob of a later wave that creates it too",
      changed((d) => {
        d.tasks[2].scope = { create: ["src/part?.py"], modify: [], boundary: ["x"] };
      }),
      ["created-twice 77:6 tasks[2].scope.create[0]"],
    ],
    [
      "a folder of a later wave that has it in it",
      changed((d) => {
        d.tasks[0].scope.create = ["lib/a/b.py"];
        d.tasks[2].scope = { create: ["lib/a/"], modify: [], boundary: ["x"] };
      }),
      ["created-twice 77:6 tasks[2].scope.create[0]"],
    ],
    [
      "a file that two tasks of a wave modify",
      changed((d) => {
        for (const i of [0, 1]) d.tasks[i].scope.modify = ["src/app.py"];
      }),
      ["ownership-overlap 54:6 tasks[1].scope.modify[0]"],
    ],
    [
      "a class and its method",
      changed((d) => {
        d.tasks[0].scope.modify = ["src/app.py::A"];
        d.tasks[1].scope.modify = ["src/app.py::A.b"];
      }),
      ["ownership-overlap 54:6 tasks[1].scope.modify[0]"],
    ],
    [
      "two classes, which is fine",
      changed((d) => {
        d.tasks[0].scope.modify = ["src/app.py::A"];
        d.tasks[1].scope.modify = ["src/app.py::B"];
      }),
      [],
    ],
    [
      "a file that another task of the wave creates",
      scope({ modify: ["src/part1.py::A"] }),
      ["ownership-overlap 52:6 tasks[1].scope.modify[0]"],
    ],
    [
      "a boundary around its own file",
      scope({ boundary: ["src/"] }),
      ["owns-in-boundary 53:6 tasks[1].scope.boundary[0]"],
    ],
    [
      "a glob of a later wave that a glob meets, which is only doubtful",
      changed((d) => {
        for (const i of [0, 2]) d.tasks[i].scope.create.unshift("src/migrations/*.py");
      }),
      ["warning created-twice 24:6 tasks[0].scope.create[0]"],
    ],
    [
      "a path that differs in upper and lower case, in a later wave",
      changed((d) => {
        d.tasks[0].scope.create.push("lib/A.py");
        d.tasks[2].scope.create = ["lib/a.py"];
      }),
      ["warning overlap-unclear 78:6 tasks[2].scope.create[0]"],
    ],
    [
      "a part that is created",
      scope({ create: ["lib/x.py::A"] }),
      ["design-path 49:6 tasks[1].scope.create[0]"],
    ],
    [
      "a file of git itself",
      scope({ create: [".git/hooks/pre-commit"] }),
      ["design-path 49:6 tasks[1].scope.create[0]"],
    ],
    [
      "a text that no file of text can hold",
      changed((d) => {
        d.tasks[1].objective = "a\0b";
      }),
      [expect.stringMatching(/^(?:bad-value|wrong-type) .*tasks\[1\]\.objective/)],
    ],
    [
      "one task without a boundary, which is fine",
      changed((d) => {
        d.tasks = [{ ...d.tasks[0], scope: { create: ["lib/x.py"], modify: [], boundary: [] } }];
      }),
      [],
    ],
    ["no boundary", scope({ boundary: [] }), ["design-scope 52:5 tasks[1].scope.boundary"]],
    ["nothing to create or modify", scope({ create: [] }), ["design-scope 48:5 tasks[1].scope.create"]],
    [
      "entries that are no paths",
      scope({ create: ["src/x.py (new)", "a.py, b.py", "none", "all other files"] }),
      [
        "design-path 49:6 tasks[1].scope.create[0]",
        "design-path 50:6 tasks[1].scope.create[1]",
        "design-path 51:6 tasks[1].scope.create[2]",
        "design-path 52:6 tasks[1].scope.create[3]",
      ],
    ],
    ["a path that leads out", scope({ create: ["/etc/x"] }), ["bad-pattern 49:6 tasks[1].scope.create[0]"]],
    [
      "a file that does not exist",
      scope({ modify: ["src/setings/base.py"] }),
      ["modify-missing 52:6 tasks[1].scope.modify[0]"],
    ],
    [
      "a glob that nothing matches",
      scope({ modify: ["lib/*.py"] }),
      ["modify-missing 52:6 tasks[1].scope.modify[0]"],
    ],
    [
      "a file that is created later",
      changed((d) => {
        d.tasks[2].scope.create = ["lib/z.py"];
        d.tasks[1].scope.modify = ["lib/z.py"];
      }),
      ["modify-missing 52:6 tasks[1].scope.modify[0]"],
    ],
    [
      "a file that it creates itself",
      scope({ modify: ["src/part2.py"] }),
      ["modify-missing 52:6 tasks[1].scope.modify[0]"],
    ],
    [
      "a file in a file",
      scope({ create: ["README.md/x.py"] }),
      ["create-exists 49:6 tasks[1].scope.create[0]"],
    ],
    [
      "a file that exists in other letters",
      scope({ create: ["readme.md"] }),
      ["warning create-exists 49:6 tasks[1].scope.create[0]"],
    ],
    ["a file that exists", scope({ create: ["README.md"] }), ["create-exists 49:6 tasks[1].scope.create[0]"]],
    [
      "a folder that exists",
      scope({ create: ["src/settings"] }),
      ["create-exists 49:6 tasks[1].scope.create[0]"],
    ],
    [
      "a glob over files that exist",
      scope({ create: ["src/settings/*.py"] }),
      ["warning create-exists 49:6 tasks[1].scope.create[0]"],
    ],
    ["an agent that is not known", second({ agent: "django-expert" }), ["design-agent 46:13 tasks[1].agent"]],
    ["a skill of another form", second({ skills: ["a b"] }), ["design-skill 65:5 tasks[1].skills[0]"]],
    ["too many hours", second({ hours: 9 }), ["task-size 63:13 tasks[1].hours"]],
    ["no hours", second({ hours: 0 }), ["task-size 63:13 tasks[1].hours"]],
    ["few hours", second({ hours: 1 }), ["warning task-size 63:13 tasks[1].hours"]],
    [
      "many paths",
      scope({ create: Array.from({ length: 16 }, (_, i) => `n${i}.py`) }),
      ["warning task-size 41:10 tasks[1].id"],
    ],
    [
      "a contract that is not given",
      second({ contracts: ["types.py"] }),
      ["design-contract 65:5 tasks[1].contracts[0]"],
    ],
    [
      "a contract that is no text, which tasks rely on all the same",
      changed((d) => {
        d.contracts.api_schema = { openapi: "3.0.3" };
        d.tasks[1].contracts = ["contracts/api-schema.yaml"];
      }),
      ["wrong-type 6:17 contracts.api_schema"],
    ],
    [
      "no contracts at all",
      changed((d) => {
        d.contracts = {};
      }),
      ["warning design-contract 4:2 contracts"],
    ],
    [
      "packages",
      changed((d) => {
        d.manifest = { dependencies: { python: { add: ["a>=1", "-e ."] } } };
      }),
      [
        "warning dependency-unpinned 99:6 manifest.dependencies.python.add[0]",
        "dependency-spec 100:6 manifest.dependencies.python.add[1]",
      ],
    ],
    [
      "packages of a task",
      second({ dependencies: { node: ["zod", "a;b"] } }),
      [
        "warning dependency-unpinned 66:6 tasks[1].dependencies.node[0]",
        "dependency-spec 67:6 tasks[1].dependencies.node[1]",
      ],
    ],
    [
      "a task that is alone in wave 1",
      changed((d) => {
        d.tasks[1].wave = 2;
        d.tasks[2].deps = [];
      }),
      ["warning design-shape 19:12 tasks[0].wave"],
    ],
    [
      "many waves",
      changed((d) => {
        d.tasks = [1, 1, 2, 3, 4, 5].map((wave, i) => sampleTask(i + 1, { wave }));
      }),
      ["warning design-shape 14:2 tasks"],
    ],
  ])("%s", async (_, text, expected) => expect(await told(text)).toEqual(expected));
});
