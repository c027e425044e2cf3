import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { caps } from "../../test/formats/caps.ts";
import { filesOf, readFolderAsPlan } from "../../test/formats/read-as-plan.ts";
import { richContents } from "../../test/spec/rich-contents.ts";
import { defaultLayers } from "../config/settings.ts";
import { analyze } from "../core/analyze/analyze.ts";
import { textHash } from "../core/ids.ts";
import { proseOf } from "../formats/cpo/prose.ts";
import { promptFiles } from "./prompt-files.ts";
import { readPromptFolder } from "./prompt-folder.ts";
import { staleFindings } from "./prompt-stale.ts";
import { promptFindings } from "./sections.ts";
import type { SpecContents, SpecFile, SpecTask } from "./spec-contents.ts";
import { specFiles, usualFolder } from "./spec-files.ts";

const textsOf = (files: readonly SpecFile[]) =>
  Object.fromEntries(files.map(({ path, text }) => [path, text]));

/** UPDATE=1 writes what is made now; read the difference before you keep it. */
describe("the files of a rich spec", () => {
  const golden = new URL("../../test/spec/golden/rich/", import.meta.url);
  const files = specFiles(richContents);

  test("are those that are kept", () => {
    const { UPDATE } = process.env;
    if (UPDATE === "1") {
      rmSync(golden, { recursive: true, force: true });
      for (const { path, text } of files) {
        const at = new URL(`${path}.expected`, golden);
        mkdirSync(dirname(at.pathname), { recursive: true });
        writeFileSync(at, text);
      }
    }
    const kept = readdirSync(golden, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(kept.length).toBe(files.length);
    for (const { path, text } of files)
      expect([path, text]).toEqual([path, readFileSync(new URL(`${path}.expected`, golden), "utf8")]);
  });
});

test("words that leave a block of code open do not hide the pictures and tables below them", () => {
  const text = textsOf(specFiles({ ...richContents, architecture: "It is so:\n\n~~~~\nx -> y" }))[
    "architecture.md"
  ];
  const lines = [...proseOf(text ?? "", { start: 0, end: text?.length ?? 0 })];
  expect(lines.filter(({ isCode }) => !isCode).map((one) => one.text)).toContain("## Ownership");
});

test("ids that are words of Mermaid are names of tasks in the chart", () => {
  const [first, second, ...others] = richContents.tasks as readonly [SpecTask, SpecTask, ...SpecTask[]];
  const tasks = [{ ...first, id: "title" }, { ...second, id: "Section", title: "done" }, ...others];
  const lines = textsOf(specFiles({ ...richContents, tasks }))["task-graph.md"]?.split("\n") ?? [];
  expect(lines.filter((line) => /^ *title /i.test(line))).toEqual(["  title TS-0042"]);
  expect(lines).toContain("  #83;ection done :2001-01-01 00:00, 150m");
});

describe("an artefact folder says what went into it", () => {
  test("of a rich spec", () => comesBack(richContents));

  test("of any", async () => {
    await fc.assert(
      fc.asyncProperty(anyContents, async (contents) => comesBack(contents)),
      { numRuns: 40 },
    );
  });
});

/** Ids, waves, needs, agents, scopes, contracts and prompts, as a run sees them; and nobody has anything to say about it. */
async function comesBack(contents: SpecContents): Promise<void> {
  const files = specFiles(contents);
  expect(specFiles(contents)).toEqual(files);
  const texts = textsOf(files);
  const { draft, diagnostics } = await readFolderAsPlan(usualFolder(contents), {
    ...texts,
    "../../package.json": "{}",
    "../../package-lock.json": "{}",
  });
  expect(diagnostics).toEqual([]);
  const someText = { hash: textHash("0".repeat(64)), bytes: 1, file: null };
  const context = { layers: defaultLayers(), text: () => someText, sourceHash: someText.hash };
  const plan = draft && analyze(draft, context);
  expect(plan?.diagnostics.filter(({ code }) => code !== "no-owns")).toEqual([]);
  for (const task of contents.tasks) {
    const read = draft?.tasks.find(({ id }) => id.value === task.id);
    const owns = (mode: string) =>
      read?.owns.filter((one) => one.mode === mode).map(({ text }) => text.value.replace(/^\.\//, ""));
    const folder = usualFolder(contents);
    expect({
      wave: read?.wave?.value,
      needs: read?.needs.map(({ value }) => value).filter((id) => /^task-/.test(id)),
      agent: read?.settings.agent?.value,
      create: owns("create"),
      modify: owns("modify"),
      boundary: read?.boundary.map(({ value }) => value),
      work: read?.work.kind === "agent" && read.work.prompt.value,
      title: read?.title,
    }).toEqual({
      wave: task.wave,
      needs: [...task.deps],
      agent: { name: task.agent },
      create: [...task.create],
      modify: [...task.modify],
      boundary: [...task.boundary, ...task.contracts.map((path) => `${folder}/${path}`)],
      work: { kind: "file", file: `prompts/${task.id}.txt` },
      title: task.title,
    });
    const prompt = { file: "p", text: texts[`prompts/${task.id}.txt`] ?? "" };
    expect(promptFindings(prompt, "parallel/TS-0042")).toEqual([]);
  }
  await generatesTheSame(contents, texts);
}

/** What `plait spec prompts` would write is what is there, and passes its own check. */
async function generatesTheSame(contents: SpecContents, texts: { readonly [path: string]: string }) {
  const path = usualFolder(contents);
  const input = { kind: "folder" as const, path, names: ["manifest.json"] };
  const { folder, diagnostics } = await readPromptFolder(input, caps, filesOf(input, texts));
  expect(diagnostics).toEqual([]);
  if (folder === null) throw new Error("no folder, and nothing is said about it");
  const generated = promptFiles(folder, contents.generatedAt);
  expect(generated).toEqual(generated.map(({ path: at }) => ({ path: at, text: texts[at] })));
  for (const one of folder.tasks) {
    const prompt = { file: one.path, text: texts[one.path] ?? "" };
    expect(staleFindings(prompt, one, folder)).toEqual([]);
  }
}

const hardText = fc.oneof(
  { arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }), weight: 1 },
  {
    arbitrary: fc
      .array(
        fc.constantFrom(
          ...[
            "\n",
            " ",
            "# ",
            "## Scope",
            "## Checklist\n",
            "```",
            "~~~\n",
            "- ",
            "- [ ] ",
            "`",
            '"',
            "'",
            "|",
          ],
          ...[
            ": ",
            "#",
            "\n---\n",
            "\n=== CONTEXT ===\n",
            "=== X ===",
            "{",
            "}",
            "[",
            "]",
            "<",
            ";",
            "end",
            "\\",
          ],
          ...["\r\n", "\t", "%%", "CREATE:", "\u2028", "é", "在"],
        ),
        { minLength: 1, maxLength: 12 },
      )
      .map((parts) => parts.join("")),
    weight: 3,
  },
);
const words = hardText.map((text) => `W${text}`);
const line = words.map((text) => text.replace(/\s+/g, " ").trim().slice(0, 90));
const path = fc
  .array(
    fc.constantFrom("a", "B", "1", " b", "(x)", ",", "#", " #c", "-", " - ", ".", "@", "é", "'", "[x]", "&"),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(""));
const slug = fc.constantFrom("users", "order-api", "end", "null", "1e3", "true");

/** Every task has files of its own, by the number in front. */
const anyTask = fc.record({
  title: line,
  component: fc.oneof(slug, line),
  wave: fc.integer({ min: 1, max: 3 }),
  agent: fc.constantFrom("plugin:agent", "a-b:c_d", "true:no"),
  skills: fc.array(fc.constantFrom("plugin:skill", "a: b"), { maxLength: 2 }),
  contracts: fc.constantFrom<readonly string[]>([], ["contracts/types.py"]),
  covers: fc.constantFrom<readonly string[]>([], ["R1", "1.1", "FR-2"]),
  operations: fc.constantFrom<readonly string[]>([], ["GET /items/{id}"]),
  create: fc.array(path, { maxLength: 3 }),
  modify: fc.array(path, { maxLength: 2 }),
  boundary: fc.array(path, { maxLength: 2 }),
  objective: words,
  requirements: fc.array(words, { minLength: 1, maxLength: 3 }),
  checklist: fc.array(words, { minLength: 1, maxLength: 3 }),
  hours: fc.constantFrom(null, 2, 2.5, 700),
  deps: fc.array(fc.nat(), { maxLength: 3 }),
});

const anyContents: fc.Arbitrary<SpecContents> = fc
  .record({ tasks: fc.array(anyTask, { minLength: 1, maxLength: 5 }), context: words, architecture: words })
  .map(({ tasks, context, architecture }) => {
    const used = [...new Set(tasks.map(({ wave }) => wave))].sort();
    const sorted = tasks
      .map((task) => ({ ...task, wave: used.indexOf(task.wave) + 1 }))
      .sort((a, b) => a.wave - b.wave)
      .map((task, i): SpecTask & { wave: number } => {
        const own = (kind: string, paths: readonly string[]) =>
          paths.map((one, n) => `${kind}${i}-${n}/x${one}y`.trim());
        return {
          ...task,
          id: `task-00${i + 1}`,
          deps: [],
          create: own("c", task.create),
          modify: own("m", task.modify),
          boundary: own("b", task.boundary),
        };
      });
    const withDeps = sorted.map((task, i) => {
      const earlier = sorted.filter(({ wave }) => wave < task.wave).map(({ id }) => id);
      const picked = (tasks[i]?.deps ?? []).flatMap((n) => earlier[n % Math.max(1, earlier.length)] ?? []);
      return { ...task, deps: [...new Set(picked)] };
    });
    return {
      ...richContents,
      dependencies: {},
      waves: used.map((_, i) => ({ number: i + 1, validation: null })),
      tasks: withDeps,
      context,
      architecture,
    };
  });
