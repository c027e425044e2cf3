import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Whoever installs plait has the package alone: what it tells them to read must be in it. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: string[] };
const isPacked = (path: string) => files.some((one) => path === one || path.startsWith(`${one}/`));

/** Of plait's own docs: plans and examples have folders of that name, too. */
const OWN_PAGE = /\bdocs\/(?:(?:guide|reference|adr|pictures)\/[\w.-]+\.\w+|[A-Z]+\.md)/g;

function pagesNamedIn(path: string): string[] {
  return readFileSync(join(root, path), "utf8").match(OWN_PAGE) ?? [];
}

function filesBelow(folder: string, ends: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => ends.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

test("every page that README, help texts, messages and skills point to is there, and in the package", () => {
  const texts = [
    "README.md",
    ...filesBelow("src", /\.tsx?$/),
    ...filesBelow("plugin", /\.(?:md|json|yaml)$/),
  ];
  const named = [...new Set(texts.flatMap(pagesNamedIn))];
  expect(named.length).toBeGreaterThan(25);
  expect(named).toContain("docs/guide/migrating-from-cpo.md");
  expect(named.filter((page) => !existsSync(join(root, page)) || !isPacked(page))).toEqual([]);
});

test("links of README, change log, docs and examples lead somewhere in the package", () => {
  const pages = [
    "README.md",
    "CHANGELOG.md",
    ...filesBelow("docs", /\.md$/),
    ...filesBelow("examples", /\.md$/),
  ];
  const links = pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, to = ""]) =>
      relative(root, join(root, page, "..", to)),
    ),
  );
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter((path) => !existsSync(join(root, path)) || !isPacked(path))).toEqual([]);
});
