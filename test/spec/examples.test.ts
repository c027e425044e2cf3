import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Design, designSchema } from "../../src/spec/design/schema.ts";
import { git, makePlace, type Place, plaitIn } from "../cli/place.ts";
import {
  doneFiles,
  type ExampleProject,
  filesIn,
  goldenFolder,
  keptFolder,
  projectFiles,
  python,
  typescript,
} from "./example-projects.ts";

/** The examples with the program as it is built: the way that their READMEs show, and what may be wrong on it. */

const designOf = (project: ExampleProject): Design =>
  designSchema.parse(JSON.parse(projectFiles(project)["design.json"] as string));

const decompose = (project: ExampleProject, design = "design.json") => [
  ...["spec", "decompose", project.techSpec, "--prd", "docs/prd.md"],
  ...["--from-file", design, "-y"],
];

/** From where the project is a repository. */
const readmeCommands = (project: ExampleProject): string[] => {
  const [, block = ""] = /```sh\n(.*?)```/s.exec(projectFiles(project)["README.md"] ?? "") ?? [];
  const lines = block.split("\n").map((line) => line.replace(/\s+#.*$/, ""));
  const start = lines.findIndex((line) => line.startsWith("git init"));
  return lines.slice(start + 1).filter((line) => line !== "");
};

const pathsOf = ({ tasks }: Design, word: "create" | "modify") =>
  tasks.flatMap(({ scope }) => scope[word].map((entry) => entry.split("::")[0] as string));

describe.each([python, typescript])("$name", (project) => {
  test("goes from setup to landed work with the demo agent, by the commands of its README", async () => {
    const place = makePlace(projectFiles(project));
    const verbs: string[] = [];
    for (const command of readmeCommands(project)) {
      const [program, ...words] = command.split(" ");
      if (program === "git") {
        execFileSync("sh", ["-c", command], { cwd: place.repo, env: place.env });
        continue;
      }
      verbs.push(words.slice(0, words[0] === "spec" ? 2 : 1).join(" "));
      const said = await good(place, ...words, ...(words[0] === "run" ? ["-j", "8", "--allow-root"] : []));
      if (words[1] === "status") expect(said.toLowerCase()).toContain("approved");
      if (words[1] === "decompose") expectGolden(project, artefacts(place, project));
    }
    expect(verbs).toEqual([
      ...["spec setup", "spec status", "spec decompose", "validate", "spec prompts", "plan", "run"],
    ]);

    const design = designOf(project);
    expect(git(place, "branch", "--show-current")).toBe("main");
    expect(git(place, "status", "--porcelain")).toBe("");
    const landed = git(place, "ls-files").split("\n");
    expect(pathsOf(design, "create").filter((path) => !landed.includes(path))).toEqual([]);
    // Each task has been where it may be, and tasks of one wave met in no file.
    const grep = git(place, "grep", "-o", "task-[0-9]*: the demo agent was here", "--", ":!parallel");
    const traces = grep.split("\n").map((line) => line.replace(/^(.*):(task-\d+): .*$/, "$2 $1"));
    const owned = design.tasks.flatMap(({ id, scope }) =>
      [...scope.create, ...scope.modify].map((entry) => `${id} ${entry.split("::")[0]}`),
    );
    expect([...new Set(traces)].toSorted()).toEqual([...new Set(owned)].toSorted());
    const { tasks } = JSON.parse(await good(place, "report", "--format", "json"));
    const states = tasks.map((one: { status: string; attempts: unknown[] }) => [
      one.status,
      one.attempts.length,
    ]);
    expect(states.toSorted()).toEqual([
      ...design.tasks.map(() => ["merged", 1]),
      ...(design.waves ?? []).map(() => ["passed", 1]),
    ]);
  });

  test("finished, it has all that the tasks create, and differs only in what they own", () => {
    const design = designOf(project);
    const owned = [...pathsOf(design, "create"), ...pathsOf(design, "modify")];
    expect(Object.keys(doneFiles(project))).toEqual([...new Set(owned)].toSorted());
    const there = Object.keys(projectFiles(project));
    expect(pathsOf(design, "create").filter((path) => there.includes(path))).toEqual([]);
    expect(pathsOf(design, "modify").filter((path) => !there.includes(path))).toEqual([]);
  });
});

describe("what does not hold is refused with its place, and nothing is written", () => {
  const changedDesign = (change: (design: Design) => void): string => {
    const design = designOf(python);
    change(design);
    return `${JSON.stringify(design, null, 2)}\n`;
  };
  const placeOf = (text: string, part: string) => {
    const lines = text.split("\n");
    const line = lines.findLastIndex((one) => one.includes(part));
    return `${line + 1}:${(lines[line]?.indexOf(part) ?? 0) + 1}`;
  };

  test("two tasks that create the same file, types that do not parse, an API schema that is none", async () => {
    const design = changedDesign(({ tasks, contracts }) => {
      tasks[2]?.scope.create.push("tests/test_expiry.py");
      contracts.types = contracts.types?.replace("    sku: str\n", "    sku str = =\n");
      contracts.api_schema = contracts.api_schema?.replace("/schemas/ReservationPatch", "/schemas/Nothing");
    });
    const said = await refused({ ...projectFiles(python), "design.json": design }, decompose(python));
    expect(said).toContain(`design.json:${placeOf(design, '"tests/test_expiry.py"')}`);
    expect(said).toContain("`task-002` and `task-003` both create `tests/test_expiry.py`");
    const { contracts } = JSON.parse(design) as Design;
    const line = (text: string | null | undefined, part: string) =>
      (text ?? "").split("\n").findIndex((one) => one.includes(part)) + 1;
    expect(said).toContain(`contracts/types.py:${line(contracts.types, "sku str = =")}:`);
    expect(said).toContain(`contracts/api-schema.yaml:${line(contracts.api_schema, "/schemas/Nothing")}:`);
  });

  test("a spec without an id", async () => {
    const files = projectFiles(python);
    const text = files[python.techSpec]?.replace(/^tech_spec_id.*\n/m, "") as string;
    const said = await refused({ ...files, [python.techSpec]: text }, decompose(python));
    expect(said).toMatch(new RegExp(`${python.techSpec}:\\d+:\\d+`));
    expect(said).toContain("tech_spec_id");
  });

  const made = () => ({ ...projectFiles(python), ...keptFolder(python) });

  test("a task file without the sections that its prompt is made of", async () => {
    const files = made();
    const task = `${python.folder}/tasks/task-004-reservation-service.md`;
    const [head = ""] = files[task]?.split(/^## /m) ?? [];
    const checklist = files[task]?.slice(files[task].indexOf("## Checklist"));
    const said = await refused({ ...files, [task]: `${head}${checklist}` }, [
      "spec",
      "prompts",
      python.folder,
    ]);
    expect(said).toMatch(new RegExp(`${task}:\\d+:\\d+`));
    for (const section of ["## Scope", "## Requirements"]) expect(said).toContain(section);
  });

  test("a folder without a manifest, whoever is asked to take it", async () => {
    const { [`${python.folder}/manifest.json`]: _, ...files } = made();
    const place = makePlace(files);
    const words = [["validate"], ["run", "--agent", "demo", "--allow-root"], ["spec", "prompts"]];
    for (const said of await Promise.all(words.map((one) => refusedIn(place, [...one, python.folder])))) {
      expect(said).toContain(`${python.folder}:1:1`);
      expect(said).toContain("manifest.json");
    }
  });
});

/** What it says on stdout. */
async function good(place: Place, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await plaitIn(place, ...words);
  expect([words.join(" "), code, code === 0 ? "" : stdout + stderr]).toEqual([words.join(" "), 0, ""]);
  expect(stderr).not.toMatch(/(?:error|warning)\[/);
  return stdout;
}

/** What it says on stderr. */
async function refused(files: Readonly<Record<string, string>>, words: readonly string[]): Promise<string> {
  return refusedIn(makePlace(files), words);
}

async function refusedIn(place: Place, words: readonly string[]): Promise<string> {
  const { code, stderr, stdout } = await plaitIn(place, ...words);
  expect([code, stdout]).toEqual([2, ""]);
  expect(git(place, "status", "--porcelain", "--ignored")).toBe("");
  expect(git(place, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  return stderr;
}

/** Every file of the artefact folder, with one time for all. */
function artefacts({ repo }: Place, { folder }: ExampleProject): Readonly<Record<string, string>> {
  const files = Object.entries(filesIn(join(repo, folder)));
  const steady = (text: string) => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-03-20T09:30:00.000Z");
  return Object.fromEntries(files.map(([path, text]) => [`${path}.expected`, steady(text)]));
}

/** `UPDATE=1` writes what is made now; the difference is then the review. */
function expectGolden(project: ExampleProject, files: Readonly<Record<string, string>>): void {
  const folder = goldenFolder(project);
  const { UPDATE } = process.env;
  if (UPDATE === "1") {
    rmSync(folder, { recursive: true, force: true });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }
  expect(files).toEqual(filesIn(folder));
}
