import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inspectFolder } from "../../src/app/inspect-folder.ts";
import { loadPlan } from "../../src/app/load-plan.ts";
import { makeFolder } from "../../src/app/make-folder.ts";
import { realFolder, replaceFile, writeInto } from "../../src/app/safe-file.ts";
import { initFolder } from "../../src/app/spec/init-folder.ts";
import { defaultCaps, defaultLayers } from "../../src/config/settings.ts";
import { type SpecFile, technologies } from "../../src/spec/spec-contents.ts";
import { specFolder } from "../../src/spec/spec-folder.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "plait-cpo-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const filesOf = (technology: (typeof technologies)[number]) =>
  specFolder({ techSpecId: "TS-0042", name: "feature", technology, generatedAt: "2026-01-15T10:00:00.000Z" });
const load = (folder: string) =>
  loadPlan(folder, { caps: defaultCaps, layers: defaultLayers(), cwd: root, format: "cpo" });

describe("the folder that cpo init makes", () => {
  test.each(technologies)("%s: is complete, and valid from the first moment", async (technology) => {
    const files = filesOf(technology);
    expect(files.map(({ path }) => path.replace(/types\.\w+$/, "types.*"))).toEqual([
      "manifest.json",
      "context.md",
      "architecture.md",
      "task-graph.md",
      "contracts/types.*",
      "contracts/api-schema.yaml",
      "tasks/task-001-example.md",
      "prompts/task-001.txt",
      "prompts/agent-prompts.md",
      ".gitignore",
    ]);
    const folder = join(root, technology, "TS-0042-feature");
    expect(await makeFolder(folder, files)).toEqual({ ok: true });
    const { plan, diagnostics } = await load(folder);
    expect(diagnostics).toEqual([]);
    expect(plan?.tasks.map(({ id, wave, doneFile }) => [id, wave, doneFile])).toEqual([
      ["task-001", 1, ".claude-task-complete"],
      ["wave-1-validation", null, null],
    ]);
  });

  test("the prompt has the sections of its system, in their order, and says that it is to be replaced", () => {
    const prompt = filesOf("go").find(({ path }) => path === "prompts/task-001.txt")?.text ?? "";
    expect([...prompt.matchAll(/^=== (.*) ===$/gm)].map(([, name]) => name)).toEqual([
      ...["REQUIRED SKILLS", "CONTEXT", "OBJECTIVE", "CONTRACTS", "FILES TO CREATE", "FILES TO MODIFY"],
      ...["DO NOT MODIFY", "IMPLEMENTATION REQUIREMENTS", "ACCEPTANCE CRITERIA", "EXECUTION INSTRUCTIONS"],
      ...["IMPORTANT RULES", "COMPLETION SIGNAL"],
    ]);
    expect(prompt).toContain("REPLACE ME");
  });

  test("a manifest without what it must have is told by the words that people look for", async () => {
    const folder = join(root, "lacking");
    expect(await makeFolder(folder, [{ path: "manifest.json", text: '{ "name": "x" }\n' }])).toEqual({
      ok: true,
    });
    const messages = (await load(folder)).diagnostics.map(({ message }) => message).join("\n");
    expect(messages).toContain("tech_spec_id");
    expect(messages).toContain("waves");
  });
});

describe("what cpo init knows of the spec and the project", () => {
  const at = (...names: string[]) => join(root, "project", ...names);
  const init = async (
    folder: string,
    techSpec: string,
    technology: (typeof technologies)[number] = "python",
  ) => {
    const made = await initFolder({
      ...{ folder: at(folder), cwd: at(), techSpec, name: "x", technology, caps: defaultCaps },
    });
    if (!made.ok) return made.refusal.message;
    const { tech_spec_id, python_version, metadata } = JSON.parse(
      readFileSync(at(folder, "manifest.json"), "utf8"),
    );
    return [tech_spec_id, metadata.tech_spec, python_version];
  };
  const spec = "tech-specs/approved/TS-0042-inventory.md";
  beforeAll(() => {
    mkdirSync(at(".git"), { recursive: true });
    mkdirSync(at(dirname(spec)), { recursive: true });
    writeFileSync(
      at(spec),
      "---\ntech_spec_id: TS-0042\ntitle: Inventory\nstatus: APPROVED\n---\n# Inventory\n",
    );
    writeFileSync(at("notes.md"), "# No id\n");
    writeFileSync(at("pyproject.toml"), '[project]\nrequires-python = ">=3.11"\n');
  });

  test("the spec is named by its id or by its file", async () => {
    expect(await init("a", "TS-0042")).toEqual(["TS-0042", spec, "3.11"]);
    expect(await init("b", spec)).toEqual(["TS-0042", spec, "3.11"]);
    expect(await init("c", "ts-42", "go")).toEqual(["TS-0042", spec, undefined]);
    writeFileSync(at(".python-version"), "3.12.4\n");
    expect(await init("d", "TS-0043")).toEqual(["TS-0043", undefined, "3.12"]);
  });

  test("a spec that is named and not there is found by validate, with where it is now", async () => {
    expect(await init("f", "TS-0042")).toContain(spec);
    const file = at("f", "manifest.json");
    const text = readFileSync(file, "utf8");
    const validate = async (path: string) => {
      writeFileSync(file, text.replace(spec, path));
      const asked = { caps: defaultCaps, layers: defaultLayers(), cwd: at(), inspect: inspectFolder };
      const found = (await loadPlan("f", asked)).diagnostics.filter(
        ({ code }) => code === "tech-spec-missing",
      );
      return found.map(({ message, hint, at: place }) => [message, hint, place?.file, place?.start]);
    };
    const place = ["f/manifest.json", { line: expect.any(Number), col: 18 }];
    const now = `set \`"tech_spec": "${spec}"\``;
    expect(await validate(spec)).toEqual([]);
    for (const path of ["tech-specs/draft/nope.md", "tech-specs", "a\\u0000b"])
      expect(await validate(path)).toEqual([
        [expect.stringMatching(/^the tech spec `.*` does not exist$/), now, ...place],
      ]);
  });

  test("what is neither makes nothing", async () => {
    expect(await init("e", "tech-specs/nope.md")).toContain("is not the id of a tech spec or a text file");
    expect(await init("e", "notes.md")).toBe("notes.md has no tech spec id");
    expect(readdirSync(at())).not.toContain("e");
  });
});

describe("a folder that is made", () => {
  const one: SpecFile[] = [{ path: "a/b.txt", text: "b\n" }];

  test("takes an empty folder, and nothing else that is there", async () => {
    const at = (name: string) => join(root, "taken", name);
    mkdirSync(at("empty"), { recursive: true });
    mkdirSync(at("full"));
    writeFileSync(join(at("full"), "mine.txt"), "mine");
    writeFileSync(at("file"), "mine");
    symlinkSync(at("empty"), at("link"));
    expect(await makeFolder(at("empty"), one)).toEqual({ ok: true });
    for (const name of ["full", "file", "link"])
      expect(await makeFolder(at(name), one)).toMatchObject({ ok: false, refusal: { kind: "request" } });
    expect(readdirSync(join(root, "taken")).sort()).toEqual(["empty", "file", "full", "link"]);
    expect(readFileSync(join(at("full"), "mine.txt"), "utf8")).toBe("mine");
  });

  test("is there as a whole, or not at all, with the folders on its way", async () => {
    const folder = join(root, "half", "way", "x");
    const bad = [...one, { path: "a/b.txt/c.txt", text: "not in a file" }];
    expect(await makeFolder(folder, bad)).toMatchObject({ ok: false });
    expect(readdirSync(root)).not.toContain("half");
  });
});

describe("files of a run in a folder of the user's", () => {
  test("no link is followed (I3)", async () => {
    const [logs, other] = [join(root, "logs"), join(root, "other.txt")];
    writeFileSync(other, "mine");
    await realFolder(logs);
    symlinkSync(other, join(logs, "a.log"));
    await expect(writeInto(join(logs, "a.log"), ["x"], "append")).rejects.toThrow(/ELOOP/);
    symlinkSync(root, join(root, "link"));
    await expect(realFolder(join(root, "link"))).rejects.toThrow("is not a folder");
    symlinkSync(other, join(root, "report.json"));
    await replaceFile(join(root, "report.json"), "new");
    expect([readFileSync(other, "utf8"), readFileSync(join(root, "report.json"), "utf8")]).toEqual([
      "mine",
      "new",
    ]);
  });

  test("texts and files come one after another, each attempt at the end", async () => {
    const [log, printed] = [join(root, "task.log"), join(root, "printed")];
    writeFileSync(printed, "x".repeat(100_000));
    await writeInto(
      log,
      ["head\n", { file: printed }, "foot\n", { file: join(dirname(log), "none") }],
      "append",
    );
    await writeInto(log, ["again\n"], "append");
    expect(readFileSync(log, "utf8")).toBe(`head\n${"x".repeat(100_000)}\nfoot\nagain\n`);
  });
});
