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
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { setUpSpecs, technologyOf } from "./setup.ts";

const top = mkdtempSync(join(tmpdir(), "plait-setup-"));
afterAll(() => rmSync(top, { recursive: true }));
let root = top;
beforeEach(() => {
  root = mkdtempSync(join(top, "root-"));
});
const at = (name: string) => join(root, name);
const read = (name: string) => readFileSync(at(name), "utf8");
const whats = async () => {
  const done = await setUpSpecs(root, null);
  return done.ok ? done.items.map(({ what }) => what) : done.refusal.message;
};

test("what is missing is made, what is there stays byte by byte, and the second time changes nothing", async () => {
  mkdirSync(at("parallel"));
  writeFileSync(at("parallel/README.md"), "mine");
  writeFileSync(at("CLAUDE.md"), "\ufeff# Mine\r\nno line end");
  expect(await whats()).toEqual(["there", "created", "section-added"]);
  expect(read("parallel/README.md")).toBe("mine");
  expect(read("parallel/.gitignore")).toContain("*/prompts/\n");
  const section = read("CLAUDE.md");
  expect(section).toMatch(
    /^\ufeff# Mine\r\nno line end\r\n\r\n<!-- plait: [\s\S]*<!-- \/plait: parallel work -->\r\n$/,
  );
  expect(section.replaceAll("\r\n", "")).not.toContain("\n");
  expect(await whats()).toEqual(["there", "there", "section-there"]);
  expect(read("CLAUDE.md")).toBe(section);
});

test("CLAUDE.md is never made, and one that leads to another file of the project stays a link", async () => {
  expect(await whats()).toEqual(["created", "created", "no-file"]);
  expect(readdirSync(root)).toEqual(["parallel"]);
  writeFileSync(at("AGENTS.md"), "");
  symlinkSync("AGENTS.md", at("CLAUDE.md"));
  expect(await whats()).toEqual(["there", "there", "section-added"]);
  expect(read("AGENTS.md")).toMatch(/^<!-- plait/);
  expect(await whats()).toEqual(["there", "there", "section-there"]);
});

test.each<[string, () => void, RegExp]>([
  ["a file", () => writeFileSync(at("parallel"), "x"), /^parallel is a file/],
  ["a link", () => symlinkSync(top, at("parallel")), /^parallel is a link/],
  [
    "a folder for the README",
    () => mkdirSync(at("parallel/README.md"), { recursive: true }),
    /README\.md is a folder/,
  ],
  [
    "a link for .gitignore",
    () => {
      mkdirSync(at("parallel"));
      symlinkSync("x", at("parallel/.gitignore"));
    },
    /is a link/,
  ],
  [
    "CLAUDE.md that leads out",
    () => symlinkSync(join(top, "out.md"), at("CLAUDE.md")),
    /outside the project/,
  ],
  ["CLAUDE.md as a folder", () => mkdirSync(at("CLAUDE.md")), /^CLAUDE\.md is a folder/],
])("%s in the way: it is said, and nothing is made", async (_, block, says) => {
  writeFileSync(join(top, "out.md"), "");
  block();
  const before = readdirSync(root, { recursive: true });
  expect(await whats()).toMatch(says);
  expect(readdirSync(root, { recursive: true })).toEqual(before);
  expect(readFileSync(join(top, "out.md"), "utf8")).toBe("");
});

test("a CLAUDE.md that nobody may write stays as it is, and then nothing is made", async () => {
  writeFileSync(at("CLAUDE.md"), "mine", { mode: 0o444 });
  expect(await whats()).toBe("cannot write CLAUDE.md (EACCES); nothing was changed");
  expect([readdirSync(root), read("CLAUDE.md")]).toEqual([["CLAUDE.md"], "mine"]);
});

test("where nothing can be made, no other place is proposed: there is only one", async () => {
  writeFileSync(at("file"), "");
  const done = await setUpSpecs(at("file/below"), null);
  expect(done).toMatchObject({ ok: false, refusal: { hint: expect.not.stringContaining("another place") } });
});

test.each<[string, Record<string, string>, string | null]>([
  ["Django by its program", { "manage.py": "", "package.json": "{}" }, "django"],
  ["Django by a dependency", { "pyproject.toml": 'dependencies = ["Django>=5", "x"]\n' }, "django"],
  [
    "Python beside something called after it",
    { "pyproject.toml": 'name = "my-django-like"\nx = ["django-x"]' },
    "python",
  ],
  [
    "Python with pages",
    { "requirements.txt": "fastapi\n", "package.json": "{}", "tsconfig.json": "{}" },
    "python",
  ],
  ["Go", { "go.mod": "module x\n" }, "go"],
  ["TypeScript", { "package.json": "{}", "tsconfig.json": "{}" }, "typescript"],
  ["nothing known", { "Cargo.toml": "" }, null],
])("the technology: %s", async (_, files, expected) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
  expect((await technologyOf(root))?.technology ?? null).toBe(expected);
});
