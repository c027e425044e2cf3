import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { verbNames } from "../../src/programs/demo-agent-verbs.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

const folders = ["docs", "docs/adr", "docs/guide", "docs/reference"];
const pages = [
  ...["README.md", "CHANGELOG.md", "CONTRIBUTING.md"],
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  ),
];

const withoutBlocks = (text: string): string => text.replace(/^ *(`{3,})[\s\S]*?^ *\1/gm, "");

describe("the documentation", () => {
  it("has no link that leads nowhere", () => {
    const dead = pages.flatMap((page) =>
      linksOf(read(page)).flatMap((link) => (leadsSomewhere(page, link) ? [] : [`${page}: ${link}`])),
    );
    expect(dead).toEqual([]);
  });

  it("has pictures that somebody sees, each of at most 120 kB", () => {
    const shown = pages.flatMap((page) => linksOf(read(page)).map((link) => join(dirname(page), link)));
    for (const name of readdirSync(join(root, "docs/pictures"))) {
      expect(shown).toContain(`docs/pictures/${name}`);
      expect(statSync(join(root, "docs/pictures", name)).size).toBeLessThanOrEqual(120_000);
    }
  });

  it("names every line that the demo agent understands", () => {
    const rows = read("docs/guide/demo-agent.md")
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    const names = rows.flatMap((row) =>
      [...(row.split(" | ")[0] ?? "").matchAll(/`([a-z]+)/g)].map(([, name]) => name),
    );
    expect(verbNames.filter((name) => !names.includes(name))).toEqual([]);
  });

  it("shows a run as the terminal draws it", () => {
    const drawn = read("src/cli/render/run/pictures/live-80x24.txt").trimEnd().split("\n");
    expect(read("README.md")).toContain(drawn.slice(0, -1).join("\n")); // but for the keys
  });

  it("names no command and no flag that plait does not have", () => {
    const guide = pages.filter((page) => page.startsWith("docs/guide/") || page === "README.md");
    const unknown = guide.flatMap((page) =>
      commandsOf(read(page)).flatMap((command) => unknownIn(command).map((word) => `${page}: ${word}`)),
    );
    expect(unknown).toEqual([]);
  });
});

const linksOf = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^https?:/.test(link));

function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#", 2);
  const file = path === "" ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, file))) return false;
  return anchor === undefined || !file.endsWith(".md") || anchorsOf(read(file)).includes(anchor);
}

/** As GitHub makes them of headings. */
const anchorsOf = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, "")
      .replaceAll(" ", "-"),
  );

/** In code, from `plait` to the end of the command. */
const commandsOf = (text: string): string[] =>
  [...text.matchAll(/(?:^|[`\s(=])plait ((?:-C \S+ )?[a-z][^\n`|#&;]*)/gm)]
    .filter(({ index, 0: found }) => isCode(text, index + found.length))
    .map(([, words = ""]) => words.replace(/"[^"]*"/g, '""'));

/** Whether it stands between backticks of its line, or in a block that is to be typed, and not as a comment there. */
function isCode(text: string, at: number): boolean {
  const before = text.slice(0, at);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (/(^|\s)# /.test(line)) return false; // a comment
  const fences = before.match(/^ *```.*$/gm) ?? [];
  if (fences.length % 2 === 1) return fences.at(-1)?.trim() === "```sh";
  return (line.match(/`/g) ?? []).length % 2 === 1;
}

const OLDER = new Set(["cast-parallel", "parallel-orchestra", "cpo"]);
const reference = read("docs/reference/commands.md")
  .split(/^## plait /m)
  .slice(1);

/** Of commands with two words: the first. */
const groups = new Set(reference.flatMap((part) => /^([a-z-]+) [a-z-]+\n/.exec(part)?.[1] ?? []));

/** What the reference says of a command, by any of its names. */
const sectionOf = (name: string): string | undefined =>
  reference.find((part) => part.startsWith(`${name}\n`) || part.includes(`|${name} `));

function unknownIn(command: string): string[] {
  const words = command
    .replace(/^-C \S+ /, "")
    .trim()
    .split(/\s+/);
  const isGroup = groups.has(words[0] ?? "");
  const name = words.slice(0, isGroup ? 2 : 1).join(" ");
  if (OLDER.has(name) || name === "help" || groups.has(name)) return [];
  const says = sectionOf(name);
  if (says === undefined) return [`plait ${name}`];
  const flags = words.map((word) => /^--[a-z][a-z-]*/.exec(word)?.[0] ?? "");
  return flags.filter((flag) => !says.includes(flag)).map((flag) => `plait ${name} ${flag}`);
}
